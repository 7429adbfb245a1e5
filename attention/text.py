"""Numbers as the page shows them, the only place that writes them out.

A leading zero always, a decimal point in every locale, U+2212 for minus and never before a zero.
"""

import math
from collections.abc import Iterable
from collections.abc import Sequence

MINUS = "−"
MINUS_INFINITY = "−∞"
DASH = "–"  # stands where there is no number

# What a screen reader says for a text that is a sign and not a number.
SPOKEN = {MINUS_INFINITY: "minus infinity", DASH: "no number"}


def fixed(number: float, digits: int) -> str:
    """Show a number with so many decimals.

    >>> fixed(-1.414, 2), fixed(-0.0001, 3), fixed(-math.inf, 2), fixed(math.nan, 3)
    ('−1.41', '0.000', '−∞', '–')
    """
    if math.isnan(number):
        return DASH
    if number == -math.inf:
        return MINUS_INFINITY
    shown = f"{number:.{digits}f}"
    if shown[0] != "-":
        return shown
    return MINUS + shown[1:] if shown.strip("-0.") else shown[1:]


def dot(number: float) -> str:
    """Show a dot product or a score: 4.00, −1.41, −∞."""
    return fixed(number, 2)


def weight(number: float) -> str:
    """Show a weight, or an entry of a part or an output: 0.808, −0.800."""
    return fixed(number, 3)


def given(number: float) -> str:
    """Show a number chosen by hand with no more digits than it has: 2, 0.5, −1.

    >>> given(2.0), given(-0.25)
    ('2', '−0.25')
    """
    digits = next(d for d in range(18) if d == 17 or float(f"{number:.{d}f}") == number)
    return fixed(number, digits)


def entry(number: float) -> str:
    """Show an entry of a query: 2.0, −0.4."""
    return fixed(number, 1)


def operand(shown: str) -> str:
    """Put a negative number, shown already, in brackets, as in a sum: (−0.4).

    >>> operand("−0.4"), operand("2")
    ('(−0.4)', '2')
    """
    return f"({shown})" if shown.startswith(MINUS) else shown


def vector(entries: Iterable[str]) -> str:
    """Show entries, already texts, as a vector: (0.808, 0.048, 0.048)."""
    return f"({', '.join(entries)})"


def givens(row: Iterable[float]) -> str:
    """Show numbers chosen by hand as a vector: (0.5, 0.5)."""
    return vector(map(given, row))


def weights(row: Iterable[float]) -> str:
    """Show what attention made as a vector: (0.808, 0.048, 0.048)."""
    return vector(map(weight, row))


def printed_sum(row: Iterable[float]) -> str:
    """Show what weights add to as they are printed; a dash where there are none.

    >>> printed_sum([0.8077, 0.0477, 0.0968, 0.0477]), printed_sum([math.nan])
    ('1.001', '–')
    """
    return weight(math.fsum(round(number, 3) for number in row))


def summed(row: Sequence[float]) -> str:
    """Write weights and their sum with the fewest decimals, three or more, that add up as shown.

    Raises ValueError where even ten decimals do not: rounding each part moves their sum.

    >>> summed([0.25, 0.75]), summed([0.4996, 0.0008, 0.4996])
    ('0.250 + 0.750 = 1.000', '0.4996 + 0.0008 + 0.4996 = 1.0000')
    """
    for digits in range(3, 11):
        parts = [fixed(number, digits) for number in row]
        total = fixed(math.fsum(row), digits)
        if fixed(math.fsum(round(number, digits) for number in row), digits) == total:
            return f"{' + '.join(parts)} = {total}"
    raise ValueError(f"no ten decimals of {row} add up as shown")


def share(number: float) -> str:
    """Show a share in a sentence: 81%."""
    return fixed(100 * number, 0) + "%"


def two_digits(number: float) -> str:
    """Show a number below 1 with two significant digits and no exponent.

    >>> two_digits(0.248), two_digits(0.003699), two_digits(0.0000144)
    ('0.25', '0.0037', '0.000014')
    """
    return fixed(number, 1 - math.floor(math.log10(float(f"{number:.1e}"))))


def whole(number: int) -> str:
    """Show a count, its thousands set off by commas: 98,304."""
    return f"{number:,}"


def length(number: float) -> str:
    """Write a length or a shade, for CSS or SVG: plain ASCII, cut to 0 … 1.

    >>> length(0.8077), length(-0.8), length(1.6), length(math.nan)
    ('0.808', '0', '1', '0')
    """
    return f"{min(max(0.0, number if number == number else 0.0), 1.0):.3f}".rstrip("0").rstrip(".")


def listed(words: Iterable[str]) -> str:
    """Join words as a sentence does.

    >>> listed(["animal", "street", "it"])
    'animal, street and it'
    """
    *rest, last = words
    return f"{', '.join(rest)} and {last}" if rest else last
