"""What one search hit says about the bearer of a name: fields of work, years, employers, places. Read by rules.

    title, sentences -> subject? -> the words behind the name, or behind `he` and `she` -> Traits, each with the place where it stands

Only what is said of the bearer counts: the words of a sentence are read from the name up to the first word that brings somebody else in
(`whose`, `by`, `his wife`). What is read is never quoted from here: a place says where in the text the words stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from .people_names import Bearing, Name, Token, bearings, tokens
from .people_words import (
    ACRONYM_LINKS,
    DEEDS,
    DEMONYMS,
    GENDERS,
    NOT_PLACES,
    ORGANISATION,
    RANKS,
    RELATIVES,
    SITES,
    SUBJECTS,
    SUFFIXES,
    THINGS,
    TITLES,
    field_of,
    listed,
)

__all__ = ["LONGEST", "Traits", "entries", "read"]

LONGEST = 6_000
"""Code points of a text that are read."""

_NEAR, _BEARINGS, _WORDS = 300, 3, 80
"""Code points of a sentence, bearers in it and words behind each that are looked at: a page without stops costs no more than another."""
_SEAM = r"\.{3,}|\u2026|[\n\r\x1e\u2022\u00b7|]+"
_ABBREVIATED = re.compile(
    r"(?:\b[^\W\d_]|\b(?:Dr|Prof|Mr|Mrs|Ms|St|Sr|Jr|Fr|Rev|Hon|Gen|Col|Lt|Capt|Sgt|Maj|Gov|Sen|Rep|No|c|ca|b|d|geb|gest|Inc|Ltd|Co|vs|Dra|Sra|Mme|"
    r"Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec)|(?<!\d)\d{1,2})\Z"
)
_END = re.compile(rf"(?P<seam>{_SEAM})|[.!?](?=[\"\u201d')\]]*\s+[\"\u201c(\u00bf\u00a1]?[^\W_a-z])")
_YEAR = r"(?<!\d)1[0-9]{3}(?!\d)|(?<!\d)20[0-9]{2}(?!\d)"
_MONTHS = "jan feb mar mär apr avr may mai jun jui jul aug aoû sep oct okt nov dec dez déc ene abr ago dic fév gen".replace(" ", "|")
_MONTH = rf"(?:{_MONTHS})[^\W\d_]*\.?"
_DAY_FIRST = rf"\d{{1,2}}(?:\.|er|st|nd|rd|th)?[ ](?:de[ ])?{_MONTH},?[ ](?:de[ ]|del[ ])?"
_DATE = rf"(?:(?:{_DAY_FIRST}|{_MONTH}[ ]\d{{1,2}},?[ ]|{_MONTH}[ ]|c(?:a|irca)?\.?[ ])?(?:{_YEAR}))"
_TO = r"[^()\d]*?(?:\u2013|\u2014|-|\bto\b|\u2020|;)[^()\d]*?"
_LIFE = re.compile(rf"(?P<lead>[^()]*?)(?P<birth>{_DATE}){_TO}(?P<death>{_DATE})", re.IGNORECASE)
_BIRTHS = r"\bborn\b|\bb\.|\*|\bgeb(?:oren|\.)|\bn\u00e9e?\b|\bnaci(?:\u00f3|do|da)\b|\bwurde\b(?=[^.]{0,99}\bgeboren)"
_DEATHS = (
    r"\bdied\b|\bd\.|\u2020|\bgest(?:orben|\.)|\bpassed away\b|\bmorte?\b|\bd\u00e9c\u00e9d\u00e9e?\b|\bmuri\u00f3\b|\bfalleci\u00f3\b"
    r"|\bhanged\b|\bexecuted\b|\bkilled\b"
)
_BORN, _DIED = (re.compile(rf"(?:{words})[^().;\d]{{0,60}}?(?P<date>{_DATE})", re.IGNORECASE) for words in (_BIRTHS, _DEATHS))
_PARENTHESIS = re.compile(r"\s*\(([^()]{1,160})\)")
_WHEN = listed("in since from until between by im seit bis en depuis desde by")
_COPULAS = listed(
    """
    is was are were be been became becomes remains remained named appointed elected ist war wurde est etait fut devient devint es
    era fue
    """
)
_INTO = listed("as als como comme became becomes become named appointed elected wurde devient devint")
_ADVERBS = listed("also now then later once currently still best well today auch heute aussi ancien ancienne tambien actualmente")
_PRESENT = listed("is works serves plays lives practises practices teaches leads heads currently ist est es juega arbeitet")
_PRONOUNS = listed("he she il elle er sie ella")
_LIVES = listed("born educated raised geboren ne nee nacido nacida")
_OTHERS = RELATIVES | listed(
    """
    whose by under about like against alongside that where when to while after featuring starring meets met portrayed played nach
    unter gegen dont dirige contre cuyo cuya por pour par durch von dessen deren
    """
)
_BEFORE_HER = listed("and with in for of from at on to as")
_AT = listed("at for with joined joins bei chez beim")
_IN = listed("in from near of en aus de zu am im")
_LEADS = listed("the a an its der die das le la el los")
_SHARED = re.compile(
    r"may (?:also )?refer to|can refer to|disambiguation|several people|people (?:named|with the name)|professionals named|profiles? named"
    r"|folgender personen|begriffskl\u00e4rung|steht f\u00fcr|peut d\u00e9signer|homonymie|puede referirse a|desambiguaci\u00f3n",
    re.IGNORECASE,
)
_CONFUSED = re.compile(
    r"not to be confused with|for other (?:people|uses)|nicht zu verwechseln|ne pas confondre|no confundir", re.IGNORECASE
)
_GERMAN = re.compile(r"\b(?:und|der|die|das|ist|war|wurde|eine?r?)\b")
_ACADEMIC = frozenset({"academia", "education"})
_STUDY = listed(
    """
    department faculty school phd thesis degree studied studies studying teaches taught chair lehrstuhl professorship fakultat
    """
)


@dataclass(slots=True)
class Traits:
    """What is said of one bearer of a name. Words are folded; places are half-open spans of the text in code points.

    Attributes:
        fields: of work; `academia` alone says little.
        birth: years of birth.
        death: years of death.
        active: years in which something was done.
        employers: each as its words.
        places: words of places that are lived, worked or born in.
        nations: demonyms.
        proper: other words with a capital, which tell what a text is about.
        middle: middle names, or their initials.
        suffixes: `jr`, `sr` and the like.
        seconds: second surnames.
        genders: `he`, `she`: the pronouns that are used.
        present: whether a statement in the present tense names what is done now.
        thing: whether what bears the name is no person.
        shared: whether it says that several people bear the name.
        seen: places of what was read in the text, by sort of trait.
    """

    fields: set[str] = field(default_factory=set[str])
    birth: set[int] = field(default_factory=set[int])
    death: set[int] = field(default_factory=set[int])
    active: set[int] = field(default_factory=set[int])
    employers: set[frozenset[str]] = field(default_factory=set[frozenset[str]])
    places: set[str] = field(default_factory=set[str])
    nations: set[str] = field(default_factory=set[str])
    proper: set[str] = field(default_factory=set[str])
    middle: set[str] = field(default_factory=set[str])
    suffixes: set[str] = field(default_factory=set[str])
    seconds: set[str] = field(default_factory=set[str])
    genders: set[str] = field(default_factory=set[str])
    present: bool = False
    thing: bool = False
    shared: bool = False
    named: bool = False
    seen: dict[str, list[tuple[int, int]]] = field(default_factory=dict[str, list[tuple[int, int]]])

    @property
    def told(self) -> bool:
        """Whether something is said that can tell people apart."""
        return bool(
            not self.thing
            and self.named
            and (self.fields or self.birth or self.death or self.employers or self.suffixes or self.seconds or self.middle or self.active)
        )

    def note(self, sort: str, at: int, start: int, end: int) -> None:
        """Remember where a trait stands; `at` is the place of the words in the text, negative for those of a title."""
        if at >= 0:
            self.seen.setdefault(sort, []).append((at + start, at + end))

    def add(self, other: Traits) -> None:
        """Take over what is said in another place of the same person."""
        self.fields |= other.fields
        self.birth |= other.birth
        self.death |= other.death
        self.active |= other.active
        self.employers |= other.employers
        self.places |= other.places
        self.nations |= other.nations
        self.proper |= other.proper
        self.middle |= other.middle
        self.suffixes |= other.suffixes
        self.seconds |= other.seconds
        self.genders |= other.genders
        self.present |= other.present
        self.named |= other.named


def read(name: Name, title: str, text: str) -> Traits:
    """Return what a hit says of the bearer of the name."""
    return _Reader(name, title, text[:LONGEST]).read()


def entries(name: Name, title: str, text: str) -> list[tuple[int, int]]:
    """Return the half-open spans of the entries of a page that lists bearers of the name; empty when it is no such page."""
    if _SHARED.search(f"{title} {text[:400]}") is None:
        return []
    words = tokens(text[:LONGEST])
    found = bearings(words, name)
    starts = [words[place.first].start for place in found]
    if len(starts) > 1 and _SHARED.match(text, words[found[0].last - 1].end + 1):
        starts = starts[1:]
    ends = [*starts[1:], min(len(text), LONGEST)]
    return [(start, start + len(text[start:end].rstrip(" \n\r\t;,\u2022\u00b7|-\u2013*"))) for start, end in zip(starts, ends, strict=True)]


class _Reader:
    def __init__(self, name: Name, title: str, text: str) -> None:
        self._name = name
        self._title = title
        self._text = text
        self._found = Traits()

    def read(self) -> Traits:
        titled = self._read_title()
        self._found.shared = _SHARED.search(f"{self._title} {self._text[:400]}") is not None
        follows = titled
        for start, end in _sentences(self._text):
            if _CONFUSED.search(self._text, start, end):
                continue
            opening = titled and not self._found.seen
            follows = self._read_sentence(start, self._text[start:end], follows=follows, titled=titled, opening=opening)
        return self._found

    def _read_title(self) -> bool:
        """Read a title; return whether it is about the bearer."""
        words = tokens(self._title)
        found = bearings(words, self._name, title=True)
        if not found:
            return False
        place = found[0]
        self._bear(place)
        self._before(words, place.first, -1)
        after = words[place.last :]
        aside = _PARENTHESIS.match(self._title, words[place.last - 1].end)
        if aside is not None and _thing(tokens(aside[1])):
            self._found.thing = True
        if not after or not after[0].gap.startswith(("'", "\u2019")):
            self._phrase(after, -1, said=True)
        self._dates(self._title, words, place, -1)
        self._segments(words[place.last - 1].end)
        return place.first <= 4 or bool(self._found.fields)

    def _segments(self, end: int) -> None:
        """Take an employer from `Name - Occupation - Employer | Site`."""
        parts = [part.strip() for part in re.split(r" [-\u2013\u2014|] ", self._title[end:]) if part.strip()]
        for left, right in pairwise(parts):
            keys = {word.key for word in tokens(right)}
            if keys and not keys & SITES and any(_occupations(tokens(left))) and not any(_occupations(tokens(right))):
                self._found.employers.add(_kernel(keys))
                self._found.present = True

    def _read_sentence(self, at: int, text: str, *, follows: bool, titled: bool, opening: bool) -> bool:
        """Read one sentence; return whether the next may go on about the bearer with a pronoun."""
        words = tokens(text)
        found = bearings(words, self._name)
        self._properly(words)
        if not found:
            if follows and (rest := _continued(words, self._name)) is not None:
                self._gendered(words[:rest])
                self._statement(text, words, rest, at)
            elif follows and _described(words):
                self._phrase(words[:_WORDS], at, said=True)
            elif opening:
                self._opening(text, words, at)
            return follows
        for place in found[:_BEARINGS]:
            self._bear(place)
            self._before(words, place.first, at)
            owner = text[words[place.last - 1].end :].startswith(("'s", "\u2019s"))
            # "Henry Lindley, brother of NAME, was a bishop"
            before = [word.key for word in words[max(0, place.first - 2) : place.first]]
            related = len(before) == 2 and before[0] in RELATIVES and before[1] in ("of", "to", "von", "de")
            if not owner and not related:
                self._statement(text, words, place.last, at, named=place)
        return titled or found[0].first <= 4

    def _gendered(self, words: Sequence[Token]) -> None:
        for index, word in enumerate(words):
            # "met her": somebody else.
            if word.key in GENDERS and (word.key != "her" or (index and words[index - 1].key in _BEFORE_HER)):
                self._found.genders.add(GENDERS[word.key])

    def _bear(self, place: Bearing) -> None:
        self._found.named = True
        self._found.middle.update(place.middle)
        if place.suffix:
            self._found.suffixes.add(place.suffix)
        if place.second:
            self._found.seconds.add(place.second)

    def _opening(self, text: str, words: Sequence[Token], at: int) -> None:
        """Read the first sentence below a title that names the bearer: `Software Engineer at Nordbyte`, `Born in 1904`."""
        if any(field_of(_joined(words[one : one + size])) for one in range(min(4, len(words))) for size in (1, 2, 3)):
            self._phrase(words, at, said=True)
            self._employ(words, at)
        self._born_and_died(text, at)

    def _before(self, words: Sequence[Token], first: int, at: int) -> None:
        """Read what stands right before the name: `the chemist NAME`, `The mayor of Elmsford, NAME, said`."""
        begin = first
        self._gendered(words[max(0, first - 1) : first])
        while begin and first - begin < 5 and re.fullmatch(r"[ \u00a0]+|-|\.[ ]", words[begin].gap):
            begin -= 1
        for one in range(begin, first):
            key = _joined(words[one:first])
            if (found := RANKS.get(key, field_of(key))) is not None:
                self._take_field(found, at, words[one].start, words[first].end)
                self._nations(words[begin:one])
                break
        comma = first and words[first].gap.startswith(",")
        if comma and words[0].key in _LEADS and not any(word.key in _OTHERS for word in words[:first]):
            self._phrase(words[:first], at, said=True)
            self._employ(words[:first], at)

    def _statement(self, text: str, words: Sequence[Token], begin: int, at: int, *, named: Bearing | None = None) -> None:
        """Read what is said behind the name or the pronoun, whose last token is before `begin`."""
        if named is not None:
            self._dates(text, words, named, at)
        end = words[begin - 1].end if begin else 0
        while named is not None and (aside := _PARENTHESIS.match(text, end)) is not None:
            inside = [word for word in words[begin : begin + _WORDS] if word.start < aside.end()]
            self._found.thing = self._found.thing or _thing(inside)
            self._phrase(inside, at, said=True)
            begin, end = begin + len(inside), aside.end()
        rest = list(words[begin : begin + _WORDS])
        gap = rest[0].gap.lstrip(')"\u201d ') if rest else ""
        said = bool(rest) and (bool(re.match(r"[,:\u2013\u2014|-]", gap)) or _is_copula(rest)) and not _is_doing(rest)
        if named is None and gap.startswith(","):
            said = False
        if said and named is not None and not self._found.fields and _thing(_skip_copula(rest)):
            self._found.thing = True
            return
        self._phrase(rest, at, said=said)
        self._found.present = self._found.present or any(word.key in _PRESENT for word in rest[:4])
        own = _own(rest)
        self._gendered(own)
        self._deeds(own, at)
        self._employ(own, at)
        if own:
            self._born_and_died(text[: own[-1].end], at, after=words[begin - 1].end if begin else 0)
        self._years(own, at)

    def _phrase(self, words: Sequence[Token], at: int, *, said: bool) -> None:
        """Read the occupations of a phrase: all of them when something is `said` of the bearer there, otherwise those behind `as`."""
        own = _own(words)
        if not said:
            behind = next((index for index, word in enumerate(own) if word.key in _INTO), None)
            if behind is None:
                return
            own = own[behind + 1 :]
        occupied = list(_occupations(own))
        for found, start, end in occupied:
            self._take_field(found, at, start, end)
        self._nations(own)
        keys = {word.key for word in own}
        if keys & _STUDY or any(found in _ACADEMIC or not found for found, _, _ in occupied):
            for word in own:
                if (subject := SUBJECTS.get(word.key)) is not None:
                    self._take_field(subject, at, word.start, word.end)

    def _take_field(self, found: str, at: int, start: int, end: int) -> None:
        self._found.named = True
        if found:
            self._found.fields.add(found)
            self._found.note("occupation", at, start, end)

    def _deeds(self, words: Sequence[Token], at: int) -> None:
        for one in range(min(len(words), 12)):
            for size in (5, 4, 3, 2, 1):
                if (found := DEEDS.get(_joined(words[one : one + size]))) and (one < 3 or size > 1):
                    self._take_field(found, at, words[one].start, words[min(one + size, len(words)) - 1].end)
                    break

    def _nations(self, words: Iterable[Token]) -> None:
        self._found.nations.update(word.key for word in words if word.key in DEMONYMS)

    def _employ(self, words: Sequence[Token], at: int) -> None:
        """Read employers and places: runs of capitals behind `at`, `for`, `of`, `in`."""
        for index, word in enumerate(words):
            if word.key not in _AT and word.key not in _IN and word.text != "\u00e0":
                continue
            run = _run(words[index + 1 :])
            keys = {one.key for one in run if one.key not in ACRONYM_LINKS} - NOT_PLACES
            if not run or not keys:
                continue
            born = any(before.key == "born" for before in words[max(0, index - 5) : index])
            owned = not born and (word.key in _AT or bool(keys & ORGANISATION))
            role = index and word.key in ("of", "de") and field_of(words[index - 1].key) in ("", "business")
            if owned or role:
                self._found.employers.add(_kernel(keys) | _initials(run))
                self._found.note("employer", at, run[0].start, run[-1].end)
            elif not keys & DEMONYMS:
                self._found.places.update(keys)
                self._found.note("place", at, run[0].start, run[-1].end)

    def _years(self, words: Sequence[Token], at: int) -> None:
        for left, right in pairwise(words):
            if left.key in _WHEN and re.fullmatch(_YEAR, right.text) and not self._is_life(int(right.text)):
                self._found.active.add(int(right.text))
                self._found.note("year", at, right.start, right.end)

    def _is_life(self, year: int) -> bool:
        return year in self._found.birth or year in self._found.death

    def _dates(self, text: str, words: Sequence[Token], place: Bearing, at: int) -> None:
        """Read the years of a life from the parenthesis, or after the comma, behind the name."""
        end = words[place.last - 1].end
        aside = _PARENTHESIS.match(text, end)
        inside = aside[1] if aside is not None else text[end : end + 90] if text[end : end + 1] == "," else ""
        begin = aside.start(1) if aside is not None else end
        life = _LIFE.match(inside)
        if life is not None and _is_span(life, strict=aside is None):
            self._live(self._found.birth, life, "birth", at, begin)
            self._live(self._found.death, life, "death", at, begin)
        elif aside is not None:
            self._born_and_died(text[: aside.end(1)], at, after=begin)
        obituary = re.search(rf"\(\s*({_YEAR})\s*[-\u2013]\s*({_YEAR})\s*\)", text[end:]) if at < 0 else None
        if obituary is not None and 15 <= int(obituary[2]) - int(obituary[1]) <= 115:
            self._found.birth.add(int(obituary[1]))
            self._found.death.add(int(obituary[2]))

    def _live(self, years: set[int], match: re.Match[str], group: str, at: int, begin: int) -> None:
        years.add(_year(match[group]))
        self._found.note("year", at, begin + match.start(group), begin + match.end(group))

    def _born_and_died(self, text: str, at: int, *, after: int = 0) -> None:
        for pattern, years in ((_BORN, self._found.birth), (_DIED, self._found.death)):
            match = pattern.search(text, after)
            # Somebody else's birth: `his son, born in 1950`.
            if match is not None and not any(word.key in RELATIVES for word in tokens(text[after : match.start()])):
                years.add(_year(match["date"]))
                self._found.note("year", at, match.start(), match.end())

    def _properly(self, words: Sequence[Token]) -> None:
        """Gather words with a capital inside the sentence. German writes every noun with one: there only those of names of places count."""
        german = sum(_GERMAN.fullmatch(word.text) is not None for word in words) > 1
        own = {*self._name.words}
        for left, word in pairwise(words):
            if german and left.key not in _IN and left.key not in ("bei", "von"):
                continue
            if word.capital and len(word.text) > 2 and word.key not in own and not _is_common(word.key):
                self._found.proper.add(word.key)


def _is_common(key: str) -> bool:
    known = NOT_PLACES | DEMONYMS | TITLES | ORGANISATION | SITES
    return key in known or key in SUFFIXES or key in SUBJECTS or field_of(key) is not None


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield half-open spans of sentences; abbreviations and German ordinals end none, nor does what stands in parentheses."""
    begin = 0
    for match in _END.finditer(text):
        seam = match["seam"] is not None
        before = text[max(begin, match.start() - _NEAR) : match.start()]
        if not seam and (_ABBREVIATED.search(before[-12:]) or before.count("(") > before.count(")")):
            continue
        if text[begin : match.start()].strip():
            yield begin, match.start()
        begin = match.end()
    if text[begin:].strip():
        yield begin, len(text)


