"""A page that the host fetched has the URL that it was read from, and that URL follows from no pointer into its bytes."""

from __future__ import annotations

from typing import Any

import pytest

from .cases import Change, answered
from .changes import stop

URL = "https://p.example/papers/rates.pdf"


def fetched(**changes: object) -> Change:
    """Make the page of the PDF one that was fetched, with `changes` to its document."""

    def change(case: Any) -> None:
        document = case.documents["p"]
        document |= {"url": URL, "locator": {**document["locator"], "container": URL, "page": 1}}
        document["grades"]["url"] = "held"
        document |= changes

    return change


def test_the_url_of_a_fetched_page_is_held_without_a_pointer() -> None:
    assert "" == stop(answered(fetched()).build())


@pytest.mark.parametrize("container", ["https://p.example/papers/rates.pdf#page=2", "https://p.example/", "notes/rates.pdf"])
def test_a_url_that_is_not_where_the_page_was_read_is_not_held(container: str) -> None:
    locator = {"container": container, "line": None, "row": None, "page": 1, "message": None}
    case = answered(fetched(locator=locator))
    assert f"documents/{case.ids()['p']}.json/grades/url" == stop(case.build())


def test_a_url_is_not_held_where_no_bytes_are_said_to_have_been_read() -> None:
    def change(case: Any) -> None:
        fetched(raw=None, derivation=None)(case)
        case.documents["p"]["grades"]["text"] = "attested"

    case = answered(change)
    assert f"documents/{case.ids()['p']}.json/grades/url" == stop(case.build())


def test_no_other_field_is_held_because_a_page_was_fetched() -> None:
    def change(case: Any) -> None:
        fetched(title=URL)(case)
        case.documents["p"]["grades"]["title"] = "held"

    case = answered(change)
    assert f"documents/{case.ids()['p']}.json/grades/title" == stop(case.build())
