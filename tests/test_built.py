"""The built page and the command that builds it."""

import base64
import gzip
import hashlib
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import build
from attention.page import page as built_page

ROOT = Path(__file__).parents[1]
HTML = (ROOT / "site" / "index.html").read_text(encoding="utf-8")
GZIPPED = 120_000  # bytes, the budget of the whole page
ELEMENTS = 6_000


class Elements(HTMLParser):
    """Collect every start tag with its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag."""
        self.found.append((tag, {name: value or "" for name, value in attrs}))


@pytest.fixture(scope="module")
def elements() -> list[tuple[str, dict[str, str]]]:
    parser = Elements()
    parser.feed(HTML)
    return parser.found


def test_the_committed_page_is_what_the_sources_make() -> None:
    assert build.render() == HTML


def test_the_page_keeps_its_budgets(elements: list[tuple[str, dict[str, str]]]) -> None:
    assert len(gzip.compress(HTML.encode("utf-8"), 9)) <= GZIPPED
    assert len(elements) <= ELEMENTS


def test_the_policy_allows_just_the_styles_and_the_script_of_the_page() -> None:
    policy = re.search(r'Policy" content="([^"]+)"', HTML)
    assert policy
    inline = re.findall(r"<(?:style|script)>(.*?)</(?:style|script)>", HTML, re.DOTALL)
    hashes = {base64.b64encode(hashlib.sha256(x.encode()).digest()).decode() for x in inline}
    assert len(inline) == 3
    assert set(re.findall(r"sha256-([^']+)'", policy[1])) == hashes
    assert "default-src 'none'" in policy[1]


def test_nothing_is_fetched_and_no_style_attribute_is_used(
    elements: list[tuple[str, dict[str, str]]],
) -> None:
    for _, attributes in elements:
        assert "style" not in attributes
        for name in ("src", "href"):
            assert attributes.get(name, "#").startswith(("#", "data:"))


def test_ids_are_unique_and_every_link_label_and_name_leads_to_one(
    elements: list[tuple[str, dict[str, str]]],
) -> None:
    ids = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes in elements:
        if tag == "a":
            assert attributes["href"][1:] in ids
        for name in ("for", "aria-labelledby"):
            assert attributes.get(name, ids[0]) in ids
    assert {"what", "how", "why", "practice"} <= set(ids)


def test_every_slot_on_the_page_has_texts_and_every_contract_slot_is_there(
    elements: list[tuple[str, dict[str, str]]],
) -> None:
    shown = {attributes["data-slot"] for _, attributes in elements if "data-slot" in attributes}
    known = {slot for figure in built_page().figures for slot in figure.slots}
    assert shown <= known
    for token in built_page().tokens:
        for slot in ("key", "dot", "score", "weight", "value", "part", "full-weight"):
            assert f"{slot}-{token}" in shown
    assert {"query", "output", "sum", "verdict", "value-names", "d"} <= shown


def test_no_template_types_a_digit_where_a_reader_would_see_it() -> None:
    for path in (ROOT / "templates").rglob("*.html"):
        source = re.sub(r"{#.*?#}|{%.*?%}|{{.*?}}", "", path.read_text("utf-8"), flags=re.DOTALL)
        spoken = re.findall(r'(?:aria-label|aria-valuetext|alt|title)="([^"]*)"', source)
        text = re.sub(r"<[^>]*>", "", source)
        assert not re.search(r"\d", text + "".join(spoken)), path.name


def run(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run build.py as a reader would."""
    command = [sys.executable, "build.py", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_building_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert run("--out", str(tmp_path / name)).returncode == 0
    assert (tmp_path / "one/index.html").read_bytes() == (tmp_path / "two/index.html").read_bytes()
    assert (tmp_path / "one/index.html").read_text(encoding="utf-8") == HTML


def test_check_names_a_stale_page_and_leaves_it_alone(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("old", encoding="utf-8")
    result = run("--check", "--out", str(tmp_path))
    assert result.returncode == 1
    assert "stale" in result.stderr
    assert (tmp_path / "index.html").read_text(encoding="utf-8") == "old"
    assert run("--check").returncode == 0


def test_a_folder_that_cannot_be_written_gives_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    result = run("--out", str(tmp_path / "file"))
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1
    assert "cannot write" in result.stderr


def test_a_failed_write_leaves_the_old_page_and_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "index.html").mkdir()
    result = run("--out", str(tmp_path))
    assert result.returncode == 1
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


def test_a_broken_template_gives_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "styles").mkdir()
    (tmp_path / "scripts").mkdir()
    (tmp_path / "page.html").write_text("{% if %}", encoding="utf-8")
    monkeypatch.setattr(build, "TEMPLATES", tmp_path)
    assert build.main(["--out", str(tmp_path / "out")]) == 1
    assert "page.html, line 1" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_script_does_no_arithmetic() -> None:
    script = (ROOT / "templates" / "scripts" / "figure.js").read_text(encoding="utf-8")
    code = re.sub(r"//.*|`[^`]*`|\"[^\"]*\"|/[^/\n]+/[gi]*(?=[,.)])", "", script)
    assert not re.search(r"[-+*%](?![>])|\bNumber\b|\bMath\b|parse(?:Int|Float)|toFixed", code)
