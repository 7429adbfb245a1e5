"""Page: everything the templates may use. Strings, and loops over strings; nothing to compute."""

from dataclasses import dataclass
from typing import NamedTuple

from attention import facts
from attention import text
from attention.example import ASKING
from attention.example import DIMENSIONS
from attention.example import KEYS
from attention.example import LEG
from attention.example import NAMED_STOPS
from attention.example import SENTENCE
from attention.example import SPREAD_SCORES
from attention.example import STOPS
from attention.example import TOKENS
from attention.figures import attend
from attention.figures import matrices
from attention.figures import scaling
from attention.figures import trained
from attention.figures.figure import Figure
from attention.figures.figure import State
from attention.figures.parts import removals
from attention.listing import Listings
from attention.listing import listings
from attention.practice import Practice
from attention.practice import practice
from attention.prose import Prose
from attention.prose import prose
from attention.trained_text import TrainedText
from attention.trained_text import trained_text


class NamePlace(NamedTuple):
    """Where the plane writes a token's name beside its key, as SVG says it."""

    anchor: str
    dx: str
    dy: str


# By eye: clear of the axes, of the query's line at its default, and of the other names.
NAME_PLACES = {
    "animal": NamePlace("middle", "0", "-.42"),
    "street": NamePlace("start", ".42", ".08"),
    "it": NamePlace("start", ".22", "-.1"),
    "tired": NamePlace("end", "-.15", ".35"),
}


class Level(NamedTuple):
    """A section of the page."""

    id: str
    number: str
    kicker: str


class Word(NamedTuple):
    """A piece of the sentence; `token` is empty where it is only read."""

    text: str
    token: str
    after: str  # what follows without a space


class Arc(NamedTuple):
    """An arc of the sentence, from the middle of one token to the middle of another."""

    token: str
    start: int  # grid lines of the one-line sentence
    end: int


class Stop(NamedTuple):
    """A named stop of the slider."""

    value: str
    label: str
    at: str  # its place on the track, from 0 to 1


class Point(NamedTuple):
    """A key on the plane, whose y grows downwards."""

    token: str
    x: str
    y: str
    name: NamePlace


class Removal(NamedTuple):
    """A row of the table of removals."""

    part: str  # the name of the switch
    first: bool  # the first row of its part, which also names it
    last: bool
    rows: str  # how many rows the part has
    stop: str  # the query that the slider asks for
    state: State


@dataclass(frozen=True)
class Page:
    """What `page.html` and its sections are given."""

    levels: dict[str, Level]  # by id
    tokens: tuple[str, ...]  # in sentence order
    asking: str  # the token whose query the slider moves
    sentence: str
    words: tuple[Word, ...]  # the sentence in pieces
    arcs: tuple[Arc, ...]
    stops: tuple[Stop, ...]
    attend: Figure
    scaling: Figure
    matrices: Figure
    practice: Practice  # numbers and tables of level 4
    trained: Figure
    trained_text: TrainedText  # numbers and tables around the trained heads
    removals: tuple[Removal, ...]
    removal_anchors: tuple[str, ...]  # the ids of its rows
    plane: tuple[Point, ...]
    walk: str  # the path of the query on the plane, as SVG draws it
    dimensions: tuple[str, ...]  # every d of the scaling figure
    spread: tuple[str, ...]  # index of each of its four scores
    prose: Prose
    listings: Listings  # program text
    facts: dict[str, str]  # names, dates and quoted figures, from `facts.py`
    figures: tuple[Figure, ...]  # in the order of the page


def words() -> tuple[Word, ...]:
    """Cut the sentence into its four tokens and what is read between them."""
    pieces: list[Word] = []
    rest = SENTENCE
    for token in TOKENS:
        before, rest = rest.split(token, 1)
        if before.strip():
            pieces.append(Word(before.strip(), "", ""))
        pieces.append(Word(token, token, ""))
    pieces[-1] = pieces[-1]._replace(after=rest)
    return tuple(pieces)


def arcs(pieces: tuple[Word, ...]) -> tuple[Arc, ...]:
    """Place an arc from the asking token to each other one.

    On one line each token takes two columns of the sentence's grid, so that the line between them
    is its middle; every other piece takes one.
    """
    middles = {}
    line = 1
    for piece in pieces:
        if piece.token:
            middles[piece.token] = line + 1
        line += 2 if piece.token else 1
    here = middles[TOKENS[ASKING]]
    return tuple(
        Arc(token, min(middle, here), max(middle, here))
        for token, middle in middles.items()
        if middle != here
    )


def removal_rows(figure: Figure) -> tuple[Removal, ...]:
    """Group the rows of the table of removals by their part."""
    rows = removals()
    parts = [part for part, _ in rows]
    found = []
    for i, (part, settings) in enumerate(rows):
        state = figure.at(settings)
        found.append(
            Removal(
                part=part,
                first=part not in parts[:i],
                last=part not in parts[i + 1 :],
                rows=str(parts.count(part)),
                stop=figure.at(f"query={state.settings['query']}")["query"],
                state=state,
            )
        )
    return tuple(found)


def page() -> Page:
    """Compute the whole page."""
    first = attend.build()
    second = scaling.build()
    third = matrices.build()
    fourth = trained.build()
    pieces = words()
    rows = removal_rows(first)
    return Page(
        levels={
            "what": Level("what", "1", "what"),
            "how": Level("how", "2", "how"),
            "why": Level("why", "3", "why"),
            "practice": Level("practice", "4", "in practice"),
        },
        tokens=TOKENS,
        asking=TOKENS[ASKING],
        sentence=SENTENCE,
        words=pieces,
        arcs=arcs(pieces),
        stops=tuple(
            Stop(str(stop.value), stop.label, text.length(stop.value / (len(STOPS) - 1)))
            for stop in NAMED_STOPS
        ),
        attend=first,
        scaling=second,
        matrices=third,
        practice=practice(),
        trained=fourth,
        trained_text=trained_text(),
        removals=rows,
        removal_anchors=tuple(row.state.anchor for row in rows),
        plane=tuple(
            Point(token, str(x), str(0 - y), NAME_PLACES[token])
            for token, (x, y) in zip(TOKENS, KEYS, strict=True)
        ),
        walk="M" + "L".join(f"{x} {0 - y}" for x, y in STOPS[::LEG]),
        dimensions=tuple(map(text.whole, DIMENSIONS)),
        spread=tuple(map(str, range(len(SPREAD_SCORES)))),
        prose=prose(),
        listings=listings(),
        facts={
            name: value
            for name, value in vars(facts).items()
            if name.isupper() and isinstance(value, str)
        },
        figures=(first, second, third, fourth),
    )
