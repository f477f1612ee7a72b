"""The `PluginContext` of a plugin in a process of its own: whatever it is asked for, the host is asked."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from pydantic import JsonValue, TypeAdapter
from veridical_contract import ConfigurationError, HostFiles, InputFile, MissingExtraError, Model, Record, RecordFormat

from veridical.context import HTTP_TIMEOUT, variables
from veridical.settings import checked

from .child_http import Sender, async_transport, piped_session, transport
from .messages import AskAtoms, AskCancelled, AskFiles, AskNow, AskRecord, AskSecret, AskVariables, Found, Log, Start

if TYPE_CHECKING:
    import types
    from collections.abc import Callable

    import httpx
    import httpx2
    import requests

__all__ = ["CALL", "ChildContext"]

_Settings = TypeVar("_Settings", bound=Model)

CALL: ContextVar[int] = ContextVar("veridical_isolated_call", default=0)
"""Number of the hook call that what runs now belongs to; 0 of what belongs to none."""

_ANY: TypeAdapter[object] = TypeAdapter(object)
_LONGEST_LINE = 10_000


class _Pipe(Protocol):
    def ask(self, make: Callable[[int], Model]) -> JsonValue: ...

    def send(self, message: Model) -> None: ...


class ChildContext:
    """See the module.

    Args:
        name: of the plugin.
        start: what the host said first.
        pipe: to the host.
    """

    def __init__(self, name: str, start: Start, pipe: _Pipe) -> None:
        self._name = name
        self._start = start
        self._pipe = pipe
        self._logger = _Logger(f"veridical.plugins.{name}", start.level, pipe)
        self._files = _Files(pipe)

    @property
    def name(self) -> str:
        """The plugin's name."""
        return self._name

    @property
    def files(self) -> HostFiles:
        """Files as the host reads them."""
        return self._files

    @property
    def data_dir(self) -> Path:
        """There is none: what lasts is the host's."""
        raise ConfigurationError(f"{self._name} is isolated, and asks for the folder of the store, which it may not have.")

    @property
    def cache_dir(self) -> Path:
        """A folder of the plugin's own for what may be lost."""
        return Path(self._start.cache)

    @property
    def logger(self) -> logging.Logger:
        """A logger whose records the host writes, without secrets."""
        return self._logger

    def now(self) -> datetime:
        """The host's time, aware, in UTC."""
        return datetime.fromisoformat(cast("str", self._pipe.ask(lambda number: AskNow(ask=number))))

    def cancelled(self) -> bool:
        """Whether the call that runs now passed its deadline or is no longer wanted."""
        return self._pipe.ask(lambda number: AskCancelled(ask=number)) is True

    def settings(self, model: type[_Settings]) -> _Settings:
        """The plugin's own table of the settings file, as `model`, completed from the variables that its fields name."""
        named = {field: name for field, name in variables(model).items() if field not in self._start.table}
        found: dict[str, JsonValue] = {}
        if named:
            found = cast("dict[str, JsonValue]", self._pipe.ask(lambda number: AskVariables(ask=number, names=tuple(named.values()))))
        table = {**{field: found[name] for field, name in named.items() if name in found}, **self._start.table}
        return checked(model, table, file=Path(self._start.settings_file), within=f"plugin.{self._name}")

    def secret(self, name: str) -> str:
        """The value of a secret that the operator listed for this plugin."""
        return cast("str", self._pipe.ask(lambda number: AskSecret(ask=number, name=name)))

    def http(self, *, base_url: str = "", headers: Mapping[str, str] | None = None) -> httpx.Client:
        """A client whose requests the host sends, and records."""
        httpx = self._library("httpx")
        piped = transport(httpx, self._sender())
        client: httpx.Client = httpx.Client(base_url=base_url, headers=headers, timeout=HTTP_TIMEOUT, trust_env=False, transport=piped)
        return client

    def ahttp(self, *, base_url: str = "", headers: Mapping[str, str] | None = None) -> httpx.AsyncClient:
        """The same for asynchronous hooks."""
        httpx = self._library("httpx")
        piped = async_transport(httpx, self._sender())
        client: httpx.AsyncClient = httpx.AsyncClient(
            base_url=base_url, headers=headers, timeout=HTTP_TIMEOUT, trust_env=False, transport=piped
        )
        return client

    def httpx2_transport(self) -> httpx2.BaseTransport:
        """A transport whose requests the host sends, for an SDK that brings an httpx2 client of its own."""
        made: httpx2.BaseTransport = transport(self._library("httpx2"), self._sender())
        return made

    def httpx2_async_transport(self) -> httpx2.AsyncBaseTransport:
        """The same for an asynchronous client."""
        made: httpx2.AsyncBaseTransport = async_transport(self._library("httpx2"), self._sender())
        return made

    def requests_session(self) -> requests.Session:
        """A session whose requests the host sends, for an SDK that uses requests."""
        self._library("requests")
        return piped_session(self._sender(), timeout=HTTP_TIMEOUT)

    def _sender(self) -> Sender:
        return Sender(self._pipe, CALL)

    def _library(self, name: str) -> types.ModuleType:
        try:
            return importlib.import_module(name)
        except ImportError as error:
            raise MissingExtraError(f"{self._name} needs {name}, which is not installed.", hint=f"Type: pip install {name}") from error


class _Files:
    """Files, as the host reads them."""

    def __init__(self, pipe: _Pipe) -> None:
        self._pipe = pipe
        self._last: Found | None = None

    def records(self, file: InputFile, *, format: RecordFormat) -> Iterator[Record]:  # noqa: A002 - the field's name
        """See `HostFiles.records`."""
        call = CALL.get()
        number = cast("int", self._pipe.ask(lambda ask: AskFiles(ask=ask, call=call, file=file, format=format)))
        while (said := self._pipe.ask(lambda ask: AskRecord(ask=ask, call=call, files=number))) is not None:
            self._last = found = Found.model_validate_json(_ANY.dump_json(said))
            yield found.record

    def atoms(self, record: Record, pointers: Mapping[str, str]) -> dict[str, str]:
        """See `HostFiles.atoms`."""
        last, named = self._last, dict(pointers)
        if last is not None and record is last.record and last.atoms.keys() >= {*named.values()}:
            return {name: last.atoms[pointer] for name, pointer in named.items()}
        call = CALL.get()
        return cast("dict[str, str]", self._pipe.ask(lambda ask: AskAtoms(ask=ask, call=call, record=record, pointers=named)))


class _Logger(logging.Logger):
    """A logger that stands outside the registry, as the host's does, and hands every record to the host."""

    def __init__(self, name: str, level: int, pipe: _Pipe) -> None:
        super().__init__(name, level)
        self._pipe = pipe
        self.propagate = False
        self.addHandler(_Handler(pipe))

    def getChild(self, suffix: str) -> logging.Logger:  # noqa: N802 - the name in the standard library
        return _Logger(f"{self.name}.{suffix}", self.level, self._pipe)


class _Handler(logging.Handler):
    def __init__(self, pipe: _Pipe) -> None:
        super().__init__()
        self._pipe = pipe

    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = self.format(record)
        except Exception as error:  # noqa: BLE001 - arguments are the plugin's objects, and logging must not break what logs
            text = f"a log record that cannot be formatted: {type(error).__name__}"
        self._pipe.send(Log(level=record.levelno, text=text.encode("utf-8", "replace").decode("utf-8")[:_LONGEST_LINE]))
