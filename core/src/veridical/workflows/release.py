"""Release: from a located proposal to a report, or to nothing.

A proposal is data from outside, whoever made it. Each quote is confirmed or rejected with its rule; a claim lives by its quotes, a
theme by its claims, a report by its themes. What is left is built from the kernel's functions, by which it will be re-checked at the
exit: a mistake here makes a report that is refused, never one that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from veridical_contract import Answer, Claim, Quote, Reference, Rejection, Report, Theme, ThemeName

from veridical.kernel.canonical import digest
from veridical.kernel.prose import ProseRefused
from veridical.kernel.recheck import prose
from veridical.kernel.report import Evidence, QuoteRefused, citations, counts, funnel, quote, quoted, span, supports
from veridical.kernel.texts import UNADDRESSED, RefusalCode, refusal, theme_name

__all__ = ["Proposal", "ProposedAnswer", "ProposedClaim", "ProposedQuote", "ProposedTheme", "release"]


@dataclass(frozen=True, slots=True)
class ProposedQuote:
    """Words, and where they are said to stand.

    Attributes:
        words: as proposed.
        at: document, first and one past the last code point; None when the words were not found, for the reason in `miss`.
        field: of the document.
        occurrences: how often the words stand there.
        headings: above the place, outermost first.
        line: in the file, from 1.
        miss: rule of the diagnosis, when there is no place.
    """

    words: str
    at: Reference | None
    field: str = "text"
    occurrences: int = 1
    headings: tuple[Reference, ...] = ()
    line: int | None = None
    miss: str = "not-found"


@dataclass(frozen=True, slots=True)
class ProposedClaim:
    """A statement in a model's words, or None, and its quotes."""

    text: str | None
    quotes: tuple[ProposedQuote, ...]


@dataclass(frozen=True, slots=True)
class ProposedTheme:
    """A theme: a name in a model's words or in a source's, claims, and the passages that were grouped."""

    name: str | None
    name_quote: ProposedQuote | None
    claims: tuple[ProposedClaim, ...]
    members: tuple[Reference, ...]


