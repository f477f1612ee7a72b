"""The command itself: what is on stdout, how it ends, what its help costs."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from veridical.cli import main

from .house import House, house

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
CALL: dict[str, Any] = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "doctor", "arguments": {}}}
NOISY = """
import sys
print("on import")
class Noisy:
    def __init__(self, context):
        print("when made"); sys.__stdout__.write("again\\n"); sys.stdout.flush()
"""


def test_nothing_but_the_protocol_is_on_stdout(tmp_path: Path) -> None:
    """Every byte of it, from the start to the end of the program, also when a plugin prints; what is no message is answered as such."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "noisy.py").write_text(NOISY)
    metadata = tmp_path / "site" / "veridical_noisy-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: veridical-noisy\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[veridical.v1.search]\nnoisy = noisy:Noisy\n")
    with house(tmp_path) as home:
        settings = home.several.home / "settings.toml"
        settings.write_text(settings.read_text().replace('enabled = ["brave"]', 'enabled = ["brave", "noisy"]'))
        environment = {**home.environment, "PYTHONPATH": f"{tmp_path / 'site'}:{home.environment['PYTHONPATH']}"}
        lines = [
            json.dumps(INITIALIZE),
            "this is no message",
            '{"jsonrpc": "2.0", "method": "notifications/initialized"}',
            json.dumps(CALL),
        ]
        command = [str(Path(sys.executable).with_name("veridical")), "mcp"]
        with subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-1, text=True, env=environment, cwd=tmp_path) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("".join(f"{line}\n" for line in lines))
            process.stdin.flush()
            answers = {(answer := json.loads(process.stdout.readline()))["id"]: answer for _ in range(3)}
            rest, errors = process.communicate(timeout=30)
    assert ({1, 2, None}, "") == (answers.keys(), rest)
    assert -32700 == answers[None]["error"]["code"]
    rows = {row["name"]: row["status"] for row in answers[2]["result"]["structuredContent"]["plugins"]}
    assert "noisy" in rows
    assert "on import" in errors
    assert "Traceback" not in errors
    assert 0 == process.returncode


def test_a_client_that_hangs_up_at_once_ends_it(tmp_path: Path) -> None:
    with house(tmp_path) as home:
        command = [str(Path(sys.executable).with_name("veridical")), "mcp"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=home.environment, timeout=30)
    assert ("", "", 0) == (done.stdout, done.stderr, done.returncode)


@contextmanager
def talking(home: House) -> Generator[subprocess.Popen[str]]:
    """`veridical mcp` after it was told who speaks."""
    command = [str(Path(sys.executable).with_name("veridical")), "mcp"]
    with subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-1, text=True, env=home.environment) as process:
        assert 1 == asked(process, json.dumps(INITIALIZE))["id"]
        yield process


def asked(process: subprocess.Popen[str], line: str) -> dict[str, Any]:
    """Its answer to a line."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_a_signal_ends_it_while_the_client_is_there(number: signal.Signals, tmp_path: Path) -> None:
    with house(tmp_path) as home, talking(home) as process:
        process.send_signal(number)
        assert 0 == process.wait(timeout=20)
        assert ("", "") == process.communicate()


def test_a_client_that_died_is_no_fault_of_veridical(tmp_path: Path) -> None:
    with house(tmp_path) as home, talking(home) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(json.dumps(CALL) + "\n")
        process.stdin.close()
        assert (0, "") == (process.wait(timeout=20), process.stderr.read())


def test_a_line_that_is_no_message_is_answered_with_its_id(tmp_path: Path) -> None:
    lines: dict[str, object] = {
        '{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"x": "\\ud83d"}}': 7,
        '{"jsonrpc": "2.0", "id": "a"}': "a",
        '\n[{"jsonrpc": "2.0", "id": 7, "method": "ping"}]': None,
        "[" * 100_000: None,
    }
    with house(tmp_path) as home, talking(home) as process:
        answers = [asked(process, line) for line in lines]
    assert [(name, -32700) for name in lines.values()] == [(answer["id"], answer["error"]["code"]) for answer in answers]


@pytest.mark.parametrize("option", [["--host", "127.0.0.1"], ["--port", "1"], ["--allow-host", "x"], ["--token-file", "x"]])
def test_options_of_http_go_with_http(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["mcp", *option])
    assert "go with --http" in capsys.readouterr().err


def test_help_imports_neither_the_sdk_nor_the_facade() -> None:
    script = (
        "import sys, json\nfrom veridical.cli import main\ncode = main(['mcp', '--help'])\n"
        "print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    code, modules = json.loads(done.stderr.strip().splitlines()[-1])
    assert 0 == code
    assert [] == [name for name in ("mcp", "uvicorn", "starlette", "anyio", "veridical.client") if name in modules]
    assert "--http" in done.stdout
