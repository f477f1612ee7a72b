"""How the fields of a record follow from its bytes: recomputed here, exactly, with the standard library alone.

    bytes --decode--> record --pointer--> atom --projection--> visible text

**Atoms.** `text`: the whole, strictly decoded. `json`: the value at an RFC 6901 pointer, a string as it is or an integer in decimal
digits; null and missing are absent. `csv`: a cell of the one row that the record is, by column number; an empty or missing cell is
absent. `mime`: a decoded header, the address of its first mailbox (`NAME/address`), or the N-th part of type `text/*` in walking
order, from 1, in its declared charset or UTF-8 (`part/N`). `pdf`: none; no page can be recomputed with the standard library. `sse` and
`html`, the layouts of recorded replies: see `replies`. What is neither a value nor absent is refused, and so are duplicate keys, NaN and
lone surrogates.

**Maps.** Projected text comes with its map, a JSON list of runs `[t0,t1,a0,a1,kind]` in code points: `text[t0:t1]` comes from
`atom[a0:a1]`. Runs tile the text; in the atom they never overlap or go back. What lies between them is markup or was left out.

    copy      the same characters
    entity    one HTML character reference that stands for the characters
    escape    a backslash before one ASCII punctuation character, which is shown
    inserted  nothing (a0 = a1): only spaces, line feeds, `>` and U+001E, the hard boundary

The map of `plain` is empty: text and atom are the same. So every visible character stands in the record's bytes, in their order.
"""

from __future__ import annotations

import codecs
import csv
import json
import re
from collections.abc import Callable, Mapping, Sequence
from email import message_from_bytes, policy
from email.headerregistry import AddressHeader
from email.message import EmailMessage
from functools import partial
from html import unescape
from io import StringIO
from string import punctuation
from typing import Literal, cast

from veridical_contract import Derivation, Projection

from .replies import element_value, elements, event_data, expanded, is_composed

__all__ = ["DerivationRefused", "Run", "RunKind", "atoms", "confirm_projection", "values_at"]

RunKind = Literal["copy", "entity", "escape", "inserted"]
Run = tuple[int, int, int, int, RunKind]

_FIELDS = frozenset({"text", "url", "title", "author", "author_name", "published"})
# Codecs that spell characters with other visible characters: with them, the bytes would not show what the text says.
_ESCAPING = frozenset({"unicode_escape", "raw_unicode_escape", "utf_7", "punycode", "idna", "hz"})
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_POINTER = re.compile(r"(?:/(?:[^~/]|~[01])*)*")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});?")
_INSERTED = frozenset(" \n>\x1e")