@dataclass(frozen=True, slots=True)
class ProposedAnswer:
    """Claims that answer a question that must be addressed, by its index."""

    question: int
    claims: tuple[ProposedClaim, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a plugin proposed, located.

    Attributes:
        plugin: that proposed it.
        hook: through which.
        themes: in order.
        answers: in any order.
        refuse: refuse with this code whatever was proposed; None to let the evidence decide.
    """

    plugin: str
    hook: str
    themes: tuple[ProposedTheme, ...] = ()
    answers: tuple[ProposedAnswer, ...] = ()
    refuse: RefusalCode | None = None


def release(proposal: Proposal, evidence: Evidence) -> Report:
    """Return the report that is left of `proposal`; what was dropped is recorded in the run."""
    return evidence.run.release(_Release(proposal, evidence).report())


class _Release:
    def __init__(self, proposal: Proposal, evidence: Evidence) -> None:
        self._proposal = proposal
        self._evidence = evidence
        self._claims = 0

    def report(self) -> Report:
        evidence, run = self._evidence, self._evidence.run
        themes = self._themes() if self._proposal.refuse is None else ()
        answers = self._answers(answering=bool(themes))
        answered = [claim for answer in answers for claim in answer.claims]
        cited = quoted([*(claim for theme in themes for claim in theme.claims), *answered])
        code: RefusalCode = self._proposal.refuse or "nothing-verified"
        refused = refusal(code, (run.in_scope, run.retrieved, len(run.documents), len(run.shown)))
        return Report(
            outcome="answered" if themes else "refused",
            query=run.query,
            run=run.record(),
            themes=themes,
            answers=answers,
            citations=citations(evidence, themes, answered),
            funnel=funnel(run, len(cited)),
            not_cited=tuple(name for name in run.shown if name not in set(cited)),
            rejections=tuple(run.rejections),
            inputs=run.inputs,
            plugins=run.plugins,
            refusal=None if themes else refused,
        )

    def _themes(self) -> tuple[Theme, ...]:
        found: list[Theme] = []
        for proposed in self._proposal.themes:
            theme = self._theme(len(found) + 1, proposed)
            if theme is not None:
                found.append(theme)
        return tuple(found)

    def _theme(self, number: int, proposed: ProposedTheme) -> Theme | None:
        members = self._members(proposed.members)
        within = {place.document for place in members}
        sizes = counts(self._evidence, members)
        claims = self._released(proposed.claims, sizes.model_dump(), within)
        if not claims:
            return None
        name = self._name(number, proposed, claims)
        return Theme(id=f"t{number}", name=name, claims=claims, members=members, counts=sizes)

    def _members(self, proposed: Iterable[Reference]) -> tuple[Reference, ...]:
        found: dict[str, Reference] = {}
        for place in proposed:
            try:
                span(self._evidence, place.document, place.start, place.end)
            except QuoteRefused as error:
                self._reject(error.rule, place.document)
            else:
                found.setdefault(place.document, place)
        return tuple(found.values())

    def _name(self, number: int, proposed: ProposedTheme, claims: tuple[Claim, ...]) -> ThemeName:
        if proposed.name is not None:
            quotes = [found for claim in claims for found in claim.quotes]
            try:
                return ThemeName(wording="model", text=prose(self._evidence, proposed.name, quotes, {}))
            except ProseRefused as error:
                self._reject(error.rule, proposed.name)
        if proposed.name_quote is not None:
            found = self._quote(proposed.name_quote, None, illustration=True)
            if found is not None:
                return ThemeName(wording="source", text=found.span.text, span=found.span)
        return ThemeName(wording="kernel", text=theme_name(number))

    def _answers(self, *, answering: bool) -> tuple[Answer, ...]:
        proposed = {answer.question: answer for answer in reversed(self._proposal.answers)} if answering else {}
        found: list[Answer] = []
        for index, question in enumerate(self._evidence.run.must_address):
            answer = proposed.get(index)
            claims = self._released(answer.claims, {}, None) if answer is not None else ()
            status = ("answered", None) if claims else ("unaddressed", UNADDRESSED)
            found.append(Answer(question=question, status=status[0], claims=claims, reason=status[1]))
        return tuple(found)

    def _released(self, proposed: Iterable[ProposedClaim], sizes: dict[str, int], within: set[str] | None) -> tuple[Claim, ...]:
        found: dict[tuple[str, str], Claim] = {}
        for one in proposed:
            claim = self._claim(one, sizes, within)
            if claim is not None:
                found.setdefault((claim.text, claim.quotes[0].span.document), claim)
        claims = tuple(claim.model_copy(update={"id": f"c{self._claims + number}"}) for number, claim in enumerate(found.values(), 1))
        self._claims += len(claims)
        return claims

    def _claim(self, proposed: ProposedClaim, sizes: dict[str, int], within: set[str] | None) -> Claim | None:
        each = [found for one in proposed.quotes if (found := self._quote(one, within)) is not None]
        # A place that is quoted twice carries no more than once.
        quotes = list(
            {(found.span.document, found.span.field, found.span.start, found.span.end): found for found in reversed(each)}.values()
        )[::-1]
        # The words that carry the claim come first; what supports nothing may stand beside them, never alone.
        quotes.sort(key=lambda found: not supports(found))
        if not quotes or not supports(quotes[0]):
            return None
        if proposed.text is None:
            text = quotes[0].sentence.text
            return Claim(id="c0", wording="source", support="verbatim", text=text, quotes=tuple(quotes))
        try:
            text = prose(self._evidence, proposed.text, quotes, sizes)
        except ProseRefused as error:
            self._reject(error.rule, proposed.text)
            return None
        return Claim(id="c0", wording="model", support="attached", text=text, template=proposed.text, quotes=tuple(quotes))

    def _quote(self, proposed: ProposedQuote, within: set[str] | None, *, illustration: bool = False) -> Quote | None:
        if proposed.at is None:
            return self._reject(proposed.miss, proposed.words)
        if within is not None and proposed.at.document not in within:
            return self._reject("outside-the-theme", proposed.words)
        try:
            place = span(self._evidence, proposed.at.document, proposed.at.start, proposed.at.end, proposed.field)
            return quote(
                self._evidence,
                place,
                proposed.words,
                occurrences=proposed.occurrences,
                headings=proposed.headings,
                line=proposed.line,
                illustration=illustration,
            )
        except QuoteRefused as error:
            return self._reject(error.rule, proposed.words)

    def _reject(self, rule: str, words: str) -> None:
        self._evidence.run.rejections.append(
            Rejection(
                rule=rule,
                plugin=self._proposal.plugin,
                hook=self._proposal.hook,
                length=len(words),
                digest=digest(words.encode("utf-8", "surrogatepass")),
            )
        )
