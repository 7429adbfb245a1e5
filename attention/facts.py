"""Names, dates and quoted figures that no core can compute, each with its source.

The templates type no digit; what they quote stands here.
"""

# Uszkoreit, Google Research blog, 31 August 2017: the source of the example sentence.
TRANSFORMER_ARTICLE = (
    "Google’s article “Transformer: A Novel Neural Network Architecture for Language "
    "Understanding” (J. Uszkoreit, 2017)"
)

# Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez, Kaiser, Polosukhin, NeurIPS 2017,
# arXiv 1706.03762: section 3.2 has the formula, heads, mask; section 3.5 positional encodings.
TRANSFORMER_PAPER = "Vaswani et al., “Attention Is All You Need”, 2017"

# Radford et al., "Language Models are Unsupervised Multitask Learners", 2019; the sizes are those
# of `hparams.json` of the released model "124M": n_layer 12, n_head 12, n_embd 768.
GPT_2 = "GPT-2"
GPT_2_SMALL = "GPT-2 small"
GPT_2_HEADS = 12  # heads in a layer
GPT_2_WIDTH = 768  # entries of a token vector

# Devlin, Chang, Lee, Toutanova, NAACL 2019, arXiv 1810.04805: an encoder, no causal mask.
BERT = "BERT"

# Ramapuram et al., "Theory, Analysis, and Best Practices for Sigmoid Self-Attention", 2024,
# arXiv 2409.04431: a bias, minus the logarithm of the number of tokens, is added to the scores.
SIGMOID_PAPER = "Ramapuram et al., 2024"

# Kitaev, Kaiser, Levskaya, "Reformer: The Efficient Transformer", ICLR 2020, arXiv 2001.04451:
# section 2 shares the projection of queries and keys.
SHARED_QK_PAPER = "the Reformer, Kitaev et al., 2020"

# Michel, Levy, Neubig, "Are Sixteen Heads Really Better than One?", NeurIPS 2019,
# arXiv 1905.10650.
HEADS_PAPER = "Michel et al., 2019"

# Clark, Khandelwal, Levy, Manning, "What Does BERT Look At?", BlackboxNLP 2019,
# arXiv 1906.04341: heads for the previous token, for determiners, for coreference.
HEAD_PATTERNS_PAPER = "Clark et al., “What Does BERT Look At?”, 2019"

# Jain, Wallace, "Attention is not Explanation", NAACL 2019, arXiv 1902.10186.
EXPLANATION_PAPER = "Jain and Wallace, “Attention is not Explanation”, 2019"
# Wiegreffe, Pinter, "Attention is not not Explanation", EMNLP 2019, arXiv 1908.04626.
EXPLANATION_REPLY = "Wiegreffe and Pinter, “Attention is not not Explanation”, 2019"

# Where to read on about what the page leaves out.
# Rumelhart, Hinton, Williams, Nature 323, 533–536, 1986.
LEARNING_PAPER = (
    "Rumelhart, Hinton and Williams, “Learning representations by back-propagating errors”, 1986"
)
# He, Zhang, Ren, Sun, CVPR 2016, arXiv 1512.03385.
RESIDUAL_PAPER = "He et al., “Deep Residual Learning for Image Recognition”, 2015"
# Ba, Kiros, Hinton, 2016, arXiv 1607.06450.
LAYER_NORM_PAPER = "Ba, Kiros and Hinton, “Layer Normalization”, 2016"
# Geva, Schuster, Berant, Levy, EMNLP 2021, arXiv 2012.14913.
MLP_PAPER = "Geva et al., “Transformer Feed-Forward Layers Are Key-Value Memories”, 2021"
