"""Places, queue and time: who works, who waits, who is told to come back; and nothing is lost when the service stops."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from veridical import Veridical
from veridical.cli import main
from veridical_contract import PluginError, ResearchOutcome, UsageError
from veridical_http import server
from veridical_http.command import _token

from plugins.http.tests.running import Running, problem, running

OUTCOME = ResearchOutcome(ok=False, query="x", refusal_reason="nothing was found")


class Gate:
    """Makes facades whose verb waits until it is let through, and counts."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.open = threading.Event()
        self.entered = threading.Semaphore(0)
        self.lock = threading.Lock()
        self.inside = self.most = self.done = 0
        self.made: list[Veridical] = []
        self.errors: list[BaseException] = []

    def make(self) -> Veridical:
        self.made.append(Gated(self))
        return self.made[-1]

    def wait_for(self, count: int) -> None:
        for _ in range(count):
            assert self.entered.acquire(timeout=20)


class Gated(Veridical):
    def __init__(self, gate: Gate) -> None:
        super().__init__(home=gate.home, environment={})
        self.gate = gate

    def ground(self, question: str, **_: Any) -> ResearchOutcome:
        with self.gate.lock:
            self.gate.inside += 1
            self.gate.most = max(self.gate.most, self.gate.inside)
        self.gate.entered.release()
        try:
            assert self.gate.open.wait(30)
            if self.gate.errors:
                raise self.gate.errors.pop()
        finally:
            with self.gate.lock:
                self.gate.inside -= 1
                self.gate.done += 1
        return OUTCOME


@contextmanager
def gated(home: Path, **options: Any) -> Generator[tuple[Running, Gate, ThreadPoolExecutor]]:
    gate = Gate(home)
    with ThreadPoolExecutor(60) as clients, running(gate.make, home, **options) as service:
        try:
            yield service, gate, clients
        finally:
            gate.open.set()


def ask(service: Running) -> httpx.Response:
    with httpx.Client(base_url=service.url, timeout=60, trust_env=False) as client:
        return client.post("/api/v1/autonomy/research/complete", json={"query": "x"})


def until(true: Any) -> None:
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end
        threading.Event().wait(0.01)


def test_no_more_work_at_a_time_than_there_are_places_and_the_others_wait(prepared: Path) -> None:
    with gated(prepared, threads=3, queue=50) as (service, gate, clients):
        asked = [clients.submit(ask, service) for _ in range(30)]
        gate.wait_for(3)
        assert 200 == service.client.get("/healthz").status_code
        assert 200 == service.client.get("/readyz").status_code
        gate.open.set()
        assert [200] * 30 == [one.result().status_code for one in asked]
        assert (3, 30) == (gate.most, gate.done)
        assert len(gate.made) <= 4


def test_when_the_queue_is_full_one_is_told_when_to_come_back(prepared: Path) -> None:
    with gated(prepared, threads=1, queue=2) as (service, gate, clients):
        first = clients.submit(ask, service)
        gate.wait_for(1)
        waiting = [clients.submit(ask, service) for _ in range(10)]
        until(lambda: sum(one.done() for one in waiting) == 8)
        for one in waiting:
            if one.done():
                reply = one.result()
                problem(reply, 503, "busy")
                assert reply.headers["retry-after"].isdecimal()
        gate.open.set()
        assert [200] * 3 == [one.result().status_code for one in (first, *waiting) if one.result().status_code != 503]
        assert 3 == gate.done
        assert 200 == ask(service).status_code


def test_who_waits_too_long_for_a_place_is_told_that_it_is_busy_and_never_worked_for(prepared: Path) -> None:
    with gated(prepared, threads=1, seconds=0.5) as (service, gate, clients):
        first = clients.submit(ask, service)
        gate.wait_for(1)
        threading.Event().wait(0.3)
        second = clients.submit(ask, service)
        problem(first.result(), 504, "timeout")
        problem(second.result(), 503, "busy")
        gate.open.set()
        until(lambda: gate.inside == 0)
        assert 1 == gate.done


