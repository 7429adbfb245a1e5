"""The core against plain-Python loops, by its properties, and against faults reported elsewhere."""

import math
from collections.abc import Callable
from typing import Any
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example
from hypothesis import given
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import ArrayLike
from numpy.typing import NDArray

from attention.core import Floats
from attention.core import Steps
from attention.core import attend
from attention.core import causal_mask
from attention.core import row_share
from attention.core import softmax

pytestmark = pytest.mark.filterwarnings("error")
quick = settings(deadline=None, derandomize=True, max_examples=60)  # the same examples each run

Rows = list[list[float]]
Normalise = Callable[[Any], Floats]
Shape = tuple[int, ...]

# The example of the page, typed again here so that the core is tested without it.
QUERY = [[2.0, 0.0]]  # [1, d] "it" asks for something animate
KEYS = [[2.0, 0.0], [0.0, 2.0], [0.5, 0.5], [0.0, 0.0]]  # [n, d] animal, street, it, tired
VALUES = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]  # [n, d_v]
BASE = [0.807699, 0.047740, 0.096822, 0.047740]  # weights of "it"
BEFORE_TIRED = [True, True, True, False]  # "it" may not see the later token
CAUSAL = [0.848192, 0.050133, 0.101675, 0.0]  # weights of "it" under that mask
HIDDEN = [False, False, False, False]
NAN, INF = math.nan, math.inf


def close(actual: Any, expected: Any, within: float = 6e-7) -> None:
    """Compare shapes and entries; the default suits numbers printed with six digits."""
    assert np.shape(actual) == np.shape(expected)
    np.testing.assert_allclose(actual, expected, rtol=0, atol=within)


def same(actual: Any, expected: Any) -> None:
    """Compare what exact arithmetic would make equal."""
    assert np.shape(actual) == np.shape(expected)
    np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-9)


# An independent calculation: loops and math.exp, one leading index at a time.


def plain_softmax(scores: list[float]) -> list[float]:
    powers = [math.exp(score) for score in scores]
    return [power / math.fsum(powers) for power in powers]


def plain_row_share(scores: list[float]) -> list[float]:
    total = math.fsum(scores)
    if abs(total) < 1e-12 * (1 + max(abs(score) for score in scores)):
        return [NAN for _ in scores]
    return [score / total for score in scores]


def plain_attend(
    query: Rows,
    key: Rows,
    value: Rows,
    visible: list[list[bool]],
    bias: Rows,
    scale: float | None,
    normalise: Callable[[list[float]], list[float]],
) -> tuple[Rows, Rows, Rows, Rows]:
    factor = 1 / math.sqrt(len(key[0])) if scale is None else scale
    all_dots: Rows = []
    all_scores: Rows = []
    all_weights: Rows = []
    all_outputs: Rows = []
    for i, q in enumerate(query):
        dots = [math.fsum(a * b for a, b in zip(q, k, strict=True)) for k in key]
        seen = [j for j in range(len(key)) if visible[i][j] and bias[i][j] != -INF]
        scores = [-INF for _ in key]
        weights = [0.0 for _ in key]
        for j in seen:
            scores[j] = dots[j] * factor + bias[i][j]
        if seen:
            shares = normalise([scores[j] for j in seen])
            for j, share in zip(seen, shares, strict=True):
                weights[j] = share
        entries = range(len(value[0]))
        output = [math.fsum(weights[j] * value[j][entry] for j in seen) for entry in entries]
        all_dots.append(dots)
        all_scores.append(scores)
        all_weights.append(weights)
        all_outputs.append(output)
    return all_dots, all_scores, all_weights, all_outputs


PLAIN: dict[Normalise, Callable[[list[float]], list[float]]] = {
    softmax: plain_softmax,
    row_share: plain_row_share,
}

# Random inputs. Quarters keep every dot exact, so that a sum of 0 is 0 in both calculations.
QUARTERS = st.integers(-12, 12).map(lambda whole: whole / 4)
BIASES = st.one_of(QUARTERS, st.just(-INF))
SCALES = st.sampled_from([None, 0.0, 0.5, 1.0, -2.0])
LEADS = st.sampled_from([(), (2,), (1,), (3, 1), (3, 2), (1, 2)])  # all broadcast with each other


class Problem(NamedTuple):
    """One call of `attend`."""

    query: Floats
    key: Floats
    value: Floats
    mask: NDArray[np.bool_] | None
    bias: Floats | None
    scale: float | None


