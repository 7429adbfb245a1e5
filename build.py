"""Build site/index.html: the page of `attention.page`, rendered by jinja2 into one file.

python build.py            write site/index.html
python build.py --out DIR  write DIR/index.html
python build.py --check    write nothing; exit 1 if the file is not what this would write
python build.py --open     write, then show the page in the browser
"""

import argparse
import base64
import hashlib
import os
import re
import sys
import tempfile
import traceback
import webbrowser
from pathlib import Path

ROOT = Path(__file__).parent
TEMPLATES = ROOT / "templates"
SITE = ROOT / "site"

try:
    import jinja2
    from markupsafe import Markup

    from attention.page import Page
    from attention.page import page
except ModuleNotFoundError as missing:
    sys.exit(f"build.py: the package {missing.name} is missing; the README has the one-line set-up")


def default_lengths(page: Page, main: str) -> str:
    """Return as CSS the lengths of each figure's default state, and the places of stops and arcs.

    A strict policy blocks style attributes, so what no script has set yet stands here: a class for
    each length, which the macro `drawn` gives in `main` to what the stylesheet draws. Other lengths
    are attributes of SVG there.
    """
    drawn = set(re.findall(r"\bat-([\w-]+)", main))
    rules = [
        f"#{figure.id} .at-{name} {{ --{name.split('-')[0]}: {length}; }}"
        for figure in page.figures
        for name, length in figure["default"].lengths.items()
        if name in drawn
    ]
    rules += [f".stop-{stop.value} {{ --at: {stop.at}; }}" for stop in page.stops]
    rules += [f".arc-{arc.token} {{ grid-column: {arc.start} / {arc.end}; }}" for arc in page.arcs]
    return "@layer figures {\n" + "\n".join(rules) + "\n}\n"


def source(name: str) -> str:
    """Join the files of a folder of templates, in the order of their names. They are not parsed."""
    files = (path for path in (TEMPLATES / name).iterdir() if path.suffix in (".css", ".js"))
    return "".join(path.read_text(encoding="utf-8") for path in sorted(files))


def policy_hash(inline: str) -> str:
    """Return the hash by which a content security policy allows an inline style or script."""
    digest = hashlib.sha256(inline.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def compiled() -> jinja2.BytecodeCache | None:
    """Keep compiled templates beside Python's own bytecode; without a place for them, do without.

    Compiling takes as long as everything else that the build does.
    """
    folder = ROOT / "__pycache__"
    try:
        folder.mkdir(exist_ok=True)
    except OSError:
        return None
    return jinja2.FileSystemBytecodeCache(str(folder)) if os.access(folder, os.W_OK) else None


def render() -> str:
    """Return the page as HTML."""
    content = page()
    bare = "\n" + (TEMPLATES / "noscript.css").read_text(encoding="utf-8")
    script = "\n" + source("scripts")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        bytecode_cache=compiled(),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    main = environment.get_template("main.html").render(page=content)
    style = "\n" + source("styles") + default_lengths(content, main)
    return environment.get_template("page.html").render(
        page=content,
        main=Markup(main),
        style=Markup(style),
        bare=Markup(bare),
        script=Markup(script),
        states={figure.id: Markup(figure.states) for figure in content.figures},
        policy=Markup(
            "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
            f"style-src {policy_hash(style)} {policy_hash(bare)}; script-src {policy_hash(script)}"
        ),
    )


def write(html: str, folder: Path) -> Path:
    """Write index.html beside its place, then rename, so that no reader meets half a file."""
    folder.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=folder, prefix=".index-", suffix=".html")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(html)
        Path(beside).chmod(0o644)
        return Path(beside).replace(folder / "index.html")
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(description="Build the page into site/index.html.")
    parser.add_argument("--out", type=Path, default=SITE, metavar="DIR", help="write elsewhere")
    parser.add_argument("--check", action="store_true", help="only say whether it is up to date")
    parser.add_argument("--open", action="store_true", help="show the page when it is built")
    options = parser.parse_args(arguments)
    target = options.out / "index.html"
    try:
        html = render()
    except jinja2.TemplateSyntaxError as error:
        return complain(f"a template is broken: {error.filename}, line {error.lineno}: {error}")
    except (OSError, UnicodeDecodeError) as error:
        return complain(f"cannot read a source file: {error}")
    except (jinja2.TemplateError, ArithmeticError, LookupError, ValueError) as error:
        # An unknown name or slot in a template, or data that does not hold what it should.
        trace = traceback.extract_tb(error.__traceback__)
        inside = [frame for frame in trace if TEMPLATES in Path(frame.filename).parents]
        place = f" at {inside[-1].filename}, line {inside[-1].lineno}" if inside else ""
        kind = "a template is broken" if inside else "cannot compute the page"
        return complain(f"{kind}{place}: {type(error).__name__}: {error}")
    if options.check:
        if target.is_file() and target.read_bytes() == html.encode("utf-8"):
            return 0
        return complain(f"{target} is stale: run python build.py and commit the result")
    try:
        write(html, options.out)
    except OSError as error:
        return complain(f"cannot write {target}: {error.strerror or error}")
    if options.open:
        address = target.resolve().as_uri()
        if not webbrowser.open(address):
            print(f"No browser found. The page is at {address}")
    return 0


def complain(words: str) -> int:
    """Say in one line what went wrong; return the exit code of a failure."""
    print(f"build.py: {words}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
