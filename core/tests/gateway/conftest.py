from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest
from veridical.context import Host
from veridical.discovery import Allow, catalogue
from veridical.gateway import Calls
from veridical.homes import Home
from veridical.settings import Limits
from veridical_contract import HostFiles

from tests.distributions import Distribution
from tests.distributions.installing import on_path

Gate = Callable[..., Calls]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    """A folder on `sys.path`; a plugin of it may hang on its module's `release`, which is set in the end."""
    with on_path(tmp_path / "site") as folder:
        yield folder
        for module in list(sys.modules.values()):
            if isinstance(release := vars(module).get("release"), threading.Event):
                release.set()


@pytest.fixture
def gate(site: Path, tmp_path: Path) -> Iterator[Gate]:
    """Return a function from distributions to a gateway that may call their plugins; every thread has ended afterwards."""
    before = set(threading.enumerate())
    made: list[Calls] = []

    def make(*distributions: Distribution, environment: dict[str, str] | None = None, **limits: float) -> Calls:
        for distribution in distributions:
            distribution.install(site)
        names = [name for one in distributions for group in one.entry_points.values() for name in group]
        host = Host(
            home=Home.below(tmp_path / "home"),
            files=cast("HostFiles", None),
            environment=environment or {},
            clock=lambda: datetime(2026, 1, 1, tzinfo=UTC),
        )
        listings = catalogue(Allow(frozenset(names)), path=[str(site)])
        made.append(Calls(listings, host, limits=Limits.model_validate(limits)))
        return made[-1]

    yield make
    for calls in made:
        calls.close()
    for module in list(sys.modules.values()):
        if isinstance(release := vars(module).get("release"), threading.Event):
            release.set()
    for thread in set(threading.enumerate()) - before:
        thread.join(10)
    assert set() == {thread.name for thread in set(threading.enumerate()) - before}
