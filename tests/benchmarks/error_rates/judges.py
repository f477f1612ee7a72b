"""Who accepts what: veridical in this process, the peers in an environment that is made for them and kept for the next run."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from veridical.kernel.policy import Policy
from veridical.locate.find import Located, Miss, locate

from .cases import Case, visible

__all__ = ["PINS", "Peers", "environment", "veridical"]

PINS = ("metalworks==0.4.0", "gtrex==1.1.0", "rapidfuzz==3.14.6")
_WORKER = Path(__file__).with_name("peers.py")


def veridical(case: Case, policy: Policy) -> tuple[bool, str]:
    """Return whether the quote is kept, and the kernel's verdict or the rule that refused it."""
    answers = [locate(text, case.quote, policy=policy, snippet=case.snippet) for text in case.texts]  # type: ignore[arg-type] - other types are cases too
    for answer in answers:
        if isinstance(answer, Located):
            return True, answer.confirmed.verdict
    return False, next(answer.rule for answer in answers if isinstance(answer, Miss))


def environment() -> Path:
    """Return the peers' Python; makes their environment under the temporary folder when it is not there.

    Raises:
        subprocess.CalledProcessError: the package index cannot be reached, or does not have them.
    """
    digest = hashlib.sha256(" ".join((sys.version, *PINS)).encode()).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"veridical-peers-{digest}"
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        uv = os.environ.get("UV") or shutil.which("uv")
        make = [uv, "venv", "--quiet", "--clear", "--python", sys.executable] if uv else [sys.executable, "-m", "venv", "--clear"]
        install = [uv, "pip", "install", "--quiet", "--python", str(python)] if uv else [str(python), "-m", "pip", "install", "--quiet"]
        for command in ([*make, str(folder)], [*install, *PINS]):
            subprocess.run(command, check=True)
        (folder / "complete").touch()
    return python


class Peers:
    """The peers' verdicts on many cases."""

    def __init__(self, python: Path) -> None:
        self._python = python
        self.versions: dict[str, str] = {}

    def judge(self, cases: Sequence[Case]) -> list[dict[str, bool]]:
        """Return each peer's acceptance of each case, in order.

        Raises:
            subprocess.CalledProcessError: the worker ended before its last answer.
        """
        lines = "".join(_asked(number, case) for number, case in enumerate(cases))
        command, pipe = [str(self._python), "-I", str(_WORKER)], subprocess.PIPE
        ran = subprocess.run(command, input=lines, stdout=pipe, stderr=subprocess.DEVNULL, encoding="utf-8", check=True)
        first, *answers = ran.stdout.split("\n")[:-1]
        self.versions = json.loads(first)
        found = [json.loads(answer) for answer in answers]
        return [{name: row[name] for name in self.versions} for row in found]


def _asked(number: int, case: Case) -> str:
    return json.dumps({"id": number, "quote": case.quote, "texts": [visible(text) for text in case.texts]}) + "\n"
