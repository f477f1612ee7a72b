"""What a conversation was about so far, and what a prompt that leans on it is about.

    Prompt.of(text)                        what a prompt says by itself
    Standing(...).after(prompt)            where the conversation stands after it

Subjects are copied from the user's own prompts; what an assistant said names nobody here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from veridical_contract import TopicKind

from .disguises import readings
from .judging import judge, judge_material
from .names import people_in
from .requests import Request, requests
from .rules import Finding
from .signs import about_given_text
from .subjects import person_of, thing_of
from .tables.asking import ANSWER_IT, COMPLETES, FOLLOWS, NEGATIONS, PERSON_POINTERS, POINTERS, RESTYLES
from .tables.people import WHO
from .tables.work import CODE, FICTION, GIVEN_TEXTS, MAYBE_CODE, MESSAGES, OWN, TRANSFORMS, UNSPACED_WORK

__all__ = ["Prompt", "Standing"]

_ORDER: dict[TopicKind, int] = {"biographical": 2, "external": 1, "workspace": 0}
_SHORT = 12


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt by itself.

    Attributes:
        text: as it was typed.
        requests: its parts.
        finding: what it is about, had nothing been said before; None when it asks for nothing.
        asking: the parts that a rule takes for a question about people or the world, each with what it says.
    """

    text: str
    requests: tuple[Request, ...]
    finding: Finding | None
    asking: tuple[tuple[Request, Finding], ...] = ()

    @classmethod
    def of(cls, text: str) -> Prompt:
        """Judge `text` by itself."""
        parts = tuple(requests(text))
        found = _each(parts)
        asking = tuple((part, finding) for part, finding in found if finding.kind != "workspace")
        return cls(text, parts, _disguised(text, _together(finding for _, finding in found)), asking)

    @property
    def length(self) -> int:
        """How many words it has."""
        return sum(len(part.words) for part in self.requests)

    @property
    def leans(self) -> bool:
        """It points at what was said before, or is not whole without it."""
        if not self.requests or sum(len(part.words) for part in self.requests) > _SHORT:
            return False
        first = self.requests[0]
        return FOLLOWS.begin(first.words, first.starts, 0) is not None or any(
            part.keys & (POINTERS | PERSON_POINTERS) for part in self.requests
        )

    @property
    def restyles(self) -> bool:
        """It wants the answer before it in another form."""
        if not self.requests or sum(len(part.words) for part in self.requests) > _SHORT:
            return False
        first = self.requests[0]
        end = next(
            (
                RESTYLES.begin(first.words, first.starts, at)
                for at in range(min(4, len(first.words)))
                if first.starts[at] and RESTYLES.begin(first.words, first.starts, at)
            ),
            None,
        )
        if end is None:
            return False
        return end >= len(first.words) or first.words[end].key not in CODE | MAYBE_CODE | MESSAGES | FICTION


def _each(parts: Sequence[Request]) -> list[tuple[Request, Finding]]:
    """Return the parts that a rule says something of, each with what it says."""
    parts = _completed(parts)
    given = _given(parts)
    judged = ((part, judge_material(part) if index in given else judge(part)) for index, part in enumerate(parts))
    return [(part, found) for part, found in judged if found is not None]


def _together(said: Iterable[Finding]) -> Finding | None:
    """Return the finding of a prompt from those of its requests: the costly side wins."""
    findings = list(said)
    sure = [found for found in findings if found.sure or not (found.points or found.kind == "workspace")]
    work = next((found for found in findings if found.kind == "workspace" and found.sure), None)
    if work is None:
        sure = findings
    return max(sure, key=lambda found: (_ORDER[found.kind], found.sure), default=None)


def _completed(parts: Sequence[Request]) -> Sequence[Request]:
    """Where something is to be completed, the rest of the prompt is a question for what is missing."""
    order = next((part for part in parts if COMPLETES.first(part.words, part.starts) is not None and not part.quoted), None)
    if order is None:
        return parts
    return [part if part is order or part.makes else replace(part, asks=True) for part in parts]


def _given(parts: Sequence[Request]) -> frozenset[int]:
    """Return which of `parts` are a text that the user gives to be worked on."""
    last = max((index for index, part in enumerate(parts) if part.quoted), default=-1)
    order = next((index for index, part in enumerate(parts) if _orders_work_on_text(part, quoted=index < last)), None)
    if order is None or any(_answer_wanted(part) for part in parts):
        return frozenset()
    rest = [index for index in range(len(parts)) if index != order]
    if _in_quotes(parts, order):
        return frozenset(index for index in rest if parts[index].quoted)
    return frozenset(index for index in rest if parts[index].quoted or not (parts[index].joined or parts[index].makes))


def _in_quotes(parts: Sequence[Request], order: int) -> bool:
    """Say whether the text to be worked on stands in quotation marks, so that nothing else is a part of it."""
    if not parts[order].introduces:
        return parts[order].quotes
    return order + 1 < len(parts) and parts[order + 1].quoted


