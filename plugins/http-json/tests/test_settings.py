"""Each mistake in a declaration is one line that names the key."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from veridical.settings import checked
from veridical_contract import ConfigurationError, WireMap
from veridical_http_json._settings import Declaration, Settings

GOOD: dict[str, Any] = {
    "url": "https://desk.example.com/api/tickets",
    "item": "/tickets/*",
    "url_template": "https://desk.example.com/t/{id}",
    "fields": {"text": "body"},
}
WITHOUT = object()
MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "no url": ({"url": WITHOUT}, "desk.url: field required"),
    "no item": ({"item": WITHOUT}, "desk.item: field required"),
    "no fields": ({"fields": WITHOUT}, "desk.fields: field required"),
    "no text": ({"fields": {"title": "subject"}}, "desk.fields.text: field required"),
    "text is empty": ({"fields": {"text": []}}, "desk.fields.text: "),
    "text is a number": ({"fields": {"text": 7}}, "desk.fields.text: "),
    "a key that is none": ({"hedders": {}}, "desk.hedders: this key is not known"),
    "a field that is none": ({"fields": {"text": "body", "subject": "s"}}, "desk.fields.subject: this key is not known"),
    "an address that is none": ({"url": "desk.example.com"}, "desk.url: "),
    "an address with a query": ({"url": "https://desk.example.com/api?page=1"}, "desk.url: "),
    "an address with a password": ({"url": "https://me:pw@desk.example.com/api"}, "desk.url: "),
    "a method that is none": ({"method": "PUT"}, "desk.method: "),
    "an item without a slash": ({"item": "tickets/*"}, "item: expected a pointer to each record"),
    "an item that is no list": ({"item": "/tickets"}, "item: expected a pointer to each record"),
    "an item with two stars": ({"item": "/tickets/*/comments/*"}, "item: expected a pointer to each record"),
    "a pointer with a bad escape": ({"fields": {"text": "a~2b"}}, "desk.fields.text"),
    "no address of a record": ({"url_template": WITHOUT}, "url_template: expected the address"),
    "two addresses of a record": ({"fields": {"text": "body", "url": "link"}}, "fields.url and url_template"),
    "a template that is no address": ({"url_template": "/t/{id}"}, "url_template: expected a whole address"),
    "a template without a slot": ({"url_template": "https://desk.example.com/t/"}, "url_template: "),
    "a slot in the host": ({"url_template": "https://{id}.example.com/t"}, "url_template: "),
    "a pattern for no slot": ({"slots": {"number": "[0-9]+"}}, "slots names 'number'"),
    "a pattern that is none": ({"slots": {"id": "["}}, "the pattern of slot 'id'"),
    "a body with GET": ({"body": {"state": "open"}}, 'body: a GET has none; expected method = "POST"'),
    "a pointer into a body with GET": (
        {"paging": {"kind": "page", "parameter": "/page"}},
        'parameter: a pointer into the body needs method = "POST"',
    ),
    "a secret in the query": ({"query": {"key": "{secret:KEY}"}}, "a secret may stand in the value of a header only"),
    "a secret in the body": ({"method": "POST", "body": {"key": ["{secret:KEY}"]}}, "a secret may stand in the value of a header only"),
    "a secret in the address": ({"url": "https://desk.example.com/{secret:KEY}"}, "desk.url: "),
    "a token in the clear": ({"headers": {"authorization": "Bearer abc"}}, "headers.authorization: expected the name of a secret"),
    "braces without a secret": ({"headers": {"X-Key": "{KEY}"}}, "desk.headers.X-Key: "),
    "a line break in a header": ({"headers": {"X-Key": "a\r\nHost: b"}}, "desk.headers.X-Key: "),
    "a header that is none": ({"headers": {"X Key": "a"}}, "headers: 'X Key' is no header"),
    "a header of the client's own": ({"headers": {"Host": "a"}}, "headers: 'Host' is no header"),
    "a kind of paging that is none": ({"paging": {"kind": "pages"}}, "desk.paging.kind: "),
    "pages without a parameter": ({"paging": {"kind": "page"}}, "desk.paging: value error, paging.kind 'page' needs parameter"),
    "an offset without a size": ({"paging": {"kind": "offset", "parameter": "skip"}}, "paging.kind 'offset' needs size"),
    "a next address without a place": ({"paging": {"kind": "next-url"}}, "paging.kind 'next-url' needs pointer"),
    "a cursor without a place": ({"paging": {"kind": "cursor", "parameter": "after"}}, "paging.kind 'cursor' needs pointer"),
    "a place without a slash": ({"paging": {"kind": "next-url", "pointer": "next"}}, "desk.paging.pointer: "),
    "no page at all": ({"paging": {"most": 0}}, "desk.paging.most: "),
    "a value that grows without a parameter": ({"incremental": {"field": "at"}}, "incremental needs both field and parameter"),
    "a beginning that is another": ({"base_url": "https://desk.example.com/other"}, "base_url: expected the beginning of url"),
}


def declared(**changes: Any) -> Declaration:
    table = {name: value for name, value in {**GOOD, **changes}.items() if value is not WITHOUT}
    return checked(Settings, {"sources": {"desk": table}}, file=Path("settings.toml"), within="plugin.http-json").sources["desk"]


@pytest.mark.parametrize(("changes", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_one_line_that_names_the_key(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        declared(**changes)
    assert str(raised.value).startswith("settings.toml: plugin.http-json.sources.desk")
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_the_wire_map_is_what_was_declared() -> None:
    found = declared(
        base_url="https://desk.example.com/api",
        slots={"id": "[0-9]+"},
        projection="markdown",
        fields={"text": ["/body", "notes/*/text"], "title": "subject", "author": "by/id", "author_name": "by/name", "published": "at"},
    ).wire()
    assert found == WireMap(
        base_url="https://desk.example.com/api",
        item="/tickets/*",
        url="https://desk.example.com/t/{id}",
        title="subject",
        text=("body", "notes/*/text"),
        author="by/id",
        author_name="by/name",
        published="at",
        slots={"id": "[0-9]+"},
        projection="markdown",
    )


@pytest.mark.parametrize(
    ("changes", "known_by"),
    [
        ({}, ("id",)),
        ({"key": "/number"}, ("number",)),
        ({"url_template": "https://desk.example.com/{queue}/{id}"}, ("queue", "id")),
        ({"url_template": WITHOUT, "fields": {"text": "body", "url": "link"}}, ("link",)),
    ],
)
def test_a_record_is_known_by_its_key_or_by_what_makes_its_address(changes: dict[str, Any], known_by: tuple[str, ...]) -> None:
    assert declared(**changes).known_by() == known_by


def test_a_list_at_the_root_is_a_place_for_records() -> None:
    assert declared(item="/*").wire().items(json.loads('[{"id": 1, "body": "a"}]'))[0].place.item == "/0"  # type: ignore[union-attr]


def test_a_secret_may_stand_anywhere_in_the_value_of_a_header() -> None:
    value = "Token token={secret:DESK_TOKEN}, more"
    assert declared(headers={"Authorization": value}).headers == {"Authorization": value}
    assert re.search("secret", json.dumps(declared(headers={"X-Key": "{secret:K}"}).headers))
