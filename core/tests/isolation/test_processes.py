"""The process ends: at the deadline, at the close, with the host, and with everything that it started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from veridical.gateway.workers import left_behind
from veridical_contract import CancelledError, PluginError, PluginTimeoutError

from tests.distributions import plugin

from .conftest import Making, is_running, row

HANGS = """
import signal
if query.text == "quick":
    return texts("here")
signal.signal(signal.SIGTERM, signal.SIG_IGN)
while True:
    attempt(lambda: time.sleep(60))
"""


def gone(number: int) -> bool:
    """Whether the process goes within ten seconds."""
    return any(not is_running(number) or time.sleep(0.05) for _ in range(200))


def test_at_its_deadline_it_is_killed_and_started_again_in_the_next_run(isolate: Making) -> None:
    one = isolate(HANGS, limits={"search": 2.0})
    assert ["here"] == one.search("quick")
    number = one.number
    with pytest.raises(PluginTimeoutError, match="longer than 2 s"):
        one.search()
    assert not is_running(number)
    with pytest.raises(PluginError, match="not called again in this run"):
        one.search("quick")
    assert "quarantined" == row(one.calls)[0]
    one.calls.begin_run()
    assert ["here"] == one.search("quick")
    assert number != one.number


def test_one_that_does_not_load_in_time_is_killed(isolate: Making) -> None:
    one = isolate(start="time.sleep(60)", limits={"load": 3.0})
    one.calls.check()
    assert "quarantined" == row(one.calls)[0]
    assert not is_running(one.number)


def test_one_that_is_started_after_it_was_given_up_is_ended_at_once(isolate: Making, monkeypatch: pytest.MonkeyPatch) -> None:
    import veridical.isolation.plugin as module

    slow, made = threading.Event(), list[int]()

    class Slow(module.Process):
        def __init__(self, **options: Any) -> None:
            slow.wait(20)
            super().__init__(**options)
            made.append(self.number)

    monkeypatch.setattr(module, "Process", Slow)
    one = isolate(limits={"load": 0.5})
    one.calls.check()
    assert "quarantined" == row(one.calls)[0]
    slow.set()
    assert any(made or time.sleep(0.05) for _ in range(200))
    assert gone(made[0])


def test_no_thread_of_the_host_is_left_behind_by_one_that_hung(isolate: Making) -> None:
    one = isolate("time.sleep(60)", limits={"search": 0.5})
    with pytest.raises(PluginTimeoutError):
        one.search()
    assert any(left_behind() == 0 or time.sleep(0.05) for _ in range(200))


def test_what_it_started_ends_with_it_without_a_sandbox_too(isolate: Making) -> None:
    one = isolate(
        "import subprocess\nreturn texts(subprocess.Popen(['sleep', '60']).pid, subprocess.Popen(['sh', '-c', 'sleep 60 & wait']).pid)",
        without_sandbox=True,
    )
    started = [int(number or 0) for number in one.search()]
    assert [True, True] == [is_running(number) for number in started]
    one.calls.close()
    assert all(gone(number) for number in [one.number, *started])


def test_a_pipe_that_somebody_else_holds_open_keeps_no_thread(isolate: Making) -> None:
    """Without a sandbox it may leave a process behind that has its pipes; the host does not wait for that one."""
    code = """
    import subprocess
    held = os.dup(self.context._pipe._outgoing)
    child = subprocess.Popen(["sleep", "60"], pass_fds=[held], start_new_session=True)
    (self.context.cache_dir / "child").write_text(str(child.pid))
    os._exit(3)
    """
    one = isolate(code, without_sandbox=True)
    with pytest.raises(PluginError, match="exit code 3"):
        one.search()
    child = int((one.home.cache / "plugins/acme/child").read_text())
    one.calls.close()
    assert is_running(child)
    os.kill(child, signal.SIGKILL)


def test_one_that_dies_says_how(isolate: Making) -> None:
    one = isolate("os.kill(os.getpid(), 11)")
    with pytest.raises(PluginError, match="Its process ended by signal SIGSEGV"):
        one.search()
    exits = isolate("os._exit(5)")
    with pytest.raises(PluginError, match="Its process ended with exit code 5"):
        exits.search()


def test_whoever_waits_is_let_go_and_the_process_ends_at_the_close(isolate: Making) -> None:
    one = isolate("(self.context.cache_dir / 'here').touch()\ntime.sleep(60)")
    marker = one.home.cache / "plugins/acme/here"
    caller = threading.Thread(target=lambda: pytest.raises(CancelledError, one.search))  # noqa: RUF061
    caller.start()
    assert any(marker.exists() or time.sleep(0.05) for _ in range(400))
    one.calls.cancel()
    caller.join(10)
    assert not caller.is_alive()
    one.calls.close()
    assert not is_running(one.number)


def test_cancelled_is_what_the_host_says(isolate: Making) -> None:
    code = """
    (self.context.cache_dir / "here").touch()
    while not self.context.cancelled():
        time.sleep(0.01)
    (self.context.cache_dir / "told").touch()
    return []
    """
    one = isolate(code)
    folder = one.home.cache / "plugins/acme"
    caller = threading.Thread(target=lambda: pytest.raises(CancelledError, one.search))  # noqa: RUF061
    caller.start()
    assert any((folder / "here").exists() or time.sleep(0.05) for _ in range(400))
    one.calls.cancel()
    assert any((folder / "told").exists() or time.sleep(0.05) for _ in range(400))
    caller.join(10)


HOST = """
import os, sys, threading, time
from datetime import UTC, datetime
from pathlib import Path
from veridical.context import Host
from veridical.discovery import Allow, catalogue
from veridical.gateway import Calls
from veridical.homes import Home
from veridical.settings import Isolation
from veridical_contract import SearchQuery

host = Host(home=Home.below(Path(sys.argv[1])), files=None, environment={}, clock=lambda: datetime.now(UTC))
rule = Isolation(isolate=True, without_sandbox=sys.argv[2] == "without")
calls = Calls(catalogue(Allow(frozenset(["acme"]))), host, isolation={"acme": rule})
threading.Thread(target=lambda: calls.call("search", "acme", "search", query=SearchQuery(text="x")), daemon=True).start()
time.sleep(60)
"""


@pytest.mark.parametrize("sandbox", ["with", "without"])
def test_a_host_that_is_killed_leaves_no_process(sandbox: str, tmp_path: Path) -> None:
    plugin("acme", CALLED, before="import os, signal, threading").install(tmp_path / "site")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")])}
    host = subprocess.Popen([sys.executable, "-c", HOST, str(tmp_path / "home"), sandbox], env=environment, cwd=tmp_path)
    marker = tmp_path / "home/cache/plugins/acme/number"
    assert any((marker.exists() and marker.read_text()) or time.sleep(0.05) for _ in range(400))
    number = int(marker.read_text())
    assert is_running(number)
    host.send_signal(signal.SIGKILL)
    host.wait(10)
    assert gone(number)


CALLED = """
def __init__(self, context):
    self.context = context

@hookimpl
def search(self, query):
    (self.context.cache_dir / "number").write_text(str(os.getpid()))
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Event().wait(60)
    return []
"""
