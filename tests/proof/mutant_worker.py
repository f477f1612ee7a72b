"""Run the tests of one module against its mutants: one process that has everything else loaded, and a fork of it for each mutant.

`python -m tests.proof.mutant_worker TASK` runs in a copy of the tree; TASK is JSON: module, path, mutants, `first` and `rest` (paths of
tests). It prints one JSON object per mutant: operator, occurrence, outcome (`killed`, `survived` or the rule of the noise), before, after.

In a fork the module is loaded from the mutated text by an importer that counts; when the tests ended without having loaded it, or the
same way with the text as it is fails, that is an error of the set-up and not a mutant killed.
"""

from __future__ import annotations

import ast
import gc
import importlib
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from importlib.abc import Loader, MetaPathFinder
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import hypothesis
import hypothesis.stateful
import hypothesis.strategies
import pydantic
import pytest
import veridical_contract

from tests.proof.mutants import Mutant, changed_lines, noise, source_of

__all__ = ["main"]

PRELOADED = (hypothesis.stateful, hypothesis.strategies, pydantic, veridical_contract)
_MEMORY = 3 * 1024**3
_OK, _FAILED, _NOT_LOADED = 0, 1, 99


class SetUpError(RuntimeError):
    """The proof would prove nothing."""


class _Text(MetaPathFinder, Loader):
    """Loads one module from a text instead of its file."""

    def __init__(self, module: str, path: str, source: str) -> None:
        self.module, self.path, self.source, self.loaded = module, path, source, 0

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        return spec_from_file_location(fullname, self.path, loader=self) if fullname == self.module else None

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        self.loaded += 1
        exec(compile(self.source, self.path, "exec", dont_inherit=True), module.__dict__)  # the mutant is a program


class _Profile:
    """Few examples, the same each time, and no shrinking: that one fails is all that is asked."""

    def pytest_collection(self) -> None:
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        profile = hypothesis.settings(
            deadline=None,
            derandomize=True,
            database=None,
            max_examples=25,
            phases=phases,
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        hypothesis.settings.register_profile("mutants", profile)
        hypothesis.settings.load_profile("mutants")


class _Judge:
    """Runs the tests of one module, the nearest first; each selection has to pass with the module as it is."""

    def __init__(self, task: dict[str, Any]) -> None:
        self._module = task["module"]
        self._path = str(Path(task["path"]).resolve())
        self._selections = [selection for selection in (task["first"], task["rest"]) if selection]
        self._limits: dict[int, float] = {}
        self.source = Path(self._path).read_text("utf-8")

    def outcome(self, changed: str) -> str:
        """Return `survived`, or `killed` when a test fails or takes much longer than without the change."""
        for index, tests in enumerate(self._selections):
            limit = self._limits.get(index) or self._limits.setdefault(index, self._limit(tests))
            status = _run(self._text(changed), tests, limit)
            if status == _NOT_LOADED:
                raise SetUpError(f"{' '.join(tests)} did not load the mutant of {self._module}")
            if status != _OK:
                return "killed"
        return "survived"

    def _limit(self, tests: list[str]) -> float:
        began = time.monotonic()
        status = _run(self._text(self.source), tests, 600)
        if status != _OK:
            raise SetUpError(f"{' '.join(tests)} gives status {status} with {self._module} as it is")
        return 10 + 5 * (time.monotonic() - began)

    def _text(self, source: str) -> _Text:
        return _Text(self._module, self._path, source)


def main(task: dict[str, Any]) -> int:
    """Judge the mutants of `task`."""
    _preload(task["module"])
    gc.freeze()
    judge = _Judge(task)
    for name, occurrence in task["mutants"]:
        changed = source_of(Mutant(name, occurrence), judge.source)
        before, after = changed_lines(judge.source, changed)
        outcome = noise(judge.source, changed) or judge.outcome(changed)
        found = {"operator": name, "occurrence": occurrence, "outcome": outcome, "before": before, "after": after}
        print(json.dumps(found), flush=True)
    return 0


def _preload(module: str) -> None:
    """Import what the tests need and what does not depend on `module`."""
    package = Path("core/src/veridical")
    files = {f"veridical.{'.'.join(path.relative_to(package).with_suffix('').parts)}": path for path in package.rglob("*.py")}
    graph = {name: _imported(name, path, files) for name, path in files.items() if not name.endswith("__init__")}
    for name in sorted(graph):
        if name.startswith("veridical.kernel.") and not _reaches(name, module, graph, set()):
            importlib.import_module(name)
    if module in sys.modules:
        raise SetUpError(f"{module} was loaded before its mutants")
    if "veridical.kernel.policy" in sys.modules:
        sys.modules["veridical.kernel.policy"].load_policy()


def _imported(name: str, path: Path, files: dict[str, Path]) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = name.rsplit(".", node.level)[0] + ("." + node.module if node.module else "") if node.level else node.module or ""
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & files.keys()


def _reaches(name: str, module: str, graph: dict[str, set[str]], seen: set[str]) -> bool:
    if name == module:
        return True
    seen.add(name)
    return any(_reaches(each, module, graph, seen) for each in graph.get(name, set()) - seen)


def _run(text: _Text, tests: list[str], limit: float) -> int:
    """Return the status of the tests in a fork; a fork that takes longer than `limit` seconds counts as failed."""
    folder = tempfile.mkdtemp(prefix="mutant-")
    child = os.fork()
    if child == 0:
        os._exit(_in_fork(text, tests, folder))
    deadline = time.monotonic() + limit
    try:
        while True:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            if time.monotonic() > deadline:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return _FAILED
            time.sleep(0.003)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _in_fork(text: _Text, tests: list[str], folder: str) -> int:
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    silent = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silent, stream)
    sys.meta_path.insert(0, text)
    options = ["-x", "-q", "--no-header", "--no-summary", "--tb=no", "-p", "no:cacheprovider", "-p", "no:faulthandler", "--basetemp"]
    try:
        status = int(pytest.main([*options, f"{folder}/tests", *tests], plugins=[_Profile()]))
    except BaseException:  # noqa: BLE001 - a mutant may raise anything, and has been seen then
        return _FAILED
    return status if text.loaded else _NOT_LOADED


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
