"""A reply that rests on a web search of the provider's own: which of its parts are on the wire, and what the model says about them.

    chunks, excerpts --place--> admitted pages (links) and excerpts (documents), or refused
    spans --unit, part, the provider's own text--> stretches of the reply --which chunks?--> findings; without any: dropped

A page is a hit where the reply lists what was searched for, not where it is cited. The excerpts are words that the provider asserts a
page holds; the reply's own text is a model's, and evidence of nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from veridical_contract import ChatReply, Grounding, GroundingSpan, Item, Locator, WirePlace

from veridical.kernel.admission import Admission
from veridical.kernel.policy import Policy
from veridical.kernel.spans import SpanError, overlap, to_codepoints

from .shapes import Grounded, Link, ReadBatch, WebFinding

__all__ = ["grounded"]

Outcomes = Sequence[Admission | Link | None]
Find = Callable[[Sequence[Item]], tuple[ReadBatch, Outcomes]]
"""Admits items, and says what became of each."""


def grounded(reply: ChatReply, find: Find, *, policy: Policy) -> Grounded:
    """Return what of `reply`, an exact copy, stands on the wire, and its findings in their order."""
    grounding = reply.grounding or Grounding()
    excerpts = list(dict.fromkeys(place for span in grounding.spans for place in span.excerpts))
    chunks = [Item(url=chunk.url, title=chunk.title, locator=_NOWHERE, place=chunk.place) for chunk in grounding.chunks]
    batch, outcomes = find([*chunks, *(Item(locator=_NOWHERE, place=place) for place in excerpts)])
    cited = {(place.map, place.item) for place in excerpts}
    pages = [
        page if chunk.place is None or (chunk.place.map, chunk.place.item) not in cited else None
        for chunk, page in zip(grounding.chunks, outcomes, strict=False)
    ]
    hits = {page.url for page in pages if isinstance(page, Link)}
    admitted = dict(zip(excerpts, (_of_a_hit(outcome, hits) for outcome in outcomes[len(chunks) :]), strict=True))
    kept = {found.id for found in admitted.values() if isinstance(found, Admission)}
    strangers = len(batch.documents) - len(kept)
    batch = replace(
        batch,
        documents=tuple(found for found in batch.documents if found.id in kept),
        links=tuple(link for link in batch.links if link.url in hits),
        refused=(*batch.refused, *["not-a-hit"] * strangers),
    )
    return Grounded(batch, tuple(_findings(reply, grounding.spans, pages, admitted, policy)))


def _of_a_hit(outcome: Admission | Link | None, hits: Collection[str]) -> Admission | Link | None:
    """Leave out an excerpt of a page that the search did not find: whoever cites it did not read it there."""
    return None if isinstance(outcome, Admission) and outcome.document.url not in hits else outcome


_NOWHERE = Locator(container="")


def _findings(
    reply: ChatReply, spans: Sequence[GroundingSpan], pages: Outcomes, excerpts: dict[WirePlace, Admission | Link | None], policy: Policy
) -> Iterator[WebFinding]:
    """Yield a finding for each stretch of the reply that spans which overlap cover together."""
    placed = [(span.part, found, span) for span in spans if (found := _place(reply, span, policy)) is not None]
    groups: list[tuple[int, tuple[int, int], list[GroundingSpan]]] = []
    for part, (start, end), span in sorted(placed, key=lambda one: (one[0], one[1])):
        if groups and groups[-1][0] == part and overlap(groups[-1][1], (start, end)):
            before = groups[-1]
            groups[-1] = (part, (before[1][0], max(before[1][1], end)), [*before[2], span])
        else:
            groups.append((part, (start, end), [span]))
    for part, (start, end), members in groups:
        found = [excerpts[place] for span in members for place in span.excerpts]
        links = [pages[index] for span in members for index in span.chunks if 0 <= index < len(pages)]
        documents = tuple(dict.fromkeys(one.id for one in found if isinstance(one, Admission)))
        named = tuple(dict.fromkeys(one for one in (*links, *found) if isinstance(one, Link)))
        if documents or named:
            yield WebFinding(reply.parts[part][start:end], documents, named)


def _place(reply: ChatReply, span: GroundingSpan, policy: Policy) -> tuple[int, int] | None:
    """Return where a span stands in its part, in code points; None when it stands nowhere, or holds other words than its provider says."""
    if span.part >= len(reply.parts):
        return None
    try:
        return to_codepoints(reply.parts[span.part], span.start, span.end, span.unit, policy=policy, expected=span.text)
    except SpanError:
        return None
