"""veridical search: the Brave Search API."""

from __future__ import annotations

from ._search import BraveSearch

__all__ = ["BraveSearch"]
