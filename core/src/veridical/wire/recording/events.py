"""Where a stream of server-sent events ends (HTML Living Standard 9.2.6): clients stop reading at its last event, not at its last byte."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple, cast

__all__ = ["Event", "ends", "events"]

_LINE = re.compile(r"\r\n|\n|\r")
_BLANK = re.compile(r"(?>\r\n|\n|\r){2}")  # atomic: CR LF is one line end, never two
_DONE = "[DONE]"
_STOP = "message_stop"


class Event(NamedTuple):
    """An event that has data."""

    name: str
    data: str

    def kind(self) -> str:
        """The member `type` of data that is a JSON object; empty where there is none."""
        value = self.json()
        kind = cast("dict[str, object]", value).get("type") if isinstance(value, dict) else None
        return kind if isinstance(kind, str) else ""

    def json(self) -> object:
        """The data as JSON; None when it is none."""
        try:
            return json.loads(self.data)
        except (ValueError, RecursionError):
            return None


def events(text: str) -> Iterator[Event]:
    """Yield the events of a stream that have data; what follows the last blank line is no event."""
    *blocks, _ = _BLANK.split(text.removeprefix("\ufeff"))
    yield from (event for block in blocks if (event := _event(block)))


def ends(body: bytes, end: str | None) -> bool | None:
    """Whether a stream ends with its terminal event: data `[DONE]`, event `message_stop`, or what is named, typed or reads `end`.

    Returns:
        None when it has no terminal event, False when data follows it.
    """
    text = body.decode("utf-8", "replace").removeprefix("\ufeff")
    last = _BLANK.split(text)[-1]
    found = list(events(text))
    at = next((number for number, event in enumerate(found) if _is_terminal(event, end)), None)
    if at is None:
        return None
    return at == len(found) - 1 and not any(line and not line.startswith(":") for line in _LINE.split(last))


def _event(block: str) -> Event | None:
    fields = [line.partition(":") for line in _LINE.split(block)]
    data = [value.removeprefix(" ") for field, _, value in fields if field == "data"]
    names = [value.removeprefix(" ") for field, _, value in fields if field == "event"]
    return Event(names[-1] if names else "", "\n".join(data)) if data else None


def _is_terminal(event: Event, end: str | None) -> bool:
    if event.data == _DONE or event.name == _STOP:
        return True
    # Only data that speaks of it is read as JSON.
    wanted = {_STOP, end} - {None}
    return end in (event.name, event.data) or (any(str(word) in event.data for word in wanted) and event.kind() in wanted)