def _continued(words: Sequence[Token], name: Name) -> int | None:
    """Return where the statement of a sentence about the bearer begins that has a pronoun or the surname as subject."""
    for index, word in enumerate(words[:3]):
        if word.key in _PRONOUNS and (index == 0 or words[index - 1].key in _WHEN):
            return index + 1
        titled = index == 0 or words[index - 1].key in TITLES
        if word.key == name.words[-1] and word.capital and titled:
            return index + 1
    if words and words[0].key in _LIVES:
        return 0
    if len(words) > 1 and words[0].key == name.words[0] and not words[1].capital:
        return 1
    # "In 1857 he commanded", "After the war, he became"
    for index, word in enumerate(words[:12]):
        if word.key in _PRONOUNS and (word.gap.startswith(",") or words[index - 1].text.isdigit()):
            return index + 1
    return None


def _described(words: Sequence[Token]) -> bool:
    """Whether a sentence goes on with a description in the place of the name: `The 17-year-old cyclist said`, not `The actor Tom Hart`."""
    if not words or words[0].key not in _LEADS:
        return False
    for index, word in enumerate(words[1:6], 1):
        if word.key in _AT or word.key in _IN or word.key in _COPULAS or "," in word.gap:
            return False
        if field_of(word.key):
            return index + 1 == len(words) or not words[index + 1].capital
    return False


