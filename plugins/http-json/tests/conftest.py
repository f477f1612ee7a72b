"""A help desk, and an installation that reads it and waits half a second at most."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .desk import Desk, House, house


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veridical.context.HTTP_TIMEOUT", 0.5)


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def home(tmp_path: Path, desk: Desk) -> Iterator[House]:
    with house(tmp_path, desk) as opened:
        yield opened