def numbers(shape: Shape) -> st.SearchStrategy[Floats]:
    return arrays(np.float64, shape, elements=QUARTERS)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    size = st.integers(1, 4)
    n_queries, n_keys, d, d_v = (draw(size) for _ in "LSdv")
    last_two = [(n_queries, n_keys), (1, n_keys), (n_queries, 1), (1, 1)]
    fitting = [(), (1,), (n_keys,), *last_two, *((3, 2, *last) for last in last_two)]
    shapes = st.sampled_from([None, *fitting])
    mask_shape = draw(shapes)
    bias_shape = draw(shapes)
    return Problem(
        draw(numbers((*draw(LEADS), n_queries, d))),
        draw(numbers((*draw(LEADS), n_keys, d))),
        draw(numbers((*draw(LEADS), n_keys, d_v))),
        None if mask_shape is None else draw(arrays(np.bool_, mask_shape)),
        None if bias_shape is None else draw(arrays(np.float64, bias_shape, elements=BIASES)),
        draw(SCALES),
    )


@st.composite
def sentences(draw: st.DrawFn, least: int = 1) -> tuple[Floats, Floats, Floats]:
    """Query, key and value of the same few tokens."""
    n, d, d_v = draw(st.integers(least, 5)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    return draw(numbers((n, d))), draw(numbers((n, d))), draw(numbers((n, d_v)))


@pytest.mark.parametrize("normalise", PLAIN)
@quick
@given(problem=problems())
def test_every_step_equals_plain_python_loops(normalise: Normalise, problem: Problem) -> None:
    query, key, value, mask, bias, scale = problem
    steps = attend(query, key, value, mask=mask, bias=bias, scale=scale, normalise=normalise)
    n_queries, n_keys = query.shape[-2], key.shape[-2]
    visible = np.array(True) if mask is None else mask
    added = np.array(0.0) if bias is None else bias
    given_leads = [x.shape[:-2] for x in (query, key, value, visible, added)]
    lead = np.broadcast_shapes(*given_leads)
    assert steps.output.shape == (*lead, n_queries, value.shape[-1])

    def at(index: Shape, array: NDArray[Any], rows: int, columns: int) -> Any:
        return np.broadcast_to(array, (*lead, rows, columns))[index].tolist()

    for index in np.ndindex(*lead):
        expected = plain_attend(
            at(index, query, *query.shape[-2:]),
            at(index, key, *key.shape[-2:]),
            at(index, value, *value.shape[-2:]),
            at(index, visible, n_queries, n_keys),
            at(index, added, n_queries, n_keys),
            scale,
            PLAIN[normalise],
        )
        for step, rows in zip(steps, expected, strict=True):
            same(at(index, step, *step.shape[-2:]), rows)


# Properties.


@quick
@given(problem=problems())
def test_weights_are_not_negative_and_add_to_1_where_anything_is_seen(problem: Problem) -> None:
    query, key, value, mask, bias, scale = problem
    steps = attend(query, key, value, mask=mask, bias=bias, scale=scale)
    sees = (steps.scores > -INF).any(axis=-1)
    same(steps.weights.sum(axis=-1), np.where(sees, 1.0, 0.0))
    assert (steps.weights >= 0).all()
    assert (steps.output[~np.broadcast_to(sees, steps.output.shape[:-1])] == 0).all()


@quick
@given(tokens=sentences(), data=st.data())
def test_a_constant_added_to_a_row_changes_no_weight(
    tokens: tuple[Floats, Floats, Floats], data: st.DataObject
) -> None:
    constants = data.draw(numbers((len(tokens[0]), 1)))
    same(attend(*tokens, bias=constants).weights, attend(*tokens).weights)
    scores = attend(*tokens).scores
    same(softmax(scores + constants), softmax(scores))


@quick
@given(tokens=sentences(), data=st.data())
def test_permuted_tokens_permute_the_result(
    tokens: tuple[Floats, Floats, Floats], data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(tokens[0]))))
    permuted = attend(*(x[order] for x in tokens))
    steps = attend(*tokens)
    same(permuted.weights, steps.weights[np.ix_(order, order)])
    same(permuted.output, steps.output[order])


@pytest.mark.parametrize("normalise", PLAIN)
@quick
@given(tokens=sentences(least=2), data=st.data())
def test_a_masked_token_is_a_token_left_out(
    normalise: Normalise, tokens: tuple[Floats, Floats, Floats], data: st.DataObject
) -> None:
    query, key, value = tokens
    left_out = data.draw(st.integers(0, len(key) - 1))
    kept = np.arange(len(key)) != left_out
    masked = attend(query, key, value, mask=kept, normalise=normalise)
    without = attend(query, key[kept], value[kept], normalise=normalise)
    same(masked.weights[:, kept], without.weights)
    same(masked.output, without.output)
    assert (masked.weights[:, left_out] == 0).all()
    assert (masked.scores[:, left_out] == -INF).all()