def test_work_that_takes_too_long_goes_on_and_its_place_is_taken_until_it_ends(prepared: Path) -> None:
    with gated(prepared, threads=1, queue=0, seconds=0.3) as (service, gate, _):
        problem(ask(service), 504, "timeout")
        problem(ask(service), 503, "busy")
        assert (1, 0) == (gate.inside, gate.done)
        gate.open.set()
        until(lambda: gate.done == 1)
        until(lambda: ask(service).status_code == 200)


def test_what_took_too_long_is_kept_by_the_store(prepared: Path) -> None:
    class Slow(Veridical):
        def research(self, question: str, **options: Any) -> Any:
            published = super().research(question, **options)
            threading.Event().wait(0.6)
            return published

    with Veridical(home=prepared, environment={}) as veridical:
        before = len(veridical.store.runs(1_000))
        with running(lambda: Slow(home=prepared, environment={}), prepared, seconds=0.5) as service:
            problem(service.post("research", {"query": "battery", "sources": ["notes"]}), 504, "timeout")
        assert before + 1 == len(veridical.store.runs(1_000))
        assert "reported" == veridical.store.runs(1)[0].state


def test_a_client_that_left_the_queue_is_not_worked_for(prepared: Path) -> None:
    with gated(prepared, threads=1) as (service, gate, clients):
        first = clients.submit(ask, service)
        gate.wait_for(1)
        with pytest.raises(httpx.ReadTimeout), httpx.Client(base_url=service.url, timeout=0.3, trust_env=False) as client:
            client.post("/api/v1/autonomy/research/complete", json={"query": "x"})
        gate.open.set()
        assert (200, 200) == (first.result().status_code, ask(service).status_code)
        assert 2 == gate.done


@pytest.mark.parametrize(
    ("error", "made"), [(PluginError("x"), 2), (RuntimeError("x"), 2), (UsageError("x"), 1)], ids=["plugin", "bug", "usage"]
)
def test_a_facade_that_failed_is_made_anew_and_one_that_was_asked_wrongly_is_not(error: Exception, made: int, prepared: Path) -> None:
    with gated(prepared, threads=1) as (service, gate, _):
        gate.open.set()
        gate.errors.append(error)
        assert 200 != ask(service).status_code
        assert 200 == ask(service).status_code
        assert made == len(gate.made)


def test_a_service_that_stops_finishes_what_runs_and_what_waits(prepared: Path) -> None:
    with gated(prepared, threads=1) as (service, gate, clients):
        asked = [clients.submit(ask, service) for _ in range(5)]
        gate.wait_for(1)
        until(lambda: len(service.server.server_state.tasks) == 5)
        service.server.should_exit = True
        until(lambda: not service.server.servers[0].is_serving())
        with pytest.raises(httpx.ConnectError):
            ask(service)
        assert not any(one.done() for one in asked)
        gate.open.set()
        assert [200] * 5 == [one.result().status_code for one in asked]
    assert 5 == gate.done


# The command


@contextmanager
def command(home: Path, *arguments: str, **environment: str) -> Generator[tuple[subprocess.Popen[str], str]]:
    """Run `veridical serve` as a process of its own; give it and its address."""
    words = [sys.executable, "-m", "veridical.cli", "--home", str(home), "serve", "--port", "0", *arguments]
    variables = {**os.environ, "PYTHONWARNINGS": "error", **environment}
    with subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=variables) as process:
        try:
            said = ""
            assert process.stderr is not None
            while not (found := re.search(r"^Serving on (\S+) ", said, re.MULTILINE)):
                line = process.stderr.readline()
                assert line, said
                said += line
            yield process, found[1]
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_lets_the_running_request_finish_and_the_exit_code_is_0(number: signal.Signals, prepared: Path, tmp_path: Path) -> None:
    """The request runs while the signal comes: it waits for a search service that answers only then."""
    from tests.providers.service import as_json, service

    told = threading.Event()
    asked = threading.Event()

    def answer(_: Any) -> Any:
        asked.set()
        assert told.wait(20)
        return as_json({"web": {"results": []}})

    with service(answer) as brave:
        (tmp_path / "settings.toml").write_text(
            f'[plugins]\nenabled = ["brave"]\n[plugins.hosts]\nbrave = ["127.0.0.1"]\n[plugin.brave]\nbase_url = "{brave.url}"\n'
        )
        with command(tmp_path, BRAVE_SEARCH_API_KEY="key-of-this-test") as (process, url), ThreadPoolExecutor(1) as clients:
            reply = clients.submit(
                httpx.post, f"{url}/api/v1/autonomy/research/complete", json={"query": "radium"}, timeout=30, trust_env=False
            )
            assert asked.wait(20)
            process.send_signal(number)
            threading.Event().wait(0.3)
            assert process.poll() is None
            told.set()
            assert 200 == reply.result().status_code
            assert 0 == process.wait(20)
            assert process.stderr is not None
            rest = process.stderr.read()
    assert "status=200" in rest
    assert "Stopped; everything that was asked before is answered." in rest
    assert "Traceback" not in rest


