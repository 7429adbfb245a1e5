"""Numbers that the running text states and that no figure shows, each computed by the core."""

import math
from dataclasses import dataclass

import numpy as np

from attention import text
from attention.core import Floats
from attention.core import attend
from attention.core import causal_mask
from attention.core import row_share
from attention.core import softmax
from attention.example import ASKING
from attention.example import DEFAULT_POWER
from attention.example import DEFAULT_STOP
from attention.example import DIMENSIONS
from attention.example import ENTRIES
from attention.example import KEYS
from attention.example import SPREAD_SCORES
from attention.example import STOPS
from attention.example import TOKENS
from attention.example import VALUES
from attention.facts import GPT_2_HEADS
from attention.facts import GPT_2_WIDTH

ANIMAL, STREET, IT, TIRED = range(len(TOKENS))
KEY_BIAS = [1, 0]  # one more animate entry in every key
QUERY_BIAS = [0, 1]  # one more place entry in the query


def weights_row(row: Floats) -> str:  # [n]
    """Show a row of weights as a sentence lists them."""
    return text.listed(map(text.weight, row))


def givens(row: Floats) -> str:  # [n]
    """Show numbers that need no more than one decimal as a sentence lists them."""
    return text.listed(map(text.given, row))


@dataclass(frozen=True)
class Prose:
    """What the text says in numbers. A comment says what each is."""

    d: str  # entries of a query and a key in the example
    d_v: str  # entries of a value in the example
    share: str  # of the animal's value in the default output, as a percentage
    output_sum: str  # the default output, added up
    default_dots: str  # the four default dot products, listed
    default_weights: str  # the four default weights, listed
    printed_sum: str  # the default weights as printed, added up
    no_query_dot: str  # the dot product that two nouns share when "it" asks with its own key
    negated_query: str  # (-2, 0): all scores negative or 0
    negated_shares: str  # its scores divided by their sum: the same as for (2, 0)
    default_shares: str  # the default scores divided by their sum
    negated_animal: str  # softmax's weight of the animal for the negated query
    negated_street: str  # and of the street
    cancelling_scores: str  # the dot products at the end of the slider, which add to 0
    negative_score: str  # the street's score at (2, -1)
    negative_weight: str  # and its weight
    spread: str  # the four scores of the scaling figure at d = 1
    head_d: str  # d of the scaling figure's default
    head_root: str  # its square root: the standard deviation of a dot product there
    divided_by_d: str  # the top weight there when scores are divided by d, not √d
    equal_weight: str  # one token's weight when all four weigh the same
    sigmoid_weights: str  # sigmoid of the four default scores
    sigmoid_sum: str  # and their sum
    wrong_d_v: str  # the animal's weight when the scores are divided by √d_v by mistake
    wrong_n: str  # and when by √n
    biased_dots: str  # dot products after (1, 0) is added to every key
    biased_weights: str  # and the weights: unchanged
    query_bias_weights: str  # weights after (0, 1) is added to the query
    zero_query_weight: str  # each token's weight when the query is all zeros
    it_to_animal: str  # weight of animal for "it" when every query is its own key
    animal_to_it: str  # weight of "it" for animal then
    it_to_it_dot: str  # dot product of the key of "it" with itself
    doubled_query: str  # a query twice as long in the first entry, for keys half as long there
    reordered: str  # default weights in the order street, animal, tired, it
    reordered_tokens: str  # that order
    moved_animal: str  # the animal's weight when the query asks for a place
    animal_weight: str  # the animal's default weight
    it_weight: str  # that of "it"
    causal_weights: str  # weights with the causal mask
    key_bias: str  # what is added to every key to show that it changes nothing
    query_bias: str  # what is added to the query to show that it does
    zero: str
    one: str
    gpt_heads: str  # heads in a layer of GPT-2 small
    gpt_d: str  # entries of a query in one of them
    gpt_width: str  # entries of a token vector there
    gpt_root: str  # √d
    gpt_width_root: str  # the root of the width, which is not used
    thin_pair: str  # numbers in W_Q and W_K of one head there
    full_product: str  # numbers in their product


