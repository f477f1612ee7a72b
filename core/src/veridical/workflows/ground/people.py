"""Whether a name that is asked for is that of several people, and which passage tells each of them apart. Rules, no model, no chance.

    question -> a name -> mentions that bear it -> what each says of the bearer (people_traits) -> likeness of each two, signed
        -> merge the likest, step by step -> people who differ from each other -> the passage that shows each

Two statements differ by what one life cannot hold: other years of birth or death, another middle initial, two articles of one encyclopedia.
They differ as well by fields of work that seldom go together, and by employers, places and nationalities that add up. What two statements
have in common speaks for one person, and outweighs a second career. A mention that says nothing of the kind belongs to nobody.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from urllib.parse import unquote, urlsplit

from veridical.kernel.policy import load_policy
from veridical.kernel.sentences import sentence
from veridical.locate.seams import between_seams

from .people_likeness import NEVER, fields_differ, impossible, likeness, years_differ
from .people_names import Name, Token, asked_names, bearings, tokens
from .people_traits import LONGEST, Traits, entries, read
from .people_words import ACRONYM_LINKS, DEMONYMS, NOT_PLACES, ORGANISATION, SCAFFOLDING, TITLES, field_of, fold, listed

__all__ = ["Mention", "Person", "distinct_people", "others"]

DIFFERENT = -3.0
"""Likeness at or below which two statements are about two people; -1.5 where a hit says that several people bear the name."""
_SHARED_DIFFERENT = -1.5
_LEAST_WORDS = 3
_ARTICLES = listed("the der die das den dem le la el")
_PREPOSITIONS = listed("at in of from for with by bei von aus de du del en")
_WAYS = ("occupation", "year", "name", "employer", "place")
_ENCYCLOPEDIA = re.compile(r"(?:^|\.)wikipedia\.org$")
_DIRECTORY = re.compile(r"(?:^|\.)linkedin\.com$|(?:^|\.)imdb\.com$")
_ENTRY = re.compile(r"/(?:wiki|in|name)/([^/?#]+)")


@dataclass(frozen=True, slots=True)
class Mention:
    """A search hit, or a passage of a page.

    Attributes:
        title: of the document, when there is one.
        text: its words; what is longer than 6,000 code points is read up to there.
        url: of the document, when there is one.
        domain: registrable domain of the URL, or `source:NAME`.
    """

    title: str | None
    text: str
    url: str | None
    domain: str


@dataclass(frozen=True, slots=True)
class Person:
    """One of several people who bear the name that was asked for.

    Attributes:
        mentions: indices of the mentions that speak of this one, in rank order; never empty.
        mention: the one to show.
        start: of the words that tell this one apart, in code points of the text of `mention`.
        end: one past their last; more than `start`.
        why: what tells it apart: `year`, `occupation`, `employer`, `place` or `name`.
    """

    mentions: tuple[int, ...]
    mention: int
    start: int
    end: int
    why: str


@dataclass(slots=True)
class _Account:
    """What one mention, or one entry of a list, says: half-open span of its text, and the entry of a directory that it is."""

    mention: Mention
    indices: tuple[int, ...]
    start: int
    end: int
    traits: Traits
    entry: tuple[str, str] | None = None


@dataclass(slots=True)
class _Group:
    accounts: list[_Account]
    traits: Traits = field(default_factory=Traits)

    @classmethod
    def of(cls, accounts: Iterable[_Account]) -> _Group:
        group = cls(list(accounts))
        for account in group.accounts:
            group.traits.add(account.traits)
        return group


def distinct_people(question: str, mentions: Sequence[Mention]) -> tuple[Person, ...]:
    """Return the people who share the name that `question` asks for, best ranked first; never exactly one.

    Empty when the question names nobody, when the mentions may all speak of one person, when what else the question says fits one alone,
    and when the mentions say too little.
    """
    for name in _borne(question, mentions):
        people = _Question(question, name, mentions).people()
        if people:
            return people
    return ()


def others(question: str, mentions: Sequence[Mention]) -> tuple[int, ...]:
    """Return the indices, ascending, of mentions that speak of another bearer of the name than what else the question says of it."""
    found = {index for name in _borne(question, mentions) for index in _Question(question, name, mentions).left_out()}
    return tuple(sorted(found))


def _borne(question: str, mentions: Sequence[Mention]) -> list[Name]:
    """Return the names of a question that mentions bear: of those that share a word the one that most bear, then the likeliest."""
    texts = {mention: (tokens(mention.title or ""), tokens(mention.text[:LONGEST])) for mention in mentions}
    counted = [
        (sum(bool(bearings(title, name, title=True) or bearings(text, name)) for title, text in texts.values()), name)
        for name in dict.fromkeys(asked_names(question))
    ]
    found: list[Name] = []
    for count, name in sorted(counted, key=lambda one: -one[0]):
        if count and not any(set(name.words) & set(other.words) for other in found):
            found.append(name)
    return found


class _Question:
    """One name of a question, and what else the question says of its bearer."""

    def __init__(self, question: str, name: Name, mentions: Sequence[Mention]) -> None:
        self._name = name
        self._mentions = mentions
        self._asked, self._words = _said(question, name)
        self._accounts = _accounts(name, mentions)
        told = [account for account in self._accounts if account.traits.told]
        alike = [(likeness(self._asked, account.traits), account) for account in told]
        # What a question says of nobody that was found may be no trait at all: "Was Ana Bell a judge?"
        known = any(score > 0 for score, _ in alike)
        self._contrary = [account for score, account in alike if score <= DIFFERENT]
        self._fitting = [account for score, account in alike if score > DIFFERENT or not known]
        self._bar = _SHARED_DIFFERENT if any(account.traits.shared for account in self._accounts) else DIFFERENT

    def people(self) -> tuple[Person, ...]:
        apart = _settled(self._meant()[0])
        shown = [(group, _shown(group, [other for other in apart if other is not group])) for group in apart]
        people = [person for _, person in shown if person is not None]
        return tuple(sorted(people, key=lambda person: (person.mentions, person.start))) if len(people) > 1 else ()

    def left_out(self) -> list[int]:
        kept = {index for group in self._meant()[0] for account in group.accounts for index in account.indices}
        gone = [
            *(account for account in self._contrary if account not in self._fitting),
            *(account for group in self._meant()[1] for account in group.accounts),
        ]
        return [index for account in gone for index in account.indices if index not in kept]

    def _meant(self) -> tuple[list[_Group], list[_Group]]:
        """Return the groups that may be meant, and those that are not, when what else the question says points at some."""
        groups = _apart(_grouped(self._fitting), self._bar)
        pointed = [group for group in groups if any(self._points_at(account) for account in group.accounts)]
        if not pointed:
            return groups, []
        return pointed, [group for group in groups if not any(group is one for one in pointed)]

    def _points_at(self, account: _Account) -> bool:
        said = f"{account.mention.title or ''} {account.mention.text[account.start : account.end]}"
        return bool(self._words & {word.key for word in tokens(said)})


def _said(question: str, name: Name) -> tuple[Traits, frozenset[str]]:
    """Return what else a question says of the bearer: traits, and words with a capital that only one bearer's texts may hold."""
    words = [word for word in tokens(question) if word.key not in name.words]
    asked = Traits(named=True, fields=_asked_fields(question, name))
    proper: set[str] = set()
    for index, word in enumerate(words):
        if word.text.isdigit() and index and words[index - 1].key in ("born", "b", "geboren", "ne", "nee", "nacido", "nacida"):
            asked.birth.add(int(word.text))
        known = NOT_PLACES | TITLES | SCAFFOLDING | ACRONYM_LINKS | DEMONYMS
        if word.capital and len(word.text) > 1 and word.key not in known and field_of(word.key) is None:
            proper.add(word.key)
    asked.nations.update(word.key for word in words if word.key in DEMONYMS)
    return asked, frozenset(proper - ORGANISATION or proper)


