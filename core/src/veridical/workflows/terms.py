"""From words to the terms that selection compares: content words, folded and stemmed lightly.

Terms are keys. Nothing is ever quoted from them, so compatibility forms, case and Latin accents are folded freely. Scripts that are
written without spaces give overlapping character pairs. Function words are known for seven languages; a text is taken to be in the
one of which it holds most, English when in doubt; in any other language every word is content.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

__all__ = ["query_terms", "query_words", "terms"]

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
# Vowel signs of Arabic, Hebrew and the Indic scripts are no letters to `re`, but they do not end a word.
_MARKS = "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u0900-\u0963\u0966-\u0dff"
_TOKEN = re.compile(rf"(?P<run>[{_UNSPACED}]+)|[^\W_{_UNSPACED}](?:[^\W_{_UNSPACED}]|[{_MARKS}])*(?:\+\+|#)?")
# What readers leave out: Latin accents, Hebrew points, Arabic vowel signs and tatweel.
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670]")
# Soft hyphen, zero-width characters, direction marks: they stand inside words and are no part of them.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]+")
_VOWEL = re.compile("[aeiouy]")


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FUNCTION_WORDS: dict[str, frozenset[str]] = {
    "en": _listed(
        """
    a about above across after again against all along also although always am among an and any are around as at be because been before
    behind being below beneath beside besides between beyond both but by can cannot could d despite did do does doing don done down during
    each either else ever every except few for from further had has have having he her here hers herself him himself his how however i if
    in inside into is isn it its itself just least less ll m may me might more most much must my myself near neither no nor not now of off
    often on once one only onto or other others our ours out outside over own per quite rather re s same shall she should since so some
    still such t than that the their theirs them themselves then there therefore these they this those though through throughout thus to
    too toward towards under unlike until up upon us ve versus very via was we well were what whatever when where whereas whether which
    while who whom whose why will with within without would yes yet you your yours yourself
    """
    ),
    "de": _listed(
        """
    aber als am an auch auf aus bei bin bis da das dass dem den der des die dies diese dieser doch du durch ein eine einem einen
    einer eines er es für hat haben ich ihr im in ist ja kann mit nach nicht noch nur oder ob sein sich sie sind so über um und
    uns unter vom von vor war was wenn wer werden wie wir wird wo zu zum zur
    """
    ),
    "fr": _listed(
        """
    à au aux avec ce ces cette comme dans de des du elle en est et être il ils je la le les leur lui mais me même ne nos notre
    nous on ou où par pas pour plus qu que quel quelle quels qui quoi sa se ses son sont sur tu un une vos votre vous y
    """
    ),
    "es": _listed(
        """
    a al como con cual cuando de del desde donde el él ella en entre es esta este esto fue ha hay la las le lo los más me mi muy
    ni no nos o para pero por porque qué que quién se ser si sin sobre son su sus también te tiene un una uno y ya yo
    """
    ),
    "it": _listed(
        """
    a ai al alla anche che chi ci come con cosa cui da dal dei del della delle di dove e è gli ha ho i il in io la le lei li lo
    loro ma mi ne nel nella non o per perché più quale quando questo se si sono su sua sul tra tu un una uno
    """
    ),
    "pt": _listed(
        """
    a ao aos as até com como da das de do dos e é ela ele em entre era essa esse esta este eu foi há isso já lhe mais mas me muito
    na não nas no nos o onde os ou para pela pelo por porque qual quando que quem se sem ser seu sua são também te tem um uma você
    """
    ),
    "nl": _listed(
        """
    aan al als bij dan dat de deze die dit door een en er geen had heb heeft het hij hoe hun ik in is je kan maar me meer met mijn
    naar niet nog nu of om ook op over te tot u uit van veel voor waar wat we wel werd wie wij wordt zijn zo zou
    """
    ),
}
# Words that carry a question rather than its subject: "What do people think about ...", "How long can it ...".
_SCAFFOLDING = _listed(
    """
    anybody anyone anything article ask believe consider describe discuss evidence example explain far find get give go happen help know
    let like list long look make many mean need new often old people person please question recommend report say see seem somebody
    someone something soon sort source state suggest summarise summarize tell thing think thought use used user want way
    """
)


def terms(text: str) -> tuple[str, ...]:
    """Return the terms of the content words of `text`, in order, repetitions included."""
    words = _words(text)
    functions = _function_words(words)
    return tuple(key for word in words if word not in functions and (key := _key(word)))


def query_terms(question: str) -> tuple[str, ...]:
    """Return the distinct terms of `query_words(question)`, in order."""
    return tuple(dict.fromkeys(key for word in query_words(question) if (key := _key(word))))


def query_words(question: str) -> tuple[str, ...]:
    """Return the words that a question is about, folded but not stemmed, in order: what to search a full-text index for.

    Words that only make it a question are left out. A question that consists of such words keeps its content words, and one that
    consists of function words keeps all of them.
    """
    words = _words(question)
    functions = _function_words(words)
    content = [word for word in words if word not in functions]
    subject = [word for word in content if word not in _SCAFFOLDING]
    return tuple(dict.fromkeys(subject or content or words))


def _words(text: str) -> list[str]:
    found: list[str] = []
    for match in _TOKEN.finditer(_folded(text)):
        run = match["run"]
        if run:
            found.extend(run[index : index + 2] for index in range(max(1, len(run) - 1)))
        else:
            found.append(match[0])
    return found


def _folded(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold()


def _function_words(words: Iterable[str]) -> frozenset[str]:
    seen = set(words)
    return max(_FUNCTION_WORDS.values(), key=lambda listed: len(listed & seen))


def _key(word: str) -> str:
    if not word.isascii():
        word = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", word)))
    return _stem(word)


def _stem(word: str) -> str:
    """Take off English plurals, `-ing`, `-ed` and a final `e`: enough for a key, wrong for a dictionary."""
    if len(word) < 4 or not word.isascii():
        return word
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        word = word[:-2]
    elif word.endswith("s") and word[-2] not in "sui":
        word = word[:-1]
    for suffix in ("ing", "ed"):
        rest = word.removesuffix(suffix)
        if rest != word and len(rest) > 2 and rest[-1] != "e" and _VOWEL.search(rest):
            word = rest[:-1] if rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word
