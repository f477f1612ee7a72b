"""From text to words that compare equal however they were disguised, and to the sentences that they form.

fold        a word as rules see it: no case, accents, invisible characters, compatibility forms or look-alike letters
words       the words of a text with their offsets in it
sentences   words between full stops, line ends and colons, and between two requests that `and` joins

Folded words are keys of tables. Nothing is quoted from them: offsets lead back to what the user wrote.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["UNSPACED", "Word", "fold", "sentences_of", "words_of"]

UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u0900-\u0963"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff"
)
# Letters in circles, boxes and flags are symbols to Unicode and letters to a reader.
_PICTURED = "\u249c-\u24e9\U0001f110-\U0001f189\U0001f1e6-\U0001f1ff"
_WORD = re.compile(rf"[{UNSPACED}]+|(?:[^\W_{UNSPACED}]|[{_PICTURED}])(?:[^\W_{UNSPACED}]|[{_MARKS}{_INVISIBLE}{_PICTURED}])*")
_UNSEEN = re.compile(f"[{_INVISIBLE}]")
_ACCENT = re.compile("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]")
_FOREIGN = re.compile("[\u0370-\u058f\u13a0-\u13ff]")
_LATIN = re.compile("[a-z]")
# Letters of other scripts that look like a Latin one (after case was folded), for words that mix scripts.
_LOOKALIKES = str.maketrans(
    "\u0430\u0432\u0435\u0437\u0456\u0458\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0455\u0501\u051b\u051d\u04bb\u04cf\u044c\u0433"
    "\u03b1\u03b2\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03c9\u03b7\u03bc\u03b6\u0578\u057d\u0570\u0585\u0566\u0561\u0581",
    "abezijkmhopctyxsdqwhlbr" + "abeiknoptuxwnmz" + "nuhoqwg",
)
_LETTERS = {
    "\u00f8": "o", "\u0142": "l", "\u0111": "d", "\u00f0": "d", "\u00fe": "th", "\u00e6": "ae", "\u0153": "oe", "\u0131": "i",
    "\u0127": "h", "\u0167": "t", "\u0261": "g", "\u0251": "a", "\u0269": "i", "\u026a": "i", "\u0280": "r", "\u028f": "y", "\u029f": "l",
    "\u0262": "g", "\u0274": "n", "\u029c": "h", "\u0299": "b", "\u1d00": "a", "\u1d04": "c", "\u1d05": "d", "\u1d07": "e", "\u1d0a": "j",
    "\u1d0b": "k", "\u1d0d": "m", "\u1d0f": "o", "\u1d18": "p", "\u1d1b": "t", "\u1d1c": "u", "\u1d20": "v", "\u1d21": "w", "\u1d22": "z",
    "\ua731": "s", "\ua730": "f",
}  # fmt: skip
_LETTER_TABLE = str.maketrans(_LETTERS)
_SYMBOL_NAME = re.compile(r"(?:LETTER|SYMBOL LETTER) ([A-Z])$")
# After these a full stop ends no sentence.
_ABBREVIATED = frozenset(
    [
        "dr",
        "prof",
        "mr",
        "mrs",
        "ms",
        "mx",
        "st",
        "jr",
        "sr",
        "vs",
        "no",
        "nr",
        "hr",
        "fr",
        "e",
        "g",
        "i",
        "z",
        "b",
        "u",
        "a",
        "d",
        "h",
        "bzw",
        "ca",
        "dott",
        "sig",
        "sra",
        "dra",
        "mme",
        "mlle",
        "m",
    ]
)
_FULL_STOP = re.compile(r"[!?\u061f\u3002\uff01\uff1f\uff1b\u2026;\u00bf\u00a1\n\r]")
_POINT = re.compile(r"\.(?:\s|[\"')\]\u201d\u00bb])")
_COLON = re.compile(r"[:\uff1a](?:\s|[\"'\u201c\u201e\u300c\u00ab])")
_SPELLED_GAP = re.compile(r"[\s.\-_*,/|\u00b7]{1,2}")
_SPELLED_LEAST = 4


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text.

    Attributes:
        key: folded, for tables.
        start: offset of its first code point in the text.
        end: offset after its last one.
        capital: it begins with a capital letter.
        gap: what stands between the word before it and this one.
    """

    key: str
    start: int
    end: int
    capital: bool
    gap: str


