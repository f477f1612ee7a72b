"""What a plugin does behind the host's back: files, sockets, programs, threads and variables that it takes without its context.

Python tells an audit hook (PEP 578) of every one of them but variables of the environment, for which the class of `os.environ` is
exchanged while somebody watches. What a library does is the library's; what the plugin's own code does is told.
"""

from __future__ import annotations

import importlib
import os
import sys
import sysconfig
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

__all__ = ["Watch", "stop", "unwatched", "watching"]


@dataclass(slots=True)
class Watch:
    """What was seen, one line each.

    Attributes:
        files: opened, listed, made, renamed or removed outside of the folders of the host.
        sockets: connected or sent to, or looked up.
        programs: started.
        variables: of the environment that were read.
    """

    files: list[str] = field(default_factory=list[str])
    sockets: list[str] = field(default_factory=list[str])
    programs: list[str] = field(default_factory=list[str])
    variables: list[str] = field(default_factory=list[str])

    def everything(self) -> list[str]:
        """Return all of it."""
        found = (("opened", self.files), ("connected to", self.sockets), ("started", self.programs), ("read the variable", self.variables))
        return [f"{did} {what}" for did, said in found for what in dict.fromkeys(said)]


@dataclass(slots=True)
class _Watcher:
    package: str
    inside: str
    seen: Watch


class _Unwatched(threading.local):
    is_on = False


_WATCHERS: list[_Watcher] = []
_UNWATCHED = _Unwatched()
_STANDARD = tuple({sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")})
_IMPORTLIB = str(Path(importlib.__file__).parent)
_hooked = False


@contextmanager
def watching(package: Path | None, *, inside: Path) -> Generator[Watch]:
    """Watch what the code of `package` does until the end of the block, in whatever thread, and every socket of this process.

    Args:
        package: folder or file of the plugin's code; None watches sockets alone.
        inside: files below it are the host's to give.
    """
    watcher = _Watcher(str(package) if package is not None else "\0", str(inside), Watch())
    _hook()
    _WATCHERS.append(watcher)
    for environment in _ENVIRONMENTS:
        environment.__class__ = _Watched
    try:
        yield watcher.seen
    finally:
        stop(watcher.seen)


def stop(seen: Watch) -> None:
    """Watch no longer for `seen`: for whoever gives up on a thread that will never leave its block. May be called twice."""
    _WATCHERS[:] = [watcher for watcher in _WATCHERS if watcher.seen is not seen]
    if not _WATCHERS:
        for environment in _ENVIRONMENTS:
            environment.__class__ = _ENVIRONMENT


_ENVIRONMENT: Any = type(os.environ)
_ENVIRONMENTS: tuple[Any, ...] = tuple(getattr(os, name) for name in ("environ", "environb") if hasattr(os, name))


class _Watched(_ENVIRONMENT):
    """The environment, which tells who reads it."""

    def __getitem__(self, key: Any) -> Any:
        if _WATCHERS:
            _tell("variables", key, own=True)
        return _ENVIRONMENT.__getitem__(self, key)

    def __iter__(self) -> Any:
        if _WATCHERS:
            _tell("variables", "(all names)", own=True)
        return _ENVIRONMENT.__iter__(self)


@contextmanager
def unwatched() -> Generator[None]:
    """Do the kit's own work in this thread, which is nothing that the plugin does."""
    _UNWATCHED.is_on = True
    try:
        yield
    finally:
        _UNWATCHED.is_on = False


def _hook() -> None:
    """Hear of what happens from now on; a hook cannot be taken away, and this one does nothing while nobody watches."""
    global _hooked
    if not _hooked:
        sys.addaudithook(_heard)
        _hooked = True


def _heard(event: str, arguments: tuple[Any, ...]) -> None:
    if not _WATCHERS or _UNWATCHED.is_on:
        return
    if event in _FILES:
        for path in arguments[: _FILES[event]]:
            _tell("files", path, own=True)
    elif event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        _tell("sockets", arguments[1], own=False)
    elif event == "socket.getaddrinfo":
        _tell("sockets", arguments[0], own=True)
    elif event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork"):
        _tell("programs", arguments[0] if arguments else "a copy of the process", own=True)


_FILES = {
    "open": 1,
    "os.listdir": 1,
    "os.scandir": 1,
    "os.remove": 1,
    "os.rmdir": 1,
    "os.mkdir": 1,
    "os.rename": 2,
    "os.link": 2,
    "os.symlink": 2,
}
"""Events about files, and how many paths come first in each."""


def _tell(what: str, said: object, *, own: bool) -> None:
    for watcher in _WATCHERS:
        path = os.fsdecode(said) if isinstance(said, bytes | str) else repr(said)
        if what == "files" and (not isinstance(said, bytes | str) or path.startswith((watcher.inside, watcher.package))):
            continue
        if not own or _asks_itself(watcher.package):
            getattr(watcher.seen, what).append(path)


def _asks_itself(package: str) -> bool:
    """Whether the code that asks is the plugin's own: the first on the way up that is not the standard library's, and no import."""
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - there is no other way to see who asks  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(("<frozen importlib", _IMPORTLIB)):
            return False  # an import, or the metadata of a distribution
        if file != __file__ and not file.startswith("<") and (not file.startswith(_STANDARD) or "site-packages" in file):
            return file.startswith(package)
        frame = frame.f_back
    return False
