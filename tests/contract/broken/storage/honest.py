"""An honest store, which is veridical-sqlite under another name, and how another one is made of it."""

from __future__ import annotations

import textwrap

from tests.contract.broken import Broken, Honest, broken

__all__ = ["HONEST", "with_methods"]

_CLASS = 'class Acme(SqliteStorage):\n    """A store."""\n'

HONEST = Honest(
    "storage",
    f'''"""Acme storage."""

from __future__ import annotations

import os
import shutil
import unicodedata
import uuid
import weakref
from pathlib import Path

from veridical_contract import Backup, CancelledError, PutReceipt, ScanRequest, StoredDocument, StoreError, hookimpl
from veridical_sqlite import SqliteStorage


class Changed:
    """A context that says something else about some things."""

    def __init__(self, context, **changes):
        self.__dict__.update(changes, _context=context)

    def __getattr__(self, name):
        return getattr(self._context, name)


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


{_CLASS}''',
    options={"documents": 200},
    skipped=frozenset({"secret-missing", "no-secret-kept"}),
    requires=("veridical-contract>=0.1,<0.2", "veridical-sqlite"),
)


def with_methods(check: str, does: str, methods: str) -> Broken:
    """Return the store with other `methods`."""
    return broken(HONEST, check, does, (_CLASS, f"{_CLASS}\n{textwrap.indent(textwrap.dedent(methods).strip(), '    ')}\n"))
