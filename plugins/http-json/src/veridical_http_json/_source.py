"""The hook: records of an API as items, page by page, from where the last reading ended.

    SourceRequest.origin -> [plugin.http-json.sources.NAME] -> request -> reply --WireMap.items--> places --> batch
                                                                  ^---- paging: what follows -----'

Nothing of a reply is copied here: an item says where in the recorded reply it stands, and the host reads it there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, cast

from pydantic import JsonValue
from veridical_contract import (
    ConfigurationError,
    Item,
    Locator,
    PluginContext,
    ProviderError,
    ProviderFailure,
    SourceBatch,
    SourceRequest,
    WireMap,
    hookimpl,
    provider_call,
)

from ._cursor import Cursor, Value, sum_of, value_of
from ._paging import asking, following
from ._pointers import at
from ._settings import SECRET, Declaration, Settings

if TYPE_CHECKING:
    import httpx

__all__ = ["HttpJsonSource"]


class HttpJsonSource:
    """Records of any JSON API: a request, paging, and pointers to what is evidence, all declared in the settings."""

    def __init__(self, context: PluginContext) -> None:
        self._context = context
        self._declared = context.settings(Settings).sources
        self._http = context.http(headers={"Accept": "application/json"})
        self.wire: dict[str, WireMap] = {name: declared.wire() for name, declared in self._declared.items()}

    @hookimpl
    def read(self, request: SourceRequest) -> Iterator[SourceBatch]:
        """Yield the records of the source `request.origin`, a page at a time; with a cursor from there on.

        Raises:
            ConfigurationError: the source is not declared.
            MissingSecretError: a secret that a header names is not set.
            ProviderError: the API failed, or its replies are not as declared.
        """
        name = request.origin
        if (declared := self._declared.get(name)) is None:
            near = get_close_matches(name, self._declared, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Add the table [plugin.http-json.sources.{name}] with url, item and fields."
            raise ConfigurationError(f"Nothing says where the source {name} is read from.", hint=hint)
        api = _Api(self._context, self._http, name, declared)
        yield from _Reading(api, self.wire[name], Cursor.read(request.cursor)).batches()


class _Api:
    """One declared API, asked page by page."""

    def __init__(self, context: PluginContext, http: httpx.Client, name: str, declared: Declaration) -> None:
        self.name = name
        self.declared = declared
        self.cancelled = context.cancelled
        self._http = http
        self._headers = {header: SECRET.sub(lambda found: context.secret(found[1]), value) for header, value in declared.headers.items()}
        table = f"[plugin.http-json.sources.{name}]"
        self._hints: dict[ProviderFailure, str] = {
            "auth": f"See headers in {table}, and the secret that they name.",
            "connection": f"See url in {table}.",
            "malformed": f"See url, query and paging in {table}.",
        }

    def page(self, place: Value | None, since: Value | None) -> JsonValue:
        """Return the page at `place`, parsed.

        Raises:
            ProviderError: the API failed, or its reply is no JSON.
        """
        asked = asking(self.declared, place, since)
        with provider_call(f"The API of {self.name}", hints=self._hints):
            reply = self._http.request(self.declared.method, asked.url, params=asked.query, json=asked.body, headers=self._headers)
            return cast("JsonValue", reply.raise_for_status().json())

    def records(self, reply: JsonValue) -> dict[str, JsonValue]:
        """Return the records of a page, by their pointers.

        Raises:
            ProviderError: the page has no place for records where they are declared to be.
        """
        above = self.declared.item.removesuffix("/*")
        found = at(reply, above)
        if isinstance(found, list):
            return {f"{above}/{number}": record for number, record in enumerate(found)}
        if isinstance(found, dict):
            return {f"{above}/{name.replace('~', '~0').replace('/', '~1')}": record for name, record in found.items()}
        raise self.malformed(f"sent a page that has no records at {above or 'its root'}")

    def malformed(self, said: str) -> ProviderError:
        """Return the error of an API that is not as declared."""
        return ProviderError(f"The API of {self.name} {said}.", failure="malformed", hint=self._hints["malformed"])


class _Reading:
    """One reading, from its cursor to the last page."""

    def __init__(self, api: _Api, wire: WireMap, cursor: Cursor) -> None:
        self._api = api
        self._declared = api.declared
        self._wire = wire
        self._cursor = cursor
        self._since = cursor.since if cursor.since is not None else (self._declared.incremental.start or None)

    def batches(self) -> Iterator[SourceBatch]:
        name, most = self._api.name, self._declared.paging.most
        reply, place = self._first()
        seen: set[tuple[Value | None, str]] = set()
        for number in range(most):
            if number and self._api.cancelled():
                return  # nobody listens
            if number:
                reply = self._api.page(place, self._since)
            records = self._api.records(reply)
            then = following(self._declared, reply, place, len(records))
            self._check_moves(records, then, seen)
            items, keys = self._new(reply, records)
            self._cursor = self._cursor.ended() if then is None else self._cursor.model_copy(update={"at": then})
            goes_on = then is not None or self._cursor.since is not None
            cursor = self._cursor.text() if goes_on else None
            yield SourceBatch(container=name, items=items, keys=keys, cursor=cursor, done=then is None)
            if then is None:
                return
            place = then
        yield SourceBatch(container=name, done=True, problem=f"it has more pages than paging.most = {most} allows")

    def _first(self) -> tuple[JsonValue, Value | None]:
        """Return the page at which the reading goes on; its first page where the API no longer knows that place."""
        place = self._cursor.at
        try:
            return self._api.page(place, self._since), place
        except ProviderError as error:
            if place is None or error.failure != "malformed":
                raise
        return self._api.page(None, self._since), None

    def _check_moves(self, records: dict[str, JsonValue], then: Value | None, seen: set[tuple[Value | None, str]]) -> None:
        """Raise when a page came before: an API that does not know the parameter sends the first page for ever."""
        page = (then if self._declared.paging.kind in ("next-url", "cursor") else None, sum_of(list(records.values())))
        if then is not None and page in seen:
            raise self._api.malformed("sends the same page again and again")
        seen.add(page)

    def _new(self, reply: JsonValue, records: dict[str, JsonValue]) -> tuple[tuple[Item, ...], tuple[str, ...]]:
        """Return the items of the records that were not read before, and what each record is known by."""
        known = {pointer for pointer, record in records.items() if not self._is_new(pointer, record)}
        items: list[Item] = []
        keys: list[str] = []
        for item in self._wire.items(reply, name=self._api.name):
            pointer = item.place.item if item.place is not None else ""
            if pointer in records and pointer not in known:
                items.append(item.model_copy(update={"locator": Locator(container=self._api.name)}))
                keys.append(self._key(pointer, records[pointer]))
        return tuple(items), tuple(keys)

    def _is_new(self, pointer: str, record: JsonValue) -> bool:
        field = self._declared.incremental.field
        if not field:
            return True
        value, digest = value_of(at(record, field), f"{pointer}/{field}"), sum_of(record)
        is_new = self._cursor.is_new(value, digest)
        self._cursor = self._cursor.with_record(value, digest)
        return is_new

    def _key(self, pointer: str, record: JsonValue) -> str:
        values = [at(record, key) for key in self._declared.known_by()]
        if all(isinstance(value, (str, int)) and value != "" for value in values):
            return json.dumps(values)
        if self._declared.key or self._declared.incremental.field:
            raise self._api.malformed(f"sent a record without what it is known by ({', '.join(self._declared.known_by())}) at {pointer}")
        return sum_of(record)
