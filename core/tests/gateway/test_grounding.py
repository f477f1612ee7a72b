"""Findings of a grounded reply: spans exact or dropped, grouped by half-open overlap, each with its pages. Citations of own passages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from veridical.gateway.citing import cited
from veridical.gateway.grounding import grounded
from veridical.gateway.shapes import Link, ReadBatch
from veridical.kernel.policy import load_policy
from veridical_contract import ChatReply, Grounding, GroundingChunk, GroundingSpan, Item, PassageCitation, WirePlace

POLICY = load_policy()
FIRST = "Étienne \u2013 Spain won 2\u20131."
TEXT = f"{FIRST} It rained."
LINKS = [Link("https://one.example/"), Link("https://two.example/"), Link("https://three.example/")]
BYTES = len(FIRST.encode())


def span(start: int, end: int, *chunks: int, **more: Any) -> GroundingSpan:
    return GroundingSpan(**({"part": 0, "start": start, "end": end, "unit": "codepoint", "chunks": chunks} | more))


def findings(*spans: GroundingSpan, links: Sequence[Link | None] = LINKS, parts: tuple[str, ...] = (TEXT,)) -> list[tuple[str, list[str]]]:
    """(words of the model, pages) of each finding; None in `links` is a page that the kernel refused."""
    chunks = tuple(GroundingChunk(place=WirePlace(item=f"/{number}"), url=link.url) for number, link in enumerate(LINKS))

    def find(items: Sequence[Item]) -> tuple[ReadBatch, Sequence[Link | None]]:
        assert len(items) == len(chunks)
        kept = tuple(link for link in links if link is not None)
        batch = ReadBatch("p", (), {}, refused=(), dropped=(), rejections=(), done=True, problem=None, links=kept)
        return batch, links

    reply = ChatReply(parts=parts, grounding=Grounding(chunks=chunks, spans=spans), model="m")
    found = grounded(reply, find, policy=POLICY)
    return [(finding.text, [link.url for link in finding.links]) for finding in found.findings]


def test_a_span_in_bytes_is_sliced_from_its_part_exactly() -> None:
    assert findings(span(0, BYTES, 0, unit="utf8", text=FIRST)) == [(FIRST, [LINKS[0].url])]


@pytest.mark.parametrize("shift", [-1, 1, 2, 7])
def test_a_span_that_is_shifted_is_dropped_with_all_that_it_says(shift: int) -> None:
    assert findings(span(0 + shift, BYTES + shift, 0, unit="utf8", text=FIRST)) == []


def test_bytes_that_are_passed_off_as_characters_are_dropped() -> None:
    assert findings(span(0, BYTES, 0, unit="codepoint", text=FIRST)) == []


def test_a_span_is_relative_to_its_own_part() -> None:
    parts = ("Café intro. ", TEXT)
    assert findings(span(0, len(FIRST), 1, part=1, text=FIRST), parts=parts) == [(FIRST, [LINKS[1].url])]
    assert findings(span(0, len(FIRST), 1, part=0, text=FIRST), parts=parts) == []
    assert findings(span(0, 4, 1, part=2), parts=parts) == []


def test_spans_that_touch_are_two_findings_and_spans_that_overlap_are_one() -> None:
    middle = len(FIRST)
    touching = findings(span(0, middle, 0), span(middle, len(TEXT), 1))
    assert touching == [(FIRST, [LINKS[0].url]), (" It rained.", [LINKS[1].url])]
    assert findings(span(0, middle + 1, 0), span(middle, len(TEXT), 1)) == [(TEXT, [LINKS[0].url, LINKS[1].url])]


def test_a_finding_without_a_page_that_was_admitted_does_not_exist() -> None:
    assert findings(span(0, len(FIRST), 0), links=[None, *LINKS[1:]]) == []
    assert findings(span(0, len(FIRST))) == []
    assert findings(span(0, len(FIRST), 3, -1)) == []


def citing(**citation: Any) -> list[tuple[str | None, str]]:
    reply = ChatReply(parts=("It rained.",), citations=(PassageCitation(**({"passage": "p1"} | citation)),), model="m")
    return [(claim.text, quote.quote) for claim in cited(reply, {"p1": TEXT}, policy=POLICY) for quote in claim.quotes]


def test_a_citation_is_the_passages_own_words_at_its_place() -> None:
    place = {"start": len(FIRST) + 1, "end": len(TEXT)}
    assert citing(**place) == citing(**place, text="It rained. ") == [("It rained.", "It rained.")]
    assert citing() == [("It rained.", TEXT)]


@pytest.mark.parametrize(
    "citation",
    [
        {"passage": "p2"},
        {"start": 0, "end": len(TEXT) + 1},
        {"start": 3, "end": 3},
        {"start": -4, "end": 4},
        {"start": 0},
        {"start": 0, "end": len(FIRST), "text": "It rained."},
        {"part": 1},
    ],
)
def test_a_citation_of_what_was_not_sent_there_is_dropped(citation: dict[str, Any]) -> None:
    assert citing(**citation) == []
