"""What the text says of the trained heads is what plain loops make of the stored vectors."""

import base64
import math
import struct
from dataclasses import fields

from attention.trained.heads import DOES
from attention.trained.heads import FILE
from attention.trained_text import trained_text
from tests.test_trained_figure import ANIMAL
from tests.test_trained_figure import DATA
from tests.test_trained_figure import HEADS
from tests.test_trained_figure import IT
from tests.test_trained_figure import WORDS
from tests.test_trained_figure import name
from tests.test_trained_figure import rows
from tests.test_trained_figure import shown
from tests.test_trained_figure import softmax
from tests.test_trained_figure import state
from tests.test_trained_figure import vectors

TEXT = trained_text()


def test_the_noun_head_leans_and_does_not_resolve() -> None:
    assert (TEXT.animal_tired, TEXT.street_tired) == ("0.677", "0.050")
    assert (TEXT.animal_wide, TEXT.street_wide, TEXT.cls_wide) == ("0.281", "0.121", "0.326")
    assert float(TEXT.animal_wide) > float(TEXT.street_wide)  # it does not decide
    assert float(TEXT.animal_wide) < float(TEXT.animal_tired)  # it leans
    assert float(TEXT.street_wide) > float(TEXT.street_tired)
    assert state()["weight-2"] == "0.677"
    assert state(word="wide")["weight-0"] == "0.326"
    assert state()["verdict"] == (
        "Most of the weight of “it”, 0.677, is on “animal”; “street” gets 0.050."
    )


def test_other_heads_read_flip_match_or_park() -> None:
    assert (TEXT.reads_tired, TEXT.reads_wide) == ("0.715", "0.872")
    assert (TEXT.reads_too_tired, TEXT.reads_too_wide) == ("0.587", "0.786")
    assert (TEXT.flip_tired, TEXT.flip_wide) == (("0.100", "0.082"), ("0.047", "0.188"))
    assert TEXT.steady_tired == ("0.152", "0.074")
    assert TEXT.steady_wide == ("0.139", "0.076")
    assert TEXT.noun_of_the == ("0.754", "0.939")
    assert (TEXT.parked, TEXT.parked_value) == ("0.847", "0.030")


def test_each_part_removed_shows_in_the_text_what_it_does() -> None:
    assert (TEXT.no_scale, TEXT.no_query) == ("1.000", "0.912")
    assert (TEXT.masked_animal, TEXT.masked_street) == ("0.702", "0.052")
    assert TEXT.no_softmax_sum == "−5.15"
    assert (TEXT.no_softmax_low, TEXT.no_softmax_top) == ("−0.745", "0.618")
    assert TEXT.meaningless_sum == "0.03"
    assert TEXT.meaningless_low == "−156.891"
    assert abs(float(TEXT.masked_animal) - float(TEXT.animal_tired)) < 0.03  # they change little
    assert abs(float(TEXT.masked_street) - float(TEXT.street_tired)) < 0.03
    hidden = rows("L4H2", "tired", "none")[IT].weights[IT + 1 :]
    assert TEXT.masked_away == shown(math.fsum(hidden)) == "0.036"  # "only"


def test_the_swap_by_loops_shows_that_the_query_decides() -> None:
    def weight(asked: str, offered: str) -> str:
        query, keys = vectors("L4H2", asked, "query")[IT], vectors("L4H2", offered, "key")
        scores = [math.fsum(a * b for a, b in zip(query, key, strict=True)) for key in keys]
        return shown(softmax([score / math.sqrt(32) for score in scores])[ANIMAL])

    assert TEXT.swap == tuple(
        (asked, tuple(weight(asked, word) for word in WORDS)) for asked in WORDS
    )
    assert TEXT.swap == (("tired", ("0.677", "0.719")), ("wide", ("0.258", "0.281")))


def test_the_query_changes_by_most_of_its_length_and_the_key_by_little() -> None:
    def change(part: str, j: int) -> str:
        tired, wide = (vectors("L4H2", word, part)[j] for word in WORDS)
        return f"{100 * math.dist(tired, wide) / math.hypot(*tired):.0f}%"

    assert (TEXT.query_change, TEXT.key_change) == (change("query", IT), change("key", ANIMAL))
    assert (TEXT.query_change, TEXT.key_change) == ("62%", "10%")


