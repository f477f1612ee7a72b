"""What the host keeps outside plugin storage: the admission key, the sealed chain of every run, and the operator's log.

    DATA/admission.key      32 random bytes: what makes the tag beside each stored document
    DATA/runs/RUN.json      the sealed chain of a run, as its bundle holds it
    DATA/runs/RUN.sha256    SHA-256 of its report
    DATA/logs/rejected.jsonl    rejected words, for the operator alone; a report carries their length and digest

Files are private to their owner, and a file that exists is never replaced.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NoReturn

from veridical_contract import ConfigurationError, StoreFullError

from veridical.homes import HINT, Home, make_folder

__all__ = ["KEY_SIZE", "Ledger"]

KEY_SIZE = 32
_PRIVATE = 0o600


class Ledger:
    """The host's own files below a home.

    Args:
        home: where they lie.
        now: the time, aware.
    """

    def __init__(self, home: Home, now: Callable[[], datetime]) -> None:
        self._home = home
        self._now = now

    def has_key(self) -> bool:
        """Whether this installation has an admission key."""
        return (self._home.data / "admission.key").exists()

    def key(self) -> bytes:
        """Return this installation's admission key, made on first use.

        Raises:
            ConfigurationError: it cannot be read or made, or is not one.
        """
        path = self._home.data / "admission.key"
        try:
            if not path.exists():
                make_folder(path.parent)
                self._create(path, secrets.token_bytes(KEY_SIZE))
            key = path.read_bytes()
        except OSError as error:
            _refuse(path, error)
        if len(key) != KEY_SIZE:
            raise ConfigurationError(
                f"{path} is not an admission key: it has {len(key)} bytes, expected {KEY_SIZE}.",
                hint="Restore it together with the store, or move both away and read the sources again.",
            )
        return key

    def keep_chain(self, run: str, chain: bytes) -> None:
        """Keep the sealed chain of `run`.

        Raises:
            ConfigurationError, StoreFullError: it cannot be written.
        """
        path = make_folder(self._home.runs) / f"{run}.json"
        try:
            self._create(path, chain)
        except OSError as error:
            _refuse(path, error)

    def keep_report(self, run: str, digest: str) -> None:
        """Keep the digest of the report of `run`.

        Raises:
            ConfigurationError, StoreFullError: it cannot be written.
        """
        path = make_folder(self._home.runs) / f"{run}.sha256"
        try:
            self._create(path, digest.encode("ascii"))
        except OSError as error:
            _refuse(path, error)

    def kept(self, run: str) -> tuple[bytes | None, str | None]:
        """Return the sealed chain of `run` and the digest of its report; None where there is none."""
        files = self._home.runs / f"{run}.json", self._home.runs / f"{run}.sha256"
        chain, report = (file.read_bytes() if file.is_file() else None for file in files)
        return chain, report.decode("ascii", "replace") if report is not None else None

    def log(self, plugin: str, rule: str, words: str) -> None:
        """Write rejected words to the operator's log.

        Raises:
            ConfigurationError, StoreFullError: it cannot be written.
        """
        path = make_folder(self._home.logs) / "rejected.jsonl"
        row = {"at": self._now().isoformat(timespec="seconds"), "plugin": plugin, "rule": rule, "words": words}
        try:
            handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, _PRIVATE)
            with os.fdopen(handle, "ab") as file:
                file.write(json.dumps(row).encode("ascii") + b"\n")
        except OSError as error:
            _refuse(path, error)

    def empty_log(self) -> None:
        """Remove the operator's log: a word that was refused may be one that is to be forgotten, altered or not.

        Raises:
            ConfigurationError: it cannot be removed.
        """
        path = self._home.logs / "rejected.jsonl"
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            _refuse(path, error)

    def _create(self, path: Path, content: bytes) -> None:
        """Write a new file in one step: whoever sees it sees all of it; a file that is there already stays."""
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            try:
                os.link(temporary, path)
            except FileExistsError:
                return
        finally:
            temporary.unlink(missing_ok=True)


def _refuse(path: Path, error: OSError) -> NoReturn:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        raise StoreFullError(f"{path} cannot be written: there is no room left.", hint="Free some room and run it again.") from error
    raise ConfigurationError(f"{path} cannot be written: {error.strerror}.", hint=HINT) from error
