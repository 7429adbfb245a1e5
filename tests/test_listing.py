"""Program text on the page: it is that of the files, and it does what the page says it does."""

import ast
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import numpy as np
import pytest

from attention import core
from attention import listing
from attention.example import ASKING
from attention.example import DEFAULT_STOP
from attention.example import KEYS
from attention.example import STOPS
from attention.example import VALUES
from attention.page import page
from tests.test_page import TREE

LISTINGS = listing.listings()
CORE = Path(core.__file__).read_text(encoding="utf-8")
SHOWN = [code.words for pre in TREE.all("pre") for code in pre.all("code")]
QUERY = STOPS[DEFAULT_STOP]


def test_the_page_shows_every_listing_once_and_to_the_letter() -> None:
    assert [LISTINGS.script, LISTINGS.attend, LISTINGS.softmax] == SHOWN


@pytest.mark.parametrize("name", ["attend", "softmax"])
def test_a_part_of_the_core_is_shown_as_it_stands_there(name: str) -> None:
    assert CORE.count(indent(getattr(LISTINGS, name), "    ")) == 1


def test_the_heart_of_attend_computes_what_attend_does() -> None:
    names = vars(core) | {
        "q": QUERY[np.newaxis],
        "k": KEYS,
        "v": VALUES,
        **{"scale": None, "bias": None, "mask": None, "normalise": core.softmax, "shapes": ""},
    }
    exec(LISTINGS.attend, names)
    steps = core.attend([QUERY], KEYS, VALUES)
    for name in core.Steps._fields:
        np.testing.assert_array_equal(names[name], getattr(steps, name))


def sample() -> int:
    """Stand in for a function whose source has changed."""
    first = 1
    again = [first]
    again = [*again, first]
    return sum(again)


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("gone = ", "return "),  # no first line
        ("first = ", "gone = "),  # no last line
        ("again = ", "return "),  # two first lines
        ("return ", "first = "),  # the wrong way round
    ],
)
def test_a_source_that_lost_its_markers_is_an_error_that_names_the_function(
    first: str, last: str
) -> None:
    with pytest.raises(ValueError, match="sample"):
        listing.cut(sample, first, last)


def test_the_script_on_the_page_prints_the_weights_that_the_page_shows(tmp_path: Path) -> None:
    script = tmp_path / "copied.py"
    script.write_text(SHOWN[0], encoding="utf-8")
    # Isolated, in another folder: nothing of this project can be found.
    run = subprocess.run(
        [sys.executable, "-I", "-W", "error", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    now = page().attend["default"]
    assert [tuple(line.split()) for line in run.stdout.splitlines()] == [
        (token, now[f"weight-{token}"]) for token in page().tokens
    ]
    assert page().asking == page().tokens[ASKING] == "it"


def test_the_script_has_ten_lines_and_needs_numpy_only() -> None:
    assert len([line for line in LISTINGS.script.splitlines() if line.strip()]) == 10
    imports = [
        ast.unparse(node)
        for node in ast.walk(ast.parse(LISTINGS.script))
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert imports == ["import numpy as np"]
