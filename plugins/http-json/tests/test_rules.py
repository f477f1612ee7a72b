"""However an API pages, sorts and filters, and wherever a reading stops: each record is handed in, in its newest version."""

from __future__ import annotations

from itertools import islice
from types import SimpleNamespace
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue
from veridical_http_json._cursor import Cursor, Value, sum_of
from veridical_http_json._paging import asking
from veridical_http_json._settings import Declaration
from veridical_http_json._source import _Api, _Reading

PAGING: dict[str, dict[str, Any]] = {
    "page": {"kind": "page", "parameter": "page", "size": 2},
    "page from 0": {"kind": "page", "parameter": "page", "first": 0},
    "page with more": {"kind": "page", "parameter": "page", "more": "/more"},
    "offset": {"kind": "offset", "parameter": "skip", "size": 2},
    "next-url": {"kind": "next-url", "pointer": "/next"},
    "cursor": {"kind": "cursor", "parameter": "after", "pointer": "/after"},
}
versions = st.lists(st.tuples(st.integers(1, 6), st.integers(0, 2)), max_size=12)
"""(record, how much later than the change before it is changed): several changes may be of one moment."""


class Api(_Api):
    """An API that holds what a test gives it, and answers two records a page."""

    def __init__(self, paging: dict[str, Any], *, filters: bool, ascending: bool) -> None:
        declared = {
            "url": "https://desk.example.com/api/tickets",
            "item": "/tickets/*",
            "url_template": "https://desk.example.com/t/{id}",
            "fields": {"text": ["body"]},
            "paging": paging,
            "incremental": {"field": "changed", "parameter": "since"},
        }
        context = SimpleNamespace(cancelled=lambda: False)
        super().__init__(cast("Any", context), cast("Any", None), "desk", Declaration.model_validate(declared))
        self.tickets: dict[int, dict[str, Any]] = {}
        self.moment = 0
        self._filters = filters
        self._ascending = ascending

    def change(self, number: int, later: int) -> None:
        self.moment += later
        version = self.tickets.get(number, {}).get("version", 0) + 1
        self.tickets[number] = {"id": number, "body": f"{number} v{version}", "version": version, "changed": self.moment}

    def records(self, reply: JsonValue) -> dict[str, JsonValue]:
        self.last = super().records(reply)
        return self.last

    def held(self, pointer: str) -> str:
        """Return the text of a record of the last page."""
        return cast("Any", self.last[pointer])["body"]

    def page(self, place: Value | None, since: Value | None) -> JsonValue:
        asked = asking(self.declared, place, since)
        query = asked.query if asked.query is not None else dict(pair.split("=") for pair in asked.url.partition("?")[2].split("&"))
        found = [one for one in self.tickets.values() if not self._filters or one["changed"] >= int(query.get("since", 0))]
        found.sort(key=lambda one: (one["changed"], one["id"]), reverse=not self._ascending)
        first = self.declared.paging.first
        start = (int(query["page"]) - first) * 2 if "page" in query else int(query.get("skip", query.get("after", 0)))
        more = start + 2 < len(found)
        since_too = f"&since={query['since']}" if "since" in query else ""
        return {
            "tickets": found[start : start + 2],
            "more": more,
            "next": f"/api/tickets?skip={start + 2}{since_too}" if more else None,
            "after": start + 2 if more else None,
        }


def read(api: Api, cursor: str | None, batches: int | None = None) -> tuple[dict[str, str], str | None]:
    """Return what was handed in by key, and the last cursor; after `batches` the reading is left."""
    found: dict[str, str] = {}
    for batch in islice(_Reading(api, api.declared.wire(), Cursor.read(cursor)).batches(), batches):
        assert batch.problem is None
        for item, key in zip(batch.items, batch.keys, strict=True):
            assert item.place is not None
            found[key] = api.held(item.place.item)
        cursor = batch.cursor if batch.done or batch.cursor is not None else cursor
    return found, cursor


@given(
    paging=st.sampled_from(list(PAGING.values())),
    filters=st.booleans(),
    ascending=st.booleans(),
    rounds=st.lists(st.tuples(versions, st.none() | st.integers(1, 3)), min_size=1, max_size=5),
)
def test_after_a_reading_that_ended_every_record_is_known_in_its_newest_version(
    paging: dict[str, Any], filters: bool, ascending: bool, rounds: list[tuple[list[tuple[int, int]], int | None]]
) -> None:
    api = Api(paging, filters=filters, ascending=ascending)
    known: dict[str, str] = {}
    cursor: str | None = None
    for changes, stops in rounds:
        # What changes while a reading is left changes the pages too: only what is read to its end in one state of the API is certain.
        for number, later in changes:
            api.change(number, later)
        cursor = None if cursor is not None and changes and Cursor.read(cursor).at is not None else cursor
        found, cursor = read(api, cursor, stops)
        known |= found
        if stops is not None:
            found, cursor = read(api, cursor)
            known |= found
        assert {f"[{number}]": one["body"] for number, one in api.tickets.items()} == known


@given(paging=st.sampled_from(list(PAGING.values())), filters=st.booleans(), changes=versions)
def test_what_did_not_change_is_not_handed_in_again(paging: dict[str, Any], filters: bool, changes: list[tuple[int, int]]) -> None:
    api = Api(paging, filters=filters, ascending=True)
    for number, later in changes:
        api.change(number, later)
    _, cursor = read(api, None)
    assert read(api, cursor) == ({}, cursor)


@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
)
def test_the_sum_of_a_record_is_that_of_an_equal_one(record: Any) -> None:
    assert sum_of(record) == sum_of(record)
    assert sum_of({"a": record, "b": 1}) == sum_of({"b": 1, "a": record})
    assert sum_of([record]) != sum_of([record, record])
