"""Whom a draft says that a quotation is by: a name beside a word of attribution, as it stands there.

    Ann Lee said (on Monday): "..."     directly before the quotation
    "...," said Ann Lee                 directly after it, also `(Ann Lee)` and `-- Ann Lee`
    according to Ann Lee, ... "..."     in its sentence, before or after it
    "...," said Ann Lee. "..."          what goes on after an attribution is by the same

Pronouns and descriptions ("the author", "one user") name nobody. The words of attribution are the kernel's, and some that it needs not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple

from veridical.kernel.policy import Policy
from veridical.kernel.prose import ProseTable
from veridical.kernel.sentences import LexiconTable

from .quotations import Quotation

__all__ = ["Attribution", "find_speakers", "signature", "speaker_before"]

_NEAR: Final = 240
_UPPER: Final = "".join(char for char in map(chr, range(0x41, 0x530)) if char.isupper())
_PARTICLE: Final = r"(?:van|von|vom|zu|de|der|den|del|della|la|le|du|da|di|dos|bin|ibn|al|of|and|&|und|et)"
_WORD: Final = rf"[{_UPPER}][\w'\u2019.-]*[\w]|[{_UPPER}]\.?"
_NAME: Final = (
    rf"(?:@\w[\w.-]*\w|/?u/[\w-]+|(?:{_WORD})(?:(?:[ \u00a0]{_PARTICLE}){{0,2}}[ \u00a0](?:{_WORD})){{0,5}}|[a-z][\w-]*[\d_][\w-]*)"
)
_BETWEEN: Final = (
    r"(?:,[^,.;:!?\"\u201c\u201e\u00ab\n\ufffc]{1,60},| \([^()\n]{1,60}\))?"
    r"(?:\s(?:also|has|have|had|later|then|once|recently|still|even|a|ont|hat|haben|auch|\w+ly)){0,2}"
)
_FROM: Final = (
    r"(?:according to|in the words of|per|laut|gem\u00e4\u00df|nach (?:Angaben|Meinung|Ansicht) von|selon|d['\u2019]apr\u00e8s|seg\u00fan|"
    r"secondo|volgens|to quote)"
)
_MORE: Final = (
    "comment(?:s|ed)|post(?:s|ed)|tweet(?:s|ed)|recall(?:s|ed)|continue[sd]|point(?:s|ed) out|puts? it(?: like this)?|not(?:es|ed)|"
    "observe[sd]|emphasi[sz]e[sd]|stress(?:es|ed)|remark(?:s|ed)|sum(?:s|med) (?:it )?up|describe[sd](?: it)?(?: as)?|call(?:s|ed) it|"
    "joke[sd]|agree[sd]|confirm(?:s|ed)|respond(?:s|ed)|declare[sd]|acknowledge[sd]|concede[sd]|lament(?:s|ed)|quip(?:s|ped)|"
    "express(?:es|ed)|maintain(?:s|ed)|"
    "schrieb|schreibt|erkl\u00e4rte?|betonte?|berichtete?|erg\u00e4nzte?|f\u00fcgte?(?: hinzu)?|antwortete?|findet|fand|klagte?|warnte?|so|"
    "(?:a |ont )?(?:d\u00e9clar\u00e9|dit|\u00e9crit|affirm\u00e9|expliqu\u00e9|ajout\u00e9|not\u00e9|r\u00e9pondu)|"
    "d\u00e9clare|\u00e9crit|affirme|explique|ajoute|note|estime|raconte|r\u00e9pond|"
    "dijo|escribi\u00f3|afirm\u00f3|explic\u00f3|declar\u00f3|se\u00f1al\u00f3"
)
_NO_VERBS: Final = frozenset(("zufolge", "selon", "seg\u00fan", "secondo", "volgens"))
_NOBODY: Final = frozenset(
    """he she they it i we you this that these those who one someone somebody everyone everybody nobody another both many most some several
    others er sie es wir ich ihr man einer eine jemand viele einige dies das der die il elle ils elles on nous je vous tu ce cela certains
    and but or so yet then when while if as the a an in on at by for to also however according here there my his her their our its what
    why how und aber oder doch dann wenn als im am laut et mais ou donc puis quand si selon pero
    seg\u00fan""".split()  # noqa: SIM905 - a list of words is read as words
)
_SIGNED: Final = re.compile(
    r"(?:\A|(?<=\s))(?:--|[\u2014\u2013\u2015]|-(?=\s?[^\W\d_]))\s*+(?P<who>[^\s\u2014\u2013][^\n\u2014\u2013]{0,118})\Z"
)
_ENDED: Final = re.compile(r"[.!?\u2026\"'\u201d\u2019\u201c\u00bb\u00ab)]\s*\Z")
_DETAIL: Final = re.compile(r"\s*[,(;|].*\Z", re.DOTALL)
_MOST_WORDS: Final = 6


class Attribution(NamedTuple):
    """Somebody's name, and where it stands in the text that was searched."""

    start: int
    end: int
    who: str


class _Patterns(NamedTuple):
    before: re.Pattern[str]
    after: re.Pattern[str]
    anywhere: re.Pattern[str]


def find_speakers(
    text: str,
    quotations: Sequence[Quotation],
    bounds: Callable[[Quotation], tuple[int, int]],
    paragraph: Callable[[int], tuple[int, int]],
    policy: Policy,
) -> list[str | None]:
    """Return the speaker of each quotation.

    Args:
        text: the visible text.
        quotations: in order.
        bounds: gives the span of the sentences in which a quotation lies.
        paragraph: gives the span of the paragraph in which an offset lies.
        policy: whose words of attribution apply.
    """
    found: list[str | None] = []
    for index, quotation in enumerate(quotations):
        first, last = paragraph(quotation.start)
        before = quotations[index - 1].outer_end if index and quotations[index - 1].outer_end > first else first
        after = min(last, quotations[index + 1].outer) if index + 1 < len(quotations) else last
        gap = _Gap(text, max(before, quotation.outer - _NEAR), min(after, quotation.outer_end + _NEAR), quotation)
        who = gap.speaker(bounds(quotation), policy, followed=after < last)
        if who is None and index and before > first and _goes_on(text[before : quotation.outer], policy):
            who = found[-1]
        found.append(who)
    return found


