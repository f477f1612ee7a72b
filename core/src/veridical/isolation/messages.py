"""The lines that cross the pipes between the host and a plugin in a process of its own: JSON, one object a line, each exactly of one shape.

    host -> child   Start, then one command after the other: Call, Step, Leave; and an Answer to whatever is asked meanwhile
    child -> host   Ready or NotReady to Start; Returned, Began, Yielded, Over or Failed to a command, with its number
                    and in between: Ask..., each with a number that its Answer repeats; Close and Log, which have none

Nothing is pickled. What the host reads was written by a process that it does not trust: `told` takes a line of one of these shapes
and nothing else, and what a value of a hook is, the gateway finds out as it always does.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue, TypeAdapter, ValidationError
from veridical_contract import InputFile, Model, ProviderFailure, Record, RecordFormat

__all__ = [
    "LONGEST_LINE",
    "Answer",
    "AskAtoms",
    "AskCancelled",
    "AskFiles",
    "AskHttp",
    "AskNow",
    "AskPiece",
    "AskRecord",
    "AskSecret",
    "AskVariables",
    "Began",
    "Call",
    "Close",
    "Confined",
    "Failed",
    "Fault",
    "Found",
    "Head",
    "Leave",
    "Log",
    "NotReady",
    "Outcome",
    "Over",
    "Ready",
    "Returned",
    "Start",
    "Step",
    "Told",
    "WrongLineError",
    "Yielded",
    "line",
    "ordered",
    "told",
]

LONGEST_LINE = 32 << 20
"""Bytes of one line."""
_MOST_PARTS = 4_000_000
"""Values in one line: an empty list takes two bytes there, and fifty here."""

_Headers = tuple[tuple[str, str], ...]


class WrongLineError(Exception):
    """A line is none of those that are expected; the message says why, without repeating it."""


class Fault(Model):
    """An error, as it crosses the pipe.

    Attributes:
        code: of the class in the contract's tree of errors; `transport` of an error of an HTTP client, `memory` where there was none left.
        message: one line.
        hint: the next thing to do.
        failure: of a ProviderError.
        retry_after: of a ProviderError, in seconds.
        kind: of an error of an HTTP client: the name of its class in httpx.
    """

    code: str
    message: str = ""
    hint: str = ""
    failure: ProviderFailure | None = None
    retry_after: float | None = None
    kind: str = ""


# Host to child


class Start(Model):
    """What a child is told first.

    Attributes:
        listing: fields of the plugin's `Listing`.
        table: the plugin's own table of the settings file.
        settings_file: path of that file, for messages.
        cache: the plugin's own folder, where the child stands and may write.
        level: lowest level of the log that the host keeps.
        memory_megabytes: at most.
        confine: what to be confined to; None leaves the child with the rights of its user.
    """

    do: Literal["start"] = "start"
    listing: dict[str, str | bool]
    table: dict[str, JsonValue]
    settings_file: str
    cache: str
    level: int
    memory_megabytes: int
    confine: Confined | None


class Confined(Model):
    """What a child may do in its sandbox.

    Attributes:
        read: files and folders that it may read, with all that is below them.
        listed: folders in which it may see names; not read what they hold.
        write: folders that it may write to.
        network: whether it may open connections of its own.
    """

    read: tuple[str, ...]
    listed: tuple[str, ...]
    write: tuple[str, ...]
    network: bool


class Call(Model):
    """Call a hook. An iterator that it returns goes on by this call's number."""

    do: Literal["call"] = "call"
    number: int
    hook: str
    arguments: dict[str, JsonValue]


class Step(Model):
    """Hand in the next item of the iterator that the call `call` returned."""

    do: Literal["step"] = "step"
    number: int
    call: int


class Leave(Model):
    """Nobody wants more of that iterator."""

    do: Literal["leave"] = "leave"
    number: int
    call: int


class Answer(Model):
    """The answer to what was asked under `ask`."""

    do: Literal["answer"] = "answer"
    ask: int
    value: JsonValue = None
    fault: Fault | None = None


Ordered = Annotated[Start | Call | Step | Leave | Answer, Field(discriminator="do")]


# Child to host


class Ready(Model):
    """The plugin was imported and constructed.

    Attributes:
        hooks: those that it implements.
        wire: its wire maps by name, not yet approved.
        model: that it asks.
        notes: what it uses that is deprecated.
    """

    do: Literal["ready"] = "ready"
    hooks: tuple[str, ...]
    wire: dict[str, JsonValue]
    model: str
    notes: tuple[str, ...] = ()