@quick
@given(tokens=sentences(), data=st.data(), a=QUARTERS, b=QUARTERS)
def test_the_output_is_linear_in_the_values(
    tokens: tuple[Floats, Floats, Floats], data: st.DataObject, a: float, b: float
) -> None:
    query, key, value = tokens
    other = data.draw(numbers(value.shape))
    one, two = (attend(query, key, v).output for v in (value, other))
    same(attend(query, key, a * value + b * other).output, a * one + b * two)


@pytest.mark.parametrize("normalise", PLAIN)
@quick
@given(
    tokens=sentences(least=2),
    data=st.data(),
    change=st.one_of(QUARTERS, st.sampled_from([NAN, INF, -INF, 1e308])),
)
def test_a_later_token_never_changes_an_earlier_row_under_a_causal_mask(
    normalise: Normalise,
    tokens: tuple[Floats, Floats, Floats],
    data: st.DataObject,
    change: float,
) -> None:
    n = len(tokens[0])
    later = data.draw(st.integers(1, n - 1))
    changed = [np.where(np.arange(n)[:, np.newaxis] >= later, change, x) for x in tokens]
    mask = causal_mask(n)
    before = attend(*tokens, mask=mask, normalise=normalise)
    with np.errstate(all="ignore"):  # the changed rows may overflow; only the others are asserted
        after = attend(*changed, mask=mask, normalise=normalise)
    np.testing.assert_array_equal(after.scores[:later], before.scores[:later])
    np.testing.assert_array_equal(after.weights[:later], before.weights[:later])
    np.testing.assert_array_equal(after.output[:later], before.output[:later])


@quick
@given(scores=arrays(np.float64, (2, 4), elements=st.floats(allow_nan=False, allow_infinity=False)))
@example(scores=np.full((2, 4), 1e308))
@example(scores=np.array([[1e308, -1e308, 0.0, 1.0], [-1e308, -1e308, 0.0, -1.0]]))
def test_softmax_of_any_finite_scores_is_finite_and_adds_to_1(scores: Floats) -> None:
    same(softmax(scores).sum(axis=-1), [1.0, 1.0])


# The numbers the page promises.


def test_the_example_gives_the_steps_printed_on_the_page() -> None:
    dots, scores, weights, output = attend(QUERY, KEYS, VALUES)
    close(dots, [[4.0, 0.0, 1.0, 0.0]], 0)
    close(scores, [[2.828427, 0.0, 0.707107, 0.0]])
    close(weights, [BASE])
    close(output, [[0.807699, 0.047740, 0.047740]])


def test_the_causal_mask_takes_away_the_share_of_the_later_token() -> None:
    scores, weights, output = attend(QUERY, KEYS, VALUES, mask=BEFORE_TIRED)[1:]
    close(scores, [[2.828427, 0.0, 0.707107, -INF]])
    close(weights, [CAUSAL])
    close(output, [[0.848192, 0.050133, 0.0]])


def test_the_own_key_as_query_cannot_tell_animal_from_street() -> None:
    dots, _, weights, _ = attend([KEYS[2]], KEYS, VALUES)
    close(dots, [[1.0, 1.0, 0.5, 0.0]], 0)
    close(weights, [[0.313, 0.313, 0.220, 0.154]], 5e-4)


def test_scores_not_divided_by_root_d_put_more_on_the_top_token() -> None:
    close(attend(QUERY, KEYS, VALUES, scale=1.0).weights[0, 0], 0.920456)


@pytest.mark.parametrize(
    ("query", "shares"),
    [
        ([2.0, 0.0], [0.8, 0.0, 0.2, 0.0]),  # looks fine
        ([2.0, -1.0], [1.6, -0.8, 0.2, 0.0]),  # signs mix
        ([-2.0, 0.0], [0.8, 0.0, 0.2, 0.0]),  # all negative: the worst match wins
        ([1.0, -1.0], [NAN, NAN, NAN, NAN]),  # the sum is 0
    ],
)
def test_shares_of_the_row_sum_fail_where_signs_mix(
    query: list[float], shares: list[float]
) -> None:
    close(attend([query], KEYS, VALUES, normalise=row_share).weights, [shares])


