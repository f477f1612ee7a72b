"""A process of its own in which a plugin works: several may use one store at once, and each may be killed at any moment.

Child   started by a check; told when to begin, and heard step by step
main    what runs in the process: it makes the plugin, as the check does, and puts what `work` says
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from .material import work
from .options import Options
from .registry import Violation
from .stores import Store, opened
from .subject import Subject

__all__ = ["Child", "main"]

_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from veridical_contract.testing.child import main; main(json.loads(sys.argv[2]))"
)


class Child:
    """A process that puts containers into the store in `home`, from the first number on, until it has put all or is killed.

    Args:
        subject: the plugin.
        home: folder of the host that it works in.
        writer: a name for what it puts.
        numbers: of the containers, first and one past the last.
    """

    def __init__(self, subject: Subject, home: Path, writer: str, numbers: tuple[int, int]) -> None:
        options = subject.options
        task = {
            "name": subject.name,
            "kind": subject.kind,
            "options": {"settings": dict(options.settings), "secrets": dict(options.secrets), "variables": dict(options.variables)},
            "home": str(home),
            "writer": writer,
            "numbers": numbers,
        }
        folder = subject.new_home()
        folder.mkdir(parents=True)
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter
            [sys.executable, "-I", "-c", _START, json.dumps(sys.path), json.dumps(task)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(folder)},  # what it leaves behind when it is killed goes with the rest
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.kill()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def begin(self) -> None:
        """Wait until it is ready, and let it begin.

        Raises:
            Violation: it did not come so far.
        """
        if next(self.heard(), None) != "ready" or self._process.stdin is None:
            raise Violation(f"In a process of its own it cannot be made: {self.said()}")
        self._process.stdin.write("go\n")
        self._process.stdin.flush()

    def heard(self) -> Iterator[str]:
        """Yield its lines, also those that it wrote before it was killed: `begun N`, `done N PART`, or `failed WHY`."""
        assert self._process.stdout is not None  # noqa: S101 - it is a pipe
        for line in self._process.stdout:
            if line.endswith("\n"):  # of a line that was cut nobody heard
                yield line.strip()

    def kill(self) -> None:
        """Kill it, so that nothing of its own is run any more, and wait until it is gone."""
        self._process.kill()
        self._process.wait()

    def said(self) -> str:
        """Return the last line of what it said on its way out."""
        self._process.wait()
        assert self._process.stderr is not None  # noqa: S101 - it is a pipe
        return (self._process.stderr.read().strip().splitlines() or ["it said nothing"])[-1]


def main(task: dict[str, Any]) -> None:
    """Be the process."""
    _say("ready")
    sys.stdin.readline()
    with closing(Subject(Options.of(task["name"], task["kind"], task["options"]))) as subject:
        try:
            with opened(subject, Path(task["home"]), patient=True) as store:
                for number in range(*task["numbers"]):
                    _put(store, task["writer"], number)
        except Violation as error:
            _say(f"failed {error}")


def _put(store: Store, writer: str, number: int) -> None:
    begun, ended, step = work(writer, number)
    _say(f"begun {number}")
    for part, put in enumerate((partial(store.put, begun), partial(store.put, ended), partial(store.put_runs, step)), 1):
        put()
        _say(f"done {number} {part}")


def _say(line: str) -> None:
    sys.stdout.write(" ".join(line.split()) + "\n")
    sys.stdout.flush()
