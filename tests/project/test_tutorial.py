"""The tutorial, typed from its first line to its last by somebody who has an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TUTORIAL = Path(__file__).resolve().parents[2] / "docs/tutorial.md"
REFUSED = {"How much does the grinder cost?": 3}


def blocks() -> list[tuple[str, str]]:
    """Return the console blocks and text blocks in their order."""
    return re.findall(r"^```(console|text)\n(.*?)^```$", TUTORIAL.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def typed(command: str, output: str) -> str:
    """Return what a reader types; a word in capitals stands for what an earlier command printed."""
    for word, pattern in (("IDENTIFIER", r"^([0-9a-f]{12})  "), ("DIGEST", r"Root digest ([0-9a-f]{64})")):
        if re.search(rf"\b{word}\b", command):
            found = re.findall(pattern, output, re.MULTILINE)
            assert found, f"no command before printed {word}"
            command = command.replace(word, found[-1])
    return command


@pytest.mark.slow
def test_the_tutorial_works_as_it_is_written(tmp_path: Path) -> None:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100"}
    output = ""
    for language, block in blocks():
        if language == "text":
            shown = {line.strip() for line in output.splitlines()}
            assert [] == [line for line in block.splitlines() if line.strip() and line.strip() not in shown]
            continue
        for command in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            script = ["bash", "-c", typed(command, output)]
            done = subprocess.run(script, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
            output += done.stdout + done.stderr
            expected = next((code for question, code in REFUSED.items() if question in command), 0)
            assert expected == done.returncode, f"{command}\n{done.stderr}"
