"""Commands that other distributions bring: seen in help without being imported, loaded when typed, refused when nobody trusts them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.distributions import Distribution

Run = Callable[..., Any]
SOURCE = """
import click, pathlib
pathlib.Path(__file__).with_name("imported").write_text("yes")

@click.command()
@click.argument("name")
def greet(name):
    click.echo(f"hello {name}")

broken = 7
"""


def greeting(site: Path, value: str = "acme_command:greet", name: str = "greet", source: str = SOURCE) -> Distribution:
    made = Distribution("veridical-acme", "1.0", {"acme_command.py": source}, {"veridical.v1.command": {name: value}})
    made.install(site)
    return made


@pytest.fixture
def typed(veridical: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line with a folder of distributions on its path, outside of the working directory."""
    site, work = tmp_path / "site", tmp_path / "work"
    work.mkdir()
    site.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(site), prepend=":")
    return lambda *arguments: veridical(*arguments, cwd=work)


def test_a_command_is_run_once_it_was_enabled(typed: Run, tmp_path: Path) -> None:
    greeting(tmp_path / "site")
    refused = typed("greet", "you")
    assert (refused.code, "It is not enabled: veridical plugins enable greet" in refused.err) == (6, True)
    assert typed("plugins", "enable", "greet").code == 0
    assert typed("greet", "you").out == "hello you\n"


def test_help_shows_it_without_importing_it_and_only_when_it_may_run(typed: Run, tmp_path: Path) -> None:
    greeting(tmp_path / "site")
    assert "greet" not in typed("--help").out
    typed("plugins", "enable", "greet")
    assert not (tmp_path / "site/imported").exists()
    shown = typed("--help")
    assert "Of veridical-acme; see: veridical greet --help" in " ".join(shown.out.split())
    assert not (tmp_path / "site/imported").exists()


def test_our_own_commands_keep_their_names(typed: Run, tmp_path: Path) -> None:
    greeting(tmp_path / "site", name="verify")
    typed("plugins", "enable", "verify")
    assert "hello" not in typed("verify", "you").out


@pytest.mark.parametrize(
    ("value", "source", "said"),
    [
        ("acme_command:broken", SOURCE, "is no click command"),
        ("acme_command:missing", SOURCE, "cannot be loaded"),
        ("acme_command:greet", "raise SystemError('no')", "cannot be loaded"),
    ],
    ids=["no command", "not there", "raises"],
)
def test_a_command_that_cannot_be_loaded_says_so_in_one_line(value: str, source: str, said: str, typed: Run, tmp_path: Path) -> None:
    greeting(tmp_path / "site", value, source=source)
    typed("plugins", "enable", "greet")
    failed = typed("greet", "you")
    assert failed.code == 6
    assert said in failed.line()


def test_what_lies_in_the_working_directory_is_no_command(veridical: Run, tmp_path: Path) -> None:
    greeting(tmp_path)
    veridical("plugins", "enable", "greet")
    assert veridical("greet", "you").code != 0


def test_a_command_that_nobody_has_is_an_unknown_one(veridical: Run) -> None:
    unknown = veridical("nothing-of-that-name")
    assert (unknown.code, "No such command 'nothing-of-that-name'" in unknown.err) == (2, True)
