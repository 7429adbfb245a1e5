"""The weights of “it”, with nothing but numpy."""

import numpy as np

tokens = ["animal", "street", "it", "tired"]
key = np.array([[2, 0], [0, 2], [0.5, 0.5], [0, 0]])  # [n, d] (animate, place)
query = np.array([2, 0])  # [d] “it” looks for something animate
scores = key @ query / np.sqrt(len(query))  # [n]
powers = np.exp(scores - scores.max())  # [n] the largest is 1: none overflows
weights = powers / powers.sum()  # [n] they add to 1
for token, weight in zip(tokens, weights, strict=True):
    print(f"{token:7}{weight:.3f}")
