"""One store for a test, and a look into its tables."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from veridical_sqlite import SqliteStorage

from plugins.sqlite.tests.kit import Context


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return Context(tmp_path)


@pytest.fixture
def store(context: Context) -> SqliteStorage:
    return SqliteStorage(context)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite3"


@pytest.fixture
def tables(file: Path) -> Iterator[Callable[..., list[tuple[object, ...]]]]:
    """Run SQL on the store behind the plugin's back."""

    def run(query: str, *values: object) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(file)) as connection, connection:
            return connection.execute(query, values).fetchall()

    return run


@pytest.fixture
def size_of_table(tables: Callable[..., list[tuple[int]]]) -> Callable[[str], int]:
    return lambda table: tables(f"SELECT count(*) FROM {table}")[0][0]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, which can be filled or made read-only; only root can have one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        pytest.skip("mounting a small file system needs root")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)