def _asked_fields(question: str, name: Name) -> set[str]:
    """Return the fields of work that stand right before the name or in apposition to it: not those of whom or what else is asked about."""
    words = tokens(question)
    last = next(
        (index for index, word in enumerate(words) if word.key == name.words[-1] and index and words[index - 1].key in name.words), None
    )
    if last is None:
        return set()
    first = last
    while first and words[first - 1].key in name.words:
        first -= 1
    before = {field_of(" ".join(word.key for word in words[one:first])) for one in range(max(0, first - 3), first)}
    return {found for found in (before | _apposed(words[last + 1 :])) if found}


def _apposed(words: Sequence[Token]) -> set[str | None]:
    """Return the fields of work of a phrase behind the name: `the chemist at MIT`, `, orthopaedic surgeon`, `chemist`."""
    apposed = bool(words) and (words[0].key in _ARTICLES or words[0].gap.lstrip()[:1] in (",", "(", "-", "\u2013"))
    reach = words[:5] if apposed else words[:3]
    found: set[str | None] = set()
    for one in range(len(reach) if apposed else min(1, len(reach))):
        if reach[one].key in _PREPOSITIONS:
            break
        found.update(field_of(" ".join(word.key for word in reach[one : one + size])) for size in (1, 2, 3))
    return found


