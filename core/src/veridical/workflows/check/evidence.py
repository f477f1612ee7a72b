"""The evidence that drafts are checked against: what the store proposes, fetched, checked and remembered for as long as a check takes.

The drafts themselves are no evidence: a record of the same file is passed over, or every invented quote would stand in its own draft.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from urllib.parse import unquote, urlsplit

from veridical_contract import Author, Candidate, Document, EvidencePassage, Rejection, ScanRequest, Span, TextQuery

from veridical.gateway.verified import Gateway
from veridical.kernel.exit import Reread
from veridical.kernel.policy import Policy
from veridical.kernel.sentences import sentence
from veridical.kernel.urls import UrlRefused, same_url, url_host
from veridical.workflows.find import Place, Standing, find_quote

__all__ = ["Evidence", "Tied", "absolute"]

_KEPT = 2_000
"""Documents that are remembered at once."""
_SCANNED = 500
_REREAD = 64
_HEAD = 300
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Tied:
    """Documents that an address leads to.

    Attributes:
        url: as admitted, of the first.
        labels: what was passed over to find it.
        names: their identifiers.
    """

    url: str
    labels: frozenset[str]
    names: list[str]

    def labelled(self, label: str) -> Tied:
        """The same, with one more thing that was passed over."""
        return replace(self, labels=self.labels | {label})


class Evidence:
    """See the module.

    Args:
        gateway: to the store.
        policy: that judges.
        origins: names of sources to look in; all that the store holds when none is named.
        drafts: digests of the drafts' bytes.
    """

    def __init__(self, gateway: Gateway, policy: Policy, origins: Sequence[str], drafts: frozenset[str]) -> None:
        self.policy = policy
        self.rejections: dict[tuple[str, str], Rejection] = {}
        self._gateway = gateway
        self._origins = tuple(origins)
        self._drafts = drafts
        self._documents: dict[str, Document] = {}
        self._reread: dict[str, Reread | None] = {}
        self._table: _Table | None = None

    def size(self) -> int:
        """How many current documents there are to look in."""
        return self._gateway.in_scope(self._origins)

    def quote(self, words: str) -> Standing:
        """Where `words` stand when no document is named, the drafts themselves left out."""
        found = find_quote(self._gateway, words, policy=self.policy, origins=self._origins)
        self._reject(found.rejections)
        places = tuple(place for place in found.places if self._is_evidence(place.document))
        for place in places[:3]:
            self._remember(place.id, place.document)
        return replace(found, places=places, total=found.total - len(found.places) + len(places))

    def fetch(self, names: Iterable[str]) -> dict[str, Document]:
        """The documents called `names` as they were admitted, those that are evidence, in that order."""
        wanted = list(dict.fromkeys(names))
        new = self._fetched([name for name in wanted if name not in self._documents])
        for name, document in new.items():
            self._remember(name, document)
        known = {name: new.get(name) or self._documents.get(name) for name in wanted}
        return {name: document for name, document in known.items() if document is not None and self._is_evidence(document)}

    def candidates(self, words: str, limit: int) -> list[tuple[Candidate, Document]]:
        """Passages that hold any of `words`, best first, with their documents."""
        query = TextQuery(text=words, limit=limit, origins=self._origins)
        found = self._gateway.candidates(query) if words.strip() else ()
        documents = self.fetch(candidate.document for candidate in found)
        return [
            (candidate, documents[candidate.document])
            for candidate in found
            if candidate.document in documents and candidate.end <= len(documents[candidate.document].text)
        ]

    def tied(self, url: str) -> Tied | None:
        """The documents that `url` leads to by the kernel's rules, the same string before an equal one; None when there are none.

        A fragment names a place in a document; the document itself is found without it, which a label says.
        """
        url = absolute(url)
        page, hash_, fragment = url.partition("#")
        found = self._recorded(url)
        if found is None and hash_ and not fragment.startswith(("/", "!")) and (found := self._recorded(page)) is not None:
            return found.labelled("url-fragment")
        return found

    def _recorded(self, url: str) -> Tied | None:
        table = self._all()
        if url in table.urls:
            return table.urls[url]
        for known in table.near.get(_key(url, self.policy), ()):
            labels = same_url(url, known, self.policy)
            if labels is not None:
                return Tied(known, labels, table.urls[known].names)
        return None

    def authors(self) -> Iterable[Author]:
        """Every author of the evidence, once."""
        return self._all().authors.values()

    def by_author(self, is_meant: Callable[[Author], bool], year: str) -> str | None:
        """The first document of an author who is meant, of `year`; None when there is none."""
        table = self._all()
        dated = (names for (key, when), names in table.dated.items() if when == year and is_meant(table.authors[key]))
        return min((name for names in dated for name in names), default=None)

    def passage(
        self, name: str, document: Document, place: tuple[int, int] | None, *, field: str = "text", whole: bool = True
    ) -> EvidencePassage:
        """What is shown of a place in a document: its own characters.

        Args:
            name: of the document.
            document: as it was fetched.
            place: first and one past the last code point of the field; None for the document as a whole.
            field: `text` or `title`.
            whole: show the sentences that hold it.
        """
        text = document.text if field == "text" else document.title or ""
        span = _span(name, field, text, place) if place is not None else None
        around = sentence(text, *place, policy=self.policy) if place is not None and whole and field == "text" else None
        return EvidencePassage(
            document=name,
            span=span,
            sentence=_span(name, field, text, around) if around is not None else None,
            url=document.url,
            title=document.title,
            author=document.author,
            locator=document.locator,
            line=self._line(name, document, place[0]) if place is not None and field == "text" else None,
            origin=document.origin,
        )

    def here(self, place: Place) -> EvidencePassage:
        """What is shown of a place in which a quote stands."""
        return self.passage(place.id, place.document, (place.start, place.end))

    def _line(self, name: str, document: Document, start: int) -> int | None:
        if name not in self._reread:
            if len(self._reread) >= _REREAD:
                self._reread.clear()
            self._reread[name] = self._gateway.reread(document)
        reread = self._reread[name]
        return reread.line(start) if reread is not None and reread.text == document.text else None

    def _is_evidence(self, document: Document) -> bool:
        return document.raw is None or document.raw.container not in self._drafts

    def _fetched(self, names: Sequence[str]) -> dict[str, Document]:
        fetched = self._gateway.fetch(names, self._origins)
        self._reject(fetched.rejections)
        return fetched.documents

    def _reject(self, rejections: Iterable[Rejection]) -> None:
        self.rejections.update({(one.rule, one.digest): one for one in rejections})

    def _remember(self, name: str, document: Document) -> None:
        if len(self._documents) >= _KEPT:
            self._documents.clear()
        self._documents[name] = document

    def _all(self) -> _Table:
        if self._table is None:
            self._table = _Table()
            for names in self._pages():
                for name, document in self._fetched(names).items():
                    if self._is_evidence(document):
                        self._table.add(name, document, self.policy)
        return self._table

    def _pages(self) -> Iterator[tuple[str, ...]]:
        after = None
        while page := self._gateway.scan(ScanRequest(after=after, limit=_SCANNED, origins=self._origins)):
            if after is not None and page[-1] <= after:
                return  # a store that goes round in circles proposes nothing new
            yield page
            after = page[-1]


class _Table:
    """Addresses and authors of all documents, without their texts."""

    def __init__(self) -> None:
        self.urls: dict[str, Tied] = {}
        self.near: dict[str, list[str]] = {}
        self.authors: dict[tuple[str, str], Author] = {}
        self.dated: dict[tuple[tuple[str, str], str], list[str]] = {}

    def add(self, name: str, document: Document, policy: Policy) -> None:
        if document.author is not None:
            key = (document.author.site, document.author.id)
            self.authors.setdefault(key, document.author)
            for year in _years(document):
                self.dated.setdefault((key, year), []).append(name)
        if document.url is None:
            return
        if document.url not in self.urls:
            self.urls[document.url] = Tied(document.url, frozenset(), [])
            self.near.setdefault(_key(document.url, policy), []).append(document.url)
        self.urls[document.url].names.append(name)


def absolute(url: str) -> str:
    """An address as it is looked for: one without a scheme (`//host/path`) is on the web that is read today."""
    return f"https:{url.strip(' ')}" if url.strip(" ").startswith("//") else url.strip(" ")


def _years(document: Document) -> frozenset[str]:
    """When it was published; where that is not known, the years that its title, its address and its first words name."""
    if document.published is not None:
        return frozenset([document.published.value[:4]])
    return frozenset(_YEAR.findall(f"{document.title} {document.url} {document.text[:_HEAD]}"))


def _key(url: str, policy: Policy) -> str:
    """What two addresses that are the same have in common: host and path, unescaped."""
    with suppress(UrlRefused, ValueError):
        return f"{url_host(url.strip(' '), policy)}{unquote(urlsplit(url.strip(' ')).path)}"
    return ""


def _span(name: str, field: str, text: str, place: tuple[int, int]) -> Span:
    return Span.model_validate({"document": name, "field": field, "start": place[0], "end": place[1], "text": text[slice(*place)]})
