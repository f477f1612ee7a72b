"""Plugins in processes of their own, called by the gateway. Every process has ended when a test is over."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest
from veridical.context import Host
from veridical.discovery import Allow, catalogue
from veridical.gateway import Calls
from veridical.homes import Home
from veridical.isolation import unsupported
from veridical.settings import Isolation, Limits
from veridical.wire.reading import Reader
from veridical_contract import HostFiles, SearchQuery

from tests.distributions import HOOKS, Distribution, plugin
from tests.distributions.installing import on_path

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
QUERY = SearchQuery(text="printers")
START = "self.context = context"

sandboxed = pytest.mark.skipif(bool(unsupported()), reason=f"there is no sandbox here: {unsupported()}")


@dataclass
class Isolating:
    """A gateway for one plugin called `acme`, in a process of its own.

    Attributes:
        calls: the gateway.
        home: of the operator.
    """

    calls: Calls
    home: Home
    kind: str

    def search(self, text: str = "printers") -> list[str | None]:
        """What the plugin finds: the texts of its items."""
        found = self.calls.call("search", "acme", "search", query=SearchQuery(text=text))
        return [item.text for item in cast("list[Any]", found)]

    @property
    def number(self) -> int:
        """The number of its process."""
        isolated = self.calls._records[self.kind, "acme"].isolated
        assert isolated is not None
        return isolated.number


@dataclass
class Making:
    """Makes gateways, and remembers the processes."""

    folder: Path
    site: Path
    files: Reader = field(default_factory=Reader)
    made: list[Isolating] = field(default_factory=list[Isolating])

    def __call__(
        self,
        code: str = "return []",
        *,
        kind: str = "search",
        marker: str = "def",
        start: str = START,
        before: str = "",
        environment: Mapping[str, str] | None = None,
        table: Mapping[str, object] | None = None,
        limits: Mapping[str, float] | None = None,
        **rule: Any,
    ) -> Isolating:
        """Return the gateway of a plugin whose hook of `kind` is `code`."""
        hook, argument = HOOKS[kind]
        body = f"def __init__(self, context):\n{textwrap.indent(textwrap.dedent(start), '    ')}\n"
        body += f"@hookimpl\n{marker} {hook}(self, {argument}):\n{textwrap.indent(textwrap.dedent(code), '    ')}"
        return self.of(
            plugin("acme", body, kind=kind, before=f"import json, os, sys, threading\n{TEXTS}\n{textwrap.dedent(before)}"),
            kind=kind,
            environment=environment,
            table=table,
            limits=limits,
            **rule,
        )

    def of(
        self,
        distribution: Distribution,
        *,
        kind: str = "search",
        environment: Mapping[str, str] | None = None,
        table: Mapping[str, object] | None = None,
        limits: Mapping[str, float] | None = None,
        **rule: Any,
    ) -> Isolating:
        distribution.install(self.site)
        home = Home.below(self.folder / "home")
        host = Host(
            home=home,
            files=cast("HostFiles", self.files),
            environment=environment or {},
            clock=lambda: NOW,
            tables={"acme": table or {}},
        )
        listings = catalogue(Allow(frozenset(["acme"])), path=[str(self.site)])
        isolation = {"acme": Isolation.model_validate({"isolate": True, **rule})}
        calls = Calls(listings, host, limits=Limits.model_validate(limits or {}), isolation=isolation)
        self.made.append(Isolating(calls, home, kind))
        return self.made[-1]


TEXTS = """
def texts(*found):
    return [Item(text=str(one), locator=Locator(container="acme")) for one in found]

def attempt(do):
    try:
        return do()
    except BaseException as error:
        return type(error).__name__
"""


@pytest.fixture
def isolate(tmp_path: Path) -> Iterator[Making]:
    if why := unsupported():
        pytest.skip(f"there is no sandbox here: {why}")
    with on_path(tmp_path / "site") as site:
        making = Making(tmp_path, site)
        yield making
        numbers = [
            record.isolated.number
            for one in making.made
            for record in one.calls._records.values()
            if record.isolated is not None and record.isolated.number
        ]
        for one in making.made:
            one.calls.close()
        assert [] == [number for number in numbers if is_running(number)]


def is_running(number: int) -> bool:
    """Whether there is a process of this number that is no zombie of somebody else's."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    try:
        state = Path(f"/proc/{number}/stat").read_text("ascii").rpartition(")")[2].split()[0]
    except OSError:
        return not Path("/proc/self").exists()
    return state != "Z"


def row(calls: Calls) -> tuple[str, str]:
    (status,) = calls.statuses()
    return status.status, status.reason


Make = Callable[..., Isolating]
