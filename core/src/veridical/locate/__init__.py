"""Untrusted and clever: finds spans for the kernel to confirm, and says what is wrong with words that it did not.

find      where a quote stands
diagnose  why it does not
passages  what the full-text index holds
projection  from markup to the text that a reader sees
"""
