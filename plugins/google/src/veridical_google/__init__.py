"""veridical chat with Gemini, through Google's own SDK."""

from __future__ import annotations

from ._chat import GoogleChat

__all__ = ["GoogleChat"]