def test_what_the_extraction_measured_is_quoted_as_it_stored_it() -> None:
    found = DATA["findings"]
    hidden = [shown(found["adjective-hidden"][word]) for word in WORDS]
    assert [TEXT.hidden_tired, TEXT.hidden_wide] == hidden == ["0.430", "0.429"]
    alone = [shown(found["adjective-hidden-from-it"][word]) for word in WORDS]
    assert [TEXT.hidden_from_it_tired, TEXT.hidden_from_it_wide] == alone == ["0.368", "0.451"]
    assert (TEXT.pairs, TEXT.moved, TEXT.accuracy) == ("30", "21", "0.667")
    assert (TEXT.pronouns, TEXT.agreeing) == ("68", "64")
    assert (TEXT.flips_right, TEXT.flips_wrong) == ("5", "6")
    assert (TEXT.general, TEXT.general_cls) == ("20", "39")
    assert (TEXT.general_top, TEXT.general_undivided) == ("0.576", "0.926")
    assert TEXT.parked_value == shown(found["parked-value"]["share"])


def test_the_patterns_are_counted_by_the_stated_rule() -> None:
    for pattern in TEXT.patterns:
        shares = DATA["patterns"][pattern.pattern]["shares"]
        by_head = {
            f"L{layer + 1}H{head + 1}": share
            for layer, row in enumerate(shares)
            for head, share in enumerate(row)
        }
        assert pattern.heads == str(sum(share > 0.5 for share in by_head.values()))
        assert pattern.closest == max(by_head, key=lambda head: by_head[head])
        assert pattern.share == shown(max(by_head.values()))
    assert [pattern.heads for pattern in TEXT.patterns] == ["1", "1", "32", "0"]
    assert TEXT.patternless == "38"
    assert "most of its weight to [CLS]" in DOES["L5H6"]
    assert "L5H6" in DATA["patterns"]["cls"]["heads"]
    assert "leans to the full stop and [SEP]" in DOES["L4H12"]
    assert TEXT.patterns[-1].closest == "L4H12"


def test_the_table_of_the_ten_heads_names_what_it_looks_at_most() -> None:
    assert [described.name for described in TEXT.described] == list(HEADS)
    for described in TEXT.described:
        assert described.name == f"L{described.layer}H{described.number}"
        assert described.does == DOES[described.name]
        for word, (token, weight) in zip(WORDS, described.tops, strict=True):
            weights = rows(described.name, word, "none")[IT].weights
            top = weights.index(max(weights))
            assert (token, weight) == (name(word, top), shown(weights[top]))
    assert dict(zip(HEADS, TEXT.described, strict=True))["L1H3"].tops[0] == ("“because”", "1.000")


def test_the_text_gives_the_source_and_the_shape_of_the_model() -> None:
    assert TEXT.source._asdict() == DATA["source"]
    assert (TEXT.layers, TEXT.heads, TEXT.all_heads, TEXT.d) == ("6", "12", "72", "32")
    assert TEXT.described_count == "10"
    assert TEXT.did_not == "“didn”, “'” and “t”"
    assert TEXT.decimals == "4"
    assert TEXT.reading_layers == "3"


def test_the_picture_of_all_heads_is_put_in_as_it_is() -> None:
    kind, _, content = TEXT.atlas.partition(";base64,")
    picture = base64.b64decode(content, validate=True)
    assert kind == "data:image/png"
    assert picture == (FILE.parent / "atlas.png").read_bytes()
    assert TEXT.atlas_size == tuple(map(str, struct.unpack(">II", picture[16:24])))


def test_every_number_of_the_text_is_a_string() -> None:
    def strings(value: object) -> bool:
        return all(map(strings, value)) if isinstance(value, tuple) else isinstance(value, str)

    assert [field.name for field in fields(TEXT) if not strings(getattr(TEXT, field.name))] == []