def prose() -> Prose:
    """Compute every number of `Prose`."""
    query, key = STOPS[DEFAULT_STOP], KEYS  # [d], [n, d]
    full = attend([query], key, VALUES)  # one query

    def weights(query: Floats, key: Floats = KEYS, scale: float | None = None) -> Floats:  # -> [n]
        steps = attend([query], key, VALUES, scale=scale)
        return np.asarray(steps.weights[0])

    negated = attend([-query], key, VALUES, normalise=row_share).weights[0]
    cancelling = attend([STOPS[0]], key, VALUES).dots[0]
    negative = attend([STOPS[5]], key, VALUES)
    own_key = attend(key, key, VALUES)  # every query is its own key
    causal = attend([query], key, VALUES, mask=causal_mask(len(TOKENS))[ASKING])
    sigmoid = 1 / (1 + np.exp(-full.scores[0]))  # [n]
    head_d = DIMENSIONS[DEFAULT_POWER]
    gpt_d = GPT_2_WIDTH // GPT_2_HEADS
    order = [STREET, ANIMAL, TIRED, IT]
    halved, doubled = key * [0.5, 1], query * [2, 1]
    if not np.array_equal(halved @ doubled, full.dots[0]):
        raise ArithmeticError("halved keys with a doubled query changed the dot products")
    return Prose(
        d=text.whole(len(ENTRIES)),
        d_v=text.whole(VALUES.shape[-1]),
        share=text.share(full.weights[0, ANIMAL]),
        output_sum=text.weight(full.output.sum()),
        default_dots=givens(full.dots[0]),
        default_weights=weights_row(full.weights[0]),
        printed_sum=text.printed_sum(full.weights[0]),
        no_query_dot=text.given(own_key.dots[IT, ANIMAL]),
        negated_query=text.givens(-query),
        negated_shares=weights_row(negated),
        default_shares=weights_row(row_share(full.scores)[0]),
        negated_animal=text.weight(weights(-query)[ANIMAL]),
        negated_street=text.weight(weights(-query)[STREET]),
        cancelling_scores=givens(cancelling),
        negative_score=text.dot(negative.scores[0, STREET]),
        negative_weight=text.weight(negative.weights[0, STREET]),
        spread=givens(SPREAD_SCORES),
        head_d=text.whole(head_d),
        head_root=text.given(math.sqrt(head_d)),
        divided_by_d=text.weight(softmax(SPREAD_SCORES * math.sqrt(head_d) / head_d).max()),
        equal_weight=text.weight(1 / len(TOKENS)),
        sigmoid_weights=weights_row(sigmoid),
        sigmoid_sum=text.dot(sigmoid.sum()),
        wrong_d_v=text.weight(weights(query, scale=VALUES.shape[-1] ** -0.5)[ANIMAL]),
        wrong_n=text.weight(weights(query, scale=len(TOKENS) ** -0.5)[ANIMAL]),
        biased_dots=givens((key + KEY_BIAS) @ query),
        biased_weights=weights_row(weights(query, key + KEY_BIAS)),
        query_bias_weights=weights_row(weights(query + QUERY_BIAS)),
        zero_query_weight=text.weight(weights(0 * query)[ANIMAL]),
        it_to_animal=text.weight(own_key.weights[IT, ANIMAL]),
        animal_to_it=text.weight(own_key.weights[ANIMAL, IT]),
        it_to_it_dot=text.given(own_key.dots[IT, IT]),
        doubled_query=text.givens(doubled),
        reordered=weights_row(attend([query], key[order], VALUES[order]).weights[0]),
        reordered_tokens=text.listed(TOKENS[j] for j in order),
        moved_animal=text.weight(weights(query[::-1])[ANIMAL]),
        animal_weight=text.weight(full.weights[0, ANIMAL]),
        it_weight=text.weight(full.weights[0, IT]),
        causal_weights=weights_row(causal.weights[0]),
        key_bias=text.givens(KEY_BIAS),
        query_bias=text.givens(QUERY_BIAS),
        zero=text.whole(0),
        one=text.whole(1),
        gpt_heads=text.whole(GPT_2_HEADS),
        gpt_d=text.whole(gpt_d),
        gpt_width=text.whole(GPT_2_WIDTH),
        gpt_root=text.given(math.sqrt(gpt_d)),
        gpt_width_root=text.fixed(math.sqrt(GPT_2_WIDTH), 1),
        thin_pair=text.whole(2 * GPT_2_WIDTH * gpt_d),
        full_product=text.whole(GPT_2_WIDTH**2),
    )
