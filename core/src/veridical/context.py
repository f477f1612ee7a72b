"""What the host hands to a plugin, and the list of secrets that must never be read anywhere.

Host            what all plugins of one gateway share: home, files, environment, settings, clock, secrets
|-- HostContext    one plugin's view of it, the `PluginContext` of the contract
`-- Secrets        every secret value that was handed out, and how to take them out of a text

Secrets are found by value, not by the name of a field: as they are, percent-encoded, in base64 at any of its three alignments, and
escaped as in JSON or `repr`.
"""

from __future__ import annotations

import base64
import importlib
import json
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast
from urllib.parse import quote, quote_plus

from veridical_contract import HostFiles, MissingExtraError, MissingSecretError, Model

from veridical.homes import Home, make_folder
from veridical.settings import checked
from veridical.wire.recording import Network, Recorder, async_transport, recording_session, transport

if TYPE_CHECKING:
    import types

    import httpx
    import httpx2
    import requests

_Settings = TypeVar("_Settings", bound=Model)

HTTP_TIMEOUT = 30.0
"""Seconds for each of connecting, sending and waiting for the next bytes."""

_SHORTEST_CORE = 6
"""A base64 core of fewer characters occurs in ordinary text."""


class Secrets:
    """The secret values that were handed out, each with the name it is shown by instead."""

    def __init__(self) -> None:
        self._forms: dict[str, str] = {}

    def add(self, name: str, value: str) -> None:
        """Take `value` out of every text from now on."""
        self._forms.update(dict.fromkeys(_forms(value), f"[{name}]"))

    def redact(self, text: str) -> str:
        """Return `text` with the name of each secret in the place of its value, in any of its forms."""
        return text if not (found := _merged(self._found(text))) else _masked(text, found)

    def _found(self, text: str) -> list[tuple[int, int, str]]:
        forms = tuple(self._forms.items())  # a copy: other threads may be adding
        return sorted((start, start + len(form), mask) for form, mask in forms for start in _occurrences(form, text))


class RedactingFilter(logging.Filter):
    """Takes secrets out of a log record: message, arguments, traceback, stack and extra fields. Fits loggers and handlers."""

    def __init__(self, secrets: Secrets) -> None:
        super().__init__()
        self._redact = secrets.redact

    def filter(self, record: logging.LogRecord) -> bool:
        """Clean `record` and let it pass."""
        record.msg, record.args = self._redact(_message(record)), None
        if record.exc_info:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
            record.exc_info = None
        for key, value in vars(record).items():
            if isinstance(value, str):
                setattr(record, key, self._redact(value))
        return True


class _Logger(logging.Logger):
    """A logger that stands outside the registry, since contexts come and go, below the registered logger `veridical.plugins`."""

    def __init__(self, name: str, secrets: Secrets) -> None:
        super().__init__(name)
        self.parent = logging.getLogger("veridical.plugins")
        self._secrets = secrets
        self.addFilter(RedactingFilter(secrets))

    def isEnabledFor(self, level: int) -> bool:  # noqa: N802 - the name in the standard library
        """Ask every time: the answer that a logger keeps is forgotten only inside the registry."""
        return level > self.manager.disable and level >= self.getEffectiveLevel()

    def getChild(self, suffix: str) -> logging.Logger:  # noqa: N802 - the name in the standard library
        return _Logger(f"{self.name}.{suffix}", self._secrets)


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """What all plugins of one gateway share.

    Attributes:
        home: where things are kept.
        files: files as the host reads them.
        environment: variables that secrets are taken from.
        clock: the time, aware, in UTC.
        tables: plugin name to its own table of the settings file.
        secrets: the values handed out so far.
        network: who answers the clients of plugins; None is the network.
    """

    home: Home
    files: HostFiles
    environment: Mapping[str, str]
    clock: Callable[[], datetime]
    tables: Mapping[str, Mapping[str, object]] = field(default_factory=dict[str, Mapping[str, object]])
    secrets: Secrets = field(default_factory=Secrets)
    network: Network | None = None


def variables(model: type[Model]) -> dict[str, str]:
    """Return the name of the variable that each field of `model` takes its value from, of those whose `json_schema_extra` names one."""
    extras = ((name, info.json_schema_extra) for name, info in model.model_fields.items())
    named = {name: cast("dict[str, object]", extra).get("variable") for name, extra in extras if isinstance(extra, dict)}
    return {name: variable for name, variable in named.items() if isinstance(variable, str)}