class DerivationRefused(ValueError):  # noqa: N818 - the name says what happened to the field
    """A field does not follow from the record's bytes. `rule` says why."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


def atoms(raw: bytes, derivation: Derivation) -> dict[str, str]:
    """Return the atom of each field that `derivation` points at and the record `raw` has; nothing for `pdf`.

    Raises:
        DerivationRefused: the bytes are not what `derivation` says they are, or an atom is not a value.
    """
    if not _FIELDS.issuperset(derivation.pointers):
        raise DerivationRefused("field-unknown")
    return values_at(raw, derivation, derivation.pointers)


def values_at(raw: bytes, layout: Derivation, pointers: Mapping[str, str]) -> dict[str, str]:
    """Return what stands at `pointers` (any name to pointer) in the record `raw`, laid out as `layout` says; the absent is left out.

    Raises:
        DerivationRefused: the bytes are not what `layout` says they are, or something is not a value.
    """
    try:
        take = _record(raw, layout)
        values = {name: expanded(pointer, take) if is_composed(pointer) else take(pointer) for name, pointer in pointers.items()}
        "".join(filter(None, values.values())).encode("utf-8")
    except DerivationRefused:
        raise
    except Exception:  # noqa: BLE001 - parsers stumble in many ways (the email package even with AttributeError): it is no such record
        raise DerivationRefused(f"{layout.format}-form") from None
    return {name: value for name, value in values.items() if value is not None}


def confirm_projection(atom: str, text: str, runs: Sequence[Run], projection: Projection) -> None:
    """Confirm that every character of `text` stands in `atom`, in order, as `runs` say.

    Raises:
        DerivationRefused: it does not.
    """
    if projection == "plain":
        if runs or atom != text:
            raise DerivationRefused("map-not-plain")
        return
    text_end = atom_end = 0
    for t0, t1, a0, a1, kind in runs:
        if any(type(value) is not int for value in (t0, t1, a0, a1)):
            raise DerivationRefused("map-not-exact")
        if t0 != text_end or t1 <= t0 or a0 < atom_end or a1 < a0 or a1 > len(atom):
            raise DerivationRefused("map-order")
        if not _stands(kind, text[t0:t1], atom[a0:a1]):
            raise DerivationRefused("map-differs")
        text_end, atom_end = t1, a1
    if text_end != len(text):
        raise DerivationRefused("map-does-not-tile")


def _stands(kind: str, shown: str, source: str) -> bool:
    if kind == "copy":
        return shown == source
    if kind == "entity":
        return _ENTITY.fullmatch(source) is not None and unescape(source) == shown
    if kind == "escape":
        return len(shown) == 1 and shown in punctuation and source == "\\" + shown
    return kind == "inserted" and not source and _INSERTED.issuperset(shown)


def _record(raw: bytes, derivation: Derivation) -> Callable[[str], str | None]:
    """Return the function from a pointer to its atom in the record `raw`."""
    match derivation.format:
        case "text":
            return partial(_whole, _decode(raw, derivation.encoding))
        case "json":
            return partial(_member, _json(_decode(raw, derivation.encoding)))
        case "csv":
            lines = StringIO(_decode(raw, derivation.encoding), newline="")
            (row,) = csv.reader(lines, delimiter=derivation.delimiter, strict=True)
            return partial(_cell, row)
        case "mime":
            return partial(_mail, message_from_bytes(raw, policy=policy.default))
        case "sse":
            return partial(_member, [_json(data) for data in event_data(_decode(raw, derivation.encoding))])
        case "html":
            return partial(element_value, elements(_decode(raw, derivation.encoding)))
        case _:  # pdf
            return lambda _pointer: None


def _decode(raw: bytes, encoding: str) -> str:
    if codecs.lookup(encoding).name.replace("-", "_") in _ESCAPING:
        raise DerivationRefused("encoding-escapes")
    return raw.decode(encoding)


def _json(text: str) -> object:
    return cast("object", json.loads(text, object_pairs_hook=_no_duplicates, parse_constant=_no_constant))


def _no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise DerivationRefused("json-duplicate-key")
    return found


def _no_constant(_name: str) -> object:
    raise DerivationRefused("json-not-a-number")


def _whole(record: str, pointer: str) -> str:
    if pointer:
        raise DerivationRefused("pointer-form")
    return record


def _member(value: object, pointer: str) -> str | None:
    if _POINTER.fullmatch(pointer) is None:
        raise DerivationRefused("pointer-form")
    for token in pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = cast("dict[str, object]", value).get(name)
        elif isinstance(value, list) and _NUMBER.fullmatch(name) is not None:
            value = next(iter(cast("list[object]", value)[int(name) :]), None)
        else:
            return None
    if type(value) is int:
        return str(value)
    if value is not None and not isinstance(value, str):
        raise DerivationRefused("json-not-a-value")
    return value


def _cell(row: list[str], pointer: str) -> str | None:
    return next(iter(row[_number(pointer) :]), None) or None


def _number(pointer: str) -> int:
    if _NUMBER.fullmatch(pointer) is None:
        raise DerivationRefused("pointer-form")
    return int(pointer)


def _mail(message: EmailMessage, pointer: str) -> str | None:
    name, _, detail = pointer.partition("/")
    if name == "part":
        return _part(message, _number(detail))
    header = cast("object", message[name])
    if header is None or not detail:
        return None if header is None else str(header)
    if detail != "address" or not isinstance(header, AddressHeader):
        raise DerivationRefused("pointer-form")
    return next((each.addr_spec for each in header.addresses), None)


def _part(message: EmailMessage, number: int) -> str | None:
    texts = (part for part in message.walk() if part.get_content_maintype() == "text")
    for count, part in enumerate(texts, 1):
        if count == number:
            return _decode(cast("bytes", part.get_payload(decode=True)), part.get_content_charset("utf-8"))
    return None
