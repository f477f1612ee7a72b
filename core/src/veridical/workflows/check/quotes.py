"""Judge a quotation: does it stand where the draft says, anywhere else, nearly, in parts, or nowhere that was looked?

    find_quote --stands--> in the cited document? under the named author? -> exact, located, clipped, illustration | misattributed
        `-- stands nowhere --> cited documents and full-text candidates -> titles, then diagnose -> altered, stitched, not-found, ...

Every place that counts as standing was confirmed by the kernel on a document that was fetched and checked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from veridical_contract import DiffPart, Document, EvidencePassage, Span

from veridical.drafts import Piece
from veridical.kernel.quotes import Confirmed, Refused, confirm
from veridical.kernel.sentences import sentence
from veridical.kernel.urls import same_url
from veridical.locate.diagnose import Diagnosis, Searched, compare, word_diff
from veridical.locate.find import Located, locate
from veridical.workflows.find import Place, Standing

from .edited import parts, plain, stand_in_order
from .evidence import Evidence
from .judged import Judged, diff_parts
from .speakers import is_author, is_named
from .verdicts import CLIPPED

__all__ = ["judge_quote"]

_CITED = 50
"""Documents of one address that are looked into."""
_NEAR, _BESIDE = 30, 10
"""Full-text candidates for the whole quotation, and for each half of it."""
_HALVES_FROM = 6
_EDGES = 2_000
_SPEECH = 400
"""Characters before a quotation within which a speech that it is from may begin."""
_OPENING = re.compile('[\u201c\u201e\u00ab\u00bb\u2018\u201a"](?=\\w)|\u00ab\\s')
_CLOSED = re.compile('[\u201d\u201c\u00bb\u00ab\u2019"](?!\\w)')
_MARKS_OF_DIRECTION = "\u202a\u202b\u202d\u202c\u2066\u2067\u2068\u2069"
_DIRECTED = re.compile("[\u202a-\u202e\u2066-\u2069]")
# Nobody who writes from left to right needs these, and they turn what is said.
_NOT_RTL = "[^\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]*"
_TURNS = re.compile(f"\u202e|\\A{_NOT_RTL}[\u202b\u202d\u2067]{_NOT_RTL}\\Z")
_REPORTED = "clipped-context:reported"
_INNER = (
    re.compile('[\u201c\u201e\u00ab]\\s?([^\u201c-\u201e\u00ab\u00bb]+?)\\s?[\u201d\u201c\u00bb]|"([^"]+)"'),
    re.compile("(?<!\\w)[\u2018\u201a\u2039']\\s?(.+?)\\s?[\u2019\u2018\u203a'](?!\\w)"),
)
_WRITTEN = ('"{}"', "'{}'", "\u00ab {} \u00bb")
"""Quotation marks inside of a quotation are written another way than outside of one."""


def judge_quote(piece: Piece, evidence: Evidence) -> Judged:
    """Return what became of a quotation or block quotation."""
    judged = _Quotation(piece, evidence).judged()
    if judged.verdict in ("exact", "located", "illustration") and "invisible" in judged.folds and _reorders(piece.text):
        return replace(
            judged, verdict="altered" if _TURNS.search(piece.text) else "located", rule="reordered", labels=(*judged.labels, "reordered")
        )
    return judged


def _reorders(words: str) -> bool:
    """Whether marks of direction inside of the words make them appear in another order; around all of them they do not."""
    return _DIRECTED.search(words.strip(_MARKS_OF_DIRECTION)) is not None


class _Quotation:
    def __init__(self, piece: Piece, evidence: Evidence) -> None:
        self._piece = piece
        self._words = piece.text
        self._evidence = evidence
        self._policy = evidence.policy

    def judged(self) -> Judged:
        judged = self._as_written()
        if judged.verdict not in ("altered", "stitched", "not-found", "needs-document", "not-shown"):
            return judged
        for words in _rewritten(self._words):
            other = _Quotation(replace(self._piece, text=words), self._evidence)._as_written()  # noqa: SLF001 - one of its own
            if other.verdict in ("exact", "located", "clipped", "misattributed"):
                verdict = "located" if other.verdict == "exact" else other.verdict
                return replace(other, verdict=verdict, labels=tuple(sorted({*other.labels, "inner-marks"})))
        return self._edited() or judged

    def _edited(self) -> Judged | None:
        """What the words are without what an editor put into them; None where they do not stand in the evidence without it either."""
        for words in plain(self._words):
            other = _Quotation(replace(self._piece, text=words), self._evidence)._as_written()  # noqa: SLF001 - one of its own
            if other.verdict in ("exact", "located", "clipped", "misattributed"):
                verdict = "located" if other.verdict == "exact" else other.verdict
                return replace(other, verdict=verdict, labels=tuple(sorted({*other.labels, "editor-brackets"})))
        return self._elided(parts(self._words, self._policy))

    def _elided(self, wanted: Sequence[str]) -> Judged | None:
        if not wanted or any(_Quotation(replace(self._piece, text=part), self._evidence)._is_short() for part in wanted):  # noqa: SLF001
            return None
        first = self._evidence.quote(wanted[0]).places
        cited = self._cited(first)
        for place in [place for place in first if place.id in cited] if cited else first:
            text = place.document.text
            found = stand_in_order(text, wanted, place.start, self._policy)
            if found is None:
                continue
            shown = tuple(self._evidence.passage(place.id, place.document, each) for each in found)
            best, *said = self._by_speaker([place])
            if "other-author" in said:
                return replace(self._elsewhere(best, "other-author", 1), parts=shown)
            return Judged("stitched", "elided", labels=tuple(sorted({*said, "elided"})), passage=shown[0], parts=shown, places=1)
        return None

    def _as_written(self) -> Judged:
        standing = self._evidence.quote(self._words)
        cited = self._cited(standing.places)
        held = self._held(standing.places, cited)
        if held:
            return self._stands(held, sum(place.occurrences for place in held))
        if standing.places:
            places = sum(place.occurrences for place in standing.places) + standing.total - len(standing.places)
            if cited:
                return self._elsewhere(standing.places[0], "other-document", places)
            return self._stands(standing.places, places, *(["cited-not-shown"] if self._piece.targets else []))
        return self._short(cited) if self._is_short() else self._missing(cited, standing)

    # It stands somewhere

    def _cited(self, places: Sequence[Place]) -> dict[str, Document]:
        """The documents that the draft cites for these words, as far as they are evidence."""
        targets = self._piece.targets
        near = {
            place.id: place.document
            for place in places
            if place.document.url is not None and any(same_url(url, place.document.url, self._policy) is not None for url in targets)
        }
        if near or not targets:
            return near
        found = [tied for url in targets if (tied := self._evidence.tied(url)) is not None]
        return self._evidence.fetch(name for tied in found for name in tied.names[:_CITED])

    def _held(self, places: Sequence[Place], cited: dict[str, Document]) -> list[Place]:
        """Where the words stand in the cited documents, best first."""
        known = [place for place in places if place.id in cited]
        return known or [place for name, document in cited.items() if (place := self._place(name, document)) is not None]

    def _place(self, name: str, document: Document) -> Place | None:
        found = locate(document.text, self._words, policy=self._policy, snippet=document.grades.text == "wire", illustration=True)
        return Place(name, document, found.confirmed, found.occurrences) if isinstance(found, Located) else None

    def _stands(self, places: Sequence[Place], number: int, *labels: str) -> Judged:
        place, *said = self._by_speaker(places)
        if "other-author" in said:
            return self._elsewhere(place, "other-author", number)
        confirmed = place.verdict
        found, verdict = {*confirmed.labels, *said, *labels}, confirmed.verdict
        if "speaker-in-source" in said and {label for label in found if label in CLIPPED} == {_REPORTED}:
            # The cut left out who said it, and the draft says it: nothing is missing.
            found.remove(_REPORTED)
            verdict = "located" if confirmed.folds else "exact"
        return Judged(verdict, verdict, confirmed.folds, tuple(sorted(found)), self._evidence.here(place), places=number)

    def _elsewhere(self, place: Place, rule: str, number: int) -> Judged:
        confirmed = place.verdict
        return Judged("misattributed", rule, confirmed.folds, confirmed.labels, self._evidence.here(place), places=number)

    def _by_speaker(self, places: Sequence[Place]) -> tuple[Place, *tuple[str, ...]]:
        """The place that speaks for the speaker whom the draft names, and a label where that is not sure."""
        speaker = self._piece.speaker
        if speaker is None:
            return (places[0],)
        for place in places:
            author = place.document.author
            if author is not None and is_author(speaker, author) and "quoted-not-authored" not in place.verdict.labels:
                return (place,)
        for place in places:
            if is_named(speaker, self._around(place)):
                return place, "speaker-in-source"
        for place in places:
            if place.document.author is None or "quoted-not-authored" in place.verdict.labels:
                return place, "author-unknown"
        known = any(is_author(speaker, author) for author in self._evidence.authors())
        return places[0], "other-author" if known else "speaker-unknown"

    def _around(self, place: Place) -> str:
        """The rest of the sentences that hold the words, and where they are in quotation marks there, of those that hold the marks."""
        text = place.document.text
        first, last = place.verdict.sentence
        low = max(0, place.start - _SPEECH, text.rfind("\n", 0, place.start) + 1, text.rfind("\x1e", 0, place.start) + 1)
        opened = [mark.start() for mark in _OPENING.finditer(text, low, place.start)]
        if opened and not _CLOSED.search(text, opened[-1] + 1, place.start):
            first = min(first, sentence(text, opened[-1], opened[-1] + 1, policy=self._policy)[0])
        return f"{text[first : place.start]} \x1e {text[place.end : last]}"

    # It stands nowhere

    def _is_short(self) -> bool:
        """Whether the words are below the kernel's minimum, by the kernel's own word."""
        verdict = confirm(f"{self._words}\x1e.", 0, len(self._words), self._words, policy=self._policy)
        return isinstance(verdict, Refused) and verdict.rule == "too-short"

    def _short(self, cited: dict[str, Document]) -> Judged:
        found = {candidate.document: document for candidate, document in self._evidence.candidates(self._words, _NEAR)}
        places = [place for name, document in found.items() if (place := self._place(name, document)) is not None]
        if not places:
            return Judged("too-short", "too-short")
        if cited:
            return self._elsewhere(places[0], "other-document", len(places))
        return self._stands(places, sum(place.occurrences for place in places))

    def _missing(self, cited: dict[str, Document], standing: Standing) -> Judged:
        found = self._evidence.candidates(self._words[:_EDGES], _NEAR)
        near = {**cited, **{candidate.document: document for candidate, document in found}}
        for name, document in near.items():
            if (judged := self._as_title(name, document)) is not None:
                return judged
        searched = [
            *(Searched(name, document.text) for name, document in cited.items()),
            *(
                Searched(candidate.document, document.text, (_widened(document.text, candidate.start, candidate.end, len(self._words)),))
                for candidate, document in found
            ),
        ]
        beside = self._beside()
        rule = next((rule for rule in standing.refusals if rule != "too-short"), "not-found")
        diagnosis = compare(
            self._words, searched, [Searched(name, document.text) for name, document in beside.items()], rule=rule, policy=self._policy
        )
        return self._diagnosed(diagnosis, {**beside, **near}, standing, is_shown=bool(cited) or not self._piece.targets)

    def _beside(self) -> dict[str, Document]:
        """Documents in which one half of the words may stand."""
        words = self._words[:_EDGES].split()
        middle = len(words) // 2
        halves = [" ".join(words[:middle]), " ".join(words[middle:])] if len(words) >= _HALVES_FROM else []
        return {candidate.document: document for half in halves for candidate, document in self._evidence.candidates(half, _BESIDE)}

    def _as_title(self, name: str, document: Document) -> Judged | None:
        found = locate(document.title, self._words, policy=self._policy) if document.title is not None else None
        if not isinstance(found, Located):
            return None
        confirmed = found.confirmed
        labels = tuple(sorted({*confirmed.labels, "field:title"}))
        passage = self._evidence.passage(name, document, (found.start, found.end), field="title")
        return Judged(confirmed.verdict, confirmed.verdict, confirmed.folds, labels, passage, places=found.occurrences)

    def _diagnosed(self, found: Diagnosis, documents: dict[str, Document], standing: Standing, *, is_shown: bool) -> Judged:
        passage = self._passage(found.document, found.passage, documents)
        if found.verdict == "altered" and passage is not None and passage.span is not None:
            instead = self._instead(documents[passage.document].text, passage)
            return Judged("altered", found.rule, passage=passage, diff=self._diff(passage.span), instead=instead)
        if found.verdict == "stitched":
            shown = [self._passage(part.document, (part.start, part.end), documents) for part in found.fragments]
            known = tuple(part for part in shown if part is not None)
            return Judged("stitched", found.rule, passage=known[0] if known else passage, parts=known)
        if not is_shown:
            return Judged("not-shown", "not-shown", passage=passage)
        return Judged("not-found" if standing.complete else "needs-document", found.rule, passage=passage)

    def _passage(self, name: str | None, place: tuple[int, int] | None, documents: dict[str, Document]) -> EvidencePassage | None:
        if name is None or place is None:
            return None
        return self._evidence.passage(name, documents[name], place)

    def _diff(self, span: Span) -> tuple[DiffPart, ...]:
        return diff_parts(word_diff(span.text, self._words))

    def _instead(self, text: str, passage: EvidencePassage) -> Span | None:
        """The nearest passage, or the whole sentence where the passage would be clipped; None where neither may be quoted."""
        for span in (passage.span, passage.sentence):
            if span is not None:
                verdict = confirm(text, span.start, span.end, span.text, policy=self._policy)
                if isinstance(verdict, Confirmed) and verdict.verdict == "exact":
                    return span
        return None


def _rewritten(words: str) -> list[str]:
    """The words with the quotation marks inside of them written in other ways; none where there are none."""
    found = [(pattern, way) for pattern in _INNER if pattern.search(words) for way in _WRITTEN]
    made = [pattern.sub(lambda inner, way=way: way.format(next(filter(None, inner.groups()), "")), words) for pattern, way in found]
    return [other for other in dict.fromkeys(made) if other != words]


def _widened(text: str, start: int, end: int, by: int) -> tuple[int, int]:
    """A stretch made longer on both sides, up to white space."""
    low = text.rfind(" ", 0, max(0, start - by)) + 1
    high = text.find(" ", min(len(text), end + by))
    return low, high if high >= 0 else len(text)