def _accounts(name: Name, mentions: Sequence[Mention]) -> list[_Account]:
    """Return what the mentions say, in an order that does not depend on theirs; equal ones once."""
    same: dict[Mention, list[int]] = {}
    for index, mention in enumerate(mentions):
        if mention.text.strip():
            same.setdefault(mention, []).append(index)
    found: list[_Account] = []
    for mention in sorted(same, key=lambda one: (one.title or "", one.text, one.url or "", one.domain)):
        indices, title = tuple(same[mention]), mention.title or ""
        listed = entries(name, title, mention.text)
        found += [_Account(mention, indices, start, end, _shared(read(name, "", mention.text[start:end]), start)) for start, end in listed]
        if not listed:
            found.append(_Account(mention, indices, 0, len(mention.text), read(name, title, mention.text), _entry(name, mention)))
    return found


def _shared(traits: Traits, start: int) -> Traits:
    """Return the traits of an entry of a list, which says that there are several; places become those of the whole text."""
    traits.shared = True
    traits.seen = {sort: [(first + start, last + start) for first, last in places] for sort, places in traits.seen.items()}
    return traits


def _entry(name: Name, mention: Mention) -> tuple[str, str] | None:
    """Return (directory, entry) of a page in which a directory of people describes one bearer of the name."""
    address = urlsplit(mention.url or "") if "[" not in (mention.url or "") else urlsplit("")
    found = _ENTRY.match(address.path)
    host = (address.netloc or "").lower()
    if found is None or not (_ENCYCLOPEDIA.search(host) or _DIRECTORY.search(host)):
        return None
    label = unquote(found[1]).replace("_", " ")
    if _ENCYCLOPEDIA.search(host):
        outside = tokens(re.sub(r"\([^)]*\)", "", label))
        borne = bearings(outside, name)
        return (host, fold(label)) if borne and borne[0].last == len(outside) else None
    return ".".join(host.split(".")[-2:]), fold(label)


# Groups


def _grouped(accounts: Sequence[_Account]) -> list[_Group]:
    """Merge the likest two as long as any two are alike."""
    groups = {index: _Group.of([account]) for index, account in enumerate(accounts)}
    scores: dict[tuple[int, int], float] = {pair: _between(groups[pair[0]], groups[pair[1]]) for pair in combinations(groups, 2)}
    while scores:
        best = max(scores, key=lambda pair: (scores[pair], -pair[0], -pair[1]))
        if scores[best] <= 0:
            break
        kept, gone = best
        groups[kept] = _Group.of([*groups[kept].accounts, *groups.pop(gone).accounts])
        left = [pair for pair in scores if gone not in pair]
        scores = {pair: _between(groups[pair[0]], groups[pair[1]]) if kept in pair else scores[pair] for pair in left}
    return list(groups.values())


