"""`python -m tests.template --all`: every combination of kinds, client and licence, from template to green; the table of what was done.

Without `--all`: each kind once, as in CI. `--record` makes the cassettes of the template again, from the fake server that it generates.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from .baking import CLIENTS, KINDS, bake, constants
from .recording import record
from .whole_path import Environment, find_uv, red_ones, walk, workspace_wheels

Answers = dict[str, str]


def each_once() -> Iterator[Answers]:
    """Yield answers that hold each kind once, with a client and a licence in turn."""
    for number, kind in enumerate(KINDS):
        terms = constants()["license"]
        yield {"name": f"acme-{kind}", "kinds": kind, "client": CLIENTS[number % 2], "license": terms[number % len(terms)]}


def matrix() -> Iterator[Answers]:
    """Yield every combination of kinds with each client and each licence."""
    sets = [kinds for size in range(1, len(KINDS) + 1) for kinds in combinations(KINDS, size)]
    for number, kinds in enumerate(sets):
        for client in CLIENTS:
            for terms in constants()["license"]:
                name = f"acme-{number}-{client}-{terms.lower().replace('.', '-')}"
                yield {"name": name, "kinds": ",".join(kinds), "client": client, "license": terms}


def main(words: list[str]) -> int:
    """Do what the command line says, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.template")
    parser.add_argument("--all", action="store_true", help="every combination; takes hours")
    parser.add_argument("--record", action="store_true", help="make the cassettes of the template again")
    options = parser.parse_args(words)
    if (uv := find_uv()) is None:
        parser.error("uv is not on the PATH: pip install uv")
    with tempfile.TemporaryDirectory() as folder:
        wheels = workspace_wheels(Path(folder, "wheels"), uv)
        environment = Environment(Path(folder, "environment"), uv, wheels)
        if options.record:
            return record(environment, Path(folder))
        failed = [
            answers["name"] for answers in (matrix() if options.all else each_once()) if not _green(environment, Path(folder), answers)
        ]
    print(f"{len(failed)} failed{': ' if failed else ''}{', '.join(failed)}")
    return 1 if failed else 0


def _green(environment: Environment, folder: Path, answers: Answers) -> bool:
    began = time.monotonic()
    steps = list(walk(environment, bake(folder / answers["name"], answers)))
    environment.uninstall(f"veridical-{answers['name']}")
    wrong = red_ones(steps)
    print(f"{'FAILED' if wrong else 'passed'}  {answers['name']}: {answers['kinds']}, {time.monotonic() - began:.0f} s", flush=True)
    if wrong:
        print(wrong, flush=True)
    return not wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
