"""A home with one source, and a service over it, for all tests that change neither."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from veridical import Veridical

from plugins.http.tests.running import NOTE, Running, running


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one source, `notes`."""
    folder = tmp_path_factory.mktemp("prepared")
    (folder / "notes").mkdir()
    (folder / "notes" / "laptop.txt").write_text(NOTE, "utf-8")
    with Veridical(home=folder / "home", base=folder, environment={}) as veridical:
        veridical.add_source("notes", ["notes"])
    return folder / "home"


@pytest.fixture(scope="session")
def served(prepared: Path) -> Iterator[Running]:
    """A service over that home, without a token."""
    with running(lambda: Veridical(home=prepared, environment={}), prepared) as one:
        yield one
