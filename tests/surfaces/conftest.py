"""The command line as a user has it: a process of its own, a home of its own, 100 columns."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    def line(self) -> str:
        """The one line that a failing command says."""
        lines = self.err.strip().splitlines()
        assert len(lines) == 1, self.err
        return lines[0]


@pytest.fixture
def veridical(tmp_path: Path) -> Callable[..., Ran]:
    """Return a function that runs `veridical` with arguments in a folder, by default the test's own."""
    home = tmp_path / "home"

    def run(*arguments: str, cwd: Path = tmp_path, home: Path | None = home, **environment: str) -> Ran:
        variables = {**os.environ, "COLUMNS": "100", "PYTHONWARNINGS": "error", **environment}
        if home is not None:
            variables["VERIDICAL_HOME"] = str(home)
        done = subprocess.run(
            [sys.executable, "-m", "veridical.cli", *arguments],
            cwd=cwd,
            env=variables,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run
