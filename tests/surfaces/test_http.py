"""HTTP as its users have it: the page docs/how-to/serve-over-http.md, and an assistant whose model makes things up, end to end."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.project.code_blocks import DOCS, Block, Runner
from tests.providers.several import several
from tests.surfaces.hallucinating import INVENTED, conversing, invent, research_first
from tests.surfaces.test_ground import CURIE

PAGE = DOCS / "how-to/serve-over-http.md"
SHOWN = "http://127.0.0.1:8080"


@contextmanager
def serving(environment: Mapping[str, str]) -> Generator[tuple[str, str]]:
    """Run `veridical serve` on a free port until the end of the block; give its address, and what it said until then."""
    typed = [sys.executable, "-m", "veridical.cli", "serve", "--port", "0"]
    with subprocess.Popen(typed, env={**os.environ, **environment}, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        said = ""
        try:
            while not (found := re.search(r"^Serving on (\S+) ", said, re.MULTILINE)):
                line = server.stderr.readline()
                assert line, said
                said += line
            yield found[1], said
        finally:
            server.send_signal(signal.SIGTERM)
            rest = server.stderr.read()
    assert server.returncode == 0, rest


@dataclass
class Serving(Runner):
    """Runs a page whose `veridical serve` goes on in the background, on another port than the one that is shown."""

    server: Any = None
    url: str = SHOWN

    def _execute(self, command: str) -> tuple[int, str]:
        if command != "veridical serve":
            return super()._execute(command.replace(SHOWN, self.url))
        self.server = serving({})
        self.url, said = self.server.__enter__()
        return 0, said.replace(self.url, SHOWN)

    def _python(self, block: Block) -> None:
        super()._python(replace(block, text=block.text.replace(SHOWN, self.url)))

    def stop(self) -> None:
        if self.server is not None:
            self.server.__exit__(None, None, None)


def test_a_client_that_is_written_from_the_page_works_the_first_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with several(tmp_path, {"brave": CURIE}) as home:
        for name, value in home.environment.items():
            monkeypatch.setenv(name, value)
        runner = Serving(tmp_path / "page", home.home, monkeypatch, lambda: "".join(capfd.readouterr()))
        try:
            assert 8 == runner.run_for(__file__, PAGE)
        finally:
            runner.stop()


@pytest.mark.parametrize("script", [invent, research_first(INVENTED)], ids=["without the tool", "with the tool"])
def test_nothing_that_a_model_makes_up_about_the_world_reaches_a_client(script: Any, tmp_path: Path) -> None:
    """The model says it in events of three characters each: no event of ours holds a piece of it either."""
    asked = {"turns": [{"role": "user", "text": "Who was Marie Curie?"}]}
    with conversing(tmp_path, script) as setup:
        environment = {**setup.several.environment, "VERIDICAL_HOME": str(setup.several.home)}
        with serving(environment) as (url, _), httpx.Client(base_url=url, timeout=60, trust_env=False) as client:
            streamed = client.post("/api/v1/agent/stream", json=asked)
            completed = client.post("/api/v1/complete", json=asked)
        assert setup.asked()
    chunks = [json.loads(line.removeprefix("data: ")) for line in streamed.text.splitlines() if line.startswith("data: ")]
    assert ("topic", "biographical") == (chunks[0]["type"], chunks[0]["topic"]["kind"])
    assert "done" == chunks[-1]["type"]
    (outcome,) = [chunk["outcome"] for chunk in chunks if chunk["type"] == "tool_result"]
    assert {hit.url for hit in CURIE} >= {row["url"] for row in outcome["citations"]}
    assert any(chunk["type"] == "withheld" for chunk in chunks)
    assert [] == [chunk for chunk in chunks if chunk["type"] == "text"]
    for text in (streamed.text, completed.text):
        assert not re.search(r"evil|4242|Zorblax|Krakow|1871|pounds|never slept|diary|embezzled|\[99\]", text)
    assert completed.json()["outcome"]["ok"]
    claims = [chunk for chunk in chunks if chunk["type"] == "claim"]
    assert claims
    assert all(index < len(outcome["citations"]) for claim in claims for index in claim["citation_indices"])
