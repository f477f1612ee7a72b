from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.distributions.installing import on_path


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    """A folder on `sys.path` to install throw-away distributions into."""
    with on_path(tmp_path / "site") as folder:
        yield folder
