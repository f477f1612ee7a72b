"""The blocks of how-to/use-over-mcp.md, from the first to the last: a search service on loopback stands in for the real one."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from veridical.homes import Home

from tests.project.code_blocks import DOCS, Block, Runner, blocks, differences
from tests.providers.several import several
from tests.providers.test_research import Hit

PAGE = DOCS / "how-to" / "use-over-mcp.md"
HITS = (Hit("https://shop.example/radium", "How it is made", "Radium is made by boiling tons of pitchblende in acid for months."),)


def ours() -> list[Block]:
    return [block for block in blocks(PAGE) if block.marks.get("run by", "").endswith(Path(__file__).name)]


@contextmanager
def served(block: Block) -> Generator[str]:
    """Run the last command of a block, which never ends, until the end of the `with`; yield the port that it has."""
    *before, (command, shown) = list(_commands(block))
    for one, _ in before:
        subprocess.run(["bash", "-c", one], check=True)
    with subprocess.Popen([*shlex.split(command), "--port", "0"], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        (port,) = re.findall(r":(\d+)/mcp", line)
        try:
            assert [] == differences(shown, line.replace(port, "8766"))
            yield port
        finally:
            process.terminate()
            assert 0 == process.wait(20)


def _commands(block: Block) -> list[tuple[str, str]]:
    parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in parts]


def test_the_page_does_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    runner = Runner(tmp_path / "page", tmp_path / "home", monkeypatch, lambda: "".join(capfd.readouterr()))
    for name in ("VERIDICAL_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)  # a client passes none of them on: the server's home is the usual one
    user = tmp_path / "user"
    monkeypatch.setenv("HOME", str(user))
    settings = Home.locate(home=None, environment={"HOME": str(user)}).settings
    settings.parent.mkdir(parents=True)
    with several(tmp_path, {"brave": HITS}) as made, ExitStack() as running:
        settings.write_text((made.home / "settings.toml").read_text("utf-8"), "utf-8")
        settings.chmod(0o600)
        port = "8766"
        for block in ours():
            if "--http" in block.text and block.language == "console":
                port = running.enter_context(served(block))
            else:
                runner._run(replace(block, text=block.text.replace("8766", port)))
    assert 7 == len(ours())
