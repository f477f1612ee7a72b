"""veridical chat and web search through Claude Code, driven by claude-agent-sdk. A login of Claude Code is enough; a key is used if set.

    ClaudeCodeSearch, ClaudeCodeChat
        _program.py     which program runs: path, version, login, SHA-256
        _run.py         one run of it: options, messages, deadline
          _proxy.py       its API calls, through a client that the host records
          _failures.py    what went wrong, in one line
        _messages.py    what the messages of a run say: text, usage, hits of WebSearch
        _replies.py     what a recorded reply of the web search says: hits and citations, each with its place

Nothing that a model wrote is a hit: not the text of a tool result, not the "Links:" in it, not the query.
"""

from __future__ import annotations

from ._chat import ClaudeCodeChat
from ._search import ClaudeCodeSearch

__all__ = ["ClaudeCodeChat", "ClaudeCodeSearch"]
