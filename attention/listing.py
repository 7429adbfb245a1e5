"""Program text that the page shows, read from the files that run and never retyped."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

from attention import core

TEN_LINES = Path(__file__).with_name("ten_lines.py")


@dataclass(frozen=True)
class Listings:
    """The listings of the page. A comment says what each is."""

    attend: str  # the heart of `attend`: from d to the output
    softmax: str  # what `softmax` does
    script: str  # a script of ten lines that needs numpy only


def cut(function: Callable[..., Any], first: str, last: str) -> str:
    """Return the lines of a function from the one that starts with `first` to that with `last`.

    Raises ValueError, naming the function, if it does not hold one line of each, in this order.

    >>> print(cut(core.causal_mask, "return", "return"))
    return np.tri(n, dtype=np.bool_)
    """
    lines = inspect.getsource(function).splitlines()
    starts, ends = (
        [i for i, line in enumerate(lines) if line.lstrip().startswith(marker)]
        for marker in (first, last)
    )
    if len(starts) != 1 or len(ends) != 1 or starts > ends:
        raise ValueError(f"{function.__name__} has no one part from “{first}” to “{last}”")
    return dedent("\n".join(lines[starts[0] : ends[0] + 1]))


def listings() -> Listings:
    """Read every listing."""
    return Listings(
        attend=cut(core.attend, "d = ", "output = "),
        softmax=cut(core.softmax, "x = ", "return "),
        script=TEN_LINES.read_text(encoding="utf-8").rstrip(),
    )
