"""From answers to a project, as cookiecutter makes it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import warnings
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

__all__ = ["CLIENTS", "KINDS", "ROOT", "TEMPLATE", "Baked", "bake", "constants", "typed"]

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "cookiecutter-adapter"
CLIENTS = ("http", "sdk")
KINDS = ("search", "chat", "embedding", "source", "storage")


@dataclass(frozen=True, slots=True)
class Baked:
    """What became of some answers.

    Attributes:
        project: the folder; None when they were refused.
        said: what cookiecutter and the hooks wrote.
        left: files and folders that lie in the output folder.
    """

    project: Path | None
    said: str
    left: tuple[str, ...]

    def read(self, name: str) -> str:
        """Return a file of the project."""
        assert self.project is not None, self.said
        return (self.project / name).read_text("utf-8")

    def pyproject(self) -> dict[str, Any]:
        """Return pyproject.toml, parsed."""
        return tomllib.loads(self.read("pyproject.toml"))

    def files(self) -> dict[str, Path]:
        """Return the project's files by their path in it."""
        assert self.project is not None, self.said
        return {str(path.relative_to(self.project)): path for path in sorted(self.project.rglob("*")) if path.is_file()}


def constants() -> dict[str, Any]:
    """Return cookiecutter.json."""
    return json.loads((TEMPLATE / "cookiecutter.json").read_text("utf-8"))


def bake(folder: Path, answers: Mapping[str, str]) -> Baked:
    """Make a project in `folder`, empty or not there, of `answers`, with the defaults where there is none."""
    from cookiecutter.exceptions import CookiecutterException
    from cookiecutter.main import cookiecutter

    folder.mkdir(parents=True, exist_ok=True)
    with _said() as said, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # cookiecutter's own
        made, failure = None, ""
        try:
            made = cookiecutter(str(TEMPLATE), no_input=True, default_config=True, extra_context=dict(answers), output_dir=str(folder))
        except (CookiecutterException, ValueError) as error:  # of a choice that there is not
            failure = f"{type(error).__name__}: {error}\n"
        return Baked(Path(made) if made is not None else None, said() + failure, _names(folder))


def typed(folder: Path, lines: Iterable[str]) -> Baked:
    """Make a project in `folder` of what a person types, a line for each question, at the command line."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "cookiecutter", "--output-dir", str(folder), "--default-config", str(TEMPLATE)]
    environment = {**os.environ, "PYTHONWARNINGS": "ignore", "PYTHONIOENCODING": "utf-8"}
    said = "".join(f"{line}\n" for line in lines).encode()
    ran = subprocess.run(command, input=said, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, env=environment)
    made = folder / _names(folder)[0] if ran.returncode == 0 else None
    return Baked(made, ran.stdout.decode("utf-8", "replace"), _names(folder))


def _names(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(path.name for path in folder.iterdir()))


@contextmanager
def _said() -> Generator[Callable[[], str]]:
    """Yield what tells what this process and its children wrote to standard error since; hooks are children."""
    with TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)

        def said() -> str:
            sys.stderr.flush()
            file.seek(0)
            return file.read().decode("utf-8", "replace")

        try:
            yield said
        finally:
            sys.stderr.flush()
            os.dup2(kept, 2)
            os.close(kept)