@pytest.mark.parametrize(
    ("d", "scale", "top"),
    [(1, None, 0.543), (1, 1.0, 0.543), (64, None, 0.543), (64, 1.0, 0.996), (256, None, 0.543)],
)
def test_only_scores_divided_by_root_d_keep_the_top_weight_at_every_d(
    d: int, scale: float | None, top: float
) -> None:
    demo = [1.2, -0.3, 0.5, -0.9]
    key = np.outer(demo, np.ones(d)) / math.sqrt(d)  # dots are demo · √d
    steps = attend(np.ones((1, d)), key, np.eye(4), scale=scale)
    close(steps.weights[0, 0], top, 5e-4)


def test_a_key_bias_cancels_and_a_query_bias_does_not() -> None:
    shifted = attend(QUERY, np.add(KEYS, [1.0, 0.0]), VALUES)
    close(shifted.dots, [[6.0, 2.0, 3.0, 2.0]], 0)
    close(shifted.weights, [BASE])
    weights = attend(np.add(QUERY, [0.0, 1.0]), KEYS, VALUES).weights
    close(weights, [[0.679, 0.165, 0.116, 0.040]], 5e-4)


# Faults users report in attention code, case by case.


def test_a_query_that_may_see_nothing_gets_weights_0_and_output_0() -> None:
    steps = attend([[1, 0]], [[1, 0], [0, 1]], [[1, 2], [3, 4]], mask=[[False, False]])
    close(steps.weights, [[0.0, 0.0]], 0)
    close(steps.output, [[0.0, 0.0]], 0)
    close(steps.scores, [[-INF, -INF]], 0)


@pytest.mark.parametrize(
    ("scores", "weights"),
    [
        ([1000, 1000, 1000], [1 / 3, 1 / 3, 1 / 3]),
        ([1000, 0], [1.0, 0.0]),
        ([-1000, -1000], [0.5, 0.5]),
        ([1e308, -1e308], [1.0, 0.0]),
        (np.array([100, 0], dtype=np.float32), [1.0, 0.0]),  # float32 exp overflows from 88.73
        (np.array([100, 100], dtype=np.float16), [0.5, 0.5]),
    ],
)
def test_softmax_of_huge_scores_does_not_overflow(scores: ArrayLike, weights: list[float]) -> None:
    result = softmax(scores)
    close(result, weights, 1e-15)
    assert result.dtype == np.float64


def test_true_in_a_mask_means_may_attend() -> None:
    close(attend(QUERY, KEYS, VALUES, mask=[True, True, True, False]).weights, [CAUSAL])
    close(attend(QUERY, KEYS, VALUES, mask=[False, False, False, True]).weights, [[0, 0, 0, 1]])


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8, np.object_])
def test_a_mask_that_is_not_boolean_is_a_type_error_and_never_added(dtype: type) -> None:
    mask: NDArray[Any] = np.array([1, 1, 1, 0], dtype=dtype)
    with pytest.raises(TypeError, match=f"mask must be boolean.*mask is {mask.dtype}"):
        attend(QUERY, KEYS, VALUES, mask=mask)


@pytest.mark.parametrize(
    ("mask", "weights"),
    [
        ([[1, 1, 1, 1]], [BASE]),  # last-aligned, L = 1
        ([[1, 1, 1, 0], [1, 1, 1, 1]], [CAUSAL, BASE]),  # last-aligned, L = 2
        ([[1, 0, 0, 0]], [[1.0, 0.0, 0.0, 0.0]]),  # first-aligned, L = 1
        (
            [[1, 0, 0, 0], [1, 1, 0, 0]],  # first-aligned, L = 2
            [[1.0, 0.0, 0.0, 0.0], [0.944193, 0.055807, 0.0, 0.0]],
        ),
    ],
)
def test_a_causal_mask_for_fewer_queries_than_keys_is_the_callers_to_align(
    mask: list[list[int]], weights: Rows
) -> None:
    steps = attend(QUERY * len(mask), KEYS, VALUES, mask=np.array(mask, dtype=bool))
    close(steps.weights, weights)


THREE = [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]
THREE_KEYS = [[0.7, 0.8], [0.9, 1.0], [1.1, 1.2]]
THREE_VALUES = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


@pytest.mark.parametrize(
    ("scale", "output"),
    [
        (None, [[1.0, 2.0], [2.049457, 3.049457], [3.206586, 4.206586]]),
        (0.0, [[1.0, 2.0], [2.0, 3.0], [3.0, 4.0]]),
        (0, [[1.0, 2.0], [2.0, 3.0], [3.0, 4.0]]),
    ],
)
def test_the_scale_is_1_over_root_d_unless_given_and_0_is_obeyed(
    scale: float | None, output: Rows
) -> None:
    steps = attend(THREE, THREE_KEYS, THREE_VALUES, mask=causal_mask(3), scale=scale)
    close(steps.output, output)


