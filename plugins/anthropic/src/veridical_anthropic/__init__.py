"""veridical chat with Claude, through Anthropic's own SDK."""

from __future__ import annotations

from ._chat import AnthropicChat

__all__ = ["AnthropicChat"]
