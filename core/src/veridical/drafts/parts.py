"""The parts of one draft, found one kind after the other; what one kind covers, the next does not look at."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby
from typing import Final

from veridical.kernel.policy import Policy

from .addresses import bare_addresses, is_checkable, shows_address
from .numbers import find_numbers
from .page import Block, Reading
from .pieces import Draft, DraftFormat, Piece, PieceKind, Sentence
from .quotations import Quotation, find_quotations
from .references import Entries, Reference, find_citations, reference_zones
from .sentences import Sentences
from .speakers import find_speakers, signature, speaker_before

__all__ = ["Parts"]

_LINE: Final = re.compile(r"\r\n?|\n")
_BETWEEN: Final = re.compile(r"[\s.,;:!?()\[\]\u2013\u2014\x1e-]*+")
_COVER: Final = "\ufffc"
_CALLOUT: Final = re.compile(r"\[![A-Za-z]+\]")
_MARKS: Final = '"\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019\u201a\u2039\u203a\u300c\u300d\u300e\u300f'


class Parts:
    """Everything that was found in one draft."""

    def __init__(self, reading: Reading, policy: Policy) -> None:
        self._reading = reading
        self._policy = policy
        callouts = {block.quotation for block in reading.blocks if block.level and _CALLOUT.match(reading.text, block.start)}
        self._own = [block for block in reading.blocks if block.kind != "code" and (not block.level or block.quotation in callouts)]
        self._others = [block for block in reading.blocks if block.kind != "code" and block.level and block.quotation not in callouts]
        self._prose = reading.prose
        self._zones = reference_zones(reading)
        self._pieces: list[Piece] = []
        self._sentences = Sentences(reading.text, (block for block in self._own if block.kind == "prose"), policy)
        self._references: list[Reference] = []
        self._addresses()
        self._quotations = self._quoted()
        self._entries = Entries(reading, self._zones)
        self._citations()
        self._references.sort()
        self._starts = [reference.start for reference in self._references]

    def draft(self, name: str, chosen: DraftFormat) -> Draft:
        """Return the draft."""
        self._numbers()
        self._quotes()
        self._blocks()
        reading = self._reading
        labels = sorted(self._entries.labels)
        spans = [(index, span) for index, span in enumerate(self._sentences.spans) if not _is_label(span, labels)]
        numbered = {old: new for new, (old, _) in enumerate(spans)}
        sentences = (Sentence(*reading.place(*span), reading.words(*span)) for _, span in spans)
        pieces = sorted(self._pieces, key=lambda piece: (piece.start, -piece.end))
        return Draft(
            name=name,
            format=chosen,
            text=reading.source,
            pieces=tuple(_renumbered(piece, numbered) for piece in pieces),
            sentences=tuple(sentences),
            newlines=(0, *(found.end() for found in _LINE.finditer(reading.source))),
        )

    def said(self) -> list[Piece]:
        """Return the quotations and addresses alone: figures in what is hidden are mostly those of drawings and of lists to choose from."""
        self._quotes()
        self._blocks()
        return [piece for piece in self._pieces if piece.kind in ("quote", "block-quote", "url")]

    # One kind after the other

    def _addresses(self) -> None:
        reading = self._reading
        for link in reading.links:
            if is_checkable(link.address):
                self._references.append(Reference(link.start, link.end, (link.address,)))
                if link.source >= 0:
                    self._take_address(link.address, link.source, link.source_end, self._sentences.at(link.start))
        for link in reading.definitions:
            if is_checkable(link.address):
                self._take_address(link.address, link.source, link.source_end, None)
        labels = {(link.start, link.end): link.address for link in reading.links if is_checkable(link.address)}
        covered = [span for block in (*self._own, *self._others) for span in bare_addresses(self._prose, block.start, block.end)]
        for span in covered:
            text, place = self._written(*span)
            leads = labels.pop(span, None)
            if leads != text:
                self._references.append(Reference(*span, (text,)))
                self._take_address(text, *place, self._sentences.at(span[0]), *([leads] if leads is not None else []))
        for (start, end), leads in labels.items():
            if start < end and shows_address(self._prose[start:end]):
                self._take_address(reading.words(start, end), *reading.place(start, end), self._sentences.at(start), leads)
        self._cover(covered)

    def _written(self, start: int, end: int) -> tuple[str, tuple[int, int]]:
        """Return a bare address, as the source has it where Markdown took its underscores and asterisks for emphasis."""
        place = self._reading.place(start, end)
        shown, source = self._reading.words(start, end), self._reading.source[slice(*place)]
        return (source if re.sub("[*_~]", "", source) == re.sub("[*_~]", "", shown) else shown), place

    def _take_address(self, address: str, start: int, end: int, sentence: int | None, *leads: str) -> None:
        self._pieces.append(Piece("url", start, end, address, sentence, leads))

    def _quoted(self) -> list[Quotation]:
        reading = self._reading
        blocks = [block for block in self._own if not _lies(block.start, self._zones)]
        found = find_quotations(self._prose, [(block.start, block.end) for block in blocks], self._sentences.end)
        starts = [block.start for block in blocks]
        for span in reading.quoted:
            index = bisect_right(starts, span.start) - 1
            if index >= 0 and span.start < blocks[index].end:
                found.append(Quotation(*reading.trim(*_unmarked(self._prose, span.start, span.end)), span.start, span.end))
            if is_checkable(span.address):
                self._references.append(Reference(span.start, span.end, (span.address,)))
        found = [quotation for quotation in _outermost(found) if not self._is_code(quotation.start, quotation.end)]
        self._cover((quotation.outer, quotation.outer_end) for quotation in found)
        return found

    def _citations(self) -> None:
        direct = sorted(self._references)
        labels = sorted(self._entries.labels)
        notes = sorted(self._notes(direct))
        covered = [*labels, *notes]
        for block in self._own:
            for citation in find_citations(self._prose, block.start, block.end):
                if _lies(citation.start, labels) or _lies(citation.start, notes):
                    continue
                covered.append((citation.start, citation.end))
                addresses = self._entries.addresses(citation, direct)
                if addresses or not self._entries.is_remark(citation):
                    self._lead(citation.start, citation.end, addresses)
        self._cover(covered)

    def _notes(self, direct: Sequence[Reference]) -> Iterator[tuple[int, int]]:
        """Yield the labels of links that are but marks of notes (`1`, `[1]`), after taking what those within the draft lead to."""
        for link in self._reading.links:
            is_mark = link.start < link.end and _NOTE.fullmatch(self._prose, link.start, link.end) is not None
            anchor = (self._reading.anchors or {}).get(link.address[1:]) if link.address.startswith("#") else None
            addresses = self._entries.at(anchor, direct) if anchor is not None else ()
            if addresses:
                self._references.append(Reference(link.start, link.end, addresses))
            elif is_mark and link.address.startswith("#") and not _lies(link.start, self._zones):
                self._add("citation", link.start, link.end)
            if is_mark:
                yield link.start, link.end

    def _lead(self, start: int, end: int, addresses: tuple[str, ...]) -> None:
        if addresses:
            self._references.append(Reference(start, end, addresses))
        else:
            self._add("citation", start, end)

    def _numbers(self) -> None:
        for block in self._own:
            if not _lies(block.start, self._zones):
                for start, end in find_numbers(self._prose, block.start, block.end, self._policy, heading=block.kind == "heading"):
                    self._add("number", start, end, targets=self._targets(start, end, start, end))

    def _quotes(self) -> None:
        text = self._covered(self._quotations)
        starts = [block.start for block in self._own]

        def paragraph(offset: int) -> tuple[int, int]:
            block = self._own[bisect_right(starts, offset) - 1]
            return block.start, block.end

        speakers = find_speakers(text, self._quotations, self._around, paragraph, self._policy)
        for quotation, speaker in zip(self._quotations, speakers, strict=True):
            targets = self._targets(*quotation)
            self._add("quote", quotation.start, quotation.end, targets=targets, speaker=speaker)

    def _blocks(self) -> None:
        for number, group in groupby(self._others, key=lambda block: block.quotation):
            blocks = [*group]
            signed = [self._signed(block) for block in blocks]
            at = bisect_left(self._own, blocks[0].start, key=lambda block: block.start)
            intro = self._own[at - 1] if at and self._is_next(self._own[at - 1], blocks[0]) else None
            outro = self._own[at] if at < len(self._own) and self._is_next(blocks[-1], self._own[at]) else None
            speaker = next((who for _, who in reversed(signed) if who), None) or self._announced(intro) or self._signature_after(outro)
            given = (self._reading.quotations or {}).get(number, "")
            span = (self._intro_start(intro, blocks[0].start), blocks[-1].end)
            targets = _once((given,) if is_checkable(given) else (), self._between(*span))
            for block, (end, who) in zip(blocks, signed, strict=True):
                start, stop = self._reading.trim(*_unmarked(self._reading.text, *self._reading.trim(block.start, end)))
                if start < stop and not self._is_code(start, stop):
                    self._add("block-quote", start, stop, targets=targets, speaker=who or speaker)

    # Block quotations

    def _signed(self, block: Block) -> tuple[int, str | None]:
        """Return where the words of a quoted paragraph end, and who signed them."""
        text = self._reading.text[block.start : block.end]
        found = signature(text, own_line=lambda at: self._begins_line(block.start + at))
        cites = self._reading.cited
        low, high = (bisect_left(cites, bound, key=lambda cited: cited.start) for bound in (block.start, block.end))
        for cited in cites[low:high]:
            if not text[cited.end - block.start :].strip():
                before = text[: cited.start - block.start].rstrip(" \t\n\u2014\u2013\u2015-")
                return block.start + len(before), self._reading.words(cited.start, cited.end)
        return (block.end, None) if found is None else (block.start + len(text[: found.start].rstrip()), found.who)

    def _begins_line(self, at: int) -> bool:
        place, _ = self._reading.place(at, at + 1)
        return _LINE_OPENS.search(self._reading.source[max(0, place - 40) : place]) is not None

    def _is_next(self, first: Block, second: Block) -> bool:
        return not self._reading.text[first.end : second.start].strip(" \n>\x1e")

    def _announced(self, intro: Block | None) -> str | None:
        if intro is None:
            return None
        text = self._reading.text[max(intro.start, intro.end - 240) : intro.end].rstrip()
        return speaker_before(text, self._policy) if text.endswith((":", ",")) else None

    def _signature_after(self, outro: Block | None) -> str | None:
        if outro is None or outro.end - outro.start > 130:
            return None
        found = signature(self._reading.text[outro.start : outro.end], own_line=lambda at: at == 0)
        return found.who if found is not None and not found.start else None

    def _intro_start(self, intro: Block | None, otherwise: int) -> int:
        """Return where the sentence begins that announces a block quotation."""
        if intro is None or not self._reading.text[intro.start : intro.end].rstrip().endswith(":"):
            return otherwise
        index = self._sentences.at(intro.end - 1)
        return intro.start if index is None else self._sentences.spans[index][0]

    # Targets

    def _targets(self, start: int, end: int, outer: int, outer_end: int) -> tuple[str, ...]:
        """Return the addresses of the link around it, or else of those directly after it, or else of those in its sentence."""
        around = self._around(Quotation(start, end, outer, outer_end))
        near = self._references_in(around[0], around[1])
        around_it = [one for one in near if one.start <= start and end <= one.end] or [one for one in near if start <= one.start < end]
        return _once(*(one.addresses for one in around_it or self._directly_after(outer_end) or near))

    def _directly_after(self, at: int) -> list[Reference]:
        found: list[Reference] = []
        index = bisect_left(self._starts, at)
        while index < len(self._references):
            reference = self._references[index]
            between = self._reading.text[at : min(reference.start, at + _NEAR + 1)]
            if len(between) > _NEAR or _BETWEEN.fullmatch(between) is None or "\n\n" in between or "\n\x1e" in between:
                break
            found.append(reference)
            at, index = max(at, reference.end), index + 1
        return found

    def _around(self, quotation: Quotation) -> tuple[int, int]:
        """Return the span of the sentences in which a quotation or number lies."""
        first, last = self._sentences.at(quotation.outer), self._sentences.at(max(quotation.outer, quotation.outer_end - 1))
        start = quotation.outer if first is None else self._sentences.spans[first][0]
        return start, max(quotation.outer_end, quotation.outer_end if last is None else self._sentences.spans[last][1])

    def _references_in(self, start: int, end: int) -> list[Reference]:
        return self._references[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def _between(self, start: int, end: int) -> tuple[str, ...]:
        return _once(*(one.addresses for one in self._references_in(start, end)))

    # Pieces

    def _is_code(self, start: int, end: int) -> bool:
        """Whether nothing but code or an address stands there; a sentence in the dress of code is quoted words."""
        return _COVERED.fullmatch(self._prose, start, end) is not None and not _SENTENCE.fullmatch(self._reading.text, start, end)

    def _add(self, kind: PieceKind, start: int, end: int, *, targets: tuple[str, ...] = (), speaker: str | None = None) -> None:
        place = self._reading.place(start, end)
        text = self._reading.words(start, end)
        self._pieces.append(Piece(kind, *place, text, self._sentences.at(start), targets, speaker))

    def _cover(self, spans: Iterable[tuple[int, int]]) -> None:
        self._prose = _blanked(self._prose, spans)

    def _covered(self, quotations: Iterable[Quotation]) -> str:
        return _blanked(self._reading.prose, ((quotation.outer, quotation.outer_end) for quotation in quotations))


_LINE_OPENS: Final = re.compile(r"(?:\A|[\r\n]|<br\s*/?>|<p>|</p>|<footer>)[\s>]*\Z", re.IGNORECASE)
_NOTE: Final = re.compile(r"\s*[\[(]?(?:\d{1,3}|[*\u2020\u2021]{1,3}|\ufffc+)[\])]?\s*")
_COVERED: Final = re.compile(r"[\ufffc\s]*")
_SENTENCE: Final = re.compile(r"[^\W_][\w'\u2019-]*(?:[,;:]?[ \n]+[^\W_][\w'\u2019-]*){3,}[.!?]?")
_NEAR: Final = 40


def _blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return `text`, as long as it is, with what was found covered."""
    parts: list[str] = []
    done = 0
    for start, end in sorted(spans):
        first = max(start, done)
        if first < end:
            parts += (text[done:first], _COVER * (end - first))
            done = end
    return "".join((*parts, text[done:]))


