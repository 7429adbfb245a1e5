"""The shape all figures share: controls, and a text for every slot in every state.

A *slot* is a place on the page whose text changes. Its texts form a tree: either a text, or the
name of a control with a branch for each of its values. The script on the page walks the tree with
the values of the real controls. A control that changes nothing has no place in the tree, so that
31 × 64 settings take a few hundred leaves. A text may name other slots in braces; the script puts
their texts there.

A text may be a *table*: a line for each row, its entries apart by spaces. `weights-10-3` is entry
3 of line 10 of the slot `weights`, both counted from 0, and `weights-asks-3` that of the line which
the control `asks` says. So a table of many numbers takes one leaf.

A text may say what its words are: `[query 2.0] × [key 2]` shows 2.0 as a query and 2 as a key. The
role `sign` stands where words are a sign that has a spoken form.

A *length* is a number from 0 to 1, in a tree of the same kind: a length, or a share of a colour. An
element with `data-length="weight-animal"` is drawn by the stylesheet from the property `--weight`;
as built, it has it from its class `at-weight-animal` (see `default_lengths` of build.py). A line or
circle with `data-x2`, `data-y2` or `data-r="weight-animal"` has it as that attribute, in the page
as built, too, which costs less at each step of a drag. A length may name slots in braces, and
`data-length` an entry of a table.
"""

import json
import re
from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from functools import cache
from typing import TypeAlias
from urllib.parse import parse_qsl
from urllib.parse import urlencode

from attention import text

Tree: TypeAlias = "str | tuple[str, dict[str, Tree]]"
ON_OFF = ("on", "off")
NAMES = re.compile(r"\{(.+?)\}")  # slots that a text names
ROLES = re.compile(r"\[(query|key|value|weight|sign) (.*?)\]")
ENTRY = re.compile(r"(.+)-(\w+)-(\w+)")


@dataclass(frozen=True)
class Control:
    """A native control of a figure's form."""

    name: str
    values: tuple[str, ...]  # every value it can have, as the form gives it
    default: str
    idles: Mapping[str, frozenset[str]] = field(default_factory=dict)  # value -> controls it idles


def tree(
    by: Sequence[Control],
    leaf: Callable[..., str],
    chosen: tuple[str, ...] = (),
    idle: frozenset[str] = frozenset(),
) -> Tree:
    """Ask `leaf` for the text of every combination of values, and keep what differs.

    `leaf` takes one value for each control of `by`, in that order. A control that an earlier one
    idles is asked at its default only. Branches that are all equal become one.
    """
    if len(chosen) == len(by):
        return leaf(*chosen)
    control = by[len(chosen)]
    if control.name in idle:
        return tree(by, leaf, (*chosen, control.default), idle)
    branches = {
        value: tree(by, leaf, (*chosen, value), idle | control.idles.get(value, frozenset()))
        for value in control.values
    }
    first = branches[control.default]
    return first if all(b == first for b in branches.values()) else (control.name, branches)


def entry(name: str) -> tuple[str, str, str]:
    """Take apart the name of an entry of a table: the slot, the row and the column.

    Raises KeyError for a name of another form.

    >>> entry("weights-asks-3")
    ('weights', 'asks', '3')
    """
    parts = ENTRY.fullmatch(name)
    if parts is None:
        raise KeyError(name)
    return parts[1], parts[2], parts[3]


