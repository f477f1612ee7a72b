"""What a command costs before it does anything: held against an interpreter that does nothing, with many distributions installed.

Bytecode is kept, in a folder of this run: an installed program is compiled once and not at every start.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from tests.benchmarks.bench import Bench
from tests.benchmarks.measure import alternate, timed
from tests.benchmarks.results import Row, at_most
from tests.distributions import plugin

__all__ = ["rows"]

_COMMANDS = (["--help"], ["--version"], ["plugins", "list"])
_HEAVY = {"pydantic", "httpx", "rich", "pluggy", "stevedore", "veridical_contract"}
_PEER = "python -c pass"


def rows(bench: Bench) -> Iterator[Row]:
    """Yield the rows."""
    site = bench.folder / "site"
    for number in range(bench.distributions):
        plugin(f"throw-away-{number:03}").install(site)
    environment = {
        **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
        "PYTHONPATH": str(site),
        "PYTHONPYCACHEPREFIX": str(bench.folder / "bytecode"),
        "VERIDICAL_HOME": str(bench.folder / "home"),
    }
    ours = {" ".join(arguments): [sys.executable, "-m", "veridical.cli", *arguments] for arguments in _COMMANDS}
    commands = {_PEER: [sys.executable, "-c", "pass"], "click": [sys.executable, "-c", "import click"], **ours}
    actions = {name: _process(command, environment) for name, command in commands.items()}
    found = alternate(actions, range(max(3, bench.runs // 10)), warm_up=3)
    for name, command in ours.items():
        heavy = _imported(command, environment)
        note = f"imports {', '.join(heavy)}" if heavy else "no plugin, pydantic, httpx or rich imported"
        what = f"veridical {name}, {bench.distributions} distributions installed"
        yield Row("startup", what, found[name], _PEER, found[_PEER], goal=at_most(8), note=note)
    yield Row("startup", "python -c 'import click', for comparison", found["click"], _PEER, found[_PEER])


def _process(command: Sequence[str], environment: Mapping[str, str]) -> Callable[[int], float]:
    return timed(lambda _: subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True))


def _imported(command: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """Return what of the heavy modules, and of plugins, the command imports."""
    watched = [command[0], "-X", "importtime", *command[1:]]
    done = subprocess.run(watched, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    modules = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    plugins = {f"veridical_{path.name.replace('-', '_')}" for path in (Path(__file__).parents[3] / "plugins").iterdir()}
    return sorted(modules & (_HEAVY | plugins) | {name for name in modules if name.startswith("veridical_throw_away")})
