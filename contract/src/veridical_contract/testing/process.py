"""The process that a plugin is tried out in: as it was after each check, and still there when the plugin ends it.

`Process.now()` --changed()--> what is another one than before --restore()--> as it was
`kept()`        `os._exit` is the end of a call, not of the process: nobody would see which check it was, or that any failed
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

__all__ = ["Process", "kept"]


@dataclass(frozen=True, slots=True)
class Process:
    """What belongs to the whole process.

    Attributes:
        parts: name in words to its value.
    """

    parts: dict[str, Any]

    @classmethod
    def now(cls) -> Process:
        """Return what is there now."""
        return cls(
            {
                "the environment": dict(os.environ),
                "the working folder": os.getcwd(),  # noqa: PTH109 - text, as it is set again
                "sys.path": list(sys.path),
                "the handlers of signals": {each: signal.getsignal(each) for each in signal.valid_signals()},
                "the time limit of sockets": socket.getdefaulttimeout(),
                "the hooks for errors": (sys.excepthook, threading.excepthook, sys.unraisablehook),
                "standard output": (sys.stdout, sys.stderr),
                "the root logger": (logging.root.level, list(logging.root.handlers), logging.root.manager.disable),
            }
        )

    def changed(self) -> list[str]:
        """Return the names of what is different now."""
        now = Process.now().parts
        return [name for name, value in self.parts.items() if now[name] != value]

    def restore(self) -> None:
        """Make it what it was."""
        changed = self.changed()
        if "the environment" in changed:
            os.environ.clear()
            os.environ.update(self.parts["the environment"])
        if "the working folder" in changed:
            os.chdir(self.parts["the working folder"])
        sys.path[:] = self.parts["sys.path"]
        if "the handlers of signals" in changed and threading.current_thread() is threading.main_thread():
            for each, handler in self.parts["the handlers of signals"].items():
                if signal.getsignal(each) is not handler and handler is not None:
                    signal.signal(each, handler)
        socket.setdefaulttimeout(self.parts["the time limit of sockets"])
        sys.excepthook, threading.excepthook, sys.unraisablehook = self.parts["the hooks for errors"]
        sys.stdout, sys.stderr = self.parts["standard output"]
        level, logging.root.handlers[:], disabled = self.parts["the root logger"]
        logging.root.setLevel(level)
        logging.disable(disabled)


@contextmanager
def kept() -> Generator[None]:
    """Until the end of the block `os._exit` raises SystemExit in this process; in a child of it, it is what it was."""
    ends, process = os._exit, os.getpid()

    def raises(status: int) -> NoReturn:
        if os.getpid() != process:
            ends(status)
        raise SystemExit(f"os._exit({status})")

    os._exit = raises
    try:
        yield
    finally:
        os._exit = ends