def test_scale_0_gives_every_token_the_same_weight() -> None:
    close(attend(QUERY, KEYS, VALUES, scale=0.0).weights, [[0.25, 0.25, 0.25, 0.25]], 0)


@pytest.mark.parametrize(
    ("size", "top"),
    [(2, 0.807699), (3, 0.726975), (4, 0.669433), (1, 0.920456)],  # d, d_v, n, none
)
def test_the_divisor_is_the_root_of_the_length_of_a_key_and_of_nothing_else(
    size: int, top: float
) -> None:
    close(attend(QUERY, KEYS, VALUES, scale=1 / math.sqrt(size)).weights[0, 0], top)
    default = attend(QUERY, KEYS, VALUES).weights[0, 0]
    assert (abs(default - top) < 1e-6) == (size == 2)


def test_the_divisor_is_root_d_where_queries_keys_and_values_differ_in_every_size() -> None:
    queries = np.ones((3, 2))  # L = 3, d = 2
    keys = np.arange(10.0).reshape(5, 2)  # S = 5
    steps = attend(queries, keys, np.ones((5, 4)))  # d_v = 4
    same(steps.scores, steps.dots / math.sqrt(2))


def test_a_masked_key_loses_to_a_very_negative_real_score() -> None:
    steps = attend([[-20000]], [[1], [0]], [[1], [100]], mask=[True, False], scale=1)
    close(steps.output, [[1.0]], 0)


@pytest.mark.parametrize("bad", [NAN, INF, -INF, 1e308])
@pytest.mark.parametrize("query", [[2.0, 0.0], [2.0, 1.0], [-1e10, 3.0]])
@pytest.mark.parametrize("where", ["key", "value", "both"])
@pytest.mark.parametrize(
    "hide",
    [
        {"mask": BEFORE_TIRED},
        {"bias": [0, 0, 0, -INF]},
        {"bias": [0, 0, 0, NAN], "mask": BEFORE_TIRED},
    ],
)
def test_a_hidden_key_or_value_never_leaks(
    bad: float, query: list[float], where: str, hide: dict[str, Any]
) -> None:
    key = [*KEYS[:3], KEYS[3] if where == "value" else [bad, bad]]
    value = [*VALUES[:3], VALUES[3] if where == "key" else [bad, bad, bad]]
    steps = attend([query], key, value, **hide)
    clean = attend([query], KEYS[:3], VALUES[:3])
    same(steps.scores, [[*clean.scores[0], -INF]])
    same(steps.weights, [[*clean.weights[0], 0.0]])
    same(steps.output, clean.output)


@pytest.mark.parametrize("what", ["key", "value"])
def test_a_nan_of_the_masked_token_leaves_the_example_as_it_was(what: str) -> None:
    key = [*KEYS[:3], [NAN, NAN]] if what == "key" else KEYS
    value = [*VALUES[:3], [NAN, NAN, NAN]] if what == "value" else VALUES
    close(attend(QUERY, key, value, mask=BEFORE_TIRED).output, [[0.848192, 0.050133, 0.0]])


@pytest.mark.parametrize("shape", [(), (1,), (4,), (1, 4), (3, 1), (1, 1), (3, 4), (5, 1, 3, 4)])
def test_a_mask_that_broadcasts_to_queries_and_keys_is_accepted(shape: Shape) -> None:
    steps = attend(QUERY * 3, KEYS, VALUES, mask=np.ones(shape, dtype=bool))
    assert steps.weights.shape == (*shape[:-2], 3, 4)
    close(steps.weights, np.broadcast_to(BASE, steps.weights.shape))


@pytest.mark.parametrize("shape", [(4, 3), (4, 4), (2, 4), (3,), (3, 3), (0,), (2, 3, 1, 3), (8,)])
@pytest.mark.parametrize("name", ["mask", "bias"])
def test_a_mask_or_bias_that_does_not_fit_is_an_error_naming_both_shapes(
    name: str, shape: Shape
) -> None:
    given_as: dict[str, Any] = {name: np.ones(shape, dtype=bool if name == "mask" else float)}
    words = rf"{name} {shape} does not broadcast to scores (3, 4)".replace("(", r"\(")
    with pytest.raises(ValueError, match=words.replace(")", r"\)")):
        attend(QUERY * 3, KEYS, VALUES, **given_as)


