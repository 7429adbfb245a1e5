"""Scaled dot-product attention, every step kept.

Source of the formula: Vaswani et al., "Attention Is All You Need" (2017), section 3.2.1.
Letters in shapes: L queries, S keys, d entries of a query and a key, d_v entries of a value;
`...` stands for leading dimensions (heads, batches), which broadcast.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
MASKED = -np.inf  # the score of a token that may not be seen: e to its power is 0


class Steps(NamedTuple):
    """Every step of one attention call, in the order they are computed."""

    dots: Floats  # [..., L, S] query · key
    scores: Floats  # [..., L, S] after scale, bias and mask; -inf where masked
    weights: Floats  # [..., L, S] what `normalise` makes of each row of scores; 0 where masked
    output: Floats  # [..., L, d_v] the weighted sum of the values


def softmax(scores: ArrayLike) -> Floats:  # [..., n] -> [..., n]
    """Turn each row of scores into positive weights that add to 1.

    The row's maximum is subtracted first, which changes no weight and keeps `exp` from
    overflowing. A row of nothing but -inf gets weights 0.

    >>> softmax(np.array([0.0, np.log(3.0), -np.inf])).round(3)
    array([0.25, 0.75, 0.  ])
    """
    x = np.asarray(scores, dtype=np.float64)
    top = np.max(x, axis=-1, keepdims=True, initial=MASKED)  # [..., 1]
    with np.errstate(over="ignore"):  # scores far apart overflow, and the power 0 is right
        powers = np.exp(x - np.where(top == MASKED, 0.0, top))  # [..., n]
    total: Floats = np.sum(powers, axis=-1, keepdims=True)  # [..., 1]
    return powers / np.where(total == 0, 1.0, total)


def row_share(scores: ArrayLike) -> Floats:  # [..., n] -> [..., n]
    """Divide each score by its row's sum: what softmax replaces.

    Masked scores (-inf) get share 0. A row whose scores cancel, up to float64 rounding, has no
    shares, and nan says so.

    >>> row_share(np.array([4.0, -2.0, 0.5, 0.0]))
    array([ 1.6, -0.8,  0.2,  0. ])
    """
    x = np.asarray(scores, dtype=np.float64)
    masked = x == MASKED  # [..., n]
    seen = np.where(masked, 0.0, x)  # [..., n]
    total = np.sum(seen, axis=-1, keepdims=True)  # [..., 1]
    rounding = np.finfo(np.float64).eps * np.sum(np.abs(seen), axis=-1, keepdims=True)  # [..., 1]
    shares = seen / np.where(np.abs(total) <= rounding, np.nan, total)  # [..., n]
    return np.where(masked, 0.0, shares)


def causal_mask(n: int) -> Booleans:  # -> [n, n]
    """Let token i (row) attend to tokens 0 to i (columns): itself and everything before it.

    >>> causal_mask(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    """
    return np.tri(n, dtype=np.bool_)


def attend(
    query: ArrayLike,  # [..., L, d]
    key: ArrayLike,  # [..., S, d]
    value: ArrayLike,  # [..., S, d_v]
    *,
    mask: ArrayLike | None = None,  # [..., L, S] boolean, True = may attend
    bias: ArrayLike | None = None,  # [..., L, S] added to the scores
    scale: float | None = None,  # multiplies the dots; 1/√d unless given
    normalise: Callable[[Floats], Floats] = softmax,  # [..., S] -> [..., S], row by row
) -> Steps:
    """Compute softmax(query · key / √d) · value in float64 and return every step.

    A query that may see no key gets weights 0 and output 0, whatever normalises. A masked key or
    value never reaches the weights or the output, not even a nan.

    Raises TypeError for a mask that is not boolean (it would be added, not obeyed) and for a
    bias that is. Raises ValueError, naming the shapes, for d = 0 and for shapes that do not fit.

    >>> attend([[2, 0]], [[2, 0], [0, 2]], [[1.0], [0.0]]).weights.round(3)
    array([[0.944, 0.056]])
    """
    q, k, v = (np.asarray(x, dtype=np.float64) for x in (query, key, value))
    shapes = f"query {q.shape}, key {k.shape}, value {v.shape}"
    fit = min(q.ndim, k.ndim, v.ndim) >= 2 and q.shape[-1] == k.shape[-1] > 0
    if not fit or k.shape[-2] != v.shape[-2]:
        raise ValueError(f"query [L, d], key [S, d], value [S, d_v] need one S, d > 0: {shapes}")
    d = q.shape[-1]
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # a masked key may hold anything
            dots = q @ k.mT  # [..., L, S]
            scores = dots * (1 / np.sqrt(d) if scale is None else scale)  # [..., L, S]
            scores = _biased_and_masked(scores, bias, mask)  # [..., L, S]
        seen = scores != MASKED  # [..., L, S]
        passed = np.where(seen[..., np.newaxis], v[..., np.newaxis, :, :], 0.0)  # [..., L, S, d_v]
    except ValueError as error:
        raise ValueError(f"{shapes}: {error}") from None
    tame = np.where(seen.any(axis=-1, keepdims=True), scores, 1.0)  # [..., L, S] no row all masked
    weights = np.where(seen, normalise(tame), 0.0) if tame.size else tame  # [..., L, S]
    output = np.sum(weights[..., np.newaxis] * passed, axis=-2)  # [..., L, d_v]
    return Steps(dots, scores, weights, output)


def _biased_and_masked(scores: Floats, bias: ArrayLike | None, mask: ArrayLike | None) -> Floats:
    """Add the bias, then -inf where the mask says False; leading dimensions may grow."""
    for name, given in (("bias", bias), ("mask", mask)):
        if given is None:
            continue
        array = np.asarray(given)
        if (array.dtype == np.bool_) != (name == "mask"):
            raise TypeError(f"mask must be boolean and bias a number, but {name} is {array.dtype}")
        fits = zip(array.shape[-2:][::-1], scores.shape[::-1], strict=False)
        if any(have not in (1, want) for have, want in fits):
            raise ValueError(f"{name} {array.shape} does not broadcast to scores {scores.shape}")
        added = np.where(array, 0.0, MASKED) if name == "mask" else array.astype(np.float64)
        scores = np.where(added == MASKED, added, scores + added)  # -inf hides a nan score too
    return scores
