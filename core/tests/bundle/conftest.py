"""Run the checker in this process, on bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from veridical.bundle import checker


@dataclass(frozen=True)
class Found:
    code: int
    where: str
    why: str


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Found]:
    """Return a function from the bytes of a bundle to the checker's verdict."""

    def run(data: bytes, *options: str) -> Found:
        path = tmp_path / "report.zip"
        path.write_bytes(data)
        code = checker.main([str(path), "--json", *options])
        said = json.loads(capsys.readouterr().out)
        assert said["ok"] is (code == 0)
        return Found(code, said.get("where", ""), said.get("why", ""))

    return run
