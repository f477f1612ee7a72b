"""The way of a publisher, walked: bake, build, install beside veridical, test, look, and break the entry point.

    workspace --uv build--> wheels --.
    template --bake--> project --uv build--> wheel --uv pip install--> environment --steps--> what went wrong

Everything runs in processes of their own, in an environment that was made for it. Installing needs the package index, or
what uv kept of it; nothing that is tested does.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .baking import ROOT, Baked

__all__ = ["Environment", "Step", "find_uv", "red_ones", "three_commands", "walk", "workspace_wheels"]

_PACKAGES = (
    "veridical",
    "veridical-contract",
    "veridical-core",
    "veridical-sqlite",
    "veridical-files",
    "veridical-extractive",
    "veridical-hashing",
)
_TOOLS = ("pyright[nodejs]", "ruff", "twine")


@dataclass(frozen=True, slots=True)
class Step:
    """What became of one command.

    Attributes:
        name: of the step.
        code: exit status.
        said: both outputs.
        expected: whether it was to succeed.
        words: that it has to say.
    """

    name: str
    code: int
    said: str
    expected: bool = True
    words: str = ""

    @property
    def right(self) -> bool:
        """Whether it came out as expected."""
        return (self.code == 0) == self.expected and self.words in self.said


def red_ones(steps: Sequence[Step]) -> str:
    """Return what the steps said that did not come out as expected; nothing where all did."""
    return "\n\n".join(f"== {step.name}: exit status {step.code}\n{step.said[-6000:]}" for step in steps if not step.right)


def find_uv() -> tuple[str, str] | None:
    """Return uv and the folder in which it keeps what it downloaded; None where there is no uv."""
    uv = os.environ.get("UV") or shutil.which("uv")
    if uv is None:
        return None
    return uv, subprocess.run([uv, "cache", "dir"], capture_output=True, text=True, check=True).stdout.strip()


def constraints() -> list[str]:
    """Return the versions with which this repository was tested."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["uv"]["constraint-dependencies"]