def _between(one: _Group, other: _Group) -> float:
    entries_of = [{account.entry for account in group.accounts if account.entry is not None} for group in (one, other)]
    for left in entries_of[0]:
        for right in entries_of[1]:
            if left[0] == right[0] and left[1] != right[1]:
                return NEVER if _ENCYCLOPEDIA.search(left[0]) else min(DIFFERENT, likeness(one.traits, other.traits))
    return likeness(one.traits, other.traits)


def _apart(groups: Sequence[_Group], bar: float) -> list[_Group]:
    """Return groups that all differ from each other, the best attested first; a group that might be two of them is left out."""
    kept: list[_Group] = []
    for group in sorted(groups, key=lambda one: (-len(one.accounts), -_weight(one.traits))):
        if all(_between(group, other) <= bar for other in kept):
            kept.append(group)
    return kept if len(kept) > 1 else []


def _settled(groups: Sequence[_Group]) -> list[_Group]:
    """Take out of each group what another one would hold as well: `a chemist` is neither the one born in 1871 nor the one born in 1950."""
    return [_Group.of([account for account in group.accounts if _belongs(account, group, groups)] or group.accounts) for group in groups]


def _belongs(account: _Account, group: _Group, groups: Sequence[_Group]) -> bool:
    fellows = [fellow for fellow in group.accounts if fellow is not account]
    if not fellows:
        return True
    here = _between(_Group.of([account]), _Group.of(fellows))
    return all(_between(_Group.of([account]), other) < max(here, 0.5) for other in groups if other is not group)


def _weight(traits: Traits) -> int:
    return 3 * len(traits.birth | traits.death) + len(traits.fields) + len(traits.employers) + len(traits.places)


# What is shown


def _shown(group: _Group, apart: Sequence[_Group]) -> Person | None:
    """Return the person with the passage that tells it apart; None when no mention has words to show."""
    indices = tuple(sorted({index for account in group.accounts for index in account.indices}))
    ranked = sorted(group.accounts, key=lambda account: (account.indices, account.start))
    why = _why(group, apart)
    for sort in dict.fromkeys((why, "year", "occupation", "employer", "place")):
        for account in ranked:
            for place in account.traits.seen.get(sort, ()):
                if (span := _passage(account, *place)) is not None:
                    return Person(indices, account.indices[0], *span, why)
    for account in ranked:
        # A title told it apart: any sentence of that mention.
        for place in tokens(account.mention.text[account.start : account.end]):
            if (span := _passage(account, account.start + place.start, account.start + place.end)) is not None:
                return Person(indices, account.indices[0], *span, why)
    return None


def _why(group: _Group, apart: Sequence[_Group]) -> str:
    """Return the sort of trait that differs from most of the others."""
    counted = Counter(way for other in apart for way in _ways(group.traits, other.traits))
    if counted:
        return max(counted, key=lambda way: (counted[way], -_WAYS.index(way)))
    return "year" if group.traits.birth or group.traits.death else "occupation"


def _ways(one: Traits, other: Traits) -> Iterator[str]:
    if fields_differ(one, other):
        yield "occupation"
    if years_differ(one.birth, other.birth) or years_differ(one.death, other.death):
        yield "year"
    if (one.suffixes or one.seconds or one.middle) and (impossible(one, other) or not one.seconds & other.seconds):
        yield "name"
    if one.employers and other.employers:
        yield "employer"
    if one.places and other.places:
        yield "place"


def _passage(account: _Account, start: int, end: int) -> tuple[int, int] | None:
    """Return the sentence around `start` and `end`, cut at the seams of a snippet and at the bounds of an entry; None when too short."""
    text = account.mention.text
    for first, last in between_seams(text, account.start, account.end):
        if start >= last or end <= first:
            continue
        whole = sentence(text, max(start, first), min(end, last), policy=load_policy())
        span = (max(first, whole[0]), min(last, whole[1]))
        while span[0] < span[1] and text[span[0]].isspace():
            span = (span[0] + 1, span[1])
        words = text[slice(*span)].rstrip()
        if len(words.split()) >= _LEAST_WORDS:
            return span[0], span[0] + len(words)
    return None
