"""What the host answers while an isolated plugin runs: as much of a `PluginContext` as crosses a pipe, and no more than is the plugin's.

Secrets are those that the operator listed. Files are those of the request that the plugin is just answering, and records those that it was
given meanwhile. Whatever else it asks for is refused, and what it asks for the wrong call too.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from contextvars import Context, copy_context
from dataclasses import dataclass, field

from pydantic import JsonValue
from veridical_contract import (
    ConfigurationError,
    InputFile,
    MissingSecretError,
    PluginError,
    Record,
    SourceRequest,
    UnreadableError,
)

from veridical.context import HostContext
from veridical.settings import Isolation

from .exchanges import Exchanges
from .faults import fault_of
from .messages import (
    Answer,
    AskAtoms,
    AskCancelled,
    AskFiles,
    AskHttp,
    AskNow,
    AskPiece,
    AskRecord,
    AskSecret,
    AskVariables,
    Close,
    Found,
    Log,
)

__all__ = ["Answering", "Asked"]

Asked = AskSecret | AskVariables | AskNow | AskCancelled | AskHttp | AskPiece | Close | AskFiles | AskRecord | AskAtoms | Log
_LOOKED_AT = ("json", "csv", "mime")
_SHORT = 64 << 10
"""Bytes of a record of which what it holds is handed over with it."""


class Answering:
    """Answers one isolated plugin.

    Args:
        context: the plugin's, as it would have it in this process.
        rule: what the operator lets it have.
        send: an answer to the child.
    """

    def __init__(self, context: HostContext, rule: Isolation, send: Callable[[Answer], None]) -> None:
        self._context = context
        self._rule = rule
        self._send = send
        self._exchanges = Exchanges(context, rule.hosts, send)
        self._calls: dict[int, _Called] = {}
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)

    def begin(self, call: int, arguments: dict[str, object]) -> None:
        """The hook call `call` begins, in this context; others that go on by iterators may be open beside it."""
        request = arguments.get("request")
        inputs = frozenset(request.inputs) if isinstance(request, SourceRequest) else frozenset[InputFile]()
        with self._lock:
            self._calls[call] = _Called(copy_context(), inputs)

    def step(self, call: int) -> None:
        """Another step of the iterator that the call returned: what was read before is let go of, here as in the host's reader."""
        if called := self._calls.get(call):
            called.given.clear()

    def end(self, call: int) -> None:
        """The hook call is over: nothing that is asked for it is answered any more."""
        with self._lock:
            self._calls.pop(call, None)
        self._exchanges.end(call)

    def close(self) -> None:
        """All is over: nobody asks any more."""
        with self._lock:
            self._calls.clear()
        self._exchanges.close_all()

    def answer(self, asked: Asked) -> None:
        """Answer `asked`, now or, where it is about HTTP, as soon as there is something to say."""
        match asked:
            case Log():
                self._context.logger.log(asked.level, "%s", asked.text)
            case Close():
                self._exchanges.close(asked)
            case AskHttp() if called := self._calls.get(asked.call):
                self._exchanges.serve(asked, called.context)
            case AskPiece():
                self._exchanges.serve(asked, None)
            case _:
                self._send(self._answered(asked))

    def _answered(self, asked: Asked) -> Answer:
        number = 0 if isinstance(asked, Log | Close) else asked.ask
        try:
            return Answer(ask=number, value=self._value(asked))
        except Exception as error:  # noqa: BLE001 - whoever asked is told, in the child, and waits for it
            return Answer(ask=number, fault=fault_of(error))

    def _value(self, asked: Asked) -> JsonValue:
        match asked:
            case AskSecret():
                return self._secret(asked.name)
            case AskVariables():
                return {name: value for name in asked.names if (value := self._variable(name))}
            case AskNow():
                return self._context.now().isoformat()
            case AskCancelled():
                return self._context.cancelled()
            case AskFiles():
                return self._read(asked)
            case AskRecord():
                return self._next(asked)
            case AskAtoms():
                if asked.record.raw.digest not in self._called(asked.call).given:
                    raise UnreadableError("the record is none of those that were given for this call")
                return dict(self._context.files.atoms(asked.record, asked.pointers))
            case _:
                raise PluginError("A request was not sent: the hook call that it belongs to is over.")

    def _called(self, call: int) -> _Called:
        if (called := self._calls.get(call)) is None:
            raise UnreadableError("the call that it belongs to is over")
        return called

    # Secrets

    def _secret(self, name: str) -> str:
        if name not in self._rule.secrets:
            raise MissingSecretError(f"{self._context.name} asks for {name}, which it may not have.", hint=self._way_out(name))
        return self._context.secret(name)

    def _variable(self, name: str) -> str:
        """Return what an optional variable says. One that is set and may not be read is said to be: it would be missed in silence."""
        value = self._context.variable(name)
        if value and name not in self._rule.secrets:
            raise ConfigurationError(
                f"{self._context.name} asks for {name}, which is set and which it may not have.", hint=self._way_out(name)
            )
        return value

    def _way_out(self, name: str) -> str:
        listed = ", ".join(f'"{one}"' for one in (*self._rule.secrets, name))
        return f"When it may have it, write under [isolation.{self._context.name}] in the settings file: secrets = [{listed}]"

    # Files

    def _read(self, asked: AskFiles) -> int:
        called = self._called(asked.call)
        if asked.file not in called.inputs:
            raise UnreadableError("it is none of the files that this call is about")
        number = next(self._numbers)
        called.files[number] = iter(self._context.files.records(asked.file, format=asked.format))
        return number

    def _next(self, asked: AskRecord) -> JsonValue:
        called = self._called(asked.call)
        if (records := called.files.get(asked.files)) is None:
            raise UnreadableError("the file is not read any further: it came to its end")
        # One at a time: with the next batch the host lets go of the bytes of every record that was read, handed over or not.
        if (record := next(records, None)) is None:
            del called.files[asked.files]
            return None
        called.given.add(record.raw.digest)
        return Found(record=record, atoms=self._atoms(record)).model_dump(mode="json")

    def _atoms(self, record: Record) -> dict[str, str]:
        """Return what stands in a short record, which is looked at next: that saves a crossing."""
        if record.format not in _LOOKED_AT or record.raw.size > _SHORT:
            return {}
        pointers = {pointer: pointer for pointer in record.names.values()}
        try:
            return dict(self._context.files.atoms(record, pointers))
        except UnreadableError:
            return {}


@dataclass(slots=True)
class _Called:
    """A hook call that is not over.

    Attributes:
        context: that it began in: what it asks over HTTP is recorded for it.
        inputs: the files that it is about.
        given: digests of the records that it was given since its last step.
        files: those that it is reading.
    """

    context: Context
    inputs: frozenset[InputFile]
    given: set[str] = field(default_factory=set[str])
    files: dict[int, Iterator[Record]] = field(default_factory=dict[int, Iterator[Record]])