def _lies(at: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether `at` lies in one of `spans`, which are in order and apart."""
    index = bisect_right(spans, at, key=lambda span: span[0]) - 1
    return index >= 0 and at < spans[index][1]


def _is_label(span: tuple[int, int], labels: Sequence[tuple[int, int]]) -> bool:
    index = bisect_right(labels, span[0], key=lambda label: label[0]) - 1
    return index >= 0 and span[1] <= labels[index][1]


def _unmarked(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without the marks of quotation around the whole of it."""
    if end - start > 1 and text[start] in _MARKS and text[end - 1] in _MARKS and not _MARK.search(text, start + 1, end - 1):
        return start + 1, end - 1
    return start, end


_MARK: Final = re.compile('["\u201c\u201d\u201e\u00ab\u00bb\u300c-\u300f]')


def _outermost(quotations: Iterable[Quotation]) -> Iterator[Quotation]:
    last = -1
    for quotation in sorted(quotations, key=lambda one: (one.outer, -one.outer_end)):
        if quotation.outer >= last and quotation.start < quotation.end:
            yield quotation
            last = quotation.outer_end


def _once(*groups: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(groups)))


def _renumbered(piece: Piece, numbered: Mapping[int, int]) -> Piece:
    return piece if piece.sentence is None else replace(piece, sentence=numbered.get(piece.sentence))
