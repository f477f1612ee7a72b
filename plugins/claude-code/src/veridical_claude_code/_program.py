"""Which program runs, and whether it is logged in: asked of the program itself, before anything is sent.

locate -> `claude --version` -> `claude auth status` -> Program
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import cast

from veridical_contract import ConfigurationError, IncompatibleError, MissingExtraError

__all__ = ["Program", "check_sdk", "locate", "sha256"]

_SDK = "claude-agent-sdk"
_SDK_AT_LEAST = (0, 2, 187)
# The first that takes a prompt as it is: an older one replaces `@/path` in it, also in a passage, by that file.
_AT_LEAST = (2, 1, 248)
_VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})")
_ANSWER = 15.0
"""Seconds for the program to say its version or its login: it takes 0.2 on a quiet machine."""
_SETTING = "Correct cli_path under [plugin.claude-code] in the settings file."


@dataclass(frozen=True, slots=True)
class Program:
    """Claude Code as it answered.

    Attributes:
        path: of the program.
        version: what it says of itself.
        method: how it is logged in (`api_key`, `oauth_token`, `claude.ai`, `third_party`).
        provider: whose API it calls; `firstParty` is Anthropic's.
    """

    path: Path
    version: str
    method: str
    provider: str

    @classmethod
    def ask(cls, path: Path, environment: Mapping[str, str]) -> Program:
        """Return what the program at `path` says of itself.

        Args:
            path: of the program.
            environment: variables for it, beside those of this process.

        Raises:
            ConfigurationError: it does not run, does not answer, or is not logged in.
            IncompatibleError: it is too old.
        """
        said = _run(path, ["--version"], environment)
        number = _VERSION.match(said)
        if number is None:
            raise ConfigurationError(f"{path} is not Claude Code: it says {said[:80]!r} when it is asked for its version.", hint=_SETTING)
        if tuple(map(int, number.groups())) < _AT_LEAST:
            expected = ".".join(map(str, _AT_LEAST))
            raise IncompatibleError(
                f"{path} is Claude Code {number[0]}, expected {expected} or later.", hint=f"Type: {_typed(path)} update"
            )
        status = _status(path, environment)
        if status.get("loggedIn") is not True:
            hint = f"Log in: {_typed(path)} auth login (or set ANTHROPIC_API_KEY)"
            raise ConfigurationError("Claude Code is not logged in.", hint=hint)
        return cls(path, number[0], str(status.get("authMethod")), str(status.get("apiProvider")))


def check_sdk() -> None:
    """Raise what is wrong with the SDK; it is not imported.

    Raises:
        MissingExtraError: it is not installed.
        IncompatibleError: it is too old.
    """
    try:
        found = version(_SDK)
    except PackageNotFoundError:
        raise MissingExtraError(f"claude-code needs {_SDK}, which is not installed.", hint='pip install "veridical[claude-code]"') from None
    number = _VERSION.match(found)
    if number is None or tuple(map(int, number.groups())) < _SDK_AT_LEAST:
        expected = ".".join(map(str, _SDK_AT_LEAST))
        hint = 'pip install --upgrade "veridical[claude-code]"'
        raise IncompatibleError(f"claude-code needs {_SDK} {expected} or later, and {found} is installed.", hint=hint)


def locate(given: str | None) -> Path:
    """Return the program: the one that was given, the one that the SDK brings, or `claude` on the PATH.

    Raises:
        ConfigurationError: there is none.
    """
    if given is not None:
        path = Path(given).expanduser()
        if path.is_file():
            return path.absolute()
        raise ConfigurationError(f"There is no program {path}.", hint=_SETTING)
    spec = find_spec("claude_agent_sdk")
    bundled = Path(spec.origin).with_name("_bundled") / "claude" if spec and spec.origin else None
    if bundled and bundled.is_file():
        return bundled
    if on_path := shutil.which("claude"):
        return Path(on_path)
    hint = f"Install it, or say where it is with cli_path under [plugin.claude-code]: pip install --force-reinstall {_SDK}"
    raise ConfigurationError("Claude Code is not installed.", hint=hint)


def sha256(path: Path, cache: Path) -> str:
    """Return the SHA-256 of the file at `path`, hashed again only when its size or time of change is another: it has hundreds of megabytes.

    Args:
        path: of the file.
        cache: a JSON file for what was found before; what is no JSON of that form counts as nothing.
    """
    state = path.stat()
    key = f"{path}:{state.st_size}:{state.st_mtime_ns}"
    known = _known(cache)
    if (digest := known.get(key)) is None:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        cache.write_text(json.dumps({key: digest}), encoding="utf-8")
    return digest


def _known(cache: Path) -> dict[str, str]:
    try:
        found = cast("object", json.loads(cache.read_bytes()))
    except (FileNotFoundError, ValueError):
        return {}
    rows = cast("dict[object, object]", found) if isinstance(found, dict) else {}
    return {key: value for key, value in rows.items() if isinstance(key, str) and isinstance(value, str)}


def _status(path: Path, environment: Mapping[str, str]) -> dict[str, object]:
    said = _run(path, ["auth", "status"], environment)
    try:
        found = cast("object", json.loads(said))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ConfigurationError(f"{path} does not say whether it is logged in.", hint=f"Look at it: {_typed(path)} auth status")
    return cast("dict[str, object]", found)


def _run(path: Path, arguments: list[str], environment: Mapping[str, str]) -> str:
    """Return what the program prints, from an empty folder: in another, settings of that folder could run commands."""
    with tempfile.TemporaryDirectory(prefix="veridical-") as empty:
        try:
            done = subprocess.run(  # noqa: S603 - the operator's own program
                [path, *arguments],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_ANSWER,
                cwd=empty,
                env={**os.environ, **environment},
                check=False,  # without a login `auth status` answers, and ends with 1
            )
        except subprocess.TimeoutExpired:
            said = f"{path} does not answer {' '.join(arguments)!r} within {_ANSWER:g} s."
            raise ConfigurationError(said, hint=f"Look at it: {_typed(path)} doctor") from None
        except OSError as error:
            raise ConfigurationError(f"{path} does not run: {error.strerror}.", hint=_SETTING) from None
    return done.stdout.decode("utf-8", "replace").strip()


def _typed(path: Path) -> str:
    return "claude" if shutil.which("claude") == str(path) else shlex.quote(str(path))
