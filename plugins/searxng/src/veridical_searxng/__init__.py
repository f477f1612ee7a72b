"""veridical search: a SearXNG instance of your own."""

from __future__ import annotations

from ._search import SearxngSearch

__all__ = ["SearxngSearch"]
