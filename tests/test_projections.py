"""The hand-made matrices are exact, have a meaning, and do by loops what they do in one call."""

import math
from itertools import pairwise

import numpy as np
import pytest

from attention import example
from attention import projections as made
from attention.core import Booleans
from attention.core import Floats
from attention.core import attend
from attention.core import causal_mask
from attention.core import softmax

Rows = list[list[float]]

POSITIONS = [made.X_ENTRIES.index(name) for name in ("early", "late")]
CONTENT = [i for i in range(len(made.X_ENTRIES)) if i not in POSITIONS]
HEADS = (0, 1)
MASKS = ("off", "causal", "zero", "late")
ANIMAL, STREET, IT, TIRED = range(4)


def product(left: Rows, right: Rows) -> Rows:
    """Multiply two matrices with loops."""
    return [
        [sum(map(math.prod, zip(row, column, strict=True))) for column in zip(*right, strict=True)]
        for row in left
    ]


def scores_by_loops(head: int) -> Rows:
    """Take every token's query against every token's key, over √2."""
    x = made.X.tolist()
    queries = product(x, made.W_Q[head].tolist())
    keys = product(x, made.W_K[head].tolist())
    return [
        [sum(map(math.prod, zip(q, k, strict=True))) / math.sqrt(2) for k in keys] for q in queries
    ]


def weights_by_loops(head: int, mask: str) -> Rows:
    """Take the softmax of each row, with the mask or one of the two mistakes."""
    weights = []
    for i, row in enumerate(scores_by_loops(head)):
        powers = [math.exp(score) for score in row]
        for j in range(i + 1, len(row)):
            if mask == "causal":
                powers[j] = 0.0
            elif mask == "zero":
                powers[j] = 1.0
        shares = [power / math.fsum(powers) for power in powers]
        weights.append(
            [0.0 if mask == "late" and j > i else share for j, share in enumerate(shares)]
        )
    return weights


def outputs_by_loops(head: int, mask: str) -> Rows:
    """Take the weighted sums of one head's values."""
    values = product(made.X.tolist(), made.W_V[head].tolist())
    return product(weights_by_loops(head, mask), values)


def joined_by_loops(mask: str) -> Rows:
    """Put the rows of both heads end to end."""
    first, second = (outputs_by_loops(head, mask) for head in HEADS)
    return [a + b for a, b in zip(first, second, strict=True)]


def weights_in_one_call(mask: str) -> Floats:  # -> [h, n, n]
    """Take both heads' weights from the core, with the mask or one of the two mistakes."""
    seen = causal_mask(4)
    steps = attend(made.QUERIES, made.KEYS, made.VALUES, mask=seen if mask == "causal" else None)
    if mask == "zero":
        return softmax(np.where(seen, steps.scores, 0.0))
    return np.where(seen, steps.weights, 0.0) if mask == "late" else steps.weights


def test_every_row_and_column_has_a_name() -> None:
    m = len(made.X_ENTRIES)
    assert made.X.shape == (len(example.TOKENS), m)
    assert made.W_Q.shape == made.W_K.shape == (2, m, 2)
    assert made.W_V.shape == (2, m, 3)
    assert made.W_O.shape == (2 * 3, m)
    assert np.shape(made.MATCH_ENTRIES) == (2, 2)
    assert np.shape(made.VALUE_ENTRIES) == (2, 3)
    assert np.shape(made.ASKS) == (2, 4)
    assert made.MATCH_ENTRIES[0] == example.ENTRIES
    assert made.VALUE_ENTRIES[0] == example.MARKS


def test_x_times_w_gives_the_keys_and_values_of_the_page_exactly() -> None:
    assert np.array_equal(made.KEYS[0], example.KEYS)
    assert np.array_equal(made.VALUES[0], example.VALUES)
    assert np.array_equal(made.QUERIES[0, IT], example.STOPS[example.DEFAULT_STOP])


@pytest.mark.parametrize(
    ("token", "query"), [(ANIMAL, (0, 1)), (STREET, (1, 0)), (IT, (2, 0)), (TIRED, (1, -1))]
)
def test_each_token_asks_what_its_sentence_says(token: int, query: tuple[int, int]) -> None:
    assert made.QUERIES[0, token].tolist() == list(query)


@pytest.mark.parametrize("head", HEADS)
def test_queries_keys_and_values_equal_loops_without_any_rounding(head: int) -> None:
    x = made.X.tolist()
    assert made.QUERIES[head].tolist() == product(x, made.W_Q[head].tolist())
    assert made.KEYS[head].tolist() == product(x, made.W_K[head].tolist())
    assert made.VALUES[head].tolist() == product(x, made.W_V[head].tolist())