def words_of(text: str) -> list[Word]:
    """Return the words of `text` in order; letters that were spelled out one by one are one word."""
    latin = _mostly_latin(text)
    found: list[Word] = []
    last = 0
    for match in _WORD.finditer(text):
        key = fold(match[0], latin=latin)
        if key:
            found.append(Word(key, match.start(), match.end(), _capital(match[0]), text[last : match.start()]))
            last = match.end()
    return _spelled_out(found)


@lru_cache(maxsize=4096)
def fold(word: str, *, latin: bool = False) -> str:
    """Return `word` as tables hold it.

    Args:
        word: without spaces.
        latin: the text around it is in Latin letters, so that a word all of look-alikes is in them, too.
    """
    if word.isascii():
        return word.lower()
    plain = "".join(_letter(character) for character in unicodedata.normalize("NFKC", _UNSEEN.sub("", word)))
    plain = unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFD", plain.casefold()))).translate(_LETTER_TABLE)
    if not _FOREIGN.search(plain):
        return plain
    replaced = plain.translate(_LOOKALIKES)
    return replaced if _LATIN.search(plain) or (latin and not _FOREIGN.search(replaced)) else plain


def _letter(character: str) -> str:
    if character < "\U0001f110" or character > "\U0001f1ff":
        return character
    name = _SYMBOL_NAME.search(unicodedata.name(character, ""))
    return name[1] if name else character


def _capital(word: str) -> bool:
    seen = _UNSEEN.sub("", word)[:1]
    return seen.isupper() or unicodedata.normalize("NFKC", seen)[:1].isupper()


def _mostly_latin(text: str) -> bool:
    return not text.isascii() and 2 * len(re.findall("[A-Za-z]", text)) > len(_FOREIGN.findall(text))


def _spelled_out(found: list[Word]) -> list[Word]:
    """Join `M a r i e  C u r i e` to two words: a wider gap than that between the letters parts them."""
    joined: list[Word] = []
    position = 0
    while position < len(found):
        end = position + 1
        while end < len(found) and _one_letter(found[end]) and _one_letter(found[position]) and _SPELLED_GAP.fullmatch(found[end].gap):
            end += 1
        run = found[position:end]
        joined.extend(_letters_to_words(run) if len(run) >= _SPELLED_LEAST else run)
        position = end
    return joined


def _one_letter(word: Word) -> bool:
    return len(word.key) == 1 and word.key.isalpha()


def _letters_to_words(run: list[Word]) -> list[Word]:
    narrowest = min(_width(word.gap) for word in run[1:])
    parts: list[list[Word]] = [[run[0]]]
    for word in run[1:]:
        if _width(word.gap) > narrowest:
            parts.append([])
        parts[-1].append(word)
    return [Word("".join(word.key for word in part), part[0].start, part[-1].end, part[0].capital, part[0].gap) for part in parts]


def _width(gap: str) -> tuple[bool, int]:
    return any(character.isspace() for character in gap), len(gap)


def sentences_of(found: list[Word]) -> list[list[Word]]:
    """Return `found`, parted where a sentence or a line ends or a colon stands."""
    parted: list[list[Word]] = []
    for index, word in enumerate(found):
        if index == 0 or _ends(word.gap, found[index - 1].key):
            parted.append([])
        parted[-1].append(word)
    return parted


def _ends(gap: str, before: str) -> bool:
    if gap == " ":
        return False
    if _FULL_STOP.search(gap) or _COLON.search(gap):
        return True
    return bool(_POINT.search(gap)) and before not in _ABBREVIATED
