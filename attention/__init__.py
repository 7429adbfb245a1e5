"""The numbers of the page "How self-attention works": a numpy core and what it computes."""
