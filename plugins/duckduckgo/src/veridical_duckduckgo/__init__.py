"""veridical search: DuckDuckGo's HTML page, off unless allowed."""

from __future__ import annotations

from ._search import DuckduckgoSearch

__all__ = ["DuckduckgoSearch"]