def _own(words: Sequence[Token]) -> list[Token]:
    """Return the words up to the one that brings somebody else in."""
    found: list[Token] = []
    for index, word in enumerate(words):
        # "adviser to" and "married to" do; "was appointed to" and "born to" too: all that follows is left out.
        if word.key in _OTHERS and not (word.key == "by" and index == 0):
            break
        found.append(word)
    return found


def _is_copula(words: Sequence[Token]) -> bool:
    keys = [word.key for word in words[:5] if word.key not in _ADVERBS]
    return bool(keys) and (
        keys[0] in _COPULAS or (keys[0] in ("has", "had", "hat", "a", "ha") and keys[1:2] in (["been"], ["ete"], ["sido"]))
    )


def _skip_copula(words: Sequence[Token]) -> Sequence[Token]:
    index = 0
    while index < len(words) and (words[index].key in _COPULAS or words[index].key in _ADVERBS):
        index += 1
    return words[index:]


def _is_doing(words: Sequence[Token]) -> bool:
    """`is hiring`, `was sentenced`: something is done, and nothing is said to be somebody."""
    rest = _skip_copula(words)
    return len(rest) < len(words) and bool(rest) and rest[0].key.endswith("ing") and field_of(rest[0].key) is None


def _thing(words: Sequence[Token]) -> bool:
    """Whether a phrase calls what it speaks of no person: `a 1954 drama film`, but not `a film actress`."""
    for index, word in enumerate(words):
        if word.key in ("of", "in", "at", "from", "for", "who", "und", "and", "with", "by", "whose") or (index and "," in word.gap):
            return False
        if any(field_of(_joined(words[index : index + size])) is not None for size in (1, 2, 3)):
            return False
        if word.key in THINGS:
            return not any(field_of(following.key) is not None for following in words[index + 1 : index + 3])
    return False


