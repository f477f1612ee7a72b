"""veridical source: the rows of a query in any database that SQLAlchemy reads, with TOML alone."""

from __future__ import annotations

from ._source import SqlSource

__all__ = ["SqlSource"]
