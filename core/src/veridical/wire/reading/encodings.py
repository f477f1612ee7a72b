"""Which characters the bytes of a file are.

In this order: a byte order mark, what the file declares (an XML declaration, a `<meta>` of HTML), strict UTF-8, a guess of
charset-normalizer. A declared ISO 8859-1, US-ASCII or Windows-1252 decodes nearly anything, so UTF-8 goes before it. Nothing is ever
replaced: bytes that do not decode make the file unreadable.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from veridical_contract import UnreadableError

__all__ = ["Encoding", "find_encoding", "survey"]

_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32", "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32", "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8-sig", "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16", "utf-16-be"),
)
_SAMPLE: Final = 256 << 10
# Where HTML 13.2.3.2 looks for a declaration.
_HEAD: Final = 1024
_DECLARED: Final = re.compile(
    rb"""<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})|<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9._:-]{1,40})""",
    re.IGNORECASE,
)
# What the web means by these names (Encoding Standard, 4.2).
_MEANT: Final = {
    "ascii": "cp1252",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "shift_jis": "cp932",
    "utf-16": "utf-16-le",
}
_WEAK: Final = frozenset({"cp1252"})
_WIDE: Final = re.compile(r"utf-(16|32)")
# Never: they write characters as other characters, and the kernel refuses them.
_REFUSED: Final = frozenset(
    {"utf-7", "punycode", "idna", "hz", "unicode-escape", "raw-unicode-escape", "unicode_escape", "raw_unicode_escape"}
)
_GUESSED: Final[str] = (
    "cp1252 cp1250 cp1251 cp1253 cp1254 cp1255 cp1256 cp1257 iso8859_2 iso8859_5 iso8859_7 koi8_r koi8_u "
    "cp932 euc_jp iso2022_jp gb18030 big5 cp949"
)
# charset-normalizer takes short French for Baltic: where Windows-1252 makes nearly as much sense (its chaos), that is what it is.
_NEARLY: Final = 0.1


class Encoding(NamedTuple):
    """How bytes become characters.

    Attributes:
        whole: Python name of the encoding of the whole file, which drops a byte order mark.
        part: of a part of the file that holds no mark.
        mark: length of the mark in bytes.
    """

    whole: str
    part: str
    mark: int = 0

    @property
    def is_wide(self) -> bool:
        """Whether a line feed is more than the byte 0A."""
        return _WIDE.match(self.part) is not None


def find_encoding(data: bytes, *, markup: bool = False, guess: bool = True, said: str | None = None) -> Encoding:
    """Return the encoding of a whole file.

    Args:
        data: the bytes.
        markup: they may declare their encoding.
        guess: what nothing says may be guessed.
        said: the encoding that was named beside them, as by HTTP's Content-Type; it goes before what they declare.

    Raises:
        UnreadableError: it is not text, or in no encoding that is known.
    """
    named = (_meant(said) if said is not None else None, _declaration(data) if markup else None)
    declared = next((name for name in named if name is not None and _decodes(data, name)), None)
    return _choose(data, _decodes(data, "utf-8"), declared, lambda name: _decodes(data, name), guess=guess)


def survey(chunks: Iterable[bytes]) -> Encoding:
    """Return the encoding of a file that is read piece by piece, to its end.

    Raises:
        UnreadableError: it is not text, or in no encoding that is known.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    head, sample, is_utf8 = b"", b"", True
    for chunk in chunks:
        head = head or chunk[:_SAMPLE]
        if is_utf8 and not _feeds(decoder, chunk):
            is_utf8, sample = False, chunk[:_SAMPLE]
    is_utf8 = is_utf8 and _feeds(decoder, b"", final=True)
    return _choose(head[:_HEAD] + sample if sample else head, is_utf8, None, lambda _name: True)


def _choose(data: bytes, is_utf8: bool, declared: str | None, decodes: Callable[[str], bool], *, guess: bool = True) -> Encoding:  # noqa: FBT001
    for mark, whole, part in _MARKS:
        if data.startswith(mark) and decodes(whole):
            return Encoding(whole, part, len(mark))
    if declared is not None and declared not in _WEAK and decodes(declared):
        return Encoding(declared, declared)
    wide = _wide(data)
    if wide is not None and decodes(wide):
        return Encoding(wide, wide)
    if b"\0" in data:
        raise UnreadableError("it holds binary data, not text")
    for name in filter(None, ("utf-8" if is_utf8 else None, declared)):
        if decodes(name):
            return Encoding(name, name)
    guessed = _guess(data[:_SAMPLE]) if guess else None
    if guessed is None or not decodes(guessed):
        raise UnreadableError("its character encoding is not known: save it as UTF-8")
    return Encoding(guessed, guessed)


def _declaration(data: bytes) -> str | None:
    found = _DECLARED.search(data[:_HEAD])
    name = _meant((found[1] or found[2]).decode("ascii")) if found is not None else None
    # A declaration that could be read is not in a wide encoding, whatever it says.
    return None if name is None or _WIDE.match(name) else name


def _meant(said: str) -> str | None:
    """Return the Python name of the encoding that `said` means; None when it is unknown, or none of characters."""
    try:
        name = codecs.lookup(said).name
        "x".encode(name)  # some codecs make bytes of bytes, and one refuses everything
    except (LookupError, UnicodeError):
        return None
    return None if name in _REFUSED else _MEANT.get(name, name)


def _wide(data: bytes) -> str | None:
    """Return the name of UTF-16 without a mark, where every other byte of what is mostly Latin text is zero."""
    head = data[:_HEAD]
    if len(head) < 4:
        return None
    for name, zeros, others in (("utf-16-le", head[1::2], head[::2]), ("utf-16-be", head[::2], head[1::2])):
        if zeros.count(0) * 2 > len(zeros) and others.count(0) == 0:
            return name
    return None


def _decodes(data: bytes, name: str) -> bool:
    try:
        data.decode(name)
    except UnicodeError:
        return False
    return True


def _feeds(decoder: codecs.IncrementalDecoder, chunk: bytes, *, final: bool = False) -> bool:
    try:
        decoder.decode(chunk, final)
    except UnicodeError:
        return False
    return True


def _guess(sample: bytes) -> str | None:
    # Imported here: it takes 40 ms, and most files are UTF-8.
    from charset_normalizer import from_bytes

    found = list(from_bytes(sample, cp_isolation=[*_GUESSED.split()]))
    western = [match for match in found if "cp1252" in (match.encoding, *match.could_be_from_charset)]
    if western and western[0].chaos <= found[0].chaos + _NEARLY:
        return "cp1252"
    return found[0].encoding if found else None