class State(Mapping[str, str]):
    """The texts of a figure at one combination of settings, by slot."""

    def __init__(self, figure: "Figure", settings: Mapping[str, str]) -> None:
        self.figure = figure
        self.settings = {c.name: settings.get(c.name, c.default) for c in figure.controls}

    def __getitem__(self, slot: str) -> str:
        """Return the text of a slot, the slots it names filled in. Raise KeyError if unknown."""
        return ROLES.sub(r"\2", self.marked(slot))

    def pieces(self, slot: str) -> list[tuple[str, str, str]]:
        """Cut the text of a slot into its pieces: role, words, spoken form; "" for none."""
        before, *rest = ROLES.split(self.marked(slot))
        cut = [("", before, "")]
        for role, words, after in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
            cut += [(role, words, text.SPOKEN.get(words, "")), ("", after, "")]
        return [piece for piece in cut if piece[1]]

    def marked(self, slot: str) -> str:
        """Return the text of a slot with its roles."""
        if slot in self.figure.slots:
            return self.filled(self.figure.slots[slot])
        table, row, column = entry(slot)
        lines = self.marked(table).split("\n")
        words = lines[int(self.settings.get(row, row))].split(" ")
        return words[int(self.settings.get(column, column))]

    def __iter__(self):  # type: ignore[no-untyped-def]  # Mapping states the type
        """Go through the names of the slots."""
        return iter(self.figure.slots)

    def __len__(self) -> int:
        """Count the slots."""
        return len(self.figure.slots)

    def spoken(self, slot: str) -> str:
        """Return what a screen reader says where the text of a slot is a sign, else nothing."""
        return text.SPOKEN.get(self[slot], "")

    def filled(self, found: Tree) -> str:
        """Follow a tree to this state's leaf, and put in the texts of the slots that it names."""
        return NAMES.sub(lambda name: self.marked(name[1]), self.walk(found))

    def walk(self, found: Tree) -> str:
        """Follow a tree to this state's leaf."""
        while not isinstance(found, str):
            name, branches = found
            found = branches[self.settings[name]]
        return found

    @property
    def lengths(self) -> dict[str, str]:
        """The lengths of this state, by name."""
        return {name: self.filled(found) for name, found in self.figure.lengths.items()}

    @property
    def href(self) -> str:
        """The link to this state."""
        return f"#{self.anchor}"

    @property
    def anchor(self) -> str:
        """What the link leads to when no script runs: an id of all that differs from the default.

        The settings stand in the order of the controls.
        """
        usual = {c.name: c.default for c in self.figure.controls}
        changed = {name: value for name, value in self.settings.items() if value != usual[name]}
        return f"{self.figure.id}?{urlencode(changed)}" if changed else self.figure.id


@dataclass(frozen=True)
class Figure:
    """A form, and the texts and lengths of every combination of its settings."""

    id: str
    controls: tuple[Control, ...]
    slots: dict[str, Tree]
    lengths: dict[str, Tree]
    named: dict[str, str] = field(default_factory=dict)  # states that the text speaks of, by name

    def at(self, settings: str) -> State:
        """Return the state that an address names, such as `query=0&softmax=off`.

        Raises ValueError for a name or a value that no control has: an address typed in the code
        must be right. (An address that a reader brings is read by the script, which is lenient.)
        """
        given = dict(parse_qsl(settings, keep_blank_values=True, strict_parsing=bool(settings)))
        for name, value in given.items():
            if not any(c.name == name and value in c.values for c in self.controls):
                raise ValueError(f"figure {self.id} has no setting {name}={value}")
        return State(self, given)

    @property
    def anchors(self) -> list[str]:
        """The anchors of all named states; that of a default is the id of the figure."""
        return [self[name].anchor for name in self.named]

    def __getitem__(self, name: str) -> State:
        """Return a state by the name that the text calls it by; `default` is always there."""
        return self.at("" if name == "default" else self.named[name])

    def values(self, slot: str) -> set[str]:
        """Collect every text that a slot's tree can hold, names in braces left as they are."""

        def leaves(found: Tree) -> set[str]:
            if isinstance(found, str):
                return {found}
            return set().union(*map(leaves, found[1].values()))

        return leaves(self.slots[slot])

    def longest(self, slot: str) -> str:
        """Return a text at least as long as any of a slot: the box on the page keeps room for it.

        A slot that a text names is taken at its own longest. An entry is taken from the longest
        table, or at the longest of all entries if a control says which it is.
        """
        controls = {control.name for control in self.controls}

        @cache
        def longest(slot: str) -> str:
            return max(sorted(map(filled, self.values(slot))), key=len)

        @cache
        def widest(table: str) -> str:
            return max(" ".join(map(filled, sorted(self.values(table)))).split(), key=len)

        def named(name: str) -> str:
            if name in self.slots:
                return longest(name)
            table, row, column = entry(name)
            if not {row, column} & controls:
                return longest(table).split("\n")[int(row)].split(" ")[int(column)]
            return widest(table)

        def filled(words: str) -> str:
            return ROLES.sub(r"\2", NAMES.sub(lambda name: named(name[1]), words))

        return longest(slot)

    @property
    def states(self) -> str:
        """Everything the script needs, as JSON that is safe inside a script element."""
        everything = {
            "controls": {c.name: [c.default, list(c.values)] for c in self.controls},
            "slots": self.slots,
            "lengths": self.lengths,
            "spoken": text.SPOKEN,
        }
        shown = json.dumps(everything, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return shown.replace("<", "\\u003c")
