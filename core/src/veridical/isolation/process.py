"""The process of one isolated plugin, as the host has it: started, written to, read from line by line, and killed.

It starts in a session of its own, so that it is killed together with whatever it started; with an environment that says nothing but
how Python is to behave; and with three pipes. It ends when the first of them does, so that no host leaves one behind.
"""

from __future__ import annotations

import json
import logging
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from veridical_contract import Model

from .messages import LONGEST_LINE, Told, WrongLineError, line, told

__all__ = ["EndedError", "Process"]

_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from veridical.isolation.child import main; main(int(sys.argv[2]))"
_KEPT = ("LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH")
_PIECE = 1 << 16
_LONGEST_SAID = 2_000
_MOST_SAID = 256 << 10
_PATIENCE = 5.0
_LOOK = 200
"""Milliseconds after which somebody who reads looks whether the process is still there."""


class EndedError(Exception):
    """The process has ended; the message says how."""


class Process:
    """See the module. One thread reads; any may write or kill.

    Args:
        path: `sys.path` of the process.
        folder: where it stands, and keeps temporary files; there already.
        logger: gets what it writes to its standard error.
    """

    def __init__(self, *, path: Sequence[str], folder: Path, logger: logging.Logger) -> None:
        # No preexec_fn: this process has threads. What has to happen before the plugin, the child does itself.
        self._process = subprocess.Popen(  # noqa: S603 - this Python, and a program of ours
            [sys.executable, "-I", "-X", "utf8", "-c", _START, json.dumps(list(path)), str(os.getpid())],
            cwd=folder,
            env=_environment(folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._came = bytearray()
        self._looked = 0
        self._reading, self._writing = threading.Lock(), threading.Lock()
        self._killing = threading.Lock()
        self._killed, self._gone = "", False
        self._saying = threading.Thread(target=_log, args=(_stream(self._process.stderr), logger), daemon=True)
        self._saying.start()

    @property
    def is_over(self) -> bool:
        """Whether it was killed, or has ended."""
        return self._gone or self._process.poll() is not None

    @property
    def number(self) -> int:
        """Its number in the system."""
        return self._process.pid

    def send(self, message: Model) -> None:
        """Write a line.

        Raises:
            EndedError: nobody reads it any more.
        """
        try:
            with self._writing:
                stream = _stream(self._process.stdin)
                stream.write(line(message))
                stream.flush()
        except (OSError, ValueError):
            raise EndedError(self.ended()) from None

    def receive(self) -> Told:
        """Wait for a line and return what it says.

        Raises:
            EndedError: there is none, and none will come.
            WrongLineError: it is too long, or none of the protocol.
        """
        while (end := self._came.find(b"\n", self._looked)) < 0:
            self._looked = len(self._came)
            if self._looked > LONGEST_LINE:
                raise WrongLineError(f"a line of more than {LONGEST_LINE >> 20} MiB")
            if not (piece := self._piece()):
                raise EndedError(self.ended())
            self._came += piece
        found = bytes(self._came[:end])
        del self._came[: end + 1]
        self._looked = 0
        return told(found)

    def _piece(self) -> bytes:
        """Return the next bytes; none at the end. Whoever the process started may hold the pipe open when it is gone itself."""
        with self._reading:
            stream = _stream(self._process.stdout)
            if stream.closed:
                return b""
            waiting = select.poll()
            waiting.register(stream, select.POLLIN)
            while not waiting.poll(_LOOK):
                if self.is_over:
                    return b""
            return os.read(stream.fileno(), _PIECE)

    def kill(self, why: str = "") -> None:
        """End it and all that it started, now, and wait until it is gone; `why` is what `ended` says then. May be called twice."""
        self._killed = self._killed or why
        with self._killing:
            if not self._gone:  # later the number may be somebody else's
                self._gone = True
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)
        for lock, stream in ((self._writing, self._process.stdin), (self._reading, self._process.stdout)):
            with lock, suppress(OSError):  # what was not written yet is not missed
                _stream(stream).close()
        self._saying.join(_PATIENCE)  # what it said last is in the log when it is gone

    def ended(self) -> str:
        """Say how it ended; it is killed when it only closed its pipes."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE / 10)
        code = self._process.poll()
        if code is None:
            self.kill("it closed its pipes")
        if self._killed:
            return self._killed
        return (
            f"its process ended by signal {_signal(-code)}" if code is not None and code < 0 else f"its process ended with exit code {code}"
        )


def _environment(folder: Path) -> dict[str, str]:
    """Return what the process may know of the host's environment: how to speak and where to put files."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    # Each arena of the C library takes 64 MiB of addresses, which count as memory.
    return {**kept, "HOME": str(folder), "TMPDIR": str(folder), "PATH": os.defpath, "MALLOC_ARENA_MAX": "2"}


def _stream(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise ValueError("the process was started without this pipe")
    return stream


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _log(stream: IO[bytes], logger: logging.Logger) -> None:
    """Write what comes over `stream` to the log, and go on reading when there is too much of it: who writes must not wait."""
    said = 0
    with stream:
        while words := stream.readline(_LONGEST_SAID):
            said += len(words)
            if said <= _MOST_SAID:
                logger.info("%s", words.decode("utf-8", "replace").rstrip())
            elif said - len(words) <= _MOST_SAID:
                logger.warning("it writes more than %s KiB to its standard error; the rest is left out", _MOST_SAID >> 10)