@pytest.mark.parametrize("name", ["mask", "bias"])
def test_a_mask_or_bias_never_makes_more_queries_or_keys_than_there_are(name: str) -> None:
    dtype = bool if name == "mask" else float
    more_queries: dict[str, Any] = {name: np.ones((2, 4), dtype=dtype)}
    more_keys: dict[str, Any] = {name: np.ones((1, 4), dtype=dtype)}
    with pytest.raises(ValueError, match=r"\(2, 4\) does not broadcast to scores \(1, 4\)"):
        attend(QUERY, KEYS, VALUES, **more_queries)
    with pytest.raises(ValueError, match=r"\(1, 4\) does not broadcast to scores \(1, 1\)"):
        attend(QUERY, KEYS[:1], VALUES[:1], **more_keys)


@pytest.mark.parametrize(
    "normalise",
    [*PLAIN, lambda s: s / s.max(axis=-1, keepdims=True)],  # the maximum of no key is an error
    ids=["softmax", "row_share", "share_of_the_maximum"],
)
@pytest.mark.parametrize(("n_queries", "n_keys"), [(0, 0), (1, 0), (0, 4), (2, 0)])
def test_an_empty_sequence_gives_empty_weights_and_zero_outputs(
    n_queries: int, n_keys: int, normalise: Normalise
) -> None:
    query, key, value = np.ones((n_queries, 2)), np.ones((n_keys, 2)), np.ones((n_keys, 3))
    for mask in (None, np.ones((n_queries, n_keys), dtype=bool), np.ones((1, 1), dtype=bool)):
        steps = attend(query, key, value, mask=mask, normalise=normalise)
        for step in steps[:3]:
            assert step.shape == (n_queries, n_keys)
        close(steps.output, np.zeros((n_queries, 3)), 0)


def test_an_empty_batch_works() -> None:
    assert attend(np.ones((0, 3, 2)), KEYS, VALUES).output.shape == (0, 3, 3)


def test_a_token_sees_itself_and_all_before_it_under_the_causal_mask() -> None:
    three = KEYS[:3]
    steps = attend(three, three, VALUES[:3], mask=causal_mask(3))
    expected = [[1.0, 0.0, 0.0], [0.055807, 0.944193, 0.0], [0.370070, 0.370070, 0.259859]]
    close(steps.weights, expected)


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_the_causal_mask_is_square_boolean_and_keeps_the_diagonal(n: int) -> None:
    mask = causal_mask(n)
    assert mask.dtype == np.bool_
    assert mask.shape == (n, n)
    assert mask.tolist() == [[column <= row for column in range(n)] for row in range(n)]


# The contract of `attend`, word by word.


def test_the_steps_stand_in_the_order_they_are_computed() -> None:
    assert Steps._fields == ("dots", "scores", "weights", "output")


@pytest.mark.parametrize(
    ("query", "key", "value", "words"),
    [
        ((1, 3), (4, 2), (4, 3), r"d > 0.*query \(1, 3\), key \(4, 2\)"),
        ((1, 0), (4, 0), (4, 3), r"d > 0.*query \(1, 0\), key \(4, 0\)"),
        ((1, 1), (4, 2), (4, 3), r"d > 0.*query \(1, 1\), key \(4, 2\)"),
        ((1, 2), (4, 2), (3, 3), r"one S.*key \(4, 2\), value \(3, 3\)"),
        ((1, 2), (4, 2), (1, 3), r"one S.*key \(4, 2\), value \(1, 3\)"),
        ((1, 2), (1, 2), (4, 3), r"one S.*key \(1, 2\), value \(4, 3\)"),
        ((2,), (4, 2), (4, 3), r"query \[L, d\].*query \(2,\), key \(4, 2\)"),
        ((1, 2), (2,), (2, 3), r"key \[S, d\].*query \(1, 2\), key \(2,\)"),
        ((1, 2), (4, 2), (4,), r"value \[S, d_v\].*key \(4, 2\), value \(4,\)"),
        ((), (4, 2), (4, 3), r"query \(\), key \(4, 2\)"),
        ((2, 1, 2), (3, 4, 2), (4, 3), r"query \(2, 1, 2\), key \(3, 4, 2\)"),
        ((2, 1, 2), (4, 2), (3, 4, 3), r"query \(2, 1, 2\), key \(4, 2\), value \(3, 4, 3\)"),
        ((1, 2), (2, 4, 2), (3, 4, 3), r"key \(2, 4, 2\), value \(3, 4, 3\)"),
    ],
)
def test_shapes_that_do_not_fit_are_an_error_naming_them(
    query: Shape, key: Shape, value: Shape, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        attend(np.ones(query), np.ones(key), np.ones(value))


@pytest.mark.parametrize("name", ["mask", "bias"])
def test_leading_dimensions_that_do_not_fit_are_an_error_naming_the_shapes(name: str) -> None:
    dtype = bool if name == "mask" else float
    given_as: dict[str, Any] = {name: np.ones((3, 1, 4), dtype=dtype)}
    with pytest.raises(ValueError, match=r"query \(2, 1, 2\).*\(2,1,4\) \(3,1,4\)"):
        attend([QUERY, QUERY], KEYS, VALUES, **given_as)


def test_a_boolean_bias_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="bias a number, but bias is bool"):
        attend(QUERY, KEYS, VALUES, bias=BEFORE_TIRED)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8, np.uint8, np.int64, np.bool_])
