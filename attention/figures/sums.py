"""The sums of figure `attend`: how each number of the chosen token was computed, operands and all.

A sum holds for whoever redoes it with a calculator: what its operands give, as they are printed,
is the result that is printed. Where two or three decimals of an operand do not suffice for that,
the sum shows more of them, and as few more as do. (A number on the edge of rounding might need more
than the most there are. Then the sum shows those, and a test names it.)
"""

from collections.abc import Iterable
from collections.abc import Sequence
from functools import cache
from itertools import product

import numpy as np

from attention import text
from attention.core import Floats
from attention.core import causal_mask
from attention.example import ASKING
from attention.example import KEYS
from attention.example import TOKENS
from attention.example import VALUES
from attention.figures.figure import Tree
from attention.figures.figure import tree
from attention.figures.parts import MASK
from attention.figures.parts import OWN_QUERY
from attention.figures.parts import OWN_VALUE
from attention.figures.parts import QUERY
from attention.figures.parts import SCALE
from attention.figures.parts import SCORES
from attention.figures.parts import SOFTMAX
from attention.figures.parts import TOKEN
from attention.figures.parts import WEIGHING
from attention.figures.parts import at
from attention.figures.parts import cancels
from attention.figures.parts import query_of
from attention.figures.parts import setting

ROOT = f"√{text.whole(KEYS.shape[-1])}"
DIGITS = range(2, 9)  # decimals that an operand may take, the fewest that suffice
FEWEST = sorted(product(DIGITS, DIGITS), key=lambda pair: (sum(pair), pair))  # of two operands
HIDDEN = f"[sign {text.MINUS_INFINITY}]"


def _printed(row: Iterable[float], digits: int) -> list[str]:
    return [text.fixed(number, digits) for number in row]


def _as_printed(row: Floats, digits: int) -> Floats:  # [n] -> [n]
    """Return numbers as whoever reads them takes them."""
    return np.asarray(row.round(digits))


def _agree(found: Floats, right: Floats) -> bool:  # [...], [...]
    """Say whether both are printed alike as weights, with a little to spare on either side."""
    return bool((np.abs(found - right.round(3)) < 0.0005 - 1e-9).all())


@cache
def exponents(*state: str) -> tuple[list[str], list[str]]:
    """Print a row's scores, and e to the power of each, so that their shares are the weights.

    Takes a value for each control of `WEIGHING`; softmax must be on.
    """
    steps = at(*state)
    for digits, more in FEWEST:
        scores = _as_printed(steps.scores, digits)  # [n]
        powers = np.exp(scores)  # [n]
        shown = _as_printed(powers, more)  # [n]
        if all(_agree(x / x.sum(), steps.weights) for x in (powers, shown)):
            break
    words = _printed(shown, more)
    hidden = np.isneginf(scores)  # [n]
    return _printed(scores, digits), [
        text.whole(0) if gone else word for gone, word in zip(hidden, words, strict=True)
    ]


@cache
def shares(*state: str) -> list[str]:
    """Print a row's scores so that each, divided by their sum, is its weight.

    Takes a value for each control of `WEIGHING`; softmax must be off. Scores that cancel are
    printed so that they add to 0.
    """
    steps = at(*state)
    seen = np.isfinite(steps.scores)  # [n]
    right = steps.weights[seen]
    for digits in DIGITS:
        scores = _as_printed(steps.scores[seen], digits)
        total = scores.sum()
        if abs(total) < 1e-9 if np.isnan(right).any() else _agree(scores / total, right):
            break
    return [text.operand(word) for word in _printed(steps.scores, digits)]


@cache
def factors(own_value: str, *state: str) -> list[str]:
    """Print a row's weights so that, times what is passed on, they give the parts and the output.

    Takes a value for `OWN_VALUE` and for each control of `WEIGHING`; there must be weights.
    """
    passed = VALUES if own_value == "on" else KEYS  # [n, d_v]
    weights = at(*state).weights  # [n]
    for digits in DIGITS[1:]:
        printed = _as_printed(weights, digits)
        parts = _agree(printed[:, np.newaxis] * passed, weights[:, np.newaxis] * passed)
        if parts and _agree(printed @ passed, at(*state, own_value).output):
            break
    return [text.operand(word) for word in _printed(printed, digits)]


def _normaliser(state: Sequence[str]) -> str:
    """Name what makes weights of the scores; nothing does where there are no scores."""
    if setting(SCORES, state) == "off":
        return ""
    return "softmax" if setting(SOFTMAX, state) == "on" else "row sum"


def _line(words: list[str], usual: str) -> str:
    """Join the entries of a table of one line, by the slots that hold the same words, if any."""
    return " ".join(f"{{{usual}-{token}}}" for token in TOKENS) if usual else " ".join(words)


def _entry(table: str, j: int) -> str:
    return f"{{{table}-0-{j}}}"