def test_the_token_of_a_file_goes_before_that_of_the_environment_and_is_not_said(prepared: Path, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("token-of-a-file-0123456789\n")
    with (
        command(prepared, "--token-file", str(tmp_path / "token"), VERIDICAL_HTTP_TOKEN="token-of-the-environment") as (process, url),
        httpx.Client(base_url=url, trust_env=False) as client,
    ):
        said = {
            token: client.get("/api/v1/evidence/" + "0" * 64, headers={"Authorization": f"Bearer {token}"}).status_code
            for token in ("token-of-a-file-0123456789", "token-of-the-environment")
        }
        process.terminate()
        assert 0 == process.wait(20)
        assert process.stderr is not None
        assert "token-of" not in process.stderr.read()
    assert {"token-of-a-file-0123456789": 404, "token-of-the-environment": 401} == said


def test_a_token_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIDICAL_HTTP_TOKEN", " token-of-the-environment\n")
    assert "token-of-the-environment" == _token(None)


@pytest.mark.parametrize(
    ("arguments", "token", "said"),
    [
        (["--host", "0.0.0.0"], "", "there is no token"),
        (["--host", "::"], "", "there is no token"),
        (["--token-file", "missing"], "", "cannot be read"),
        ([], "short", "holds no token"),
        ([], "a token with spaces in it", "holds no token"),
        (["--host", "127.0.0.999"], "", "cannot be listened on"),
    ],
    ids=["everywhere", "everywhere-6", "no-file", "short", "spaces", "no-host"],
)
def test_a_service_that_could_be_misused_does_not_start(
    arguments: list[str], token: str, said: str, prepared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VERIDICAL_HTTP_TOKEN", token)
    assert 6 == main(["--home", str(prepared), "serve", "--port", "0", *arguments])
    printed = capsys.readouterr()
    assert ("", 1) == (printed.out, len(printed.err.splitlines()))
    assert said in printed.err
    assert not token or token not in printed.err


def test_a_free_port_is_the_same_for_each_address_of_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6 loopback address")
    monkeypatch.setattr(server, "_addresses", lambda host: [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")])
    with server.bind("a-name", 0) as bound:
        assert 1 == len({one.getsockname()[1] for one in bound})
        assert server.is_loopback(bound)
        assert [f"http://127.0.0.1:{bound[0].getsockname()[1]}", f"http://[::1]:{bound[0].getsockname()[1]}"] == [*map(server.url, bound)]


def test_a_port_that_is_taken_is_named(prepared: Path, served: Running, capsys: pytest.CaptureFixture[str]) -> None:
    port = served.url.rpartition(":")[2]
    assert 6 == main(["--home", str(prepared), "serve", "--port", port])
    assert f"127.0.0.1 port {port} cannot be listened on" in capsys.readouterr().err


def test_help_needs_nothing_that_serves() -> None:
    code = (
        "import json, sys; from veridical.cli import main; code = main(['serve', '--help']);"
        "print(json.dumps([code, sorted({'fastapi', 'starlette', 'uvicorn', 'httpx'} & sys.modules.keys())]), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert [0, []] == json.loads(done.stderr)
    assert "--token-file" in done.stdout
