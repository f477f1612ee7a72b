"""Coverage-guided fuzzing of everything that reads bytes from outside: it reads them, or refuses them by a declared error.

    targets (fuzz_targets.py) -> one process each, instrumented by atheris (libFuzzer) -> executions, edges, findings

A finding is any other exception, a broken invariant, an input that takes longer than ten seconds, or 3 GB of memory. It is printed with the
input in base64. `python -m tests.proof.coverage_fuzz NAME... --seconds N` runs the targets named; `--input FILE` runs one input, and
`--corpus FOLDER` keeps what was found worth trying for the next time.
"""

from __future__ import annotations

import argparse
import base64
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.proof.figures import Figures

__all__ = ["main"]

ROOT = Path(__file__).resolve().parents[2]
_QUICK, _FULL = 30, 3600
_JOBS = 2
_SLOW, _MEMORY = 10, 3072
_OPTIONS = (f"-timeout={_SLOW}", f"-rss_limit_mb={_MEMORY}", "-print_final_stats=1", "-verbosity=1")
_NAMES = (
    "json", "jsonl", "csv", "tsv", "gzip", "mbox", "eml", "mail", "html", "markdown", "text", "pdf", "encodings", "markers", "project-html",
    "project-markdown", "archive", "members", "canonical", "urls", "settings", "drafts", "signature", "quotes", "values",
)  # fmt: skip
"""Of the targets, which are imported in the processes that run them alone: there they are instrumented."""


@dataclass(frozen=True)
class Result:
    """What came of one target: how many inputs, how many edges of code they took, and what was found."""

    name: str
    executions: int
    edges: int
    finding: str | None


def main(*, full: bool = False, seconds: int | None = None, names: tuple[str, ...] = _NAMES, corpus: Path | None = None) -> Figures:
    """Fuzz each target; `seconds` is the time of all together, on both processes."""
    total = seconds or (_FULL if full else _QUICK)
    each = max(2, total * _JOBS // len(names))
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(_JOBS) as pool:
        where = corpus or Path(folder)
        shares = [names[at::_JOBS] for at in range(_JOBS) if names[at::_JOBS]]
        results = [result for found in pool.map(lambda share: _fuzz(share, each, where, full=full), shares) for result in found]
    figures: dict[str, int | str] = {
        "targets": len(names),
        "seconds of each": each,
        "seconds in all": round(time.monotonic() - began),
        "inputs": sum(result.executions for result in results),
        "edges of code": sum(result.edges for result in results),
        "findings": sum(result.finding is not None for result in results),
    }
    failures = tuple(f"{result.name}: {result.finding}" for result in results if result.finding is not None)
    for result in results:
        print(f"coverage_fuzz: {result.name:18} {result.executions:10,} inputs {result.edges:7,} edges", file=sys.stderr, flush=True)
    return Figures("coverage_fuzz", f"{len(names)} readers of bytes, {each} seconds each", figures, failures)


def _fuzz(names: tuple[str, ...], seconds: int, corpus: Path, *, full: bool) -> list[Result]:
    """Fuzz targets one after the other, each in a fork of one process that has loaded and instrumented them."""
    for name in names:
        (corpus / name / "finding").mkdir(parents=True, exist_ok=True)
    # The quick run is the same each time, as far as a run that ends by the clock can be.
    options = [*_OPTIONS, *([] if full else ["-seed=1"]), f"-max_total_time={seconds}"]
    command = ["nice", "-n", "10", sys.executable, "-m", "tests.proof.coverage_fuzz", *names, "--corpus", str(corpus), "--child", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        raise RuntimeError(f"the targets cannot be fuzzed:\n{done.stderr[-2000:]}")
    return [_result(name, int(status), corpus / name) for name, status in map(str.split, done.stdout.splitlines())]


def _result(name: str, status: int, corpus: Path) -> Result:
    said = (corpus / "said").read_text("utf-8", "replace")
    executions = re.search(r"stat::number_of_executed_units:\s*(\d+)", said)
    if executions is None and status == 0:
        raise RuntimeError(f"the fuzzer said nothing of {name}:\n{said[-2000:]}")
    edges = re.findall(r"cov: (\d+)", said)
    finding = None if status == 0 else _finding(said, corpus / "finding")
    return Result(name, int(executions[1]) if executions else 0, int(edges[-1]) if edges else 0, finding)


def _finding(said: str, folder: Path) -> str:
    inputs = sorted(folder.iterdir())
    spelled = base64.b64encode(inputs[0].read_bytes()).decode() if inputs else "none was kept"
    lines = [line for line in said.splitlines() if not line.startswith(("#", "INFO", "stat::"))]
    return "\n    ".join([f"input {spelled}", *lines[:30]])


def _children(names: tuple[str, ...], corpus: Path, options: list[str]) -> None:
    """Fuzz targets in forks of this process, and print the exit status of each."""
    import atheris

    with atheris.instrument_imports(include=["veridical", "veridical_contract"]):
        from tests.proof.fuzz_targets import TARGETS, seeds

    # Here, where an error is one of the set-up and no finding; and what they need is loaded before time passes.
    begins = {name: seeds(name) for name in names}
    for name in names:
        child = os.fork()
        if child == 0:
            said = os.open(corpus / name / "said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(said, 1)
            os.dup2(said, 2)
            for number, data in enumerate(begins[name]):
                (corpus / name / f"seed-{number}").write_bytes(data)
            atheris.Setup([sys.argv[0], *options, f"-artifact_prefix={corpus / name / 'finding'}/", str(corpus / name)], TARGETS[name].run)
            atheris.Fuzz()
        print(name, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _by_hand() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.proof.coverage_fuzz", description="Fuzz readers of bytes.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(_NAMES))
    parser.add_argument("--seconds", type=int, default=_QUICK, help="of all targets together")
    parser.add_argument("--corpus", type=Path, help="a folder that keeps the inputs worth trying")
    parser.add_argument("--input", type=Path, help="run this one input")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options, rest = parser.parse_known_args()
    names = tuple(options.names or _NAMES)
    if options.child:
        _children(names, options.corpus, rest)
        return 0
    if options.input is not None:
        from tests.proof.fuzz_targets import TARGETS

        TARGETS[names[0]].run(options.input.read_bytes())
        return 0
    result = main(seconds=options.seconds, names=names, corpus=options.corpus)
    print("\n".join(result.failures), result.figures, sep="\n")
    return 1 if result.failures else 0


if __name__ == "__main__":
    sys.exit(_by_hand())
