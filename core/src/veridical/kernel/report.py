"""The parts of a report as they follow from the evidence: each function here says what a part must be, given the documents.

`release` builds a report from these functions, `recheck` compares a report with them. There is one definition of a quote, a claim, a
citation and a count, and it is read twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote_plus, urlsplit

from veridical_contract import Citation, Claim, Counts, Document, Funnel, Quote, Reference, Span, Theme

from .admission import weakest
from .canonical import digest
from .counts import account_of, count_set, origin_of
from .domains import registrable_domain
from .policy import Policy
from .quotes import Refused, confirm
from .run import Run
from .sentences import sentence
from .urls import url_host
from .wire import is_echo

__all__ = ["Evidence", "QuoteRefused", "citations", "counts", "funnel", "quote", "quoted", "span", "supports"]

_NOT_SUPPORTING = frozenset({"clipped", "illustration"})


class QuoteRefused(ValueError):  # noqa: N818 - the name says what happened to the quote
    """A proposed span is not released; `rule` says why."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


@dataclass(frozen=True, slots=True)
class Evidence:
    """The documents of a run as they stand in the store now, by identifier, and the policy that judges them."""

    run: Run
    documents: Mapping[str, Document]

    @property
    def policy(self) -> Policy:
        """Of the run."""
        return self.run.policy

    def document(self, name: str) -> Document:
        """Return a document of the sealed set.

        Raises:
            QuoteRefused: `not-shown`: it is not part of the set, was not shown to the composer, or is not in the store.
        """
        if not self.run.holds(name) or name not in self.run.shown or name not in self.documents:
            raise QuoteRefused("not-shown")
        return self.documents[name]


def span(evidence: Evidence, name: str, start: int, end: int, field: str = "text") -> Span:
    """Return the characters `start` to `end` of a document's field, copied from it.

    Raises:
        QuoteRefused: `not-shown` or `out-of-range`.
    """
    document = evidence.document(name)
    text = document.title or "" if field == "title" else document.text
    if not 0 <= start < end <= len(text):
        raise QuoteRefused("out-of-range")
    return Span(document=name, field="title" if field == "title" else "text", start=start, end=end, text=text[start:end])


def quote(
    evidence: Evidence,
    at: Span,
    words: str,
    *,
    occurrences: int = 1,
    headings: Iterable[Reference] = (),
    line: int | None = None,
    illustration: bool = False,
) -> Quote:
    """Return the released quote for `words` at a place, in its sentence, between its neighbours.

    Raises:
        QuoteRefused: the kernel does not confirm it.
    """
    document = evidence.document(at.document)
    text = document.title or "" if at.field == "title" else document.text
    snippet = document.grades.text == "wire"
    found = confirm(text, at.start, at.end, words, policy=evidence.policy, snippet=snippet, illustration=illustration)
    if isinstance(found, Refused):
        raise QuoteRefused(found.rule)
    if any(_repeats_its_address(said, document, evidence.policy) for said in (text[at.start : at.end], text[slice(*found.sentence)])):
        raise QuoteRefused("echo")
    labels = {*found.labels, *(["field:title"] if at.field == "title" else []), *(["ambiguous-occurrence"] if occurrences > 1 else [])}
    whole = Span(document=at.document, field=at.field, start=found.sentence[0], end=found.sentence[1], text=text[slice(*found.sentence)])
    before, after = _neighbours(text, whole, evidence.policy)
    return Quote(
        span=span(evidence, at.document, at.start, at.end, at.field),
        verdict=found.verdict,
        folds=found.folds,
        labels=tuple(sorted(labels)),
        sentence=whole,
        before=before,
        after=after,
        headings=tuple(span(evidence, place.document, place.start, place.end) for place in headings),
        line=line,
    )


def supports(found: Quote) -> bool:
    """Whether a claim may rest on this quote: not on a clipped one, an illustration, or somebody else's words."""
    return found.verdict not in _NOT_SUPPORTING and "quoted-not-authored" not in found.labels


def quoted(claims: Iterable[Claim]) -> list[str]:
    """Return the documents that the quotes of `claims` stand in, in order, each once."""
    return list(dict.fromkeys(found.span.document for claim in claims for found in claim.quotes))


def citations(evidence: Evidence, themes: Sequence[Theme], answers: Sequence[Claim]) -> tuple[Citation, ...]:
    """Return one row per document that is quoted or counted: the quoted ones first, in order of appearance, then the members."""
    names = quoted(claim for theme in themes for claim in theme.claims) + quoted(answers)
    names += [theme.name.span.document for theme in themes if theme.name.span is not None]
    names += [place.document for theme in themes for place in theme.members]
    return tuple(_cite(evidence, number, name) for number, name in enumerate(dict.fromkeys(names), 1))


def counts(evidence: Evidence, members: Iterable[Reference]) -> Counts:
    """Return the sizes of the sets that `members` make up."""
    rows = [_cite(evidence, 1, name) for name in dict.fromkeys(place.document for place in members)]
    return count_set(rows)


def funnel(run: Run, cited: int) -> Funnel:
    """Return how many documents were left at each step."""
    return Funnel(
        in_scope=run.in_scope,
        retrieved=run.retrieved,
        admitted=len(run.documents),
        selected=run.selected,
        shown=len(run.shown),
        cited=cited,
    )


def _repeats_its_address(words: str, document: Document, policy: Policy) -> bool:
    """Whether the host fetched this page from an address that says the same: a page that repeats it says what the asker said."""
    if document.url is None or document.grades.url != "held" or document.url != document.locator.container:
        return False
    address = urlsplit(document.url)
    return is_echo(words, [unquote_plus(address.path), unquote_plus(address.query)], policy=policy)


def _neighbours(text: str, whole: Span, policy: Policy) -> tuple[Span | None, Span | None]:
    """Return the sentences before and after in the same block; a blank line or a hard boundary ends a block."""
    head, tail = text[: whole.start].rstrip(" \t\r"), text[whole.end :]
    gap = len(tail) - len(tail.lstrip(" \t\r"))
    before = after = None
    if head and head[-1] not in "\n\x1e":
        start, end = sentence(text, len(head) - 1, len(head), policy=policy)
        before = _slice(text, whole, start, min(end, whole.start))
    if gap < len(tail) and tail[gap] not in "\n\x1e":
        start, end = sentence(text, whole.end + gap, whole.end + gap + 1, policy=policy)
        after = _slice(text, whole, max(start, whole.end), end)
    return before, after


def _slice(text: str, whole: Span, start: int, end: int) -> Span | None:
    if start >= end:
        return None
    return Span(document=whole.document, field=whole.field, start=start, end=end, text=text[start:end])


def _cite(evidence: Evidence, number: int, name: str) -> Citation:
    document = evidence.document(name)
    account, account_key = account_of(document, policy=evidence.policy)
    text_sha256 = digest(document.text.encode("utf-8"))
    host = url_host(document.url, evidence.policy) if document.url is not None else None
    return Citation(
        number=number,
        document=name,
        url=document.url,
        title=document.title,
        author=document.author,
        published=document.published,
        retrieved=document.retrieved,
        locator=document.locator,
        origin=document.origin,
        witness=weakest(document.grades),
        grades=document.grades,
        source_key=registrable_domain(host, policy=evidence.policy) if host else f"source:{document.origin}",
        account=account,
        account_key=account_key,
        origin_key=origin_of(document.text),
        snippet_hash=text_sha256[:16],
        text_sha256=text_sha256,
    )