def test_computation_is_in_float64_whatever_comes_in(dtype: type) -> None:
    query, key, value = ([[100, 0]], [[120, 0], [100, 1]], [[1], [3]])  # 12000 overflows int8
    narrow: list[NDArray[Any]] = [np.array(rows).astype(dtype) for rows in (query, key, value)]
    steps = attend(*narrow)
    exact = attend(*(array.astype(np.float64).tolist() for array in narrow))
    for step, expected in zip(steps, exact, strict=True):
        assert step.dtype == np.float64
        np.testing.assert_array_equal(step, expected)


def test_a_float16_product_beyond_its_range_is_finite() -> None:
    huge = np.array([[300.0, 0.0]], dtype=np.float16)
    close(attend(huge, huge, [[1.0]]).dots, [[90000.0]], 0)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int8, np.longdouble, np.object_])
def test_a_bias_of_any_number_type_is_added_in_float64(dtype: type) -> None:
    steps = attend(QUERY, KEYS, VALUES, bias=np.array([1, 2, 3, 4], dtype=dtype))
    expected = attend(QUERY, KEYS, VALUES, bias=[1.0, 2.0, 3.0, 4.0])
    for step, rows in zip(steps, expected, strict=True):
        assert step.dtype == np.float64
        np.testing.assert_array_equal(step, rows)


def test_the_bias_is_added_after_the_scale() -> None:
    steps = attend(QUERY, KEYS, VALUES, bias=[0.1, 20.0, 30.0, 40.0], scale=0.5)
    close(steps.dots, [[4.0, 0.0, 1.0, 0.0]], 0)
    close(steps.scores, [[2.1, 20.0, 30.5, 40.0]], 1e-15)


@pytest.mark.parametrize("normalise", PLAIN)
def test_inputs_are_never_changed_and_may_be_read_only(normalise: Normalise) -> None:
    made = [QUERY, KEYS, VALUES, BEFORE_TIRED, [1.0, 2.0, 3.0, -INF]]
    query, key, value, mask, bias = inputs = [np.array(x) for x in made]
    for array in inputs:
        array.flags.writeable = False
    steps = attend(query, key, value, mask=mask, bias=bias, scale=1.0, normalise=normalise)
    for array, original in zip(inputs, made, strict=True):
        np.testing.assert_array_equal(array, np.array(original))
        assert not any(np.shares_memory(step, array) for step in steps)
    scores = np.array([1.0, -INF, 3.0])
    scores.flags.writeable = False
    close(normalise(scores)[1], 0.0, 0)


def test_a_normaliser_that_writes_in_place_does_not_spoil_the_scores() -> None:
    def wipe(scores: Floats) -> Floats:
        scores[...] = 0.0
        return scores

    close(attend(QUERY, KEYS, VALUES, normalise=wipe).scores, [[2.828427, 0.0, 0.707107, 0.0]])


@pytest.mark.parametrize(
    "normalise",
    [
        softmax,
        row_share,
        lambda s: np.exp(s) / np.exp(s).sum(axis=-1, keepdims=True),  # 0 / 0 where all is -inf
        lambda s: s / s.sum(axis=-1, keepdims=True),  # inf / inf where all is -inf, 0 / 0 for 0
        lambda s: 1 / s,  # 1 / 0 for 0
        lambda s: np.full_like(s, 0.25),
    ],
    ids=["softmax", "row_share", "plain_softmax", "plain_share", "inverse", "uniform"],
)
@pytest.mark.parametrize("hide", [{"mask": HIDDEN}, {"bias": [-INF] * 4}])
def test_a_query_that_may_see_nothing_gets_weights_0_whatever_normalises(
    normalise: Normalise, hide: dict[str, Any]
) -> None:
    steps = attend([*QUERY, [-1.0, 3.0]], KEYS, VALUES, normalise=normalise, **hide)
    close(steps.weights, np.zeros((2, 4)), 0)
    close(steps.output, np.zeros((2, 3)), 0)


