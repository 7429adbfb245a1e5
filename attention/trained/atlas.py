"""Draw all heads as one small PNG, using nothing but zlib.

A pixel is as opaque as the weight is large, so that a page may give it any colour: weight 0 is
transparent, weight 1 opaque. Heads stand as they are counted, a row of heads for each layer; in a
head a row of pixels is a token that asks and a column a token that is asked.
"""

import struct
import zlib

import numpy as np

from attention.core import Floats

GAP = 2  # transparent pixels between two heads
STEPS = 15  # from weight 0 to weight 1: sixteen shades fit in half a byte


def png(weights: Floats) -> bytes:  # [layers, heads, n, n] -> a PNG with n pixels a token
    """Draw the weights, in sixteen shades of black."""
    layers, heads, n, _ = weights.shape
    step = n + GAP
    pixels = np.zeros((layers * step, heads * step), dtype=np.uint8)
    for layer, head in np.ndindex(layers, heads):
        shades = np.rint(weights[layer, head] * STEPS)  # [n, n]
        pixels[layer * step :, head * step :][:n, :n] = shades
    pixels = pixels[:-GAP, :-GAP]  # a gap stands between two heads, not after the last
    height, width = pixels.shape
    pairs = np.pad(pixels, ((0, 0), (0, width % 2)))  # two pixels a byte
    packed = pairs[:, ::2] << 4 | pairs[:, 1::2]
    lines = np.pad(packed, ((0, 0), (1, 0)))  # each line begins with 0: no filter
    opacities = bytes(255 * shade // STEPS for shade in range(STEPS + 1))
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 4, 3, 0, 0, 0)),
            _chunk(b"PLTE", bytes(3 * len(opacities))),  # black, whatever the shade
            _chunk(b"tRNS", opacities),
            _chunk(b"IDAT", zlib.compress(lines.tobytes(), 9)),
            _chunk(b"IEND", b""),
        ]
    )


def _chunk(kind: bytes, content: bytes) -> bytes:
    """Wrap a part of a PNG: its length, its kind, its content, its checksum."""
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)