def _orders_work_on_text(part: Request, *, quoted: bool) -> bool:
    """Say whether `part` orders work on a text; `quoted`: something in quotation marks follows."""
    transforms = TRANSFORMS.first(part.words, part.starts) is not None
    if part.introduces and part.keys & OWN and part.keys & GIVEN_TEXTS:
        return True
    if part.makes:
        return about_given_text(part) or (transforms and quoted)
    if part.introduces and any(mark in part.text for mark in UNSPACED_WORK):
        return True
    return transforms and not _asks_who(part) and (part.introduces or bool(part.keys & (GIVEN_TEXTS | MESSAGES)))


def _asks_who(part: Request) -> bool:
    """Say whether `part` asks who somebody is."""
    return WHO.first(part.words, part.starts) is not None


def _answer_wanted(part: Request) -> bool:
    where = ANSWER_IT.first(part.words, part.starts)
    if where is None:
        return False
    before = {word.key for word in part.words[max(0, where[0] - 2) : where[0]]}
    return not before & NEGATIONS


def _disguised(text: str, finding: Finding | None) -> Finding | None:
    best = finding
    for reading in readings(text):
        found = _together(finding for _, finding in _each(requests(reading)))
        if found is not None and found.sure and _ORDER[found.kind] > (_ORDER[best.kind] if best else 0):
            best = Finding(found.kind, "disguised")
    return best


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a conversation stands.

    Attributes:
        finding: of the prompt before; None at the beginning.
        kind: of the last prompt that was more than small talk.
        person: whom it was about last, in the user's words.
        thing: what else it was about last, in the user's words.
        about_person: a person was asked about, named or not.
        fiction: the last work was on something invented.
        subject: what the prompt before pointed at.
        work: something of the user's own work was put beside the prompts.
    """

    finding: Finding | None = None
    kind: TopicKind | None = None
    person: str | None = None
    thing: str | None = None
    about_person: bool = False
    fiction: bool = False
    subject: str | None = None
    work: bool = False

    def after(self, prompt: Prompt) -> Standing:
        """Return where it stands after `prompt`."""
        finding, subject = self._judged(prompt)
        if finding.rule in {"small-talk", "assistant"}:
            return replace(self, finding=finding, subject=None)
        person, thing = self.person, self.thing
        if finding.kind == "biographical":
            person = person_of(prompt.text, prompt.requests) or (person if finding.points or subject else None)
        elif finding.kind == "external" and subject is None:
            thing = thing_of(prompt.text, prompt.requests) or thing
        return Standing(
            finding=finding,
            kind=finding.kind,
            person=person,
            thing=thing,
            about_person=self.about_person or finding.kind == "biographical",
            fiction=finding.kind == "workspace" and (self.fiction or any(part.keys & FICTION for part in prompt.requests)),
            subject=subject,
            work=self.work,
        )

    def _judged(self, prompt: Prompt) -> tuple[Finding, str | None]:
        found = prompt.finding
        if self.kind is None:
            if self.work and (prompt.leans or prompt.restyles) and (found is None or (found.points and found.rule == "question")):
                return Finding("workspace", "same-work"), None
            return found or _by_itself(prompt), None
        if found is not None and found.kind == "biographical":
            return self._person(prompt, found)
        if prompt.restyles and self.kind != "workspace" and (found is None or found.rule != "small-talk"):
            return self._same(self.kind), self._subject(self.kind)
        if self.kind == "biographical" and prompt.leans and any(part.keys & PERSON_POINTERS for part in prompt.requests):
            return self._same(self.kind), self._subject(self.kind)  # work whose matter is the person: "as a table with her children"
        if found is not None and found.sure and not found.points:
            return found, None
        if found is None or found.points or found.kind == "external":
            return self._leaning(prompt, found)
        return found, None

    def _person(self, prompt: Prompt, found: Finding) -> tuple[Finding, str | None]:
        pointing = found.points or (prompt.leans and not any(people_in(part.words) for part in prompt.requests))
        if not pointing:
            return found, None
        if found.rule == "person-pointer" and self.kind == "workspace" and not self.about_person and self.fiction:
            return Finding("workspace", "same-work"), None
        return found, self.person if found.rule != "who" or prompt.leans else None

    def _leaning(self, prompt: Prompt, found: Finding | None) -> tuple[Finding, str | None]:
        if prompt.leans and self.kind is not None:
            if self.kind == "workspace" and found is not None and found.sure:
                return found, None
            return self._same(self.kind), self._subject(self.kind)
        if found is None and self.kind == "workspace":
            return Finding("workspace", "same-work"), None
        return found or _by_itself(prompt), None

    def _same(self, kind: TopicKind) -> Finding:
        rule = {"biographical": "same-person", "external": "same-topic", "workspace": "same-work"}[kind]
        return Finding(kind, rule)  # type: ignore[arg-type]

    def _subject(self, kind: TopicKind) -> str | None:
        return self.person if kind == "biographical" else self.thing if kind == "external" else None


def _by_itself(prompt: Prompt) -> Finding:
    named = any(people_in(part.words) for part in prompt.requests)
    return Finding("biographical", "named-person") if named else Finding("external", "doubt")
