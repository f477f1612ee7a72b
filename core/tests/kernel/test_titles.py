"""Titles of hits: an atom as it stands, or none where its provider marks texts up and the title too."""

from __future__ import annotations

import json

import pytest
from veridical_contract import WireMap, WirePlace

from .wired import BRAVE, admitted, exchange

TEXT = "Radium was isolated in 1910 by Marie Curie."


def titled(wire: WireMap, title: str | None) -> tuple[str | None, list[tuple[str, str]]]:
    """The title of an admitted hit, and what was dropped of it."""
    row = {"url": "https://a.example/1", "description": TEXT} | ({"title": title} if title is not None else {})
    made = exchange(json.dumps({"web": {"results": [row]}}).encode(), "https://api.search.brave.com/res/v1/web/search")
    found = admitted(wire, WirePlace(item="/web/results/0", text="description"), made)
    assert found.document.text == TEXT
    return found.document.title, list(found.dropped)


@pytest.mark.parametrize("title", ["Radium &amp; more", "<b>Radium</b>", "AT&T", "a < b"])
def test_a_title_that_may_hold_markup_is_left_out_where_texts_are_marked_up(title: str) -> None:
    assert titled(BRAVE, title) == (None, [("title-markup", title)])


@pytest.mark.parametrize("title", ["Radium", "Radium; more", "a > b", "Café"])
def test_any_other_title_is_kept(title: str) -> None:
    assert titled(BRAVE, title) == (title, [])


def test_where_texts_are_plain_so_are_titles() -> None:
    plain = BRAVE.model_copy(update={"projection": "plain"})
    assert titled(plain, "Radium & more") == ("Radium & more", [])


def test_a_hit_without_a_title_has_none() -> None:
    assert titled(BRAVE, None) == (None, [])
