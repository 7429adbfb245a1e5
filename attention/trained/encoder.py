"""The encoder of all-MiniLM-L6-v2 in plain numpy: words to tokens, tokens to every head.

Source of the formulas: Devlin et al., "BERT" (2018), and the model's own `config.json`. Everything
runs in float64. In float32 another machine's last bit would move stored decimals.
Letters in shapes: n tokens, d entries of a query, a key and a value.
"""

import json
import math
import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention.core import Booleans
from attention.core import Floats
from attention.core import attend
from attention.trained.heads import HEADS
from attention.trained.heads import LAYERS

EPSILON = 1e-12  # keeps a layer norm from dividing by 0; `layer_norm_eps` of config.json

Tensors = dict[str, NDArray[np.float32]]


class Heads(NamedTuple):
    """What all 72 heads did with one sentence."""

    query: Floats  # [6, 12, n, d]
    key: Floats  # [6, 12, n, d]
    value: Floats  # [6, 12, n, d]
    weights: Floats  # [6, 12, n, n]


def tensors(raw: bytes) -> Tensors:
    """Read a safetensors file: the length of a JSON header, the header, then the numbers."""
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    found = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            first, end = entry["data_offsets"]
            numbers = np.frombuffer(raw, "<f4", (end - first) // 4, start + first)
            found[name] = numbers.reshape(entry["shape"])
    return found


def tokenise(text: str, vocabulary: dict[str, int]) -> list[str]:
    """Cut a text into WordPiece tokens: of each word the longest known piece, again and again.

    Raises ValueError for a word that cannot be put together from known pieces.
    """
    tokens = ["[CLS]"]
    for word in re.findall(r"\w+|[^\w\s]", text.lower()):
        rest, mark = word, ""
        while rest:
            ends = range(len(rest), 0, -1)
            piece = next((mark + rest[:end] for end in ends if mark + rest[:end] in vocabulary), "")
            if not piece:
                raise ValueError(f"the vocabulary has no pieces for {word!r}")
            tokens.append(piece)
            rest, mark = rest[len(piece) - len(mark) :], "##"
    return [*tokens, "[SEP]"]


def encode(ids: list[int], model: Tensors, mask: Booleans | None = None) -> Heads:
    """Run the encoder; `mask` [6, n, n] says who may attend to whom in each layer."""

    def linear(x: Floats, name: str) -> Floats:  # [n, a] -> [n, b]
        weight = model[f"{name}.weight"].astype(np.float64)  # [b, a]
        return np.asarray(x @ weight.T + model[f"{name}.bias"])

    def normed(x: Floats, name: str) -> Floats:  # [n, 384] -> [n, 384]
        centred = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)
        return np.asarray(centred / spread * model[f"{name}.weight"] + model[f"{name}.bias"])

    def split(x: Floats) -> Floats:  # [n, 384] -> [12, n, d]
        return x.reshape(len(x), HEADS, -1).swapaxes(0, 1)

    words = model["embeddings.word_embeddings.weight"][ids].astype(np.float64)  # [n, 384]
    places = model["embeddings.position_embeddings.weight"][: len(ids)]  # [n, 384]
    kinds = model["embeddings.token_type_embeddings.weight"][0]  # [384], one sentence: type 0
    x = normed(words + places + kinds, "embeddings.LayerNorm")  # [n, 384]
    layers = []
    for i in range(LAYERS):
        at = f"encoder.layer.{i}"
        q, k, v = (
            split(linear(x, f"{at}.attention.self.{part}")) for part in ("query", "key", "value")
        )
        steps = attend(q, k, v, mask=None if mask is None else mask[i])
        layers.append((q, k, v, steps.weights))
        joined = steps.output.swapaxes(0, 1).reshape(x.shape)  # [n, 384]
        told = linear(joined, f"{at}.attention.output.dense")
        x = normed(x + told, f"{at}.attention.output.LayerNorm")
        inner = gelu(linear(x, f"{at}.intermediate.dense"))  # [n, 1536]
        x = normed(x + linear(inner, f"{at}.output.dense"), f"{at}.output.LayerNorm")
    return Heads(*(np.stack(part) for part in zip(*layers, strict=True)))


def gelu(x: Floats) -> Floats:
    """Multiply each number by the chance that a normal one lies below it."""
    erf = np.vectorize(math.erf, otypes=[np.float64])
    return np.asarray(x / 2 * (1 + erf(x / math.sqrt(2))))
