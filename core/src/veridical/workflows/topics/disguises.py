"""What a prompt says when it is decoded: escapes, base64, hexadecimal, ROT13, text written backwards, words run together.

    readings(text) -> the other texts that a reader, or a model, would find in it

They are judged beside the prompt itself, and count only where they ask for facts for sure: a string of a program that happens to decode
to something is no question.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import string
import urllib.parse
from collections.abc import Iterator

from .tables.people import EVERYDAY_SURNAMES, GIVEN_NAMES

__all__ = ["readings"]

_ESCAPED = re.compile(r"\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9a-fA-F]{2}|&#?\w{2,8};")
_UNICODE_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})")
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{12,}={0,2}")
_HEX = re.compile(r"(?<![0-9A-Fa-f])(?:[0-9A-Fa-f]{2}[ :,]?){6,}(?![0-9A-Fa-f])")
_BINARY = re.compile(r"(?<![01])(?:[01]{8}[ ,]?){4,}(?![01])")
# Runs have a limit, so that the time for a text grows with its length alone.
_HUMPS = re.compile(r"[A-Za-z][a-z]{1,60}(?:[A-Z][a-z]{0,60})+")
_HUMP = re.compile(r"[A-Z]?[a-z]+|[A-Z]")
_GLUED = re.compile(
    r"(?<![a-z])(who|when|where)(is|was|are|were|did)([a-z]{5,40})(?![a-z])|(?<![a-z])(tellme|biographyof|facts)(about)?([a-z]{5,40})(?![a-z])",
    re.IGNORECASE,
)
_LEET = re.compile(r"(?<![\w])(?=[\w@$!]{0,20}[A-Za-z])(?=[\w@$!]{0,20}[0-9@$])[\w@$!]{2,20}")
_LEET_LETTERS = str.maketrans("013457@$!", "oieastasi")
_TWO = 2
_LONGEST = 20_000
_PRINTABLE = frozenset(string.printable)
_LEAST_LETTERS = 0.7


def readings(text: str) -> Iterator[str]:
    """Yield what `text` says when it is decoded in each way that it may be meant; nothing where there is nothing to decode."""
    if _ESCAPED.search(text):
        yield _unescaped(text)
    yield from _decoded(text[:_LONGEST])
    if "\u202e" in text or "\u202d" in text:
        yield text[:_LONGEST][::-1]
    lowered = text.lower()
    if "rot13" in lowered or "rot-13" in lowered or "rot 13" in lowered:
        yield codecs.decode(text[:_LONGEST], "rot13")
    if any(
        word in lowered
        for word in ("backward", "revers", "ruckwarts", "rückwärts", "envers", "al reves", "al revés", "contrario", "mirror")
    ):
        yield text[:_LONGEST][::-1]
    if _HUMPS.search(text):
        yield _HUMPS.sub(lambda match: _parted(match[0]), text)
    if _GLUED.search(text):
        yield _GLUED.sub(lambda match: " ".join(part for part in match.groups() if part), text)
    if _LEET.search(text):
        yield _LEET.sub(lambda match: match[0].translate(_LEET_LETTERS), text)


def _parted(word: str) -> str:
    """Part `whoIsMarieCurie`; of two parts only a name, since programs are full of others."""
    humps = _HUMP.findall(word)
    return " ".join(humps) if len(humps) > _TWO or humps[0].lower() in GIVEN_NAMES - EVERYDAY_SURNAMES else word


def _unescaped(text: str) -> str:
    plain = _UNICODE_ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), text)
    plain = urllib.parse.unquote_plus(plain) if "%" in plain else plain
    return html.unescape(plain)


def _decoded(text: str) -> Iterator[str]:
    for match in _BASE64.finditer(text):
        token = match[0].rstrip("=").replace("-", "+").replace("_", "/")
        try:
            found = base64.b64decode(token + "=" * (-len(token) % 4), validate=True)
        except binascii.Error:  # not base64: a word, a path, an identifier
            continue
        yield from _readable(found)
    for match in _HEX.finditer(text):
        yield from _readable(bytes.fromhex(re.sub("[^0-9A-Fa-f]", "", match[0])))
    for match in _BINARY.finditer(text):
        digits = re.sub("[^01]", "", match[0])
        yield from _readable(bytes(int(digits[at : at + 8], 2) for at in range(0, len(digits), 8)))


def _readable(found: bytes) -> Iterator[str]:
    try:
        text = found.decode("utf-8")
    except UnicodeDecodeError:  # no text was encoded there
        return
    letters = sum(character.isalpha() or character == " " for character in text)
    if letters >= _LEAST_LETTERS * len(text) and all(character in _PRINTABLE or character.isalpha() for character in text):
        yield text