@pytest.mark.parametrize("name", ["X", "W_Q", "W_K", "W_V", "W_O", "QUERIES", "KEYS", "VALUES"])
def test_every_number_fits_a_phone_and_is_exact_with_one_decimal(name: str) -> None:
    numbers = getattr(made, name)
    assert numbers.dtype == np.float64
    assert numbers.tolist() == numbers.round(1).tolist()
    assert np.abs(numbers).max() <= 5
    assert numbers.shape[-1] <= 8


def test_no_token_is_made_of_one_entry_and_the_tokens_share_entries() -> None:
    content = made.X[:, CONTENT]
    assert ((content != 0).sum(axis=1) >= 2).all()
    for before, after in pairwise(content):
        assert ((before != 0) & (after != 0)).any()


@pytest.mark.parametrize("head", HEADS)
def test_no_matrix_holds_its_answers_as_rows(head: int) -> None:
    for matrix, answer in (
        (made.W_Q[head], made.QUERIES[head]),
        (made.W_K[head], made.KEYS[head]),
        (made.W_V[head], made.VALUES[head]),
    ):
        for start in range(len(matrix) - len(answer) + 1):
            assert not np.array_equal(matrix[start : start + len(answer)], answer)


def test_each_head_has_matrices_of_its_own() -> None:
    for matrices in (made.W_Q, made.W_K, made.W_V):
        assert not np.array_equal(matrices[0], matrices[1])


def test_only_head_2_reads_where_a_token_stands() -> None:
    for matrices in (made.W_Q, made.W_K, made.W_V):
        assert not matrices[0, POSITIONS].any()
    for matrices in (made.W_Q, made.W_K):
        assert matrices[1, POSITIONS].any(axis=1).all()
        assert not matrices[1, CONTENT].any()


def test_early_only_falls_and_late_only_grows_along_the_sentence() -> None:
    early, late = made.X[:, POSITIONS].T
    assert (np.diff(early) <= 0).all()
    assert (np.diff(late) >= 0).all()
    assert len({*zip(early.tolist(), late.tolist(), strict=True)}) == 4


@pytest.mark.parametrize("mask", MASKS)
def test_head_2_gives_at_least_four_fifths_to_the_token_before(mask: str) -> None:
    weights = weights_in_one_call(mask)[1]
    for token in (STREET, IT, TIRED):
        assert weights[token].argmax() == token - 1
        assert weights[token, token - 1] >= 0.8


def test_in_head_2_the_first_token_finds_itself() -> None:
    assert [f"{w:.3f}" for w in weights_in_one_call("off")[1, 0]] == [
        "0.997",
        "0.003",
        "0.000",
        "0.000",
    ]
    assert weights_in_one_call("causal")[1, 0].tolist() == [1, 0, 0, 0]


def test_a_later_query_of_head_2_is_the_key_of_the_token_before() -> None:
    assert np.array_equal(made.QUERIES[1, 2:], made.KEYS[1, 1:3])


def test_without_positions_head_2_cannot_tell_the_tokens_apart() -> None:
    x = made.X.copy()
    x[:, POSITIONS] = 0
    weights = attend(x @ made.W_Q, x @ made.W_K, x @ made.W_V).weights
    assert (weights[1] == 0.25).all()
    np.testing.assert_allclose(weights[0], weights_in_one_call("off")[0], rtol=0, atol=1e-15)


def test_other_tokens_at_the_same_positions_change_head_1_and_not_head_2() -> None:
    order = [STREET, ANIMAL, TIRED, IT]
    x = made.X.copy()
    x[:, CONTENT] = x[order][:, CONTENT]
    weights = attend(x @ made.W_Q, x @ made.W_K, x @ made.W_V).weights
    usual = weights_in_one_call("off")
    np.testing.assert_allclose(weights[0], usual[0][np.ix_(order, order)], rtol=0, atol=1e-15)
    np.testing.assert_allclose(weights[1], usual[1], rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("head", "mask", "token", "shown"),
    [
        (0, "off", ANIMAL, "0.133 0.546 0.189 0.133"),
        (0, "off", STREET, "0.546 0.133 0.189 0.133"),
        (0, "off", IT, "0.808 0.048 0.097 0.048"),
        (0, "off", TIRED, "0.647 0.038 0.157 0.157"),
        (0, "causal", ANIMAL, "1.000 0.000 0.000 0.000"),
        (0, "causal", STREET, "0.804 0.196 0.000 0.000"),
        (0, "causal", IT, "0.848 0.050 0.102 0.000"),
        (0, "zero", ANIMAL, "0.250 0.250 0.250 0.250"),
        (0, "zero", IT, "0.808 0.048 0.097 0.048"),
        (0, "late", ANIMAL, "0.133 0.000 0.000 0.000"),
        (0, "late", IT, "0.808 0.048 0.097 0.000"),
        (1, "off", STREET, "0.944 0.056 0.000 0.000"),
        (1, "off", IT, "0.053 0.894 0.053 0.000"),
        (1, "off", TIRED, "0.000 0.053 0.894 0.053"),
    ],
)
def test_a_row_of_weights_is_the_one_promised(head: int, mask: str, token: int, shown: str) -> None:
    row = weights_in_one_call(mask)[head, token]
    assert " ".join(f"{weight:.3f}" for weight in row) == shown


