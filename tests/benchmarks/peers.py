"""The peers, in an environment of their own: what they depend on is not ours, and ours is not theirs.

The environment is made once, with pinned versions, below the cache folder; a process in it (`worker`) is asked in lines of JSON.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

__all__ = ["PINNED", "Peers", "PeersMissingError"]

PINNED = ("metalworks==0.4.0", "gtrex==1.1.0")
_WORKER = Path(__file__).with_name("worker.py")


class PeersMissingError(RuntimeError):
    """The environment of the peers could not be made; the message says why."""


class Peers:
    """The process in the peers' environment. A context manager."""

    def __init__(self, python: Path) -> None:
        self._process = subprocess.Popen(
            [python, "-I", _WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
        )

    @classmethod
    def started(cls, *, make: bool = True) -> Self:
        """Return the peers, after making their environment where there is none yet and `make` allows it.

        Raises:
            PeersMissingError: there is none, and it cannot be made.
        """
        folder = _cache() / hashlib.sha256("\n".join((sys.version, *PINNED)).encode()).hexdigest()[:12]
        python = folder / "bin" / "python"
        if not (folder / "made").exists():
            if not make:
                raise PeersMissingError("The peers' environment was not made yet: python -m tests.benchmarks --only peers")
            _make(folder, python)
        return cls(python)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.communicate(timeout=60)

    def ask(self, what: str, **arguments: object) -> Any:
        """Have the worker do `what` and return its answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": what, **arguments}) + "\n")
        answer = self._process.stdout.readline()
        if not answer:
            raise PeersMissingError(f"The peers' process ended while it was asked for {what!r}.")
        return json.loads(answer)

    def action(self, what: str) -> Callable[[Any], float]:
        """Return a function that has the worker do `what` with keyword arguments and returns the seconds that it took there."""
        return lambda arguments: self.ask(what, **arguments)


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "veridical-benchmarks"


def _make(folder: Path, python: Path) -> None:
    uv = shutil.which("uv")
    if uv is None:
        raise PeersMissingError("uv is not on the PATH; the peers' environment is made with it: pip install uv")
    for command in (
        [uv, "venv", "--quiet", "--clear", "--python", sys.executable, folder],
        [uv, "pip", "install", "--quiet", "--python", python, *PINNED],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise PeersMissingError(f"The peers' environment cannot be made: {done.stderr.strip()[-300:]}")
    (folder / "made").touch()
