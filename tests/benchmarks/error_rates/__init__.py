"""Published error rates: wrong accepts and wrong rejects of veridical and of its peers, on the same cases, in one run.

    uv run python -m tests.benchmarks.error_rates [--json FILE] [--write PAGE]

cases      what a case is: words, the texts they are said to stand in, and whether they do
catalogue  cases of the pitfall catalogue
quotesum   spans that people copied out of sources (QuoteSum)
comments   sentences of real comments, as they are, with twelve kinds of alteration, and with six harmless variations
alterations, variations  how the words are changed; an oracle that shares no code with veridical drops changes that changed nothing
judges     veridical in this process, and the peers in an environment of their own, over `peers.py`
table      what is printed, and the page
"""
