"""veridical search: Tavily, with a key or without."""

from __future__ import annotations

from ._search import TavilySearch

__all__ = ["TavilySearch"]
