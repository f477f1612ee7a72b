"""Mutation: every small change to the kernel turns a test red, or survivors.toml says why it is no change.

    mutants (cosmic-ray) -> a copy of the tree -> workers, one fork and one selection of tests per mutant -> survivors.toml

The quick size is a fixed sample of the modules that decide; `--full` is every mutant of every module of the kernel. The checker is a
proof of its own, of the same two sizes.
`python -m tests.proof.mutation NAME...` judges every mutant of the modules named, and prints what survives.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.proof.figures import Figures
from tests.proof.mutants import Mutant, changed_lines, mutants, source_of

__all__ = ["TARGETS", "Target", "checker", "main"]

ROOT = Path(__file__).resolve().parents[2]
SURVIVORS = Path(__file__).with_name("survivors.toml")
# What a test may import or read; a test of the kernel that needs more fails on the copy as it is, which ends the proof.
_COPIED = ("core", "contract", "plugins", "tests", "tools", "conftest.py", "pyproject.toml", "README.md")
_QUICK = ("quotes", "boundaries", "admission", "canonical", "recheck", "exit", "run")
_CHECKER = "checker"
_SAMPLE, _CHUNK = 8, 120


@dataclass(frozen=True)
class Target:
    """A module whose mutants are judged.

    Attributes:
        module: its name.
        path: from the root of the tree.
        first: the tests that are nearest.
        rest: those that are asked when the first see nothing.
    """

    module: str
    path: str
    first: tuple[str, ...]
    rest: tuple[str, ...]


# The tests of what is built on a module, where they see more than its own.
_BUILT_ON = {
    "admission": ("own_address", "titles", "wire", "wire_echo", "wire_liars", "exit", "recheck"),
    "boundaries": ("quotes", "sentences", "pitfalls_quotes"),
    "canonical": ("run", "admission", "exit", "policy"),
    "counts": ("report", "recheck", "pitfalls_values"),
    "derivation": ("admission", "exit"),
    "domains": ("counts", "report"),
    "exact": ("exit",),
    "folds": ("quotes", "sentences", "pitfalls_quotes"),
    "prose": ("recheck", "pitfalls_values"),
    "quotes": ("report", "pitfalls_quotes"),
    "recheck": ("exit",),
    "replies": ("derivation", "wire"),
    "report": ("own_address", "recheck", "exit"),
    "run": ("report", "recheck", "exit"),
    "sentences": ("quotes", "report", "pitfalls_quotes"),
    "texts": ("recheck",),
    "times": ("admission", "pitfalls_values"),
    "unicode": ("folds", "boundaries", "quotes", "spans"),
    "urls": ("admission", "counts", "prose", "pitfalls_values"),
    "wire": ("wire_echo", "wire_liars", "admission"),
}


def _targets() -> dict[str, Target]:
    found: dict[str, Target] = {}
    for path in sorted((ROOT / "core/src/veridical/kernel").glob("*.py")):
        name = path.stem
        if name != "__init__":
            first, *rest = (f"core/tests/kernel/test_{each}.py" for each in (name, *_BUILT_ON.get(name, ()), "every_module"))
            found[name] = Target(f"veridical.kernel.{name}", str(path.relative_to(ROOT)), (first,), tuple(rest))
    path = "core/src/veridical/bundle/checker.py"
    # Not `test_checker_everywhere.py`: it takes a minute, and what only it sees is a test that is missing beside the others.
    parts = ("archive", "reports", "documents", "edges", "maps", "replies")
    nearest = ("checker", *(f"checker_{part}" for part in parts), "fetched_pages", "signature_check", "kernel_and_checker")
    first, *rest = (f"core/tests/bundle/test_{each}.py" for each in nearest)
    found[_CHECKER] = Target("veridical.bundle.checker", path, (first,), tuple(rest))
    return found


TARGETS = _targets()


def main(*, full: bool = False) -> Figures:
    """Judge the mutants of the kernel and hold the survivors against survivors.toml."""
    names = [name for name in TARGETS if name != _CHECKER] if full else _QUICK
    return _figures("mutation", names, f"{len(names)} modules of the kernel", full=full)


def checker(*, full: bool = False) -> Figures:
    """Do the same with the stand-alone checker."""
    return _figures("mutation_checker", [_CHECKER], "the checker", full=full)


def _figures(proof: str, names: Sequence[str], what: str, *, full: bool) -> Figures:
    rows = judge({name: _listed(name) if full else _spread(_listed(name), _SAMPLE) for name in names})
    explained = {key: why for key, why in _explained().items() if key[0] in names}
    unexplained = _unexplained(rows, explained)
    outcomes = Counter(row["outcome"] for row in rows)
    tried = outcomes["killed"] + outcomes["survived"]
    figures: dict[str, int | str] = {
        "mutants": tried,
        "killed": outcomes["killed"],
        "survived and explained": outcomes["survived"] - len(unexplained),
        "survived and not explained": len(unexplained),
        "left out by rule": len(rows) - tried,
    }
    failures = [*unexplained, *(_stale(rows, explained) if full else ())]
    return Figures(proof, f"{len(rows):,} changes to {what}", figures, tuple(failures))


def judge(chosen: dict[str, list[Mutant]], jobs: int = 2) -> list[dict[str, Any]]:
    """Return a row for each mutant of the targets named, in their order."""
    tasks = [(name, found[at : at + _CHUNK]) for name, found in chosen.items() for at in range(0, len(found), _CHUNK)]
    with _copy() as tree, ThreadPoolExecutor(jobs) as pool:
        return [row for rows in pool.map(lambda task: _work(tree, *task), tasks) for row in rows]


def _listed(name: str) -> list[Mutant]:
    return mutants((ROOT / TARGETS[name].path).read_text("utf-8"))


def _spread(found: Sequence[Mutant], size: int) -> list[Mutant]:
    return [found[at * len(found) // size] for at in range(size)] if len(found) > size else list(found)


@contextmanager
def _copy() -> Iterator[Path]:
    """A copy of the tree as it is now, with the shared test data beside it: what others write meanwhile changes no verdict."""
    with tempfile.TemporaryDirectory(prefix="proof-") as folder:
        tree = Path(folder) / "tree"
        tree.mkdir()
        for name in _COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
            else:
                shutil.copy(source, tree / name)
        if (ROOT.parent / "shared").exists():
            (Path(folder) / "shared").symlink_to(ROOT.parent / "shared")
        yield tree


def _work(tree: Path, name: str, found: list[Mutant]) -> list[dict[str, Any]]:
    target = TARGETS[name]
    task = {
        "module": target.module,
        "path": target.path,
        "first": target.first,
        "rest": target.rest,
        "mutants": [(mutant.operator, mutant.occurrence) for mutant in found],
    }
    sources = [tree, tree / "contract/src", tree / "core/src", *sorted(tree.glob("plugins/*/src"))]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, sources)), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = ["nice", "-n", "10", sys.executable, "-m", "tests.proof.mutant_worker", json.dumps(task)]
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"the mutants of {target.module} could not be judged:\n{done.stderr}")
    print(f"mutation: {name}, {len(found)} mutants judged", file=sys.stderr, flush=True)
    return [{"target": name, **json.loads(line)} for line in done.stdout.splitlines()]


def _explained() -> dict[tuple[str, str, str], str]:
    """Return the reason of each survivor that is explained, by target and lines before and after."""
    groups = tomllib.loads(SURVIVORS.read_text("utf-8"))["survivors"]
    return {(group["module"], before, after): group["why"] for group in groups for before, after in group["changes"]}


def _unexplained(rows: list[dict[str, Any]], explained: dict[tuple[str, str, str], str]) -> list[str]:
    survivors = [row for row in rows if row["outcome"] == "survived" and _key(row) not in explained]
    return [f"{row['target']}: {row['operator']} survives\n  - {row['before']}\n  + {row['after']}" for row in survivors]


def _stale(rows: list[dict[str, Any]], explained: dict[tuple[str, str, str], str]) -> list[str]:
    survived = {_key(row) for row in rows if row["outcome"] == "survived"}
    return [f"{key[0]}: explained in survivors.toml, and does not survive\n  + {key[2]}" for key in explained if key not in survived]


def _key(row: dict[str, Any]) -> tuple[str, str, str]:
    return row["target"], row["before"], row["after"]


def _named(name: str, mutant: Mutant) -> tuple[str, str, str]:
    source = (ROOT / TARGETS[name].path).read_text("utf-8")
    return name, *changed_lines(source, source_of(mutant, source))


def _by_hand() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.proof.mutation", description="Judge every mutant of the modules named.")
    parser.add_argument("names", nargs="+", choices=TARGETS, metavar="NAME", help=", ".join(TARGETS))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rows", type=Path, help="a file that keeps every verdict, one JSON object a line")
    parser.add_argument("--again", type=Path, help="such a file: only what survived there is judged")
    options = parser.parse_args()
    chosen = {name: _listed(name) for name in options.names}
    if options.again is not None:
        before = [json.loads(line) for line in options.again.read_text("utf-8").splitlines()]
        left = {(row["target"], row["before"], row["after"]) for row in before if row["outcome"] == "survived"}
        chosen = {name: [mutant for mutant in found if _named(name, mutant) in left] for name, found in chosen.items()}
    rows = judge(chosen, options.jobs)
    if options.rows is not None:
        options.rows.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    explained = _explained()
    failures = _unexplained(rows, explained)
    if options.again is None:
        failures += _stale(rows, {key: why for key, why in explained.items() if key[0] in options.names})
    for line in failures:
        print(line)
    print(json.dumps(Counter(row["outcome"] for row in rows)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(_by_hand())
