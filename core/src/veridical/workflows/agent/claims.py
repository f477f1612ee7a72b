"""What of a model's words may leave on a gated topic: a statement that a claim of the outcome carries, through release and exit.

    statement --> a claim's own sentence, said again?  --> that sentence, in the source's words
              `-> carried by a claim under the kernel's rule, in its sentence's words, and about the same?
              |       --> the model's words, with that claim's citation
              `-> neither: not released, logged for the operator

The conditions beside the kernel's rule are this module's own, and only withhold more. By that rule words in small letters may stand
nowhere, as long as half of them do stand in the sentence; and a sentence whose subject is left out, or is a pronoun, says of one person
what is true of another when it follows other sentences. About a living person either is too much.

A claim is one of the outcome's, which the exit let out before. A statement that cites claims has to rest on those; one that cites a claim
that is not there rests on nothing. What is handed out is read from what the exit let out for this statement, never from the model's reply.
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
from veridical.workflows.terms import terms

from .statements import Statement

__all__ = ["Claims"]

_HOOK = "chat"
_LEAST_WORDS = 3
_WORD = re.compile(r"\w+")
_PRONOUNS = frozenset(
    ["he", "she", "it", "they", "him", "her", "them", "his", "hers", "its", "their", "theirs", "himself", "herself", "itself", "themselves"]
)


class _Refused(ValueError):  # noqa: N818 - the name says what happened to the statement
    """A statement is not released; `rule` says why."""

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
    """The claims of an outcome that is an answer.

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

    def released(self, statement: Statement) -> ClaimChunk | None:
        """Return what leaves of `statement`; None when nothing does, which is recorded.

        Raises:
            NotPublishableError: the store changed under the run.
        """
        try:
            return self._released(statement)
        except _Refused as error:
            self._evidence.run.rejections.append(self._gateway.rejected(error.rule, statement.text))
            return None

    def _released(self, statement: Statement) -> ClaimChunk:
        among = self._cited(statement.cited)
        row = next((row for row in among if _says_again(row, statement.text, self._evidence)), None)
        if row is not None:
            return _chunk(self._let_out(None, row), row)
        row = self._carrier(statement.text, among)
        return _chunk(self._let_out(statement.text, row), row)

    def _cited(self, numbers: Sequence[int]) -> list[_Row]:
        if any(not 1 <= number <= len(self._rows) for number in numbers):
            raise _Refused("citation-unknown")
        return [self._rows[number - 1] for number in numbers] or self._rows

    def _carrier(self, text: str, among: Sequence[_Row]) -> _Row:
        """Return the first row that carries the statement by itself."""
        rule = "not-found"
        for row in among:
            try:
                self._check(text, row.quotes)
            except _Refused as error:
                rule = error.rule
            else:
                return row
        raise _Refused(rule)

    def _check(self, text: str, quotes: Sequence[Quote]) -> None:
        try:
            prose(self._evidence, text, quotes, {})
        except ProseRefused as error:
            raise _Refused(error.rule) from None
        sentences = [quote.sentence.text for quote in quotes]
        if not set(terms(text)) <= {term for sentence in sentences for term in terms(sentence)}:
            raise _Refused("word-not-in-sentence")
        if len(text.split()) < _LEAST_WORDS:
            raise _Refused("too-short")
        if not any(_is_about_the_same(text, sentence) for sentence in sentences):
            raise _Refused("subject-differs")

    def _let_out(self, text: str | None, row: _Row) -> Claim:
        """Release a claim that says `text` on top of the quotes of `row`, and return it as the exit let it out."""
        places = {quote.span.document: _place(quote) for quote in row.quotes}
        theme = ProposedTheme(None, None, (ProposedClaim(text, tuple(_proposed(quote) for quote in row.quotes)),), tuple(places.values()))
        report = release(Proposal(plugin=self._gateway.composer, hook=_HOOK, themes=(theme,)), self._evidence)
        if not report.themes:
            raise _Refused("not-released")
        published = publish(report, self._evidence.run, self._gateway.store())
        return published.report.themes[0].claims[0]


def _chunk(claim: Claim, row: _Row) -> ClaimChunk:
    return ClaimChunk(text=claim.text, wording="source" if claim.wording == "source" else "model", citation_indices=(row.citation,))


def _says_again(row: _Row, text: str, evidence: Evidence) -> bool:
    """Whether `text` is all of the row's sentence, but for what folds allow and marks at its ends."""
    if not supports(row.quotes[0]):
        return False
    found = locate(row.text, text, policy=evidence.policy)
    if not isinstance(found, Located):
        return False
    outside = row.text[: found.start] + row.text[found.end :]
    return not any(character.isalnum() for character in outside)


def _is_about_the_same(text: str, sentence: str) -> bool:
    """Whether `text` names whom or what the sentence names first, and has no pronoun that the sentence does not have."""
    first = next((word for word in _WORD.findall(sentence) if word[0].isupper() and terms(word)), "")
    return set(terms(first)) <= set(terms(text)) and _pronouns(text) <= _pronouns(sentence)


def _pronouns(text: str) -> frozenset[str]:
    return _PRONOUNS.intersection(word.lower() for word in _WORD.findall(text))


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
