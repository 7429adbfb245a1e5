"""What the text of level 4 says in numbers is what plain loops compute."""

import math
import re
from itertools import product as every

import numpy as np
import pytest

from attention import projections as made
from attention.example import TOKENS
from attention.practice import practice
from tests.test_matrices import HEADS
from tests.test_matrices import parsed
from tests.test_matrices import shown
from tests.test_matrices import state
from tests.test_matrices import vector
from tests.test_projections import distance_to_a_rounding_edge
from tests.test_projections import joined_by_loops
from tests.test_projections import product
from tests.test_projections import weights_by_loops

PRACTICE = practice()


@pytest.mark.parametrize("h", [0, 1])
def test_x_times_w_as_printed_gives_q_k_and_v_as_printed(h: int) -> None:
    x = [[parsed(entry)[0] for entry in row] for _, row in PRACTICE.x.rows]
    head = PRACTICE.heads[h]
    assert head.head == HEADS[h]
    assert [name for name, _ in head.rows] == list(PRACTICE.x.columns)
    for which, names in enumerate((head.match_entries, head.match_entries, head.value_entries)):
        matrix = [[parsed(entry)[0] for entry in row[which]] for _, row in head.rows]
        assert {len(row) for row in matrix} == {len(names)}
        made_of_x = [parsed(token[which + 1]) for token in head.tokens]
        assert made_of_x == product(x, matrix)


@pytest.mark.parametrize("head", HEADS)
def test_the_entries_of_every_vector_are_named(head: str) -> None:
    names = {"1": "(animal, street, tired)", "2": "(animate, place, refers)"}
    assert state(head)["value-names"] == names[head]
    assert PRACTICE.x_names == "(animate, place, noun, refers, state, early, late)"


def test_the_joined_rows_times_w_o_as_printed_give_the_projected_rows() -> None:
    w_o = [[parsed(entry)[0] for entry in row] for _, row in PRACTICE.w_o.rows]
    assert list(PRACTICE.w_o.columns) == list(made.X_ENTRIES)
    found_by = [re.split(r"head \d, ", name)[1] for name, _ in PRACTICE.w_o.rows]
    assert f"({', '.join(found_by)})" == PRACTICE.joined_names
    projected = product(joined_by_loops("off"), w_o)
    assert vector(projected[2]) == PRACTICE.found_it == state()["projected-it"]
    new = [a + b for a, b in zip(projected[2], made.X.tolist()[2], strict=True)]
    assert vector(new) == PRACTICE.new_it
    assert PRACTICE.found_animate == "0.808"


def test_the_query_of_it_is_the_sum_of_the_rows_that_its_vector_uses() -> None:
    assert PRACTICE.x_it == "(0, 0, 1, 1, 0, 1, 2)"
    assert PRACTICE.query_it == "(1, 1) + (1, −1) = (2, 0)"


def test_dividing_the_cut_row_again_gives_the_row_of_the_mask() -> None:
    assert PRACTICE.divided_late == "0.848, 0.050, 0.102 and 0.000"
    row = [state(mask="causal")[f"weight-it-{token}"] for token in TOKENS]
    assert re.findall(r"\d\.\d{3}", PRACTICE.divided_late) == row
    assert PRACTICE.printed_late == "0.953"


def test_columns_do_not_add_to_1() -> None:
    weights = weights_by_loops(0, "off")
    columns = [math.fsum(column) for column in zip(*weights, strict=True)]
    assert re.findall(r"\d\.\d{3}", PRACTICE.columns) == [shown(c, 3) for c in columns]
    assert PRACTICE.own_key_columns == "1.418, 1.418, 0.663 and 0.500"


def test_without_positions_head_2_gives_a_quarter_to_each() -> None:
    assert PRACTICE.placeless == "0.250"


def test_the_counts_of_the_text_are_those_promised() -> None:
    assert [tuple(cost) for cost in PRACTICE.costs] == [
        ("4", "16"),
        ("64", "4,096"),
        ("1,024", "1,048,576"),
        ("16,384", "268,435,456"),
    ]
    assert (PRACTICE.d_v, PRACTICE.joined, PRACTICE.width) == ("3", "6", "7")
    assert [number for number, _ in PRACTICE.strips] == [str(head) for head in range(1, 13)]


def test_no_number_of_the_text_lies_on_a_rounding_edge() -> None:
    keys = made.KEYS[0]
    powers = np.exp(keys @ keys.T / math.sqrt(2))
    own_key = (powers / powers.sum(axis=1, keepdims=True)).sum(axis=0)
    columns = np.sum(weights_by_loops(0, "off"), axis=0)
    lost = [
        math.fsum(weights_by_loops(h, "off")[i][i + 1 :])
        for h, i in every((0, 1), range(len(TOKENS)))
    ]
    for number in (*own_key, *columns, *lost):
        assert distance_to_a_rounding_edge(np.float64(number), 3) > 1e-6


def test_early_is_large_at_the_start_of_the_sentence_and_late_at_its_end() -> None:
    early, late = made.X[:, -2].tolist(), made.X[:, -1].tolist()
    assert early == sorted(early, reverse=True)
    assert late == sorted(late)
    assert early[0] > early[-1]
    assert late[0] < late[-1]