def speaker_before(text: str, policy: Policy) -> str | None:
    """Return whom the end of `text` says that what follows is by."""
    found = _patterns(policy).before.search(text[-_NEAR:])
    return _name(found, policy) if found is not None else None


def signature(text: str, *, own_line: Callable[[int], bool]) -> Attribution | None:
    """Return the attribution at the end of a quoted paragraph (`-- Ann`), from its dash on.

    `own_line` says whether a line of the source begins at an offset; in the midst of a line a dash must follow the end of a sentence.
    """
    base = max(0, len(text) - 130)
    found = _SIGNED.search(text, base)
    if found is None:
        return None
    who = found["who"].strip()
    named = len(who.split()) <= _MOST_WORDS or len(_DETAIL.sub("", who).split()) <= _MOST_WORDS
    ended = found.start() == 0 or own_line(found.start()) or (_ENDED.search(text, 0, found.start()) is not None and who[:1].isupper())
    return Attribution(found.start(), found.end(), _DETAIL.sub("", who).rstrip(".: ")) if named and ended else None


class _Gap(NamedTuple):
    text: str
    start: int
    end: int
    quotation: Quotation

    def speaker(self, sentence: tuple[int, int], policy: Policy, *, followed: bool) -> str | None:
        patterns = _patterns(policy)
        before = self.text[self.start : self.quotation.outer]
        after = self.text[self.quotation.outer_end : self.end]
        found = patterns.before.search(before)
        who = _name(found, policy) if found is not None else None
        if who is None and not (followed and self._ended(after) and patterns.before.search(after)):
            found = patterns.after.match(after)
            who = _name(found, policy) if found is not None else None
        return who or self._in_sentence(sentence, patterns, policy)

    def _ended(self, after: str) -> bool:
        closing = self.text[self.quotation.end : self.quotation.outer_end]
        return "," not in closing and not after.lstrip().startswith(",")

    def _in_sentence(self, sentence: tuple[int, int], patterns: _Patterns, policy: Policy) -> str | None:
        low, high = max(self.start, sentence[0]), min(self.end, sentence[1])
        earlier = [_name(found, policy) for found in patterns.anywhere.finditer(self.text, low, max(low, self.quotation.outer))]
        later = (
            _name(found, policy)
            for found in patterns.anywhere.finditer(self.text, self.quotation.outer_end, max(high, self.quotation.outer_end))
        )
        return next(filter(None, reversed(earlier)), None) or next(filter(None, later), None)


def _goes_on(between: str, policy: Policy) -> bool:
    """Whether between two quotations nothing stands but the attribution of the first."""
    found = _patterns(policy).after.match(between)
    return found is not None and not between[found.end() :].strip(" \t\n,.;:\u2014\u2013-")


def _name(found: re.Match[str], policy: Policy) -> str | None:
    """Return the name that a pattern found, without the words that only open the sentence."""
    who = next(found[group] for group in ("w1", "w2", "w3", "w4", "w5") if group in found.re.groupindex and found[group] is not None)
    openers = policy.table("prose", ProseTable).languages["en"].openers | _NOBODY
    words = who.split()
    while words and words[0].lower() in openers and not (words[0].lower() == "the" and len(words) > 1):
        del words[0]
    name = who[who.find(words[0]) :].rstrip(".,") if words else ""
    return name.removesuffix("'s").removesuffix("\u2019s") or None


@cache
def _patterns(policy: Policy) -> _Patterns:
    words = policy.table("lexicons", LexiconTable).words
    listed = [*words["attributions"], *words["attributions_near"]]
    verbs = rf"(?i:{_MORE}|{'|'.join(sorted((word for word in listed if word not in _NO_VERBS), key=len, reverse=True))})(?!\w)"
    named = rf"(?P<w1>{_NAME}){_BETWEEN}\s(?:{verbs})"
    role = r"(?:(?:the|a|an) )?(?:user|poster|member|reviewer|commenter|customer)"
    source = rf"(?i:(?<!\w){_FROM})\s(?:{role} )?(?P<w2>{_NAME})|(?P<w4>{_NAME})\s(?i:zufolge)(?!\w)"
    turned = rf"(?<!\w){verbs}\s(?P<w3>{_NAME})"
    tail = r"[^.!?;\"\u201c\u201d\u00ab\u00bb\ufffc]{0,80}?[,:]?\s*\Z"
    label = rf"(?:\A|(?<=[\n\x1e]))\s*(?P<w5>{_NAME})(?:(?<=['\u2019]s)(?:\s[a-z]+){{1,3}})?:\s*\Z"
    dashed = rf"(?:[.,]?\s*(?:--|[\u2014\u2013\u2015])\s?|\s\()(?P<w5>{_NAME})(?=\s*(?:[.,;()\n\x1e]|\Z))"
    return _Patterns(
        re.compile(rf"(?<![\w@/])(?:{named}|{source}){tail}|{turned}(?:,[^,\n]{{1,40}},)?[,:]?\s*\Z" + f"|{label}"),
        re.compile(rf"[\s,.;:!?()\[\]\u2014\u2013\x1e-]*+(?:{turned}|{source}|{named})|{dashed}"),
        re.compile(rf"(?<![\w@/])(?:{source}|{named})"),
    )
