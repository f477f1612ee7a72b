"""Audit: the citations of a saved outcome, looked for again where they are said to stand.

    outcome.json --digests, claims--> rows as they were written?  --> altered, misplaced
                                      `-- yes --> with a URL: Fetcher, once each  --words still there?--> same | changed | gone
                                                  without:    store, kernel, record read again        --> same | gone

The file may have been edited, and nothing in it is believed: the digests only find what was changed by accident or in haste. What counts is
the page or the document itself. What could not be read now says nothing about itself, and is never `same`.

A snippet that a provider may have cut is looked for as such, piece by piece. One that the host itself read (`held`) was copied whole: no
word may stand between its words, and no "not" before the claims that rest on it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn
from urllib.parse import unquote_plus, urlsplit

from pydantic import ValidationError
from veridical_contract import (
    Audit,
    AuditedCitation,
    AuditOutcome,
    AuditState,
    MisplacedClaim,
    OutcomeCitation,
    ResearchOutcome,
    UsageError,
)

from veridical.gateway.verified import Gateway
from veridical.kernel.canonical import digest
from veridical.kernel.policy import Policy
from veridical.kernel.wire import is_echo
from veridical.locate.diagnose import Searched, compare
from veridical.locate.find import Located, locate
from veridical.wire.fetching import Fetcher, FetchRefused, Page, find_excerpt, is_unbroken

from .find import Place, find_quote
from .progress import Progress
from .recheck_report import has_moved, read_again

__all__ = ["audit_outcome", "read_outcome"]

_LARGEST = 64 << 20
_LONGEST, _WIDEST = 2_000, 1_000_000
"""Code points of a snippet, and of a page, up to which the nearest passage is looked for: that takes time with both."""
_PLACES = 1_000
_ECHO = "its address has the same words, and a page that repeats its address proves nothing"
_DIFFERENT = "its words are not there any more"
_SAYS_MORE = "a claim that rests on it is part of a sentence that says something else"


def read_outcome(path: Path) -> ResearchOutcome:
    """Return the outcome that a file holds.

    Raises:
        UsageError: there is no such file, or it is something else: no JSON, a key given twice, NaN, a lone surrogate, another shape.
    """
    try:
        size, data = path.stat().st_size, b""
        if path.is_file() and size <= _LARGEST:
            data = path.read_bytes()
    except OSError as error:
        _refuse(path, error.strerror or "it cannot be read")
    if not data:
        _refuse(path, f"more than {_LARGEST >> 20} MiB" if size > _LARGEST else "it is empty or no file")
    try:
        _check_json(data)
        return ResearchOutcome.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        _refuse(path, f"{'.'.join(map(str, first['loc']))[:80] or 'the whole'}: {first['msg'][:200]}")
    except RecursionError:
        _refuse(path, "JSON nested too deeply")
    except ValueError as error:
        _refuse(path, f"no JSON that can be relied on: {error}")


def audit_outcome(
    outcome: ResearchOutcome, *, fetcher: Callable[[], Fetcher], gateway: Callable[[], Gateway], policy: Policy, progress: Progress
) -> Audit:
    """Look for the citations of `outcome` again.

    Args:
        outcome: as it was saved.
        fetcher: makes what reads pages; called when there is a page to read.
        gateway: opens the store; called when a row has no URL.
        policy: whose folds may find words.
        progress: who watches.

    Raises:
        PluginError, StoreError: the store failed, or returned what it may not.
    """
    said = _said(outcome)
    misplaced = [(words, index) for words, index in said if not _is_part(words, outcome.citations[index].snippet, policy)]
    reading = _Reading(fetcher, gateway, policy)
    rows: list[AuditedCitation] = []
    for number, row in _by_page(outcome.citations):
        rows.append(reading.audited(number, row, [words for words, index in said if index == number and (words, index) not in misplaced]))
        progress.step("auditing", len(rows), len(outcome.citations))
    return Audit(
        outcome=_outcome(rows, misplaced=bool(misplaced)),
        query=outcome.query,
        refusal_reason=outcome.refusal_reason,
        citations=tuple(sorted(rows, key=lambda row: row.citation_index)),
        misplaced=tuple(MisplacedClaim(text=words, citation_index=index) for words, index in misplaced),
    )


def _refuse(path: Path, why: str) -> NoReturn:
    raise UsageError(f"{path} is no research outcome: {why}.", hint='Expected what this prints: veridical ground "QUESTION" --json')


def _check_json(data: bytes) -> None:
    """Raise ValueError for what two readers of JSON may read differently."""
    found = json.loads(data.decode("utf-8"), object_pairs_hook=_no_duplicates, parse_constant=_no_constant)
    json.dumps(found, ensure_ascii=False).encode("utf-8")  # a lone surrogate has no UTF-8 form


def _no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is given twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


# The outcome by itself


def _is_as_written(row: OutcomeCitation) -> bool:
    return digest(row.snippet.encode("utf-8", "surrogatepass")) == row.snippet_sha256 and row.snippet_sha256[:16] == row.snippet_hash


def _said(outcome: ResearchOutcome) -> list[tuple[str, int]]:
    """Return what is said, each with the index of the row that it rests on."""
    claims = [(claim.text, claim.citation_index) for section in outcome.sections for claim in section.claims]
    return claims + [(candidate.passage, candidate.citation_index) for candidate in outcome.disambiguation_candidates]


def _is_part(words: str, snippet: str, policy: Policy) -> bool:
    """Whether words stand in a snippet, character for character, cut where words may be cut, and without a "not" or an "if" left out."""
    found = locate(snippet, words, policy=policy, illustration=True)
    return isinstance(found, Located) and snippet[found.start : found.end] == words and found.confirmed.verdict != "clipped"


def _outcome(rows: Sequence[AuditedCitation], *, misplaced: bool) -> AuditOutcome:
    states = {row.state for row in rows}
    if misplaced or not states <= {"same", "unreadable"}:
        return "differs"
    return "nothing" if not states else "incomplete" if "unreadable" in states else "same"


# The places that it names


def _by_page(citations: Sequence[OutcomeCitation]) -> Iterator[tuple[int, OutcomeCitation]]:
    """Yield the rows with their numbers, those of one page one after the other: it is read once, and only one is kept."""
    pages: dict[str, list[tuple[int, OutcomeCitation]]] = {}
    for number, row in enumerate(citations):
        pages.setdefault(_address(row.url or ""), []).append((number, row))
    for rows in pages.values():
        yield from rows


def _address(url: str) -> str:
    """Return what is sent of a URL."""
    return url.partition("#")[0]


@dataclass(frozen=True, slots=True)
class _State:
    """What became of a row: as in `AuditedCitation`, with the place that was read."""

    state: AuditState
    reason: str = ""
    place: str | None = None
    nearest: str | None = None


class _Reading:
    """Reads what rows name."""

    def __init__(self, fetcher: Callable[[], Fetcher], gateway: Callable[[], Gateway], policy: Policy) -> None:
        self._make = fetcher
        self._fetcher: Fetcher | None = None
        self._gateway = gateway
        self._policy = policy
        self._last: tuple[str, Page | FetchRefused] | None = None

    def audited(self, number: int, row: OutcomeCitation, said: Sequence[str]) -> AuditedCitation:
        """Return what became of a row and of what rests on it; one that was edited is looked for nowhere."""
        if not _is_as_written(row):
            found = _State("altered", "its words and their digests do not agree")
        elif row.url is None:
            found = self._in_store(row, said)
        else:
            found = self._on_page(row, row.url, said)
        return AuditedCitation(
            citation_index=number, url=row.url, state=found.state, reason=found.reason, found=found.place, nearest=found.nearest
        )

    # A page

    def _on_page(self, row: OutcomeCitation, url: str, said: Sequence[str]) -> _State:
        page = self._page(_address(url))
        if isinstance(page, FetchRefused):
            return _State("gone" if page.rule == "gone" else "unreadable", page.message)
        if any(is_echo(row.snippet, [unquote_plus(urlsplit(one).query)], policy=self._policy) for one in (url, page.url)):
            return _State("unreadable", _ECHO, page.url)
        found = replace(self._judged(row, [part.text for part in page.parts], said), place=page.url)
        return replace(found, reason=f"it is at {page.url} now") if found.state == "same" and has_moved(url, page) else found

    def _page(self, address: str) -> Page | FetchRefused:
        if self._last is None or self._last[0] != address:
            self._fetcher = self._fetcher or self._make()
            self._last = address, read_again(address, self._fetcher)
        return self._last[1]

    # The store

    def _in_store(self, row: OutcomeCitation, said: Sequence[str]) -> _State:
        """A passage may cross what no quote crosses: then its longest line finds the document."""
        lines = row.snippet.replace("\x1e", "\n").split("\n")
        for words in dict.fromkeys((row.snippet, max(lines, key=len))):
            standing = find_quote(self._gateway(), words, policy=self._policy, limit=_PLACES)
            found = [self._of_document(row, place, said) for place in standing.places if place.document.url is None]
            if same := [one for one in found if one.state == "same"]:
                return same[0]
            if standing.complete and not standing.refusals:
                return found[0] if found else _State("gone", "no document of the store that has no URL has its words")
        return _State("unreadable", "the store cannot tell whether a document has its words")

    def _of_document(self, row: OutcomeCitation, place: Place, said: Sequence[str]) -> _State:
        again = self._gateway().reread(place.document) if place.document.raw is not None else place.document
        if again is None or again.text != place.document.text:
            return _State("unreadable", "the record of its document does not bear it out", place.id)
        return replace(self._judged(row, [place.document.text], said), place=place.id)

    # Words

    def _judged(self, row: OutcomeCitation, texts: Sequence[str], said: Sequence[str]) -> _State:
        """Say whether a row's words stand in one of the texts; where they were copied, also whether what rests on them does."""
        if not self._stand(row, texts):
            return self._changed(row.snippet, texts)
        for words in said if row.witness == "held" else ():
            tries = ((text, locate(text, words, policy=self._policy, illustration=True)) for text in texts)
            places = [(text, one.confirmed) for text, one in tries if isinstance(one, Located)]
            if not places:
                return self._changed(words, texts)
            if all(one.verdict == "clipped" for _, one in places):
                text, one = places[0]
                return _State("changed", _SAYS_MORE, nearest=text[slice(*one.sentence)])
        return _State("same")

    def _stand(self, row: OutcomeCitation, texts: Sequence[str]) -> bool:
        found = find_excerpt(row.snippet, texts, policy=self._policy)
        if row.witness != "held":
            return found.held
        verbatim = bool(row.snippet.strip()) and any(row.snippet in text for text in texts)
        return verbatim or (found.held and is_unbroken(texts[found.places[0].part], found.places))

    def _changed(self, words: str, texts: Sequence[str]) -> _State:
        """Return the state with the passage that is most like the words, where it can be found in a moment."""
        if len(words) > _LONGEST or sum(map(len, texts)) > _WIDEST:
            return _State("changed", _DIFFERENT)
        near = [Searched(str(number), text) for number, text in enumerate(texts)]
        found = compare(words, near, (), rule="not-found", policy=self._policy)
        shown = texts[int(found.document)][slice(*found.passage)] if found.document is not None and found.passage is not None else None
        return _State("changed", _DIFFERENT, nearest=shown)
