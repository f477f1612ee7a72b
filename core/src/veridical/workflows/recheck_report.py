"""Recheck: the pages that a report quotes, read again. Is what was quoted still there?

    report.zip --quotes, by document and URL--> Fetcher --words still there?--> same | moved | changed | gone | unknown

The sentence around each quote has to stand on the page, not the quoted words alone: a page that now denies them has changed. What a report
quotes from places without a URL, and what it only counts, is not looked at. A page that cannot be read now says nothing about itself.
"""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from veridical_contract import Document, NotPublishableError, Quote, Report, UsageError

from veridical.kernel.canonical import digest
from veridical.kernel.policy import load_policy
from veridical.kernel.sentences import sentence
from veridical.kernel.urls import same_url
from veridical.wire.fetching import Fetcher, FetchRefused, NotModified, Page, is_unbroken, upgrade

__all__ = ["PageState", "QuoteState", "Recheck", "State", "has_moved", "read_again", "recheck_report"]

State = Literal["same", "moved", "changed", "gone", "unknown"]
"""`same`: every quoted sentence stands there. `moved`: it does, and the page has another URL now. `changed`: one does not. `gone`: there is
no page. `unknown`: it could not be read."""


@dataclass(frozen=True, slots=True)
class QuoteState:
    """A quoted sentence, and whether it stands on the page now."""

    sentence: str
    stands: bool


@dataclass(frozen=True, slots=True)
class PageState:
    """One cited document, and its page now.

    Attributes:
        number: of the citation.
        document: its identifier.
        url: that it is cited with.
        state: of the page.
        found: the URL that was read, when a page was.
        identical: whether its bytes are those of the document's record.
        reason: why, where it is not `same`; empty otherwise.
        quotes: each sentence that is quoted from it, in order.
    """

    number: int
    document: str
    url: str
    state: State
    found: str | None
    identical: bool
    reason: str
    quotes: tuple[QuoteState, ...]


@dataclass(frozen=True, slots=True)
class Recheck:
    """What became of a report's pages.

    Attributes:
        run: identifier of the run that made the report.
        pages: every quoted document with a URL, in the order of the citations.
        without_url: how many quoted documents have none.
    """

    run: str
    pages: tuple[PageState, ...]
    without_url: int

    @property
    def counts(self) -> Mapping[State, int]:
        """How many pages are in each state."""
        return Counter(page.state for page in self.pages)

    @property
    def outcome(self) -> Literal["stands", "differs", "nothing-checked"]:
        """`differs` when a page changed or is gone; `nothing-checked` when none could be read."""
        if any(page.state in ("changed", "gone") for page in self.pages):
            return "differs"
        return "stands" if any(page.state != "unknown" for page in self.pages) else "nothing-checked"


def recheck_report(bundle: Path, fetcher: Fetcher) -> Recheck:
    """Read the pages that the report in `bundle` quotes again.

    Args:
        bundle: that verifies; the caller has checked it.
        fetcher: that reads pages.

    Raises:
        UsageError: there is no such file, or it is no bundle.
        NotPublishableError: a document in it is not what it is called.
    """
    report, documents = _read(bundle)
    quoted: dict[str, list[Quote]] = {}
    for quote in _quotes(report):
        quoted.setdefault(quote.span.document, []).append(quote)
    rows = [(row.number, row.document) for row in report.citations if row.document in quoted]
    pages: dict[str, Page | FetchRefused] = {}
    found: list[PageState] = []
    for number, name in rows:
        url = documents[name].url
        if url is None:
            continue
        if url not in pages:
            pages[url] = read_again(url, fetcher)
        found.append(_judged(number, name, url, documents[name], pages[url], quoted[name]))
    return Recheck(report.run.id, tuple(found), len(rows) - len(found))


def _read(bundle: Path) -> tuple[Report, dict[str, Document]]:
    try:
        with zipfile.ZipFile(bundle) as archive:
            report = Report.model_validate_json(archive.read("report.json"))
            names = [row.document for row in report.citations]
            bodies = {name: archive.read(f"documents/{name}.json") for name in names}
    except OSError as error:
        raise UsageError(f"{bundle} cannot be read: {error.strerror or error}.", hint="Expected a bundle: report.zip") from None
    except (zipfile.BadZipFile, KeyError, ValueError):
        raise UsageError(f"{bundle} is no bundle.", hint=f"Type: veridical verify {bundle}") from None
    for name, body in bodies.items():
        if digest(body) != name:
            raise NotPublishableError(f"Document {name} in {bundle} is not what it is called.", hint=f"Type: veridical verify {bundle}")
    return report, {name: Document.model_validate_json(body) for name, body in bodies.items()}


def _quotes(report: Report) -> Iterable[Quote]:
    for part in (*report.themes, *report.answers):
        for claim in part.claims:
            yield from claim.quotes


def read_again(url: str, fetcher: Fetcher) -> Page | FetchRefused:
    """Return the page at `url` as it is now, or why it was not read."""
    try:
        page = fetcher.fetch(url)
    except FetchRefused as error:
        return error
    assert not isinstance(page, NotModified)  # noqa: S101 - it is the answer to validators alone, and none were sent
    return page


def _judged(number: int, name: str, url: str, document: Document, page: Page | FetchRefused, quotes: Iterable[Quote]) -> PageState:
    if isinstance(page, FetchRefused):
        state: State = "gone" if page.rule == "gone" else "unknown"
        return PageState(number, name, url, state, None, identical=False, reason=page.message, quotes=())
    identical = document.raw is not None and document.raw.container == page.digest
    whole = document.grades.text != "wire"  # an excerpt may be cut anywhere
    states = tuple(QuoteState(quote.sentence.text, identical or _stands(quote, page, whole=whole)) for quote in quotes)
    absent = sum(not quote.stands for quote in states)
    if absent:
        state, reason = "changed", f"{absent} of {len(states)} quoted sentences are not there as they were quoted"
    elif has_moved(url, page):
        state, reason = "moved", f"it is at {page.url} now"
    else:
        state, reason = "same", ""
    return PageState(number, name, url, state, page.url, identical=identical, reason=reason, quotes=states)


def _stands(quote: Quote, page: Page, *, whole: bool) -> bool:
    """Whether the sentence of a quote stands on a page; `whole`: as a sentence there, with nothing put before it or after it."""
    said, policy = quote.sentence.text, load_policy()
    if quote.span.field == "title" and page.title is not None and " ".join(said.split()) in page.title:
        return True
    places = (found := upgrade(said, page, policy=policy)).places
    if not found.held or not whole:
        return found.held
    text, start, end = page.parts[places[0].part].text, places[0].start, places[-1].end
    return is_unbroken(text, places) and text[slice(*sentence(text, start, end, policy=policy))].strip() == text[start:end].strip()


def has_moved(url: str, page: Page) -> bool:
    """Whether the page has another URL than the cited one, whose fragment was never sent."""
    return bool(page.hops) and same_url(url.partition("#")[0], page.url, load_policy()) is None
