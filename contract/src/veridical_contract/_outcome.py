"""What a question that is put to a real search comes to: claims that each carry a citation, or a refusal that says what would help.

    ResearchOutcome
    |-- ok, query, summary
    |-- sections -> claims -> citation_index        each claim is a span of an admitted document
    |-- citations                                   one row per cited document, with the snippet and its digest
    |-- disambiguation_candidates                   instead of sections, when a name is that of several people
    |-- refusal_reason                              instead of sections; shown verbatim
    `-- coverage_score, provider_used, unverified_notes

No model has a part in it: a search plugin asks, the host composes.
"""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from ._documents import Grade
from ._model import ComputedText, Count, Digest, KernelText, LedgerText, Model, PluginName, SpanText, UserText
from ._reports import Untrusted

__all__ = ["DisambiguationCandidate", "OutcomeCitation", "OutcomeClaim", "OutcomeSection", "ResearchOutcome"]


class OutcomeClaim(Model):
    """A statement in the words of a source.

    Attributes:
        text: a sentence of the cited document, copied.
        citation_index: of its row in `citations`, from 0.
    """

    text: SpanText
    citation_index: Count


class OutcomeSection(Model):
    """What one domain says.

    Attributes:
        heading: the registrable domain, or `source:NAME` for local evidence.
        claims: never empty.
    """

    heading: ComputedText
    claims: Annotated[tuple[OutcomeClaim, ...], Field(min_length=1)]


class OutcomeCitation(Model):
    """One document that is cited.

    Attributes:
        url: as admitted; None for a local document that has none.
        title: as admitted.
        snippet: the words that are cited, copied from the document: what an audit looks for again.
        retrieved_at: when the host read it, ISO 8601 in UTC to the second.
        snippet_hash: first 16 hexadecimal digits of the SHA-256 of `snippet` in UTF-8.
        snippet_sha256: all of them.
        rank: its place among what was found, from 1.
        domain: registrable domain of the URL, or `source:NAME`.
        witness: its weakest grade: what stands behind it.
    """

    url: LedgerText | None
    title: LedgerText | None
    snippet: SpanText
    retrieved_at: LedgerText
    snippet_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$", json_schema_extra={"leaf": "computed"})]
    snippet_sha256: Digest
    rank: Annotated[int, Field(ge=1)]
    domain: ComputedText
    witness: Grade


class DisambiguationCandidate(Model):
    """One of several people who share the name that was asked for.

    Attributes:
        title: of the document that speaks of this one, as admitted.
        url: of it, as admitted.
        domain: registrable domain of the URL, or `source:NAME`.
        passage: the words that tell this one from the others, copied.
        citation_index: of its row in `citations`, from 0.
    """

    title: LedgerText | None
    url: LedgerText | None
    domain: ComputedText
    passage: SpanText
    citation_index: Count


class ResearchOutcome(Model):
    """What was found for a question, or why nothing is said.

    Attributes:
        ok: whether there is an answer; then there are sections and no refusal.
        query: the question, verbatim.
        summary: how much was found, in the kernel's words and computed numbers; empty when refused.
        sections: by domain, best first.
        citations: rows that claims and candidates point at.
        unverified_notes: what plugins said that failed, in the order in which they were asked: labelled, never evidence.
        disambiguation_candidates: of an ambiguous name.
        refusal_reason: for a person, shown verbatim: what was tried and how to go on.
        coverage_score: from 0 to 1, how much of the question independent evidence speaks of.
        provider_used: the search plugin that answered, `store` when only local evidence did; None when nothing did.
    """

    ok: bool
    query: UserText
    summary: KernelText = ""
    sections: tuple[OutcomeSection, ...] = ()
    citations: tuple[OutcomeCitation, ...] = ()
    unverified_notes: tuple[Untrusted, ...] = ()
    disambiguation_candidates: tuple[DisambiguationCandidate, ...] = ()
    refusal_reason: KernelText | None = None
    coverage_score: Annotated[float, Field(ge=0, le=1)] = 0.0
    provider_used: PluginName | None = None

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if self.ok != bool(self.sections) or self.ok != (self.refusal_reason is None):
            raise ValueError("an outcome has sections and no refusal, or a refusal and no sections")
        if self.ok and self.disambiguation_candidates:
            raise ValueError("an answer has no candidates")
        used = [claim.citation_index for section in self.sections for claim in section.claims]
        used += [candidate.citation_index for candidate in self.disambiguation_candidates]
        if any(index >= len(self.citations) for index in used):
            raise ValueError("a claim or candidate points at a citation that is not there")
        return self
