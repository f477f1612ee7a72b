"""Plugins named `acme` for the tests of the gateway, from the code of one hook. They may hang on `release`, which a fixture sets."""

from __future__ import annotations

import textwrap

from tests.distributions import Distribution, plugin

__all__ = ["acme", "read", "search"]


def acme(hooks: str, *, kind: str = "search", start: str = "self.context = context", before: str = "", name: str = "acme") -> Distribution:
    """Return a plugin from its hooks, its constructor's code and what its module does first."""
    body = f"def __init__(self, context):\n    {start}\n{textwrap.dedent(hooks)}"
    return plugin(name, body, kind=kind, before=f"import asyncio, threading\nrelease = threading.Event()\n{before}")


def search(code: str, *, marker: str = "def", before: str = "", name: str = "acme") -> Distribution:
    """Return a search plugin whose hook is `code`."""
    return acme(f"@hookimpl\n{marker} search(self, query):\n{textwrap.indent(code, '    ')}", before=before, name=name)


def read(code: str, *, marker: str = "def", before: str = "") -> Distribution:
    """Return a source plugin whose hook is `code`."""
    return acme(f"@hookimpl\n{marker} read(self, request):\n{textwrap.indent(code, '    ')}", kind="source", before=before)
