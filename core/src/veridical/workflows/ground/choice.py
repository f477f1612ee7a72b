"""Which sentences of a passage are said: those that a careful editor would quote, by rules.

    passage --seams, sentences--> pieces --ordinals, questions with their answers--> joined --judged--> one or two of them

- How many of the question's words it holds decides, then the place.
- A sentence that leans on the one before, since it opens with a pronoun or holds no word of the question, is said only after that one.
- A question is never said without its answer; what speaks to a program, and what belongs to a page rather than to its subject, never.
- What a provider cut is said only where nothing whole is left; where the words before a seam, or after it, change what it says, never.

Pronouns and the words of pages are known for few languages. Where one is missed, more is said, and nothing that does not stand there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from veridical.kernel.policy import Policy
from veridical.kernel.sentences import clipped, injected, sentence
from veridical.locate.seams import SEAM, between_seams
from veridical.workflows.terms import query_terms, terms

__all__ = ["Sentence", "best", "sentences"]

SENTENCES = 2
"""Sentences of one passage at most."""
_LEAST = 4
_LONGEST = 500
_STOPS = ".!\u3002\uff01\uff61\u0964\u06d4"
_QUESTIONS = "?\u037e\u061f\uff1f"
_CLOSING = "\"'”\u2019»)]」』\uff09》 "
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# Two characters of a script that is written without spaces count as a word.
_WORD = re.compile(rf"[{_UNSPACED}]{{1,2}}|[^\W{_UNSPACED}]+")
# "am 10. Dezember", "im 19. Jahrhundert", "effective Jan. 5": a full stop there ends no sentence, or two are said as one.
_UNFINISHED = re.compile(r"(?<![\d.,:])\d{1,2}\.\Z|\b(?:Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec|[Nn]o|ca|approx|[Vv]ol|pp)\.\Z")
_PRONOUN = re.compile(r"\W*(?:he|she|it|they|his|her|hers|its|their|this|these|those|that|such)\b", re.IGNORECASE)
_FURNITURE = re.compile(
    r"\b(?:uses? cookies to|(?:we|our partners|this (?:web)?site|this page)\b.{0,40}\b(?:uses?|using) (?:of )?cookies|use of cookies|"
    r"(?:accept|reject|manage|allow)(?: all)? cookies|cookie (?:policy|settings|notice|preferences|consent)|privacy policy|"
    r"terms (?:of (?:use|service)|and conditions)|all rights reserved|(?:skip|jump) to (?:main |the )?(?:content|navigation|search)|"
    r"click here|free shipping|(?:votes?|likes?|comments?|views)\W{1,3}[\d.,]+[KM]? ?(?:likes?|comments?|views|subscribers|followers)|"
    r"(?:enable|requires?|turn on) javascript|(?:sign up|subscribe|register)\b.{0,40}\bnewsletters?|our newsletter|"
    r"(?:diese|unsere) (?:web)?(?:site|seite)\b.{0,40}\bcookies|verwende[nt] cookies|alle rechte vorbehalten|"
    r"(?:ce|notre) site\b.{0,40}\bcookies|tous droits réservés|(?:este|nuestro) sitio\b.{0,40}\bcookies|todos los derechos reservados)\b"
    r"|\A\W*(?:(?:learn|discover|find out|see|explore|read|show|view|watch) "
    r"(?:more|now|videos?|when|how|what|why|who|where|all about|about)|"
    r"(?:sign|log) (?:in|up)|login|subscribe|follow us|buy now|shop now|add to (?:cart|basket)|share (?:this|on)|mehr erfahren|"
    r"weiterlesen)\b"
    r"|\A\W*(?:©|\(c\)|copyright\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage, or a question with its answer.

    Attributes:
        start: first code point in the document's text.
        end: one past the last.
        words: its terms: two sentences with the same say the same.
        held: how many of the question's terms it holds.
        whole: nobody cut it.
        leans: it is clear only after the sentence before.
        follows: the sentence before stands directly before it.
        sayable: it is a statement, of its subject, for a reader.
    """

    start: int
    end: int
    words: tuple[str, ...]
    held: int
    whole: bool
    leans: bool
    follows: bool
    sayable: bool

    @property
    def place(self) -> tuple[int, int]:
        """Half-open span of the document's text."""
        return self.start, self.end


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    end: int
    follows: bool
    seam: bool


def sentences(question: str, text: str, span: tuple[int, int], policy: Policy, *, excerpt: bool) -> tuple[Sentence, ...]:
    """Return the sentences of a passage in the order of the text.

    Args:
        question: that was asked.
        text: of the document.
        span: of the passage.
        policy: whose rules say what a sentence is.
        excerpt: a provider made it: marks of omission are seams, and the words beside one may be cut in half. A sentence of any other
            text is whole, also where the passage begins or ends inside it.
    """
    wanted = frozenset(query_terms(question))
    on_furniture = _FURNITURE.search(question) is not None
    pieces = _joined(text, _pieces(text, span, policy, excerpt=excerpt))
    judged = [_judged(text, span, piece, wanted, policy, furniture=on_furniture) for piece in pieces]
    held = any(one.held for one in judged)
    leaning = [replace(one, leans=one.leans or (held and not one.held)) for one in judged]
    return tuple(_answered(text, leaning))


