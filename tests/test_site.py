"""The command that builds the page: what it writes, and what it says when it cannot."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import build

ROOT = Path(__file__).parents[1]
COMMITTED = ROOT / "site" / "index.html"


def run(*arguments: str, root: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run build.py as a reader would, in an environment with a few changes."""
    return subprocess.run(
        [sys.executable, "-W", "error", "build.py", *arguments],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy what a build needs, for a test that breaks it."""
    root = tmp_path / "copy"
    for folder in ("attention", "templates"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "build.py", root)
    return root


def test_the_committed_page_is_what_the_sources_make() -> None:
    assert COMMITTED.read_bytes() == build.render().encode("utf-8")


def test_the_page_is_the_same_whatever_order_python_keeps_sets_in(tmp_path: Path) -> None:
    pages = set()
    for seed in ("0", "1", "4242"):
        result = run("--out", str(tmp_path / seed), PYTHONHASHSEED=seed)
        assert (result.returncode, result.stderr) == (0, "")
        pages.add((tmp_path / seed / "index.html").read_bytes())
    assert pages == {COMMITTED.read_bytes()}


def test_the_page_is_the_same_from_another_folder_in_another_language_and_zone(
    tmp_path: Path, copy: Path
) -> None:
    # The C locale would write ASCII where the encoding is left to the system.
    run("--out", str(tmp_path / "out"), root=copy, LC_ALL="C", PYTHONUTF8="0", TZ="Asia/Tokyo")
    assert (tmp_path / "out" / "index.html").read_bytes() == COMMITTED.read_bytes()


def test_a_second_build_with_kept_templates_gives_the_same_bytes(copy: Path) -> None:
    pages = []
    for _ in range(2):
        assert run(root=copy).returncode == 0
        pages.append((copy / "site" / "index.html").read_bytes())
    assert pages == [COMMITTED.read_bytes()] * 2


def test_a_changed_template_is_not_hidden_by_a_kept_one(copy: Path) -> None:
    assert run(root=copy).returncode == 0
    template = copy / "templates" / "page.html"
    template.write_text(template.read_text("utf-8").replace("</main>", "</main>new"), "utf-8")
    assert run(root=copy).returncode == 0
    assert "</main>new" in (copy / "site" / "index.html").read_text("utf-8")


def test_a_built_page_is_one_file_that_others_may_read(tmp_path: Path) -> None:
    assert run("--out", str(tmp_path / "a" / "b")).returncode == 0
    (page,) = (tmp_path / "a" / "b").iterdir()
    assert page.name == "index.html"
    assert page.stat().st_mode & 0o777 == 0o644
    written = page.read_bytes()
    assert b"\r" not in written
    assert not written.startswith(b"\xef\xbb\xbf")
    assert written.endswith(b"</html>\n")


def test_check_is_content_with_a_page_that_is_up_to_date(tmp_path: Path) -> None:
    shutil.copy(COMMITTED, tmp_path)
    before = (tmp_path / "index.html").stat().st_mtime_ns
    result = run("--check", "--out", str(tmp_path))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert (tmp_path / "index.html").stat().st_mtime_ns == before


@pytest.mark.parametrize("old", [None, "old", "one byte more"])
def test_check_says_that_a_page_is_stale_and_writes_nothing(
    tmp_path: Path, old: str | None
) -> None:
    page = tmp_path / "index.html"
    if old is not None:
        page.write_bytes(COMMITTED.read_bytes() + b"\n" if old == "one byte more" else b"old")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    result = run("--check", "--out", str(tmp_path))
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1
    assert "stale" in result.stderr
    assert str(page) in result.stderr
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def said(result: subprocess.CompletedProcess[str], *words: str) -> None:
    """Expect one clear line, a failure, and no traceback."""
    assert result.returncode == 1, result.stderr
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert result.stdout == ""
    for word in words:
        assert word in result.stderr


def test_a_file_in_the_place_of_the_folder_gives_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    said(run("--out", str(tmp_path / "file")), "cannot write", str(tmp_path / "file"))
    assert (tmp_path / "file").read_text(encoding="utf-8") == "in the way"


def test_a_file_above_the_folder_gives_one_clear_line(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    said(run("--out", str(tmp_path / "file" / "deeper")), "cannot write")


def test_a_page_that_cannot_be_replaced_leaves_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "index.html").mkdir()
    said(run("--out", str(tmp_path)), "cannot write")
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


@pytest.mark.parametrize("moment", ["os.fdopen", "pathlib.Path.replace"])
def test_a_build_that_is_interrupted_keeps_the_old_page_and_no_other_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    (tmp_path / "index.html").write_text("old", encoding="utf-8")

    def stop(*given: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(moment, stop)
    with pytest.raises(KeyboardInterrupt):
        build.write("new", tmp_path)
    monkeypatch.undo()
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]
    assert (tmp_path / "index.html").read_text(encoding="utf-8") == "old"


def test_a_disk_that_is_full_gives_one_clear_line_and_keeps_the_old_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "index.html").write_text("old", encoding="utf-8")

    def full(*given: object, **named: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert build.main(["--out", str(tmp_path)]) == 1
    monkeypatch.undo()
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert "No space left on device" in lines[0]
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


HOW = len((ROOT / "templates/sections/how.html").read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("page.html", "</main>", "{% if %}</main>", ["page.html", "line"]),
        (
            "sections/how.html",
            "</section>",
            "{{ page.nothing }}</section>",
            [f"how.html, line {HOW}:"],
        ),
        ("sections/why.html", "</section>", "{% endif %}</section>", ["why.html", "line"]),
        ("main.html", "sections/how.html", "sections/gone.html", ["gone.html"]),
        ("sections/attend.html", '"printed-sum"', '"nonesuch"', ["attend.html, line", "nonesuch"]),
    ],
)
def test_a_broken_template_gives_one_clear_line_and_keeps_the_old_page(
    copy: Path, name: str, old: str, new: str, words: list[str]
) -> None:
    (copy / "site").mkdir()
    (copy / "site" / "index.html").write_text("old", encoding="utf-8")
    template = copy / "templates" / name
    source = template.read_text(encoding="utf-8")
    assert old in source
    template.write_text(source.replace(old, new), encoding="utf-8")
    said(run(root=copy), "template", *words)
    assert [path.name for path in (copy / "site").iterdir()] == ["index.html"]
    assert (copy / "site" / "index.html").read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize("broken", ["missing", "latin-1"])
def test_a_style_that_cannot_be_read_gives_one_clear_line(copy: Path, broken: str) -> None:
    styles = copy / "templates" / "styles"
    if broken == "missing":
        shutil.rmtree(styles)
    else:
        (styles / "zz.css").write_bytes(b"/* \xe9 */")
    said(run(root=copy), "cannot read")
    assert not (copy / "site").exists()


@pytest.mark.parametrize("package", ["numpy", "jinja2"])
def test_a_missing_package_gives_one_clear_line(copy: Path, package: str) -> None:
    blocked = f"raise ModuleNotFoundError(\"No module named '{package}'\", name='{package}')"
    (copy / f"{package}.py").write_text(blocked, encoding="utf-8")
    said(run(root=copy), package, "missing", "README")
    assert not (copy / "site").exists()


def test_an_unknown_option_is_refused_and_builds_nothing(copy: Path) -> None:
    result = run("--colour", root=copy)
    assert result.returncode == 2
    assert "--colour" in result.stderr
    assert not (copy / "site").exists()


@pytest.mark.parametrize("there", [True, False])
def test_open_shows_the_page_and_prints_its_address_where_there_is_no_browser(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    there: bool,
) -> None:
    asked: list[str] = []

    def opened(address: str) -> bool:
        asked.append(address)
        return there

    monkeypatch.setattr("webbrowser.open", opened)
    assert build.main(["--open", "--out", str(tmp_path)]) == 0
    address = (tmp_path / "index.html").as_uri()
    assert asked == [address]
    assert (address in capsys.readouterr().out) != there


def test_a_build_opens_no_browser_unless_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(address: str) -> bool:
        raise AssertionError(address)

    monkeypatch.setattr("webbrowser.open", opened)
    assert build.main(["--out", str(tmp_path)]) == 0
