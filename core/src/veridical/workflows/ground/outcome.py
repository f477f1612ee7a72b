"""A `ResearchOutcome` from what was published: nothing in it that the exit did not let out, but computed numbers and constant words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence

from veridical_contract import (
    Citation,
    DisambiguationCandidate,
    InputRecord,
    OutcomeCitation,
    OutcomeClaim,
    OutcomeSection,
    PluginError,
    Reference,
    Report,
    ResearchOutcome,
    Untrusted,
)

from veridical.kernel.exit import Published

from .refusals import ambiguous

__all__ = ["STORE", "answer", "candidates", "notes", "refused"]

STORE = "store"
"""What is named as the provider where only local evidence answers."""
_LONGEST_NOTE = 2000
_MOST_NOTES = 50
_REPEATED = {1: " One of them repeats another."}


def refused(
    question: str,
    reason: str,
    tried: Mapping[str, PluginError],
    *,
    inputs: Sequence[InputRecord] = (),
    provider: str | None = None,
    score: float = 0.0,
) -> ResearchOutcome:
    """Return the outcome of a question to which nothing is said."""
    said = notes(tried, inputs)
    return ResearchOutcome(
        ok=False, query=question, refusal_reason=reason, unverified_notes=said, coverage_score=score, provider_used=provider
    )


def answer(
    published: Published, ranks: Mapping[str, int], tried: Mapping[str, PluginError], *, provider: str | None, score: float
) -> ResearchOutcome:
    """Return the outcome of a report whose themes are domains; a member that no claim quotes is a copy of one that is quoted.

    Args:
        published: the report that the exit let out, with the documents that it rests on.
        ranks: place among what was found, from 1, by identifier of the document.
        tried: plugins that failed, in the order in which they were asked.
        provider: that answered.
        score: the coverage.
    """
    report = published.report
    rows = {row.document: row for row in report.citations}
    return ResearchOutcome(
        ok=True,
        query=report.query,
        summary=_summary(report),
        sections=tuple(_sections(report, rows)),
        citations=_citations(published, ranks),
        unverified_notes=notes(tried, report.inputs),
        coverage_score=score,
        provider_used=provider,
    )


def candidates(
    published: Published, ranks: Mapping[str, int], tried: Mapping[str, PluginError], *, provider: str | None, score: float
) -> ResearchOutcome:
    """Return the outcome of a report whose themes are people who share a name; arguments as for `answer`."""
    report = published.report
    rows = {row.document: row for row in report.citations}
    found = tuple(
        DisambiguationCandidate(title=row.title, url=row.url, domain=row.source_key, passage=quote.span.text, citation_index=row.number - 1)
        for theme in report.themes
        for quote in (theme.claims[0].quotes[0],)
        for row in (rows[quote.span.document],)
    )
    return ResearchOutcome(
        ok=False,
        query=report.query,
        citations=_citations(published, ranks),
        unverified_notes=notes(tried, report.inputs),
        disambiguation_candidates=found,
        refusal_reason=ambiguous(len(found)),
        coverage_score=score,
        provider_used=provider,
    )


def notes(tried: Mapping[str, PluginError], inputs: Sequence[InputRecord] = ()) -> tuple[Untrusted, ...]:
    """Return what the plugins said that failed, and then what is to be said of pages and files that were read in part, or not at all."""
    failed = [Untrusted(origin=plugin, text=str(error)[:_LONGEST_NOTE]) for plugin, error in tried.items()]
    said = [one.reason for one in inputs if one.reason is not None and one.reason.origin not in tried and one.status != "unchanged"]
    return (*failed, *said[:_MOST_NOTES])


def _sections(report: Report, rows: Mapping[str, Citation]) -> Iterator[OutcomeSection]:
    for theme in report.themes:
        claims = tuple(
            OutcomeClaim(text=claim.text, citation_index=rows[claim.quotes[0].span.document].number - 1) for claim in theme.claims
        )
        yield OutcomeSection(heading=rows[theme.claims[0].quotes[0].span.document].source_key, claims=claims)


def _citations(published: Published, ranks: Mapping[str, int]) -> tuple[OutcomeCitation, ...]:
    places = {place.document: place for theme in published.report.themes for place in theme.members}
    return tuple(_citation(row, _snippet(published, places[row.document]), ranks[row.document]) for row in published.report.citations)


def _citation(row: Citation, snippet: str, rank: int) -> OutcomeCitation:
    digest = hashlib.sha256(snippet.encode("utf-8")).hexdigest()
    return OutcomeCitation(
        url=row.url,
        title=row.title,
        snippet=snippet,
        retrieved_at=row.retrieved,
        snippet_hash=digest[:16],
        snippet_sha256=digest,
        rank=rank,
        domain=row.source_key,
        witness=row.witness,
    )


def _snippet(published: Published, place: Reference) -> str:
    text: str = json.loads(published.documents[place.document])["text"]
    return text[place.start : place.end]


def _summary(report: Report) -> str:
    claims = sum(len(theme.claims) for theme in report.themes)
    copies = len(report.citations) - report.funnel.cited
    sources = len({row.source_key for row in report.citations})
    said = f"{_many(claims, 'statement')} of {_many(len(report.citations), 'document')} from {_many(sources, 'source')}"
    return f"{said}, in the words of the sources." + (_REPEATED.get(copies, f" {copies} of them repeat others.") if copies else "")


def _many(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
