"""What an editor does to a quotation and shows: words in brackets, marks of notes, ellipses.

    words --plain--> the same words without the brackets, notes and remarks: where they stand, only spelling differs
          --parts--> what is left between ellipses and inserted words: in order, in one paragraph, cut where a clause ends and
                     another begins, or it is put together by somebody else than its author

What was left out must not be seen to change what is said: a part that is cut off from its negation or condition is none, and neither are
words in brackets that bring one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from veridical.kernel.policy import Policy
from veridical.kernel.sentences import LexiconTable
from veridical.locate.find import Located, locate

__all__ = ["parts", "plain", "stand_in_order"]

# Behind a digit it would read as one more.
_NOTE: Final = re.compile(r"(?<!\d)\s?\[(?:\^[^\]\s]{1,80}|\d{1,3}(?:\s?[,;\u2013-]\s?\d{1,3}){0,5})\]")
_REMARK: Final = re.compile(
    r"\s?[\[(](?:sic!?|recte[^\])]{0,40}|!|\?|(?:my |our |original )?emphasis[^\])]{0,30}|italics[^\])]{0,30}|"
    r"hervorhebung[^\])]{0,40}|c'est (?:nous|moi) qui soulign[^\])]{0,20})[\])]",
    re.IGNORECASE,
)
_LETTER: Final = r"[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
# `[dis]like` is another word, not an inserted one.
_GLUED: Final = re.compile(rf"{_LETTER}\[[^\[\]]*\w[^\[\]]*\]|\[[^\[\]]*\w[^\[\]]*\]{_LETTER}")
_INSERTED: Final = re.compile(r"\[([^\[\]]{0,200})\]")
_LEFT_OUT: Final = re.compile(r"\[[^\[\]]{0,200}\]|\((?:\.{3}|\u2026)\)|\.{3,4}|\u2026|\.(?: \.){2,3}")
_DOTS: Final = re.compile(r"[\s.\u2026]*")
_CLAUSE_ENDS: Final = frozenset(',.;:!?)"\u2026\u201d\u2019\u00bb\u2013\u2014\u3002\uff0c\u3001\uff01\uff1f')
_MARK_FIRST: Final = re.compile('[,.;:!?)"\u201d\u2019\u00bb\u2013\u2014\u3002\uff0c\u3001\uff01\uff1f]')
_BOUNDARY: Final = re.compile(r"\n[ \t\r>]*\n|\x1e")


def plain(words: str) -> tuple[str, ...]:
    """Return the words without remarks and marks of notes, then without the brackets too: what is in them stays."""
    bare = _NOTE.sub("", _REMARK.sub("", words))
    made = (_REMARK.sub("", words), bare, _unbracketed(words), _unbracketed(bare))
    return tuple(other for other in dict.fromkeys(made) if other not in ("", words))


def _unbracketed(words: str) -> str:
    return _INSERTED.sub(lambda found: found[0] if _DOTS.fullmatch(found[1]) else found[1], words)


def parts(words: str, policy: Policy) -> tuple[str, ...]:
    """Return what stands between ellipses and inserted words; nothing where there are none, or where one of them turns what is said."""
    bare = _NOTE.sub("", _REMARK.sub("", words))
    if _GLUED.search(bare) or any(_turning(policy).search(found[1]) for found in _INSERTED.finditer(bare)):
        return ()
    found = tuple(part.strip(" \t\r\n,;:.") for part in _LEFT_OUT.split(bare))
    return tuple(part for part in found if part) if len(found) > 1 else ()


def stand_in_order(text: str, wanted: Sequence[str], start: int, policy: Policy) -> list[tuple[int, int]] | None:
    """Return where the parts stand, whole and one after the other, in the paragraph of `text` in which `start` lies; None: they do not."""
    low = max((found.end() for found in _BOUNDARY.finditer(text, 0, start)), default=0)
    following = _BOUNDARY.search(text, start)
    paragraph = text[low : following.start() if following is not None else len(text)]
    places: list[tuple[int, int]] = []
    for part in wanted:
        found = locate(paragraph, part, policy=policy)
        if not isinstance(found, Located) or found.confirmed.verdict not in ("exact", "located"):
            return None
        if "quoted-not-authored" in found.confirmed.labels or (places and low + found.start < places[-1][1]):
            return None
        places.append((low + found.start, low + found.end))
    return places if all(_cut_between_clauses(text, end, after) for (_, end), (after, _) in pairwise(places)) else None


def _cut_between_clauses(text: str, end: int, start: int) -> bool:
    """Whether what lies between two parts begins and ends where a clause does; nothing does."""
    between = text[end:start].strip()
    return not between or (_MARK_FIRST.match(between) is not None and between[-1] in _CLAUSE_ENDS)


@cache
def _turning(policy: Policy) -> re.Pattern[str]:
    words = policy.table("lexicons", LexiconTable).words
    listed = [*words["negators"], *words["negators_before"], *words["conditions"]]
    return re.compile(rf"(?<!\w)(?:{'|'.join(listed)})(?!\w)|{'|'.join(words['negator_parts'])}", re.IGNORECASE)
