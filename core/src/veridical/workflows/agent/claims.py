"""What leaves of a model's words on a gated topic: nothing but the claims that they point at, in the words of the sources.

    statement --> words of a claim's sentence, said again?    --> that claim
              |-> carried by a claim under the kernel's rule? --> that claim, in the place of the model's words
              `-> neither: nothing, logged for the operator

The kernel's rule shows that nothing checkable was made up. It does not show that a statement follows from its sentence: `Berg sued Dahl` is
carried by `Dahl sued Berg`, and `Berg killed Dahl` by `Berg almost killed Dahl`. About a living person that is too little, so a statement
only chooses the claim, and the claim is what is read.

A statement that cites claims has to rest on those; one that cites a claim that is not there rests on nothing. Each claim leaves once. One
that is not the first of its document leaves directly after those before it, and one with a pronoun for somebody whom it does not name does
not leave at all: between other sentences it would say of one person what is true of another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from veridical_contract import Claim, ClaimChunk, Quote, Reference

from veridical.gateway.verified import Gateway
from veridical.kernel.exit import publish
from veridical.kernel.prose import ProseRefused
from veridical.kernel.recheck import prose
from veridical.kernel.report import Evidence, supports
from veridical.locate.find import Located, locate
from veridical.workflows.ground import Grounded
from veridical.workflows.release import Proposal, ProposedClaim, ProposedQuote, ProposedTheme, release
from veridical.workflows.terms import query_terms, terms

from .statements import Statement, unmarked

__all__ = ["Claims"]

_HOOK = "chat"
_LEAST_WORDS = 3
_LONGER = 2
"""A statement that is so many times as long as the longest claim is no claim, and is not looked at."""
_WORD = re.compile(r"\w+")
_PRONOUNS = frozenset(
    [
        *("he", "she", "it", "they", "him", "her", "them", "his", "hers", "its", "their", "theirs", "himself", "herself", "itself"),
        *("themselves", "this", "these", "those", "such"),
    ]
)


class _Refused(ValueError):  # noqa: N818 - the name says what happened to the statement
    """Nothing leaves for a statement; `rule` says why."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


@dataclass(frozen=True, slots=True)
class _Row:
    """A claim of the outcome, its quotes, and the row that it cites."""

    text: str
    quotes: tuple[Quote, ...]
    citation: int


class Claims:
    """The claims of an outcome that is an answer, and which of them have left in one reply.

    Args:
        gateway: of the store.
        grounded: what came of the question.
    """

    def __init__(self, gateway: Gateway, grounded: Grounded) -> None:
        if grounded.published is None or grounded.evidence is None:
            raise ValueError("an outcome without a report has no claims")
        self._gateway = gateway
        self._evidence: Evidence = grounded.evidence
        said = [claim for section in grounded.outcome.sections for claim in section.claims]
        released = [claim for theme in grounded.published.report.themes for claim in theme.claims]
        self._rows = [_Row(one.text, two.quotes, one.citation_index) for one, two in zip(said, released, strict=True)]
        self._longest = _LONGER * max(len(row.text) for row in self._rows)
        self._asked = frozenset(query_terms(grounded.outcome.query))
        self._left: list[int] = []

    def released(self, statement: Statement) -> tuple[ClaimChunk, ...] | None:
        """Return the claims that leave for `statement`, none when they left before; None when it points at none, which is recorded.

        Raises:
            NotPublishableError: the store changed under the run.
        """
        try:
            numbers = self._led_up_to(self._pointed_at(statement))
            chunks = tuple(self._let_out(self._rows[number]) for number in numbers)
        except _Refused as error:
            self._evidence.run.rejections.append(self._gateway.rejected(error.rule, statement.text))
            return None
        self._left += numbers
        return chunks

    def _pointed_at(self, statement: Statement) -> int:
        if len(statement.text) > self._longest:
            raise _Refused("too-long")
        among = self._cited(statement.cited)
        again = next((number for number in among if _says_again(self._rows[number], statement.text, self._evidence)), None)
        return again if again is not None else self._carrier(statement.text, among)

    def _cited(self, numbers: Sequence[int]) -> Sequence[int]:
        if any(not 1 <= number <= len(self._rows) for number in numbers):
            raise _Refused("citation-unknown")
        return [number - 1 for number in numbers] or range(len(self._rows))

    def _carrier(self, text: str, among: Sequence[int]) -> int:
        """Return the first claim that carries the statement by itself."""
        rule = "not-found"
        for number in among:
            try:
                self._check(text, self._rows[number].quotes)
            except _Refused as error:
                rule = error.rule
            else:
                return number
        raise _Refused(rule)

    def _check(self, text: str, quotes: Sequence[Quote]) -> None:
        try:
            prose(self._evidence, text, quotes, {})
        except ProseRefused as error:
            raise _Refused(error.rule) from None
        if not set(terms(text)) <= {term for quote in quotes for term in terms(quote.sentence.text)}:
            raise _Refused("word-not-in-sentence")
        if len(text.split()) < _LEAST_WORDS:
            raise _Refused("too-short")

    def _led_up_to(self, number: int) -> Sequence[int]:
        """Return the claims of its document from the first to this one, without those that were just said; none when it was said."""
        if number in self._left:
            return ()
        first = number
        while first and self._rows[first - 1].citation == self._rows[number].citation:
            first -= 1
        if _leans(self._rows[first].text, self._asked):
            raise _Refused("pronoun")
        if self._left and first <= self._left[-1] < number:
            first = self._left[-1] + 1
        return range(first, number + 1)

    def _let_out(self, row: _Row) -> ClaimChunk:
        """Release the claim once more, and return it as the exit let it out."""
        places = {quote.span.document: _place(quote) for quote in row.quotes}
        theme = ProposedTheme(None, None, (ProposedClaim(None, tuple(_proposed(quote) for quote in row.quotes)),), tuple(places.values()))
        report = release(Proposal(plugin=self._gateway.composer, hook=_HOOK, themes=(theme,)), self._evidence)
        if not report.themes:
            raise _Refused("not-released")
        claim: Claim = publish(report, self._evidence.run, self._gateway.store()).report.themes[0].claims[0]
        return ClaimChunk(text=claim.text, wording="source", citation_indices=(row.citation,))


def _says_again(row: _Row, text: str, evidence: Evidence) -> bool:
    """Whether `text` stands in the row, but for what folds allow and footnotes of the source: all of it, or a piece between two stops."""
    return supports(row.quotes[0]) and isinstance(locate(unmarked(row.text), text, policy=evidence.policy), Located)


def _leans(sentence: str, asked: frozenset[str]) -> bool:
    """Whether a pronoun stands in it before anything that was asked for."""
    for word in _WORD.findall(sentence):
        if word.lower() in _PRONOUNS:
            return True
        if not asked.isdisjoint(terms(word)):
            return False
    return False


def _proposed(quote: Quote) -> ProposedQuote:
    """The same quote, proposed again."""
    return ProposedQuote(
        quote.span.text,
        _place(quote),
        field=quote.span.field,
        occurrences=2 if "ambiguous-occurrence" in quote.labels else 1,
        headings=tuple(Reference(document=span.document, start=span.start, end=span.end) for span in quote.headings),
        line=quote.line,
    )


def _place(quote: Quote) -> Reference:
    return Reference(document=quote.span.document, start=quote.span.start, end=quote.span.end)