class HostContext:
    """The context of one plugin; see `veridical_contract.PluginContext`.

    Args:
        name: of the plugin.
        host: what it is made from.
        cancelled: whether the plugin's call that runs now is no longer wanted.

    Attributes:
        recorder: opens the scope of a hook call; without one, the clients send nothing.
    """

    def __init__(self, name: str, host: Host, *, cancelled: Callable[[], bool]) -> None:
        self._name = name
        self._host = host
        self._cancelled = cancelled
        self._logger = _Logger(f"veridical.plugins.{name}", host.secrets)
        self._closing: list[Callable[[], None]] = []
        self._async_closing: list[Callable[[], Awaitable[None]]] = []
        self.recorder = Recorder(host.secrets.redact, host.clock)

    @property
    def name(self) -> str:
        """The plugin's name."""
        return self._name

    @property
    def files(self) -> HostFiles:
        """Files as the host reads them."""
        return self._host.files

    @property
    def data_dir(self) -> Path:
        """The folder for what has to last."""
        return make_folder(self._host.home.data)

    @property
    def cache_dir(self) -> Path:
        """A folder of the plugin's own for what may be lost."""
        return make_folder(self._host.home.cache / "plugins" / self._name)

    @property
    def logger(self) -> logging.Logger:
        """A logger that takes every secret out of every record."""
        return self._logger

    def now(self) -> datetime:
        """The time, aware, in UTC."""
        return self._host.clock()

    def cancelled(self) -> bool:
        """Whether the call that runs now passed its deadline or is no longer wanted."""
        return self._cancelled()

    def settings(self, model: type[_Settings]) -> _Settings:
        """The plugin's own table of the settings file, as `model`, completed from the variables that its fields name."""
        named = variables(model)
        table = {**{field: value for field, name in named.items() if (value := self.variable(name))}, **self.table}
        return checked(model, table, file=self._host.home.settings, within=f"plugin.{self._name}")

    def secret(self, name: str) -> str:
        """The value of the environment variable `name`, without the white space around it."""
        if not (value := self._host.environment.get(name, "").strip()):
            hint = f"Set it (export {name}=...), or do without the plugin: veridical plugins disable {self._name}"
            raise MissingSecretError(f"{self._name} needs {name}, which is not set.", hint=hint)
        self._host.secrets.add(name, value)
        return value

    def variable(self, name: str) -> str:
        """What the environment variable `name` says; empty when it is not set. For what is no secret."""
        return self._host.environment.get(name, "").strip()

    @property
    def table(self) -> Mapping[str, object]:
        """The plugin's own table of the settings file, as it stands there."""
        return self._host.tables.get(self._name, {})

    def http(self, *, base_url: str = "", headers: Mapping[str, str] | None = None) -> httpx.Client:
        """A client that lives as long as the plugin, and whose replies are recorded. It follows no redirect unless it is told to."""
        httpx = self._library("httpx")
        recorded = transport(httpx, self.recorder, self._host.network)
        client: httpx.Client = httpx.Client(base_url=base_url, headers=headers, timeout=HTTP_TIMEOUT, trust_env=False, transport=recorded)
        self._closing.append(client.close)
        return client

    def ahttp(self, *, base_url: str = "", headers: Mapping[str, str] | None = None) -> httpx.AsyncClient:
        """The same for asynchronous hooks."""
        httpx = self._library("httpx")
        recorded = async_transport(httpx, self.recorder, self._host.network)
        client: httpx.AsyncClient = httpx.AsyncClient(
            base_url=base_url, headers=headers, timeout=HTTP_TIMEOUT, trust_env=False, transport=recorded
        )
        self._async_closing.append(client.aclose)
        return client

    def httpx2_transport(self) -> httpx2.BaseTransport:
        """A transport whose replies are recorded, for an SDK that brings an httpx2 client of its own."""
        recorded = transport(self._library("httpx2"), self.recorder, self._host.network)
        self._closing.append(recorded.close)
        return recorded

    def httpx2_async_transport(self) -> httpx2.AsyncBaseTransport:
        """The same for an asynchronous client."""
        recorded = async_transport(self._library("httpx2"), self.recorder, self._host.network)
        self._async_closing.append(recorded.aclose)
        return recorded

    def requests_session(self) -> requests.Session:
        """A session whose replies are recorded, for an SDK that uses requests. It follows no redirect unless it is told to."""
        self._library("requests")
        session = recording_session(self.recorder, timeout=HTTP_TIMEOUT, network=self._host.network)
        self._closing.append(session.close)
        return session

    async def close(self) -> None:
        """Close every client that the plugin was given."""
        for close in self._closing:
            close()
        for aclose in self._async_closing:
            await aclose()

    def _library(self, name: str) -> types.ModuleType:
        try:
            return importlib.import_module(name)
        except ImportError as error:
            raise MissingExtraError(f"{self._name} needs {name}, which is not installed.", hint=f"Type: pip install {name}") from error


def _forms(value: str) -> Iterator[str]:
    """Yield the ways in which `value` is likely to be written."""
    yield from (value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1], repr(value)[1:-1])
    for encoded in (quote(value, safe="", errors="replace"), quote(value, errors="replace"), quote_plus(value, errors="replace")):
        yield from (encoded, _lower_escapes(encoded))
    for core in _base64_cores(value.encode("utf-8", "replace")):
        if len(core) >= _SHORTEST_CORE:
            yield from (core, core.translate(str.maketrans("+/", "-_")))


def _lower_escapes(encoded: str) -> str:
    first, *rest = encoded.split("%")
    return first + "".join(f"%{part[:2].lower()}{part[2:]}" for part in rest)


def _base64_cores(value: bytes) -> Iterator[str]:
    """Yield the characters that any base64 of bytes around `value` must hold: `Basic` credentials put a user name before it."""
    yield base64.b64encode(value).decode().rstrip("=")
    for before in range(3):
        encoded = base64.b64encode(bytes(before) + value).decode()
        yield encoded[-(-before * 8 // 6) : (before + len(value)) * 8 // 6]


def _occurrences(form: str, text: str) -> Iterator[int]:
    start = text.find(form)
    while start >= 0:
        yield start
        start = text.find(form, start + 1)


def _merged(found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Join stretches that overlap, so that the rest of a longer secret does not stay behind."""
    merged: list[tuple[int, int, str]] = []
    for start, end, mask in found:
        if merged and start < merged[-1][1]:
            first, last, kept = merged[-1]
            merged[-1] = (first, max(last, end), kept)
        else:
            merged.append((start, end, mask))
    return merged


def _masked(text: str, found: list[tuple[int, int, str]]) -> str:
    pieces, position = list[str](), 0
    for start, end, mask in found:
        pieces += [text[position:start], mask]
        position = end
    return "".join([*pieces, text[position:]])


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception as error:  # noqa: BLE001 - arguments are the plugin's objects, and logging must not break what logs
        return f"a log record that cannot be formatted: {type(error).__name__}"
