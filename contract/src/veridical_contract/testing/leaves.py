"""What recorded replies say, whatever their form: their strings in order, and the JSON that stands in them.

replies (JSON, or events whose data is JSON) --leaves--> strings, each with its place --stretches--> which of them make up a text
                                             `-values--> every value in them, also one that was sent as text, or piece by piece
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from pydantic import JsonValue
from veridical.kernel.replies import event_data
from veridical.wire.recording import Recorded

__all__ = ["Leaf", "around", "canonical", "documents", "leaves", "replaced", "request_leaves", "standing", "stretch", "strings", "values"]

_OK = range(200, 300)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A string of a reply.

    Attributes:
        path: number of the reply, then the members and indices that lead to it.
        text: of it.
        beside: names of the members of the object that it stands in.
    """

    path: tuple[str, ...]
    text: str
    beside: frozenset[str]

    @property
    def form(self) -> tuple[tuple[str, ...], frozenset[str]]:
        """Where such strings stand: its path without numbers, and what stands beside it."""
        return tuple("*" if token.isdecimal() else token for token in self.path), self.beside


def documents(records: Iterable[Recorded]) -> list[JsonValue]:
    """Return the successful replies, parsed; of a stream the list of its events; None where one is no JSON."""
    return [_parsed(record) for record in records if record.status in _OK]


def leaves(records: Iterable[Recorded]) -> list[Leaf]:
    """Return the strings of the successful replies, in their order."""
    return [leaf for number, found in enumerate(documents(records)) for leaf in _leaves(found, (str(number),), frozenset())]


def request_leaves(body: bytes) -> list[str]:
    """Return the strings of a request of JSON in their order; the whole of another one."""
    try:
        return [leaf.text for leaf in _leaves(cast("JsonValue", json.loads(body)), (), frozenset())]
    except ValueError:
        return [body.decode("utf-8", "replace")]


def replaced(body: bytes, old: str, new: str) -> bytes | None:
    """Return a reply of JSON with the string `new` where it holds the string `old`; None where it does not."""
    found = _read(body.decode("utf-8", "replace"))
    if not any(leaf.text == old for leaf in _leaves(found, (), frozenset())):
        return None
    return json.dumps(_with(found, old, new), ensure_ascii=False).encode()


def stretch(text: str, found: Sequence[Leaf], start: int = 0) -> list[int] | None:
    """Return the numbers of the leaves from `start` on that make up `text` one after the other, others between them or not.

    It ends as early as it can; None where there is none.
    """
    if not text:
        return []
    came: dict[int, tuple[int, int]] = {}
    for number in range(start, len(found)):
        said = found[number].text
        for offset in (0, *sorted(came)) if said else ():
            if offset + len(said) not in came and text.startswith(said, offset):
                came[offset + len(said)] = (number, offset)
        if len(text) in came:
            return _way(came, len(text))
    return None


def standing(words: Sequence[str], texts: Sequence[str]) -> int | None:
    """Return which of `words` does not stand in `texts` after the one before it: within one of them, or over several; None when all do."""
    at, within = 0, 0
    for number, each in enumerate(words):
        places = ((one, texts[one].find(each, within if one == at else 0)) for one in range(at, len(texts)))
        if (found := next((place for place in places if place[1] >= 0), None)) is not None:
            at, within = found[0], found[1] + len(each)
        elif (over := stretch(each, [Leaf((), text, frozenset()) for text in texts], at)) is not None:
            at, within = over[-1] + 1, 0
        else:
            return number
    return None


def values(records: Iterable[Recorded]) -> Iterator[JsonValue]:
    """Yield every value of the successful replies: the parts of their JSON, and JSON that was sent as text, whole or in pieces."""
    for found in documents(records):
        yield from _within(found)
        forms: dict[tuple[str, ...], list[str]] = {}
        for leaf in _leaves(found, (), frozenset()):
            forms.setdefault(leaf.form[0], []).append(leaf.text)
        for texts in forms.values():
            for one in _joined(texts):
                yield from _within(one)


def strings(value: JsonValue) -> Iterator[str]:
    """Yield the strings of `value`, in order."""
    return (leaf.text for leaf in _leaves(value, (), frozenset()))


def around(value: JsonValue, text: str, above: int) -> Iterator[JsonValue]:
    """Yield what stands `above` steps over each string `text` in `value`."""
    for leaf in _leaves(value, (), frozenset()):
        if leaf.text == text:
            yield _at(value, leaf.path[: max(0, len(leaf.path) - above)])


def canonical(value: JsonValue) -> str:
    """Return what is equal for equal JSON alone."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _way(came: Mapping[int, tuple[int, int]], end: int) -> list[int]:
    numbers: list[int] = []
    while end:
        number, end = came[end]
        numbers.append(number)
    return numbers[::-1]


def _parsed(record: Recorded) -> JsonValue:
    text = record.body.decode("utf-8", "replace")
    if record.is_stream():
        return [_read(data) for data in event_data(text)]
    return _read(text)


def _read(text: str) -> JsonValue:
    try:
        return cast("JsonValue", json.loads(text))
    except (ValueError, RecursionError):
        return None


def _leaves(value: JsonValue, path: tuple[str, ...], beside: frozenset[str]) -> Iterator[Leaf]:
    if isinstance(value, str):
        yield Leaf(path, value, beside)
    elif isinstance(value, dict):
        names = frozenset(value)
        for name, member in value.items():
            yield from _leaves(member, (*path, name), names)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _leaves(member, (*path, str(index)), beside)


def _with(value: JsonValue, old: str, new: str) -> JsonValue:
    if isinstance(value, dict):
        return {name: _with(member, old, new) for name, member in value.items()}
    if isinstance(value, list):
        return [_with(member, old, new) for member in value]
    return new if value == old else value


def _within(value: JsonValue) -> Iterator[JsonValue]:
    yield value
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for member in members:
        yield from _within(member)


def _joined(texts: Sequence[str]) -> Iterator[JsonValue]:
    """Yield the objects and lists that stand in strings of one form: in one of them, or in several that follow each other."""
    rest = ""
    for text in texts:
        rest = text if not rest else rest + text
        if rest.lstrip()[:1] not in ("{", "["):
            rest = ""
        elif rest.rstrip()[-1:] in ("}", "]") and (found := _read(rest)) is not None:
            yield found
            rest = ""


def _at(value: JsonValue, path: Sequence[str]) -> JsonValue:
    for token in path:
        value = value[token] if isinstance(value, dict) else value[int(token)] if isinstance(value, list) else value
    return value
