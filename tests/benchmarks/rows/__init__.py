"""The rows of the table, a module for each group: each has `rows`, a function from a `Bench` to rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tests.benchmarks.bench import Bench
from tests.benchmarks.results import Row

from . import broken, checking, gate, ingesting, isolation, locating, matching, startup

__all__ = ["GROUPS"]

GROUPS: Mapping[str, Callable[[Bench], Iterator[Row]]] = {
    "startup": startup.rows,
    "gate": gate.rows,
    "isolation": isolation.rows,
    "matching": matching.rows,
    "checking": checking.rows,
    "ingesting": ingesting.rows,
    "locating": locating.rows,
    "broken": broken.rows,
}
"""Name to what makes the rows, in the order of the table."""
