"""Where a reading of a source was: handed to the host with each page, and given back by it at the next sync.

    since     what this reading asks for as the least value, and `known`: records of that value that were read before
    at        the page that comes next; None at the first
    greatest  the greatest value so far, and `newest`: records of that value

A record is told from an earlier version of itself by a digest of all that the API says of it.
"""

from __future__ import annotations

import hashlib
import json
from datetime import datetime

from pydantic import JsonValue, ValidationError
from veridical_contract import Model, PluginError, ProviderError

__all__ = ["Cursor", "Value", "sum_of", "value_of"]

Value = int | str
_MOST_KNOWN = 1_000
"""Records of one value that are remembered; more than these come again, and take their own places."""


class Cursor(Model):
    """See the module."""

    since: Value | None = None
    known: tuple[str, ...] = ()
    at: Value | None = None
    greatest: Value | None = None
    newest: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str | None) -> Cursor:
        """Return the cursor that `text`, of an earlier reading, is.

        Raises:
            PluginError: it is none.
        """
        try:
            return cls.model_validate_json(text) if text is not None else cls()
        except ValidationError:
            raise PluginError("The cursor is none of http-json's.", hint="Type: veridical sources sync --full") from None

    def text(self) -> str:
        """Return it as the host keeps it."""
        return self.model_dump_json(exclude_defaults=True)

    def is_new(self, value: Value | None, digest: str) -> bool:
        """Whether a record of this value was not read before, in the form in which it is now.

        Raises:
            ProviderError: the value cannot be compared with those before it.
        """
        if value is None or self.since is None:
            return True
        order = _compared(value, self.since)
        return order > 0 or (order == 0 and digest not in self.known)

    def with_record(self, value: Value | None, digest: str) -> Cursor:
        """Return the cursor after a record of this value.

        Raises:
            ProviderError: the value cannot be compared with those before it.
        """
        if value is None:
            return self
        order = 1 if self.greatest is None else _compared(value, self.greatest)
        if order > 0:
            return self.model_copy(update={"greatest": value, "newest": (digest,)})
        if order == 0 and len(self.newest) < _MOST_KNOWN and digest not in self.newest:
            return self.model_copy(update={"newest": (*self.newest, digest)})
        return self

    def ended(self) -> Cursor:
        """Return the cursor for the next reading."""
        return Cursor(since=self.greatest, known=self.newest, greatest=self.greatest, newest=self.newest)


def sum_of(record: JsonValue) -> str:
    """Return what tells a record from its other versions."""
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def value_of(found: JsonValue, field: str) -> Value | None:
    """Return what stands at the incremental field of a record; None where nothing does.

    Raises:
        ProviderError: it is neither a text nor a whole number.
    """
    if found is None or (isinstance(found, (int, str)) and not isinstance(found, bool)):
        return found
    raise ProviderError(f"What stands at {field} is neither a text nor a whole number: {found!r:.50}.", failure="malformed")


def _compared(one: Value, other: Value) -> int:
    """Return 1 when `one` is greater than `other`, 0 when they are equal, else -1; times are compared as times."""
    if isinstance(one, int) and isinstance(other, int):
        return (one > other) - (one < other)
    if isinstance(one, str) and isinstance(other, str):
        first, second = _time(one), _time(other)
        if first is not None and second is not None:
            return (first > second) - (first < second)
        return (one > other) - (one < other)
    raise ProviderError(f"The incremental field holds numbers and texts: {one!r:.50} and {other!r:.50}.", failure="malformed")


def _time(value: str) -> datetime | None:
    """Return an aware time; None for what is no time, or a time nobody knows the zone of."""
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None
