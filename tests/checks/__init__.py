"""Labelled drafts for `veridical check`, and its precision and recall on them.

    uv run python -m tests.checks [--draft NAME] [--sets N] [--write PAGE]

hand/      drafts that were written by hand, with their evidence and labels, a file for each language
rules      drafts made by rules from real comments (left out when the data is not there)
labelled   what a draft and its labels are; reads hand/
run        writes evidence and drafts to a folder, checks each, and matches findings with labels
score      precision and recall by verdict
"""