class NotReady(Model):
    """It was not, and why."""

    do: Literal["not-ready"] = "not-ready"
    status: Literal["disabled", "refused", "failed"]
    reason: str
    code: Annotated[str, Field(pattern=r"^[a-z-]{0,40}$")] = ""


class Returned(Model):
    """What a hook returned."""

    do: Literal["returned"] = "returned"
    number: int
    value: JsonValue


class Began(Model):
    """A hook returned an iterator."""

    do: Literal["began"] = "began"
    number: int


class Yielded(Model):
    """What an iterator yielded."""

    do: Literal["yielded"] = "yielded"
    number: int
    value: JsonValue


class Over(Model):
    """An iterator has nothing more."""

    do: Literal["over"] = "over"
    number: int


class Failed(Model):
    """A hook raised."""

    do: Literal["failed"] = "failed"
    number: int
    fault: Fault


class AskSecret(Model):
    """The value of a secret."""

    do: Literal["secret"] = "secret"
    ask: int
    name: str


class AskVariables(Model):
    """The values of variables that settings take theirs from, of those that are set."""

    do: Literal["variables"] = "variables"
    ask: int
    names: tuple[str, ...]


class AskNow(Model):
    """The time."""

    do: Literal["now"] = "now"
    ask: int


class AskCancelled(Model):
    """Whether the call is no longer wanted."""

    do: Literal["cancelled"] = "cancelled"
    ask: int


class AskHttp(Model):
    """Send a request, for the call `call`; the answer is a `Head`, and the host has it recorded.

    Attributes:
        headers: as the client in the child made them.
        body: in base64.
        seconds: for each wait; None leaves it to the host.
    """

    do: Literal["http"] = "http"
    ask: int
    call: int
    method: str
    url: str
    headers: _Headers
    body: str
    seconds: float | None


class AskPiece(Model):
    """The next bytes of a reply, in base64 and as they came over the wire; the answer is None at its end."""

    do: Literal["piece"] = "piece"
    ask: int
    exchange: int


class Close(Model):
    """The client wants no more of a reply."""

    do: Literal["close"] = "close"
    exchange: int


class AskFiles(Model):
    """Cut a file into its records; the answer is a number for `AskRecord`."""

    do: Literal["files"] = "files"
    ask: int
    call: int
    file: InputFile
    format: RecordFormat


class AskRecord(Model):
    """The next record of a file; the answer is `Found`, or None at its end."""

    do: Literal["record"] = "record"
    ask: int
    call: int
    files: int


class AskAtoms(Model):
    """What stands at places of a record."""

    do: Literal["atoms"] = "atoms"
    ask: int
    call: int
    record: Record
    pointers: dict[str, str]


class Log(Model):
    """A line for the plugin's log."""

    do: Literal["log"] = "log"
    level: int
    text: Annotated[str, Field(max_length=20_000)]


Outcome = Ready | NotReady | Returned | Began | Yielded | Over | Failed
Told = Annotated[
    Outcome | AskSecret | AskVariables | AskNow | AskCancelled | AskHttp | AskPiece | Close | AskFiles | AskRecord | AskAtoms | Log,
    Field(discriminator="do"),
]


# What answers hold


class Head(Model):
    """The head of a reply, and the number of the exchange that its body is asked for with."""

    exchange: int
    status: int
    reason: str
    headers: _Headers


class Found(Model):
    """A record of a file, and what stands in it at the places that it names, by pointer; nothing where that is too long, or no value."""

    record: Record
    atoms: dict[str, str]


_TOLD: TypeAdapter[Told] = TypeAdapter(Told)
_ORDERED: TypeAdapter[Ordered] = TypeAdapter(Ordered)


def told(data: bytes) -> Told:
    """Return what a line of the child says.

    Raises:
        WrongLineError: it is not one of the shapes above.
    """
    if sum(map(data.count, (b",", b"[", b"{"))) > _MOST_PARTS:
        raise WrongLineError(f"a line of more than {_MOST_PARTS:,} parts")
    try:
        return _TOLD.validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise WrongLineError(f"a line that is none of the protocol ({first['type']})") from None


def ordered(data: bytes) -> Ordered:
    """Return what a line of the host says, in the child."""
    return _ORDERED.validate_json(data)


def line(message: Model) -> bytes:
    """Return `message` as its line."""
    return message.model_dump_json().encode("utf-8") + b"\n"


Start.model_rebuild()
