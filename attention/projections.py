"""The token vectors and the learned matrices of the page, made by hand: two heads and W_O.

A trained model learns these numbers and gives its entries no names. Here each has a name and a
reason, so that every query, key and value of the page is seen to come out of X times a matrix.

Letters in shapes: n = 4 tokens in sentence order (animal, street, it, tired), m = 7 entries of a
token vector, h = 2 heads, d = 2 entries of a query and a key, d_v = 3 entries of a value.
Source of the construction: Vaswani et al., "Attention Is All You Need" (2017), section 3.2.2.
"""

import numpy as np

from attention.core import Floats

# What a token vector tells, entry by entry. Five entries say what a token is, and no token is made
# of one alone: with an entry for each token, a matrix would only be a list of answers.
X_ENTRIES = (
    "animate",  # it lives
    "place",  # one can be there
    "noun",  # it names something, or stands where a name stands
    "refers",  # it says something of another word
    "state",  # it says how someone is
    "early",  # two more say where it stands: "early" is large at the start of the sentence
    "late",  # and "late" at its end
)
X = np.array(  # [n, m]
    [
        # animate, place, noun, refers, state, early, late
        [1.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0],  # an animal: a noun for something animate
        [0.0, 1.0, 1.0, 0.0, 0.0, 2.0, 1.0],  # a street: a noun for a place
        [0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 2.0],  # it: stands for a noun, of neither sort by itself
        [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 2.0],  # tired: a state, and said of another word
    ]
)
# The positions (2, 0), (2, 1), (1, 2), (0, 2) are corners of an arc and not points on a line. On a
# line the ones between never answer best. A corner sticks out: for each there is a query that it
# answers better than all others.

# What the two entries of a query and a key mean, head by head.
MATCH_ENTRIES = (("animate", "place"), ("early", "late"))  # h × d
# What the three entries of a value mean. Head 1 marks which token a share comes from, head 2 hands
# on what the token is: in head 1 "it" passes on nothing, in head 2 it passes on that it refers.
VALUE_ENTRIES = (("animal", "street", "tired"), ("animate", "place", "refers"))  # h × d_v

W_Q = np.array(  # [h, m, d] what each entry of a token asks for
    [
        [  # head 1 asks for a sort of thing: (animate, place)
            [-1.0, 0.0],  # animate: it is of that sort itself, and so asks less for it
            [0.0, -1.0],  # place: likewise
            [1.0, 1.0],  # noun: asks for others, of either sort
            [1.0, -1.0],  # refers: asks for someone animate, and not for a place
            [0.0, 0.0],  # state: asks for nothing more
            [0.0, 0.0],  # early: head 1 does not read where a token stands,
            [0.0, 0.0],  # late: so that reordering the tokens only reorders its answers
        ],
        [  # head 2 asks for a position in the sentence: (early, late)
            [0.0, 0.0],  # animate: head 2 does not read what a token is
            [0.0, 0.0],  # place
            [0.0, 0.0],  # noun
            [0.0, 0.0],  # refers
            [0.0, 0.0],  # state
            [2.0, -2.0],  # early: the token before is earlier still, and not late
            [1.0, 2.0],  # late: the token before is late too, but a little earlier
        ],
    ]
)

W_K = np.array(  # [h, m, d] what each entry of a token offers
    [
        [  # head 1: (animate, place)
            [1.5, -0.5],  # animate: settles it: the rest of 2 for animate, the half of a place off
            [-0.5, 1.5],  # place: likewise, the other way round
            [0.5, 0.5],  # noun: may be either, so a half of each; for "it" that is all
            [0.0, 0.0],  # refers: makes a token neither animate nor a place
            [0.0, 0.0],  # state: nor does this
            [0.0, 0.0],  # early: not read by head 1
            [0.0, 0.0],  # late: not read by head 1
        ],
        [  # head 2: (early, late)
            [0.0, 0.0],  # animate: not read by head 2's keys
            [0.0, 0.0],  # place
            [0.0, 0.0],  # noun
            [0.0, 0.0],  # refers
            [0.0, 0.0],  # state
            [2.0, 0.0],  # early: each token offers where it stands, as it is; with strength 2,
            [0.0, 2.0],  # late: so that the token before gets clearly the most
        ],
    ]
)

W_V = np.array(  # [h, m, d_v] what each entry of a token passes on
    [
        [  # head 1 marks the token: (animal, street, tired)
            [1.0, 0.0, 0.0],  # animate: of the four only the animal lives
            [0.0, 1.0, 0.0],  # place: only the street is one
            [0.0, 0.0, 0.0],  # noun: fits three tokens and so marks none
            [0.0, 0.0, 0.0],  # refers: fits two; "it" has nothing but these and passes on nothing
            [0.0, 0.0, 1.0],  # state: only "tired" is one
            [0.0, 0.0, 0.0],  # early: not read by head 1
            [0.0, 0.0, 0.0],  # late: not read by head 1
        ],
        [  # head 2 tells what the token is: (animate, place, refers)
            [1.0, 0.0, 0.0],  # animate
            [0.0, 1.0, 0.0],  # place
            [0.0, 0.0, 0.0],  # noun: the two above tell it, and which noun
            [0.0, 0.0, 1.0],  # refers: what "it" has to pass on in this head
            [0.0, 0.0, 0.0],  # state: is left to head 1
            [0.0, 0.0, 0.0],  # early: where a token stands is for finding it,
            [0.0, 0.0, 0.0],  # late: and is not passed on
        ],
    ]
)

# Both heads in one product each: X [n, m] meets every head's matrix [h, m, d]. All sums are exact.
QUERIES = X @ W_Q  # [h, n, d]
KEYS = X @ W_K  # [h, n, d]
VALUES = X @ W_V  # [h, n, d_v]

# W_O writes what the heads found back into the entries of a token vector, to be added to it. Head 1
# found which noun is meant, head 2 what stands before: each writes into entries of its own.
W_O = np.array(  # [h · d_v, m]
    [
        # animate, place, noun, refers, state, early, late
        [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],  # head 1, animal: so much of it is animate
        [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],  # head 1, street: so much of it is a place
        [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0],  # head 1, tired: so much of it is a state
        [0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0],  # head 2, animate: then a noun stands before;
        [0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0],  # head 2, place: so it does here; both add up
        [0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0],  # head 2, refers: a word that refers stands before
    ]  # a half: a neighbour counts less than the token itself; nothing moves where a token stands
)

# What each token asks for, head by head, in the order of the rows of X.
ASKS = (
    (
        "It is a noun and asks for others, but not for its own sort: for a place, where it is.",
        "It is a noun and asks for others, but not for its own sort: for who is there.",
        "It stands for a noun and refers to someone: it asks for what is animate.",
        "It is said of another word: it asks for someone animate, and not for a place.",
    ),
    (
        "Nothing stands before it: its query points out beyond the first key, which is its own.",
        "Its query points to the early end of the sentence, where the first key lies.",
        "Its query is the same as the key of the second token.",
        "Its query is the same as the key of the third token.",
    ),
)


def join(outputs: Floats) -> Floats:  # [h, n, d_v] -> [n, h · d_v]
    """Put the heads' outputs side by side, token by token, head 1 first.

    >>> join(np.array([[[1.0, 2.0]], [[3.0, 4.0]]]))
    array([[1., 2., 3., 4.]])
    """
    return np.concatenate(outputs, axis=-1)
