"""What holds for every project that the template makes."""

from __future__ import annotations

import ast
import re
import subprocess
import sys

import yaml

from .baking import Baked

__all__ = ["linted", "sound"]


def sound(baked: Baked) -> Baked:
    """Return a project after a look at all of its files: they parse, and nothing was left for cookiecutter to fill in."""
    assert baked.project is not None, baked.said
    for name, path in baked.files().items():
        text = path.read_text("utf-8")
        assert not re.search(r"(?<!\$)\{\{|\{%|\{#|cookiecutter", text), name
        assert not text or (text.endswith("\n") and not text.endswith("\n\n")), name
        if name.endswith(".py"):
            ast.parse(text, name)
        if name.endswith(".yml"):
            assert isinstance(yaml.safe_load(text), dict), name
    assert isinstance(baked.pyproject(), dict)
    return baked


def linted(baked: Baked) -> None:
    """Fail unless the project passes the linter and the formatter with its own settings."""
    assert baked.project is not None
    for words in (["check", "--no-cache"], ["format", "--check", "--no-cache"]):
        command = [sys.executable, "-m", "ruff", *words, "."]
        ran = subprocess.run(command, cwd=baked.project, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr
