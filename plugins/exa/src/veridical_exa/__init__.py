"""veridical search: Exa."""

from __future__ import annotations

from ._search import ExaSearch

__all__ = ["ExaSearch"]
