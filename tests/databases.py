"""A real PostgreSQL for tests: a cluster of its own in a folder of its own, on loopback, gone afterwards.

Debian's package is enough (`apt-get install postgresql`); it need not run. As root it runs as another account: it refuses root.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Server", "binaries", "postgresql"]

OWNER, PASSWORD = "owner", "the owner's pass/word:@ %41"
_PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Server:
    """A running server.

    Attributes:
        port: on 127.0.0.1.
        owner: who may do anything.
        password: of the owner.
    """

    port: int
    owner: str = OWNER
    password: str = PASSWORD

    def url(self, database: str = "postgres", user: str = OWNER) -> str:
        """Return an address without a password, as it stands in settings."""
        return f"postgresql+psycopg://{user}@127.0.0.1:{self.port}/{database}"


def binaries() -> Path | None:
    """Return the folder of the newest server that is installed; None when there is none."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    if (initdb := shutil.which("initdb")) is not None:
        found.append(Path(initdb).resolve().parent)
    return max(found, key=lambda path: path.parent.name.isdigit() and int(path.parent.name), default=None)


@contextmanager
def postgresql(programs: Path) -> Generator[Server]:
    """Run a new cluster, whose only account is its owner."""
    account = _account()
    with tempfile.TemporaryDirectory(prefix="veridical-pg-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        (home / "password").write_text(PASSWORD)
        _give(home, account)
        initdb = [programs / "initdb", "-D", home / "data", "-U", OWNER, "-A", "scram-sha-256", f"--pwfile={home / 'password'}"]
        done = subprocess.run(
            [*initdb, "-E", "UTF8", "--locale=C", "--no-sync"], **_as(account), cwd=home, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        port = _free_port()
        options = {"listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": "", "fsync": "off", "max_connections": 20}
        settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        with (home / "log").open("wb") as log:
            process = subprocess.Popen(
                [programs / "postgres", "-D", home / "data", *settings], **_as(account), cwd=home, stdout=log, stderr=log
            )
        try:
            _wait(process, port, home / "log")
            yield Server(port)
        finally:
            process.send_signal(signal.SIGINT)  # "fast": SIGTERM would wait for clients
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _account() -> pwd.struct_passwd | None:
    """Return who the server runs as: None for whoever runs the tests."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    return names.get("postgres") or names["nobody"]


def _as(account: pwd.struct_passwd | None) -> dict[str, object]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    who = {} if account is None else {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    return {"env": environment, **who}


def _give(folder: Path, account: pwd.struct_passwd | None) -> None:
    if account is not None:
        for path in (folder, *folder.iterdir()):
            os.chown(path, account.pw_uid, account.pw_gid)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Wait until the server answers a client; it listens a little earlier than it lets anybody in."""
    import psycopg

    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            psycopg.connect(host="127.0.0.1", port=port, user=OWNER, password=PASSWORD, dbname="postgres", connect_timeout=5).close()
        except psycopg.OperationalError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"the server does not answer: {log.read_text('utf-8', 'replace')[-1000:]}")