def best(found: Sequence[Sentence], said: Collection[tuple[str, ...]]) -> tuple[Sentence, ...]:
    """Return the best of the sentences of a passage, in the order of the text; none of what was said already."""
    fresh = [one.sayable and one.words not in said for one in found]
    ranked = sorted((at for at in range(len(found)) if fresh[at]), key=lambda at: (-found[at].held, at))
    taken: set[int] = set()
    for at in ranked:
        group = _with_the_one_before(found, at)
        if all(fresh[one] and found[one].whole for one in group) and len(taken.union(group)) <= SENTENCES:
            taken.update(group)
    if not taken and all(one.words not in said for one in found):
        some_hold = any(one.held for one in found)
        taken.update([at for at in ranked if found[at].held or not some_hold][:1])
    return tuple(found[at] for at in sorted(taken))


def _with_the_one_before(found: Sequence[Sentence], at: int) -> tuple[int, ...]:
    """Return a sentence with the one that it leans on; an index that is none where that one is not there."""
    if not found[at].leans:
        return (at,)
    return (at - 1, at) if at and found[at].follows and not found[at - 1].leans else ()


def _answered(text: str, found: Sequence[Sentence]) -> Iterator[Sentence]:
    """Yield the sentences, with a question and the answer that leans on it as one."""
    asked: Sentence | None = None
    for one in found:
        if asked is not None and one.follows and one.leans and one.sayable:
            yield replace(one, start=asked.start, words=asked.words + one.words, held=asked.held, leans=asked.leans, follows=asked.follows)
            asked = None
            continue
        if asked is not None:
            yield asked
        asked = one if one.held and _ends(text, one.end, _QUESTIONS) else None
        if asked is None:
            yield one
    if asked is not None:
        yield asked


def _pieces(text: str, span: tuple[int, int], policy: Policy, *, excerpt: bool) -> Iterator[_Piece]:
    for start, end in between_seams(text, *span) if excerpt else [span]:
        at = before = start
        while at < end:
            if text[at].isspace():
                at += 1
                continue
            first, last = sentence(text, at, at + 1, policy=policy)
            inside = (max(first, start), min(last, end)) if excerpt else (first, last)
            piece = _Piece(*inside, before > start, inside != (first, last))
            if piece.start < piece.end:
                yield piece
                before = piece.end
            at = max(last, at + 1)


def _joined(text: str, pieces: Iterator[_Piece]) -> Iterator[_Piece]:
    """Yield the pieces, with one that ends at an ordinal number or an abbreviation and the next one as one."""
    open_piece: _Piece | None = None
    for piece in pieces:
        if open_piece is not None and piece.follows and _UNFINISHED.search(text, open_piece.start, open_piece.end):
            open_piece = replace(open_piece, end=piece.end, seam=open_piece.seam or piece.seam)
            continue
        if open_piece is not None:
            yield open_piece
        open_piece = piece
    if open_piece is not None:
        yield open_piece


def _judged(text: str, span: tuple[int, int], piece: _Piece, wanted: frozenset[str], policy: Policy, *, furniture: bool) -> Sentence:
    said = text[piece.start : piece.end]
    words = terms(said)
    return Sentence(
        piece.start,
        piece.end,
        words,
        len(wanted.intersection(words)),
        whole=not piece.seam and len(said) <= _LONGEST and _is_whole(said, first=not piece.follows),
        leans=_PRONOUN.match(said) is not None,
        follows=piece.follows,
        sayable=len(_WORD.findall(said)) >= _LEAST
        and not _ends(text, piece.end, _QUESTIONS)
        and (furniture or _FURNITURE.search(said) is None)
        and not injected(text, piece.start, piece.end, policy=policy)
        and not (piece.seam and _is_changed(text, span, piece, policy)),
    )


def _is_whole(said: str, *, first: bool) -> bool:
    opening = next(filter(str.isalpha, said), "")
    return said.rstrip(_CLOSING)[-1:] in tuple(_STOPS) and not (first and opening.islower())


def _ends(text: str, end: int, marks: str) -> bool:
    return text[max(0, end - 8) : end].rstrip(_CLOSING)[-1:] in tuple(marks)


def _is_changed(text: str, span: tuple[int, int], piece: _Piece, policy: Policy) -> bool:
    """Whether an unfinished sentence before the seam, or what goes on after it, makes something else of what is said."""
    first, last = piece.start, piece.end
    seams = list(SEAM.finditer(text, *span))
    before = next((seam.start() for seam in reversed(seams) if seam.end() <= piece.start), span[0])
    if before > span[0] and not _ends(text, before, _STOPS + _QUESTIONS):
        first = sentence(text, before - 1, before, policy=policy)[0]
    after = next((seam.end() for seam in seams if seam.start() >= piece.end), span[1])
    if after < span[1] and not _ends(text, piece.end, _STOPS):
        last = sentence(text, after, after + 1, policy=policy)[1]
    return any(label != "clipped-context:unit" for label in clipped(text, piece.start, piece.end, (first, last), policy=policy))
