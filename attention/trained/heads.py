"""Read the heads that `extract.py` stored, and refuse a file that is not as it wrote it.

Heads and layers are counted from 1: L4H2 is the second head of the fourth layer.
Letters in shapes: n tokens, d entries of a query, a key and a value.
"""

import hashlib
import json
from pathlib import Path
from typing import Any
from typing import NamedTuple

import numpy as np

from attention.core import Floats

LAYERS = 6
HEADS = 12
D = 32

# Vectors are stored as whole ten-thousandths, exact and three times as fast to read as decimals.
# Four decimals move a weight by at most 4e-5; three by 6e-4, and the page shows three.
UNITS = 10_000

# The last word of the sentence, which alone tells the two sentences apart.
WORDS = ("tired", "wide")

FOLDER = Path(__file__).parent
FILE = FOLDER / "heads.json"
ATLAS = "atlas.png"  # beside the data file

# The ten heads that are stored. They were picked by hand; each with what it does.
DOES = {
    "L4H2": "looks for the noun that “it” stands for",
    "L3H2": "“it” reads the adjective",
    "L5H1": "“it” changes its noun with the last word",
    "L2H4": "a pronoun looks for a noun that agrees with it",
    "L1H3": "looks at the previous token",
    "L2H9": "looks at the next token",
    "L3H9": "“the” looks for its noun, “it” for the adjective",
    "L5H6": "gives most of its weight to [CLS]",
    "L4H12": "leans to the full stop and [SEP]",
    "L5H2": "no simple description",
}

# Patterns that a head may follow, and findings that the stored vectors alone cannot give: of each
# finding the numbers it has. `measure.py` says by which rule it measured them.
PATTERNS = ("previous", "next", "cls", "end")
FINDINGS = {
    "adjective-hidden": WORDS,
    "adjective-hidden-from-it": WORDS,
    "query-and-key": ("query", "key"),
    "parked-value": ("share",),
    "flips": ("right", "wrong"),
    "general": ("sentences", "top", "top-undivided", "cls"),
    "pairs": ("pairs", "moved", "accuracy"),
    "pronouns": ("sentences", "right"),
}


class Source(NamedTuple):
    """Where the numbers come from."""

    model: str
    package: str
    version: str
    licence: str
    sha256: str  # of the file with the model's weights


class Vectors(NamedTuple):
    """What one head computes of the tokens of one sentence, to four decimals."""

    query: Floats  # [n, d]
    key: Floats  # [n, d]
    value: Floats  # [n, d]


class Head(NamedTuple):
    """One head; `by_word` has its vectors for each last word of the sentence."""

    name: str
    layer: int
    number: int
    does: str
    by_word: dict[str, Vectors]


class Pattern(NamedTuple):
    """A pattern, how much of its weight each head gives to it, and the heads that follow it."""

    rule: str
    shares: Floats  # [6, 12]
    heads: tuple[str, ...]


class Finding(NamedTuple):
    """What was measured in the whole model, and by which rule."""

    rule: str
    numbers: dict[str, float]


class Trained(NamedTuple):
    """All that was stored."""

    source: Source
    sentences: dict[str, str]  # by last word
    tokens: dict[str, tuple[str, ...]]  # by last word
    heads: dict[str, Head]
    patterns: dict[str, Pattern]
    patternless: tuple[str, ...]  # the heads that follow no pattern
    findings: dict[str, Finding]
    atlas: bytes  # a PNG of all 72 heads, as opaque as the weight is large


def load(path: Path = FILE) -> Trained:
    """Read the data file and the picture beside it.

    Raises FileNotFoundError if one is missing, and ValueError, which names the file and what is
    wrong with it, if one is cut, edited or lacks something.
    """
    text = path.read_text(encoding="utf-8")
    try:
        trained = _parsed(text, (path.parent / ATLAS).read_bytes())
    except KeyError as error:
        raise ValueError(f"{path}: {error} is missing") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return trained


def _parsed(text: str, atlas: bytes) -> Trained:
    """Build everything from a file whose first line is the checksum of the lines below it."""
    seal, _, body = text.partition("\n")
    if not body.endswith("\n}\n"):
        raise ValueError("the file is cut: its end is missing")
    if seal != f'{{"sha256": "{digest(body.encode())}",':
        raise ValueError("the file was edited: its content does not fit its checksum")
    data = json.loads(text)
    if digest(atlas) != data["atlas"]:
        raise ValueError(f"{ATLAS} beside it is another one: it does not fit its checksum")
    tokens = {word: tuple(data["tokens"][word]) for word in WORDS}
    return Trained(
        source=Source(**{name: data["source"][name] for name in Source._fields}),
        sentences={word: data["sentences"][word] for word in WORDS},
        tokens=tokens,
        heads={name: _head(name, data["heads"][name], tokens) for name in DOES},
        patterns={name: _pattern(name, data["patterns"][name]) for name in PATTERNS},
        patternless=tuple(data["patternless"]),
        findings={
            name: Finding(data["findings"][name]["rule"], _numbers(data["findings"][name], names))
            for name, names in FINDINGS.items()
        },
        atlas=atlas,
    )


def digest(content: bytes) -> str:
    """Give the checksum of a content: its SHA-256 in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def _head(name: str, stored: dict[str, Any], tokens: dict[str, tuple[str, ...]]) -> Head:
    by_word = {}
    for word in WORDS:
        shape = (len(tokens[word]), D)
        parts = (
            _array(stored[word][part], shape, f"{part} of {name}, {word}") / UNITS
            for part in Vectors._fields
        )
        by_word[word] = Vectors(*parts)
    return Head(name, stored["layer"], stored["number"], DOES[name], by_word)


def _pattern(name: str, stored: dict[str, Any]) -> Pattern:
    shares = _array(stored["shares"], (LAYERS, HEADS), f"shares of {name}")
    return Pattern(stored["rule"], shares, tuple(stored["heads"]))


def _numbers(stored: dict[str, Any], names: tuple[str, ...]) -> dict[str, float]:
    return {name: float(stored[name]) for name in names}


def _array(stored: list[list[float]], shape: tuple[int, int], what: str) -> Floats:
    try:
        array = np.array(stored, dtype=np.float64)
    except (TypeError, ValueError):  # a word, or rows of different lengths
        array = np.empty(0)
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"{what} must be finite numbers [{shape[0]}, {shape[1]}]")
    return array