@pytest.mark.parametrize("mask", ["off", "causal", "zero"])
@pytest.mark.parametrize("head", HEADS)
def test_one_token_is_on_top_of_each_row_but_the_one_that_the_mistake_levels(
    head: int, mask: str
) -> None:
    for token, row in enumerate(weights_in_one_call(mask)[head]):
        if (head, mask, token) == (0, "zero", ANIMAL):
            assert (row == 0.25).all()  # its own score is 0 too, so that all four look the same
        else:
            _, _, second, top = sorted(row)
            assert top - second > 0.01


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("head", HEADS)
def test_both_heads_in_one_call_equal_each_head_by_loops(head: int, mask: str) -> None:
    weights = weights_in_one_call(mask)
    np.testing.assert_allclose(weights[head], weights_by_loops(head, mask), rtol=0, atol=1e-14)
    outputs = (weights @ made.VALUES)[head]
    np.testing.assert_allclose(outputs, outputs_by_loops(head, mask), rtol=0, atol=1e-14)


@pytest.mark.parametrize("mask", [None, causal_mask(4)], ids=["off", "causal"])
def test_both_heads_in_one_call_equal_a_call_for_each(mask: Booleans | None) -> None:
    both = attend(made.QUERIES, made.KEYS, made.VALUES, mask=mask)
    for head in HEADS:
        x = made.X
        q, k, v = x @ made.W_Q[head], x @ made.W_K[head], x @ made.W_V[head]
        for batched, alone in zip(both, attend(q, k, v, mask=mask), strict=True):
            np.testing.assert_allclose(batched[head], alone, rtol=0, atol=1e-14)


@pytest.mark.parametrize("mask", MASKS)
def test_joined_and_projected_rows_equal_loops(mask: str) -> None:
    joined = made.join(weights_in_one_call(mask) @ made.VALUES)
    assert joined.shape == (4, 6)
    np.testing.assert_allclose(joined, joined_by_loops(mask), rtol=0, atol=1e-14)
    projected = product(joined_by_loops(mask), made.W_O.tolist())
    np.testing.assert_allclose(joined @ made.W_O, projected, rtol=0, atol=1e-14)


def test_each_head_writes_into_entries_of_its_own_and_none_moves_a_position() -> None:
    written = made.W_O != 0
    assert written.any(axis=1).all()
    first, second = written[:3].any(axis=0), written[3:].any(axis=0)
    assert [made.X_ENTRIES[i] for i in np.flatnonzero(first)] == ["animate", "place", "state"]
    assert [made.X_ENTRIES[i] for i in np.flatnonzero(second)] == ["noun", "refers"]


def test_what_it_found_is_what_it_lacked() -> None:
    output = attend(made.QUERIES, made.KEYS, made.VALUES).output
    found = made.join(output)[IT] @ made.W_O
    shown = {name: f"{x:.3f}" for name, x in zip(made.X_ENTRIES, found, strict=True)}
    assert made.X[IT, made.X_ENTRIES.index("animate")] == 0
    assert shown == {
        "animate": "0.808",
        "place": "0.048",
        "noun": "0.473",
        "refers": "0.027",
        "state": "0.048",
        "early": "0.000",
        "late": "0.000",
    }


def distance_to_a_rounding_edge(number: np.float64, digits: int) -> float:
    """Measure how far a number is from the next one that would be shown otherwise."""
    scaled = abs(float(number)) * 10.0**digits
    return abs(scaled - math.floor(scaled) - 0.5) / 10.0**digits


@pytest.mark.parametrize("mask", MASKS)
def test_no_shown_number_lies_on_a_rounding_edge(mask: str) -> None:
    weights = weights_in_one_call(mask)
    outputs = weights @ made.VALUES
    joined = made.join(outputs)
    projected = joined @ made.W_O
    shown = [weights, weights.sum(axis=-1), outputs, joined, projected, made.X + projected]
    for number in np.concatenate([x.ravel() for x in shown]):
        assert distance_to_a_rounding_edge(number, 3) > 1e-6
    for score in attend(made.QUERIES, made.KEYS, made.VALUES).scores.ravel():
        assert distance_to_a_rounding_edge(score, 2) > 1e-6