def _occupations(words: Sequence[Token]) -> Iterator[tuple[str, int, int]]:
    """Yield (field, start, end) of each occupation among the words, the longest phrase first; not of names behind a preposition."""
    index, named = 0, False
    while index < len(words):
        word = words[index]
        named = (named and word.capital) or word.key in _AT or word.key in _IN
        for size in (3, 2, 1):
            part = words[index : index + size]
            if len(part) == size and (found := field_of(_joined(part))) is not None and not (named and word.capital):
                yield found, part[0].start, part[-1].end
                index += size - 1
                break
        index += 1


def _joined(words: Sequence[Token]) -> str:
    return "".join(("-" if word.gap == "-" else " ") * (index > 0) + word.key for index, word in enumerate(words))


def _run(words: Sequence[Token]) -> list[Token]:
    """Return the words with a capital at the beginning, small links between them included."""
    found: list[Token] = []
    for index, word in enumerate(words):
        if index and re.fullmatch(r"[ \u00a0]+|-|\.[ ]?|['\u2019]|[ ]&[ ]", word.gap) is None:
            break
        if word.capital or (found and word.text == "s") or (word.key in ACRONYM_LINKS and _is_inside(words, index)):
            found.append(word)
            continue
        break
    while found and not found[-1].capital:
        found.pop()
    return [word for index, word in enumerate(found) if word.capital or index]


def _is_inside(words: Sequence[Token], index: int) -> bool:
    return any(word.capital for word in words[index + 1 : index + 2])


def _kernel(keys: Iterable[str]) -> frozenset[str]:
    """Return the words that tell one organisation from another."""
    every = frozenset(keys) - {"the", "of", "s", "and", "st", "saint"}
    return every - ORGANISATION or every


def _initials(run: Sequence[Token]) -> frozenset[str]:
    letters = "".join(word.key[0] for word in run if word.capital)
    return frozenset([letters]) if len(letters) > 2 else frozenset()


def _year(date: str) -> int:
    return int(re.findall(_YEAR, date)[-1])


def _is_span(life: re.Match[str], *, strict: bool) -> bool:
    """Whether two years are those of a life: a term of office is shorter, or is said to be one."""
    lasted = _year(life["death"]) - _year(life["birth"])
    lead = life["lead"].strip().lower()
    dated = not lead or bool(re.search(r"born|b\.|\*|geb|n\u00e9|naci|footballer|,$|c\.|\u2020", lead)) or len(lead.split()) <= 3
    return 15 <= lasted <= 115 and dated and (not strict or bool(re.search(r"born|n\u00e9|nac|\*", lead)))
