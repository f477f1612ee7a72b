"""Which prompts of a conversation are answered from a search: rules and word lists, no model.

words, phrases     a text as folded words; tables of phrases
requests           a prompt as what it asks and orders, one by one
judging, names     the rules for one request; where people are named
disguises          what is encoded in a prompt
conversation, subjects   what a prompt that leans on earlier ones is about
rules              the rules by name, and the reason that each gives
detector           the public door
tables             the words
"""

from __future__ import annotations

from .detector import TopicShiftDetector

__all__ = ["TopicShiftDetector"]