@pytest.mark.parametrize(
    "normalise",
    [softmax, lambda s: np.exp(s) / np.exp(s).sum(axis=-1, keepdims=True)],
    ids=["softmax", "plain_softmax"],
)
def test_a_query_that_sees_nothing_leaves_the_other_queries_alone(normalise: Normalise) -> None:
    mask = [HIDDEN, BEFORE_TIRED]
    steps = attend(QUERY * 2, KEYS, VALUES, mask=mask, normalise=normalise)
    close(steps.weights, [[0.0, 0.0, 0.0, 0.0], CAUSAL])


def test_hidden_tokens_get_weight_0_even_from_a_normaliser_that_gives_them_some() -> None:
    steps = attend(
        QUERY, KEYS, VALUES, mask=BEFORE_TIRED, normalise=lambda s: np.full_like(s, 0.25)
    )
    close(steps.weights, [[0.25, 0.25, 0.25, 0.0]], 0)
    close(steps.output, [[0.25, 0.25, 0.0]], 0)


def test_a_normaliser_sees_masked_scores_as_minus_infinity() -> None:
    given_scores: list[Rows] = []

    def watch(scores: Floats) -> Floats:
        given_scores.append(scores.tolist())
        return softmax(scores)

    attend(QUERY, KEYS, VALUES, mask=BEFORE_TIRED, scale=1.0, normalise=watch)
    assert given_scores == [[[4.0, 0.0, 1.0, -INF]]]


def test_an_error_of_the_callers_normaliser_arrives_as_it_was_raised() -> None:
    def fail(scores: Floats) -> Floats:
        raise ValueError("mine")

    with pytest.raises(ValueError, match=r"^mine$"):
        attend(QUERY, KEYS, VALUES, normalise=fail)


def test_a_visible_nan_is_shown_and_not_hidden() -> None:
    steps = attend(QUERY, [*KEYS[:3], [NAN, 0.0]], VALUES)
    assert np.isnan(steps.weights).all()
    assert np.isnan(steps.output).all()
    output = attend(QUERY, KEYS, [*VALUES[:3], [0.0, NAN, 1.0]]).output
    close(output, [[0.807699, NAN, 0.047740]])


def test_an_overflow_of_a_visible_key_is_not_silent() -> None:
    with pytest.warns(RuntimeWarning, match="invalid value"):
        attend([[1e200]], [[1e200], [0.0]], VALUES[:2])


# The two normalisers by themselves.


@pytest.mark.parametrize("normalise", PLAIN)
def test_a_row_of_nothing_but_minus_infinity_gets_weights_0(normalise: Normalise) -> None:
    weights = normalise(np.array([[-INF, -INF, -INF], [-INF, 2.0, -INF]]))
    close(weights, [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]], 0)


@pytest.mark.parametrize("normalise", PLAIN)
def test_an_empty_row_stays_empty(normalise: Normalise) -> None:
    assert normalise(np.zeros((2, 0))).shape == (2, 0)


@pytest.mark.parametrize(
    ("scores", "shares"),
    [
        ([4.0, -2.0, 0.5, 0.0], [1.6, -0.8, 0.2, 0.0]),
        ([4, 0, 1, 0], [0.8, 0.0, 0.2, 0.0]),  # integers
        ([4.0, 0.0, 1.0, -INF], [0.8, 0.0, 0.2, 0.0]),  # a masked score takes no share
        ([-4.0, -1.0], [0.8, 0.2]),
        ([2.0, -2.0], [NAN, NAN]),
        ([0.0, 0.0], [NAN, NAN]),
        ([0.1, 0.2, -0.3], [NAN, NAN, NAN]),  # 5.6e-17 in float64, 0 on paper
        ([2.0, -2.0, -INF], [NAN, NAN, 0.0]),
        ([1e-300, 3e-300], [0.25, 0.75]),  # small, but they do not cancel
        ([1.0, -1.0 + 2**-50], [2.0**50, 1.0 - 2.0**50]),  # nor do these
    ],
)
def test_row_share_divides_by_the_sum_unless_the_scores_cancel(
    scores: list[float], shares: list[float]
) -> None:
    close(row_share(scores), shares, 1e-15)
    close(row_share([scores, scores]), [shares, shares], 1e-15)


def test_row_share_computes_in_float64() -> None:
    shares = row_share(np.array([1, 2], dtype=np.float32))
    assert shares.dtype == np.float64
    close(shares, [1 / 3, 2 / 3], 1e-15)
