"""What the figures must show, calculated a second time: fractions, loops and `math.exp`.

Nothing here comes from `attention`. The example's numbers are typed again from the text that
describes it, and numbers are written out by a formatter of its own.
"""

import math
from fractions import Fraction
from itertools import product

TOKENS = ("animal", "street", "it", "tired")
HALF = Fraction(1, 2)
KEYS = [(Fraction(2), Fraction(0)), (Fraction(0), Fraction(2)), (HALF, HALF), (Fraction(0),) * 2]
VALUES = [(1, 0, 0), (0, 1, 0), (0, 0, 0), (0, 0, 1)]
SPREAD = (1.2, -0.3, 0.5, -0.9)
DASH = "–"

SWITCHES = {  # the default first
    "scores": ("on", "off"),
    "own-query": ("on", "off"),
    "own-value": ("on", "off"),
    "scale": ("on", "off"),
    "softmax": ("on", "off"),
    "mask": ("off", "on"),
}
ATTEND_SETTINGS = [
    {"query": str(stop), **dict(zip(SWITCHES, switches, strict=True))}
    for switches in product(*SWITCHES.values())
    for stop in range(31)
]
SCALING_SETTINGS = [{"d": str(power)} for power in range(9)]


def shown(number: float, digits: int) -> str:
    """Write a number as the page must: U+2212 for minus, no minus before a zero."""
    words = f"{abs(number):.{digits}f}"
    return f"−{words}" if number < 0 and float(words) > 0 else words


def vector(words: list[str]) -> str:
    """Write entries in brackets."""
    return "(" + ", ".join(words) + ")"


def plain(number: float) -> str:
    """Write a number of the example with no more digits than it has."""
    return shown(number, 0) if number == int(number) else shown(number, 1)


def query(stop: int) -> tuple[Fraction, Fraction]:
    """Walk (2, -2) → (2, 0) → (0, 2) → (-2, 2), each leg in ten steps of 0.2."""
    corners = [(2, -2), (2, 0), (0, 2), (-2, 2)]
    leg = min(stop // 10, 2)
    along = Fraction(stop - 10 * leg, 10)
    x, y = (a + along * (b - a) for a, b in zip(corners[leg], corners[leg + 1], strict=True))
    return x, y


def softmax(scores: list[float]) -> list[float]:
    """Give each score its share of the powers of e."""
    powers = [math.exp(score) for score in scores]
    total = math.fsum(powers)
    return [power / total for power in powers]


def dots(settings: dict[str, str]) -> list[Fraction]:
    """Return q · k for each token."""
    q = query(int(settings["query"])) if settings["own-query"] == "on" else KEYS[2]
    return [q[0] * k[0] + q[1] * k[1] for k in KEYS]


def visible(settings: dict[str, str]) -> int:
    """Count the tokens that "it" may see: all, or itself and the two before it."""
    return 3 if settings["mask"] == "on" else 4


def weights(settings: dict[str, str]) -> list[float] | None:
    """Return the four weights, or None where the scores add to exactly 0."""
    seen = visible(settings)
    hidden = [0.0] * (4 - seen)
    if settings["scores"] == "off":
        return [1 / seen] * seen + hidden
    products = dots(settings)[:seen]
    if settings["softmax"] == "off":  # a common divisor of all scores changes no share
        total = sum(products)
        return [float(x / total) for x in products] + hidden if total else None
    root = math.sqrt(2) if settings["scale"] == "on" else 1.0
    return softmax([float(x) / root for x in products]) + hidden


def full_weights(settings: dict[str, str]) -> list[float]:
    """Return the weights at the same stop with nothing removed."""
    full = weights({**settings, **{name: values[0] for name, values in SWITCHES.items()}})
    assert full is not None
    return full


def passed(settings: dict[str, str]) -> list[tuple[float, ...]]:
    """Return what the weights are multiplied with: the values, or the keys."""
    if settings["own-value"] == "on":
        return [tuple(map(float, value)) for value in VALUES]
    return [tuple(map(float, key)) for key in KEYS]


def attend(settings: dict[str, str]) -> dict[str, str]:
    """Return the text of every slot of figure `attend` that holds a number, at these settings."""
    on = {name: value == "on" for name, value in settings.items()}
    seen = visible(settings)
    q = query(int(settings["query"])) if on["own-query"] else KEYS[2]
    full = full_weights(settings)
    given = passed(settings)
    shares = weights(settings)
    names = ("animal", "street", "tired") if on["own-value"] else ("animate", "place")
    slots = {"query": vector([shown(float(x), 1) for x in q]), "value-names": vector(list(names))}
    if shares is None:
        slots["output"] = "no weights: the scores add to 0"
        slots["sum"] = DASH
    else:
        mixed = [[w * x for x in v] for w, v in zip(shares, given, strict=True)]
        slots["output"] = vector([shown(math.fsum(x), 3) for x in zip(*mixed, strict=True)])
        slots["sum"] = shown(math.fsum(shares), 3)
    for j, token in enumerate(TOKENS):
        dot = dots(settings)[j]
        score = float(dot) / (math.sqrt(2) if on["scale"] else 1.0)
        slots[f"key-{token}"] = vector([plain(float(x)) for x in KEYS[j]])
        slots[f"value-{token}"] = vector([plain(x) for x in given[j]])
        slots[f"dot-{token}"] = shown(float(dot), 2) if on["scores"] else DASH
        slots[f"score-{token}"] = shown(score, 2) if on["scores"] else DASH
        if j >= seen:
            slots[f"score-{token}"] = "−∞"
        slots[f"full-weight-{token}"] = shown(full[j], 3)
        if shares is None:  # a masked token's weight is 0 by the mask, whatever the others are
            hidden = j >= seen
            slots[f"weight-{token}"] = "0.000" if hidden else DASH
            slots[f"part-{token}"] = vector(["0.000"] * len(names)) if hidden else DASH
        else:
            slots[f"weight-{token}"] = shown(shares[j], 3)
            slots[f"part-{token}"] = vector([shown(shares[j] * x, 3) for x in given[j]])
    return slots


def two_digits(number: float) -> str:
    """Write a number between 0 and 1 with two significant digits and no exponent."""
    digits = 2
    while number * 10**digits < 9.95:
        digits += 1
    return shown(number, digits)


def scaling(settings: dict[str, str]) -> dict[str, str]:
    """Return the text of every slot of figure `scaling` that holds a number, at these settings."""
    d = 2 ** int(settings["d"])
    slots = {"d": str(d)}
    for side, factor in (("undivided", math.sqrt(d)), ("divided", 1.0)):
        scores = [factor * score for score in SPREAD]
        shares = softmax(scores)
        rest = math.fsum(sorted(shares)[:-1])  # 1 - w, its digits kept
        slots[f"{side}-sensitivity"] = two_digits(max(shares) * rest)
        for i, (score, share) in enumerate(zip(scores, shares, strict=True)):
            slots[f"{side}-score-{i}"] = shown(score, 2)
            slots[f"{side}-weight-{i}"] = shown(share, 3)
    return slots
