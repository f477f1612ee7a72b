"""The bones of a text: what no fold of the host's touches, and the grams that are taken of them.

The host finds a quote in a text only where the bones of one hold the bones of the other: letters and digits, taken apart (NFKD), in one
case, without marks. Spaces, punctuation, hyphens, broken lines, soft hyphens, ligatures, wide forms and accents are not in them, so where
words begin and end makes no difference. Bones are made character by character: those of a part are a part of those of the whole.

    text -> bones -> `GRAM` units at every `STEP`th unit -> a hash of 32 bits each

Any `SURE` units in a row hold one whole gram of a text, whichever unit it begins at. A unit is a letter or digit; of scripts that set
no spaces, where one says as much as a short syllable, each counts for three. With 18 and 10, 92 of 100 quotes of eight English words
are long enough and 99.7 of those with ten; a gram says as much as four words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from zlib import crc32

GRAM, STEP = 18, 10
"""Units in a gram, and units from the beginning of one to the next. In the file: what was indexed is found by nothing else."""
SURE = GRAM + STEP - 1

_LOWER = bytes(ord(chr(byte).lower()) if byte < 0x80 else byte for byte in range(256))
_NO_BONE = bytes(byte for byte in range(0x80) if not chr(byte).isalnum())
_REST = re.compile(r"[\W_]+")
# Kana, Bopomofo, Han, Thai, Lao, Tibetan, Myanmar, Khmer; Hangul falls apart into two or three letters a syllable by itself.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua9e0-\ua9ff\uaa60-\uaa7f\uf900-\ufaff\U00020000-\U0003ffff]"
)
# What a quote may carry instead of the character: none of them stands for a bone.
_REFERENCE = re.compile("&(?:amp|lt|gt|quot|#34|#39|#x27|apos|nbsp);")
_SHORT, _PART = 1 << 12, STEP << 17


def grams(text: str) -> Iterator[list[int]]:
    """Yield the hashes of the grams at every `STEP`th unit of `text`, in parts when it is long; a few may be there twice."""
    units = text.encode().translate(_LOWER, _NO_BONE) if text.isascii() else None
    if units is not None and len(units) <= _SHORT:
        yield [crc32(units[at : at + GRAM]) for at in range(0, len(units) - GRAM + 1, STEP)]
        return
    spelled = _units(text)
    last = len(spelled) - GRAM + 1
    for first in range(0, last, _PART):
        yield list({hash_at(spelled, at) for at in range(first, min(last, first + _PART), STEP)})


def readings(quote: str) -> list[str]:
    """Return the units of `quote` in each way in which the host may read it."""
    return list(dict.fromkeys(_units(reading) for reading in ((quote, _REFERENCE.sub("", quote)) if "&" in quote else (quote,))))


def windows(units: str) -> int:
    """Return at how many units a gram begins."""
    return max(0, len(units) - GRAM + 1)


def hash_at(units: str, at: int) -> int:
    """Return the hash of the gram that begins at a unit."""
    return crc32(units[at : at + GRAM].encode("utf-8", "surrogatepass"))


def is_stable(text: str) -> bool:
    """Whether every Python that may have indexed a text sees the same bones in `text`.

    A character that is a letter or digit now and in Unicode 3.2 was one in between; what is newer was none for an older Python.
    """
    return text.isascii() or not any(
        unicodedata.category(char) == "Cn" or (unicodedata.ucd_3_2_0.category(char)[0] in "LN") != char.isalnum()
        for char in set(unicodedata.normalize("NFKD", text))
    )


def _units(text: str) -> str:
    if text.isascii():
        return text.encode().translate(_LOWER, _NO_BONE).decode()
    bones = _REST.sub("", unicodedata.normalize("NFKD", text)).casefold()
    return _UNSPACED.sub(r"\g<0>\g<0>\g<0>", bones)
