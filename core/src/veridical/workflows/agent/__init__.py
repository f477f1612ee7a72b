"""Conversations with a chat plugin, where words of a model leave on a gated topic only as claims that the evidence carries.

messages    what is sent, and what is searched for
runtime     the reply, chunk by chunk
statements  the sentences of a text that comes piece by piece
claims      what of them may leave
"""

from __future__ import annotations

from .messages import TOOL, messages, prompt, question, untrusted
from .runtime import WITHHELD, converse

__all__ = ["TOOL", "WITHHELD", "converse", "messages", "prompt", "question", "untrusted"]