def _dot(token: str, scores: str, own_query: str) -> str:
    if scores == "off":
        return "no scores: nothing is compared"
    asks = "query" if own_query == "on" else "key"
    products = [
        f"[{asks} {{query-{i}}}] × [key {text.operand(text.given(entry))}]"
        for i, entry in enumerate(KEYS[TOKENS.index(token)])
    ]
    return f"{' + '.join(products)} = {{dot-{token}}}"


def _score(token: str, scores: str, scale: str, mask: str) -> str:
    hidden = mask == "on" and _hidden(token)
    if scores == "off":
        return f"masked: {HIDDEN}" if hidden else "no scores: nothing is divided"
    divided = f"{{dot-{token}}} ÷ {ROOT}" if scale == "on" else f"{{dot-{token}}} (not divided)"
    return f"{divided} + ({HIDDEN}) = {HIDDEN}" if hidden else f"{divided} = {{score-{token}}}"


def _hidden(token: str) -> bool:
    """Say whether the causal mask hides a token from the one that asks."""
    return not causal_mask(len(TOKENS))[ASKING, TOKENS.index(token)]


def _weight(token: str, scores: str, softmax: str, mask: str) -> str:
    """Write how a weight is made of the scores; without softmax, where they do not cancel."""
    j = TOKENS.index(token)
    seen = [i for i, other in enumerate(TOKENS) if mask == "off" or not _hidden(other)]
    result = f"[weight {{weight-{token}}}]"
    if j not in seen and (scores == "off" or softmax == "off"):
        return f"masked: {result}"
    if scores == "off":
        return f"{text.whole(1)} ÷ {text.whole(len(seen))} visible tokens = {result}"
    if softmax == "off":
        total = " + ".join(_entry("shares", i) for i in seen)
        return f"{_entry('shares', j)} ÷ ({total}) = {result}{{cancels}}"
    everyone = range(len(TOKENS))
    raised = [f"e^{_entry('exponents', i)}" if i in seen else f"e^{HIDDEN}" for i in everyone]
    powers = [_entry("powers", i) for i in everyone]
    return f"{raised[j]} ÷ ({' + '.join(raised)}) = {powers[j]} ÷ ({' + '.join(powers)}) = {result}"


def _term(j: int, own_value: str) -> str:
    role = "value" if own_value == "on" else "key"
    return f"[weight {_entry(f'{role}-factors', j)}] × [{role} {{value-{TOKENS[j]}}}]"


def sums() -> dict[str, Tree]:
    """Write out every sum at every setting, each as words that name slots."""

    def part(token: str, *state: str) -> str:
        none = np.isnan(at(*state).weights[TOKENS.index(token)])
        return "no weight, so no part" if none else "{part-sum}"

    def output(*state: str) -> str:
        return "no weights, so no output" if cancels(*state) else "{output-sum}"

    def nothing(*state: str) -> str:
        return ": nothing can be divided by 0" if cancels(*state) else ""

    def exponent_line(*state: str) -> str:
        if _normaliser(state) != "softmax":
            return ""
        words = exponents(*state)[0]
        usual = [text.dot(score) for score in at(*state).scores]
        return _line(words, "score" if words == usual else "")

    def power_line(*state: str) -> str:
        return " ".join(exponents(*state)[1]) if _normaliser(state) == "softmax" else ""

    def share_line(*state: str) -> str:
        return " ".join(shares(*state)) if _normaliser(state) == "row sum" else ""

    def factor_line(own_value: str, *state: str) -> str:
        weights = at(*state).weights
        usual = [text.weight(weight) for weight in weights]
        words = usual if cancels(*state) else factors(own_value, *state)
        return _line(words, "weight" if words == usual else "")

    return {
        **{
            f"query-{i}": tree(
                (OWN_QUERY, QUERY),
                lambda own, stop, i=i: text.operand(text.entry(float(query_of(own, stop)[i]))),
            )
            for i in range(KEYS.shape[-1])
        },
        "sum-token": tree((TOKEN,), "“{}”".format),
        "exponents": tree(WEIGHING, exponent_line),
        "powers": tree(WEIGHING, power_line),
        "shares": tree(WEIGHING, share_line),
        "value-factors": tree(WEIGHING, lambda *state: factor_line("on", *state)),
        "key-factors": tree(WEIGHING, lambda *state: factor_line("off", *state)),
        "part-sum": tree(
            (TOKEN, OWN_VALUE),
            lambda token, own: f"{_term(TOKENS.index(token), own)} = {{part-{token}}}",
        ),
        "output-sum": tree(
            (OWN_VALUE,),
            lambda own: " + ".join(_term(j, own) for j in range(len(TOKENS))) + " = {vector}",
        ),
        "sum-dot": tree((TOKEN, SCORES, OWN_QUERY), _dot),
        "sum-score": tree((TOKEN, SCORES, SCALE, MASK), _score),
        "cancels": tree(WEIGHING, nothing),
        "sum-weight": tree((TOKEN, SCORES, SOFTMAX, MASK), _weight),
        "sum-part": tree((TOKEN, *WEIGHING), part),
        "sum-output": tree(WEIGHING, output),
    }