class Environment:
    """A virtual environment with veridical, the kit and the tools, made of wheels.

    Args:
        folder: empty, or not there.
        uv: the program, and its cache.
        wheels: of this workspace.
    """

    def __init__(self, folder: Path, uv: tuple[str, str], wheels: Path) -> None:
        self.folder = folder
        self._uv, self._cache = uv
        self._wheels = wheels
        folder.mkdir(parents=True)
        (folder / "constraints.txt").write_text("\n".join(constraints()))
        self.uv("venv", "--python", sys.executable, folder / "venv")
        self._install("veridical", "veridical-contract[testing]", *_TOOLS)

    @property
    def python(self) -> Path:
        """The interpreter."""
        return self.folder / "venv/bin/python"

    def uv(self, *words: str | Path, at: Path = ROOT) -> None:
        """Run uv, which has to succeed."""
        done = self.run("uv", self._uv, *words, at=at)
        assert done.right, red_ones([done])

    def build(self, project: Path) -> Path:
        """Build the project, install its wheel and return the folder of both archives."""
        self.uv("build", "--quiet", "--python", self.python, at=project)
        (wheel,) = (project / "dist").glob("*.whl")
        self._install(str(wheel))
        return project / "dist"

    def uninstall(self, distribution: str) -> None:
        """Remove a plugin, so that the next one is seen by itself."""
        self.uv("pip", "uninstall", "--quiet", "--python", self.python, distribution)

    def run(self, name: str, *command: str | Path, at: Path, expected: bool = True, words: str = "") -> Step:
        """Run a command in `at`, with the environment's programs first."""
        variables = _variables(self._cache) | {"PATH": f"{self.folder / 'venv/bin'}{os.pathsep}{os.environ['PATH']}"}
        ran = subprocess.run([*map(str, command)], cwd=at, env=variables, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        return Step(name, ran.returncode, (ran.stdout + ran.stderr).decode("utf-8", "replace"), expected, words)

    @contextmanager
    def broken(self, distribution: str, kind: str) -> Generator[str]:
        """Let the installed entry point of `kind` name a class that there is not, until the end of the block; yield the name."""
        name = re.sub(r"[-_.]+", "_", distribution).lower()
        (file,) = (self.folder / "venv").glob(f"lib/*/site-packages/{name}-*.dist-info/entry_points.txt")
        kept = file.read_text("utf-8")
        file.write_text(kept.replace(f":{kind.capitalize()}\n", ":Misspelled\n"), "utf-8")
        assert kept != file.read_text("utf-8")
        yield "Misspelled"
        file.write_text(kept, "utf-8")

    def _install(self, *what: str) -> None:
        options = ("--quiet", "--find-links", self._wheels, "--constraint", self.folder / "constraints.txt", "--python", self.python)
        self.uv("pip", "install", *options, *what)


def workspace_wheels(folder: Path, uv: tuple[str, str]) -> Path:
    """Build the wheels that a plugin is installed beside, and return their folder."""
    for package in _PACKAGES:
        command = [uv[0], "build", "--quiet", "--wheel", "--python", sys.executable, "--package", package, "--out-dir", str(folder)]
        subprocess.run(command, cwd=ROOT, env=_variables(uv[1]), check=True, capture_output=True)
    return folder


def walk(environment: Environment, baked: Baked) -> Iterator[Step]:
    """Yield what becomes of each step with a project, once its wheel is installed."""
    assert baked.project is not None, baked.said
    at, python = baked.project, environment.python
    declared = baked.pyproject()["project"]
    groups: Mapping[str, dict[str, str]] = declared["entry-points"]
    kinds = [group.rpartition(".")[2] for group in groups]
    (name,) = {name for group in groups.values() for name in group}
    dist = environment.build(at)
    archives = [*dist.glob("*.whl"), *dist.glob("*.tar.gz")]

    def run(step: str, *command: str | Path, expected: bool = True, words: str = "") -> Step:
        return environment.run(f"{declared['name']}: {step}", *command, at=at, expected=expected, words=words)

    yield run("twine", "twine", "check", "--strict", *archives)
    yield run("tests", python, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    yield run("pyright", "pyright", "--pythonpath", python)
    yield run("plugins list", "veridical", "plugins", "list", words=name)
    location = ("--location", "records") if "source" in kinds else ()
    yield run("plugins check", "veridical", "plugins", "check", name, *location)
    for kind in kinds:
        with environment.broken(declared["name"], kind) as word:
            broken = (python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", f"Test{kind.capitalize()}")
            yield run(f"tests, {kind} broken", *broken, expected=False, words=word)
            yield run(f"plugins check, {kind} broken", "veridical", "plugins", "check", name, expected=False, words=word)


def three_commands(baked: Baked, uv: tuple[str, str], wheels: Path) -> list[Step]:
    """Return what becomes of the second and the third of the README's commands; the first one baked the project."""
    assert baked.project is not None, baked.said
    lines = ",\n".join(f'    "{each}"' for each in constraints())
    (baked.project / "uv.toml").write_text(f'find-links = ["{wheels}"]\nconstraint-dependencies = [\n{lines},\n]\n', "utf-8")
    done: list[Step] = []
    for words in (["sync", "--python", sys.executable], ["run", "pytest", "-q"]):
        ran = subprocess.run(
            [uv[0], *words], cwd=baked.project, env=_variables(uv[1]), stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        done.append(Step(f"uv {words[0]}", ran.returncode, (ran.stdout + ran.stderr).decode("utf-8", "replace")))
    return done


def _variables(cache: str) -> dict[str, str]:
    """Return the environment without what says that this is a run of tests, in which environment, and with which Python."""
    left_out = ("PYTEST_", "COV_CORE_", "UV_PYTHON", "UV_PROJECT_ENVIRONMENT", "UV_RUN_", "VIRTUAL_ENV")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out) or name == "UV_PYTHON_DOWNLOADS"}
    return {**kept, "UV_CACHE_DIR": cache, "UV_NO_PROGRESS": "1", "NO_COLOR": "1"}
