from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from hypothesis import settings

from tools.offline import sitecustomize
from tools.offline.sitecustomize import NetworkBlockedError

# TEST-NET-1 (RFC 5737): nobody answers there, so a guard that failed would hang or raise something else.
ELSEWHERE = ("192.0.2.1", 80)


@pytest.mark.parametrize("call", ["connect", "connect_ex"])
def test_a_socket_cannot_leave_the_machine(call: str) -> None:
    with socket.socket() as client, pytest.raises(NetworkBlockedError, match=r"192\.0\.2\.1"):
        getattr(client, call)(ELSEWHERE)


def test_a_datagram_cannot_leave_the_machine() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client, pytest.raises(NetworkBlockedError):
        client.sendto(b"x", ELSEWHERE)


@pytest.mark.parametrize("host", ["example.com", b"example.com", "192.0.2.1", "127.example.com", "localhost.example.com"])
def test_a_name_cannot_be_resolved(host: str | bytes) -> None:
    with pytest.raises(NetworkBlockedError):
        socket.getaddrinfo(host, 443)


def test_an_http_client_cannot_leave_the_machine() -> None:
    with httpx.Client() as client, pytest.raises(NetworkBlockedError):
        client.get("http://example.com/")


def test_an_event_loop_cannot_leave_the_machine() -> None:
    with pytest.raises(NetworkBlockedError):
        asyncio.run(asyncio.wait_for(asyncio.open_connection(*ELSEWHERE), timeout=30))


def test_a_child_process_cannot_leave_the_machine() -> None:
    code = f"import socket; socket.create_connection({ELSEWHERE!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (1, True) == (done.returncode, "NetworkBlockedError" in done.stderr)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_loopback_can_be_reached(host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection((host, server.getsockname()[1]), timeout=10) as client:
        assert "127.0.0.1" == client.getpeername()[0]


def test_a_unix_socket_can_be_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a Unix socket may have 104 bytes only
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind("s")
        server.listen()
        client.connect("s")
        assert "s" == client.getpeername()


def test_the_guard_of_child_processes_is_the_guard_of_this_one() -> None:
    assert str(Path(sitecustomize.__file__).parent) == os.environ["PYTHONPATH"].split(os.pathsep)[0]


def test_home_is_a_temporary_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    assert Path.home().is_relative_to(tmp_path_factory.getbasetemp())


def test_variables_that_configure_are_gone() -> None:
    assert [] == [name for name in os.environ if name.startswith("VERIDICAL_") or name.endswith("_API_KEY")]


def test_examples_are_the_same_every_time_unless_asked_otherwise() -> None:
    assert "HYPOTHESIS_PROFILE" in os.environ or settings().derandomize


def test_absent_data_is_skipped_with_its_name(shared_data: Callable[[str], Path]) -> None:
    with pytest.raises(pytest.skip.Exception, match=r"no-such-file\.jsonl"):
        shared_data("no-such-file.jsonl")
