"""Find where a quote stands when nobody says in which document.

    quote -> store: documents in which it may stand, page by page -> fetched, checked -> located -> the kernel's word for each

The store only proposes. What it proposes and what does not hold the words is passed over. Whether it proposed everything decides one thing:
whether "it stands nowhere" may be said. Where the store cannot promise that, a small store is read whole; in a larger one the full-text
index is asked as well, and the answer stays open: it needs a document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridical_contract import Document, FingerprintQuery, Rejection, ScanRequest, TextQuery

from veridical.gateway.verified import Gateway
from veridical.kernel.policy import Policy
from veridical.kernel.quotes import Confirmed
from veridical.locate.find import Located, locate

__all__ = ["Place", "Standing", "find_quote"]

_PAGE = 500
_MOST = 10_000
"""Documents that are looked into for one quote; words that stand in more than that are everybody's."""
_WHOLE = 256
"""Documents of a store, or of the sources that were named, that are all looked into rather than leave the answer open."""
_BEST = 100
_EDGES = 2_000
"""Code points of each end of a quote that the full-text index is asked for: it bears no whole pages."""
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Place:
    """A document in which a quote stands.

    Attributes:
        id: of the document.
        document: as it was admitted.
        verdict: the kernel's word for the best place in it.
        occurrences: how many places of it the kernel confirmed, at least one; at most 200 are looked at.
    """

    id: str
    document: Document
    verdict: Confirmed
    occurrences: int

    @property
    def start(self) -> int:
        """First code point of the best place."""
        return self.verdict.start

    @property
    def end(self) -> int:
        """One past the last."""
        return self.verdict.end


@dataclass(frozen=True, slots=True)
class Standing:
    """In which documents a quote stands.

    Attributes:
        places: one for each document, no more than were asked for: whole before clipped, the author's own words before
            repeated ones, exact before folded, then by identifier.
        total: number of documents in which it stands, as far as was looked; more than `places` holds when there were more.
        complete: every current document in which it stands was looked into, so that `total` is exact.
        refusals: the kernel's rules by which places that hold the words were refused, sorted: `too-short`, `inside-word`, ...
        rejections: documents that were proposed and could not be looked into, as the store did not give them as they were admitted.
    """

    places: tuple[Place, ...]
    total: int
    complete: bool
    refusals: tuple[str, ...] = ()
    rejections: tuple[Rejection, ...] = ()

    @property
    def absent(self) -> bool:
        """Whether it is proven, as far as the store is to be believed, that the quote stands in no current document."""
        return self.complete and not self.total and not self.refusals


def find_quote(gateway: Gateway, quote: str, *, policy: Policy, origins: Sequence[str] = (), limit: int = 100) -> Standing:
    """Return where `quote` stands among the current documents of `origins`; of all sources when none is named.

    Args:
        gateway: to the store.
        quote: the words, as they were quoted.
        policy: by which the kernel judges.
        origins: names of sources.
        limit: how many places to return at most; all of them are counted.

    Raises:
        PluginError, StoreError: the store failed, or returned what it may not.
    """
    if not quote.strip():
        return Standing((), 0, complete=False)
    if _SURROGATE.search(quote) is not None:  # no text that a store can be asked for, and none that the kernel would confirm
        return Standing((), 0, complete=False, refusals=("lone-surrogate",))
    return _Search(gateway, quote, policy, tuple(origins)).run(limit)


class _Search:
    def __init__(self, gateway: Gateway, quote: str, policy: Policy, origins: tuple[str, ...]) -> None:
        self._gateway = gateway
        self._quote = quote
        self._policy = policy
        self._origins = origins
        self._seen: set[str] = set()
        self._places: list[Place] = []
        self._refusals: set[str] = set()
        self._rejections: list[Rejection] = []

    def run(self, limit: int) -> Standing:
        complete = self._by_fingerprint() or self._all_of_few()
        if not complete:
            self._by_words()
        places = sorted(self._places, key=_order)[:limit]
        whole = complete and not self._rejections
        return Standing(tuple(places), len(self._places), whole, tuple(sorted(self._refusals)), tuple(self._rejections))

    def _by_fingerprint(self) -> bool:
        """Look into what the store proposes; True when that was everything."""
        after, guaranteed = None, True
        while True:
            page = self._gateway.candidates_by_fingerprint(
                FingerprintQuery(text=self._quote, limit=_PAGE, after=after, origins=self._origins)
            )
            guaranteed = guaranteed and page.guaranteed
            self._look_into(page.documents)
            if not page.more:
                return guaranteed
            if len(self._seen) >= _MOST:
                return False
            after = page.documents[-1]

    def _all_of_few(self) -> bool:
        """Look into every document when there are few; True when that was everything."""
        names = self._gateway.scan(ScanRequest(limit=_WHOLE + 1, origins=self._origins))
        if len(names) > _WHOLE:
            return False
        self._look_into(names)
        return True

    def _by_words(self) -> None:
        for words in dict.fromkeys((self._quote[:_EDGES], self._quote[-_EDGES:])):
            found = self._gateway.candidates(TextQuery(text=words, limit=_BEST, origins=self._origins))
            self._look_into([candidate.document for candidate in found])

    def _look_into(self, names: Sequence[str]) -> None:
        new = [name for name in dict.fromkeys(names) if name not in self._seen]
        if not new:
            return
        self._seen.update(new)
        fetched = self._gateway.fetch(new, self._origins)
        self._rejections.extend(fetched.rejections)
        self._places.extend(self._confirmed(fetched.documents))

    def _confirmed(self, documents: dict[str, Document]) -> Iterator[Place]:
        for name, document in documents.items():
            found = locate(document.text, self._quote, policy=self._policy, snippet=document.grades.text == "wire")
            if isinstance(found, Located):
                yield Place(name, document, found.confirmed, found.occurrences)
            elif found.rule != "not-found":
                self._refusals.add(found.rule)


def _order(place: Place) -> tuple[bool, bool, bool, str]:
    verdict = place.verdict
    return verdict.verdict == "clipped", "quoted-not-authored" in verdict.labels, bool(verdict.folds), place.id
