"""Versioned policies: the tables that the rules read, and one fingerprint over all of them.

Python's own Unicode version changes, and so do word lists: every table that can change a verdict is packaged data, and a report names
the policy and the fingerprint that judged it. Old policies stay loadable, so that a re-check uses the report's own.
Reading the packaged tables, once, is the only file access in the kernel.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TypeVar

from pydantic import BaseModel
from veridical_contract import Json

from .canonical import canonical_bytes, digest, parse

__all__ = ["LATEST", "POLICIES", "Policy", "load_policy"]

LATEST = "veridical-policy-1"
POLICIES = ("veridical-policy-1",)

_Table = TypeVar("_Table", bound=BaseModel)


class Policy:
    """One loaded policy.

    Attributes:
        name: for example `veridical-policy-1`.
        fingerprint: SHA-256, 64 hex digits, of the canonical bytes of all its tables.
    """

    __slots__ = ("_bytes", "_tables", "fingerprint", "name")

    def __init__(self, name: str, tables: dict[str, Json]) -> None:
        self.name = name
        self.fingerprint = digest(canonical_bytes({"name": name, "tables": tables}))
        self._bytes = {table: canonical_bytes(value) for table, value in tables.items()}
        self._tables: dict[tuple[str, type[BaseModel]], BaseModel] = {}

    def table(self, name: str, model: type[_Table]) -> _Table:
        """Return table `name` as `model`, validated once and kept.

        Raises:
            KeyError: the policy has no such table.
        """
        found = self._tables.get((name, model))
        if found is None:
            found = self._tables.setdefault((name, model), model.model_validate_json(self._bytes[name]))
        assert isinstance(found, model)  # noqa: S101 - narrows the cache entry for the type checker
        return found


@cache
def load_policy(name: str = LATEST) -> Policy:
    """Return the policy called `name`.

    Raises:
        ValueError: this version of veridical does not know the policy.
    """
    if name not in POLICIES:
        raise ValueError(f"unknown policy {name!r}; known: {', '.join(POLICIES)}")
    folder = files("veridical.kernel").joinpath("tables", name.removeprefix("veridical-"))
    tables = {entry.name.removesuffix(".json"): parse(entry.read_bytes()) for entry in folder.iterdir() if entry.name.endswith(".json")}
    return Policy(name, tables)
