"""Claim prose: what a model may say in its own words on top of the sentences that its claim cites.

    text --_expand--> {count:SET} and URLs replaced by the kernel --_RULES, per cited sentence--> released, or refused

One sentence must carry the whole claim: every name, date, e-mail address and quoted string stands in it, and every number, quantifier and
comparison stands in it with the word before it and the noun phrase after it. Negations, conditions and opposites agree. This shows that
nothing checkable was made up. Roles, paraphrase, implicature and a name in small letters are beyond such rules: the claim is attached
to its evidence, not shown to follow from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple
from unicodedata import normalize

from veridical_contract import Model

from .policy import Policy
from .urls import UrlTable, same_url

__all__ = ["EvidenceSentence", "Prose", "ProseRefused", "ProseTable", "check_prose"]

_COUNT, _LINK = "\0c", "\0u"  # stand for what the kernel wrote; control characters are refused in a text
_SPECIAL = re.compile(r"(?<![^\s(])(\{count:[a-z_]+\}(?=[\s.,;:!?)]|\Z)|https?://\S+)", re.IGNORECASE)
_MARKUP = re.compile(r"[][<>{}`\\|*~^_]|//|\A\s*(?:[#+>-]|\d+[.)])\s|&#?\w+;|[A-Za-z][\w+.-]*:(?=\S)|(?i:\bwww\.)")
# ] [ . , ; : ! ? ( ) and the quotation marks, the ellipsis and the long dash: what stands beside a word and is no part of it.
_EDGE = "][.,;:!?()\"'\u201c\u201d\u2018\u2019\u00ab\u00bb\u2026\u2014"
_INNER = rf"[^\s{re.escape(_EDGE)}]"
_TOKEN = re.compile(rf"(?:\.(?=\d))?{_INNER}(?:[^\s\u2026\u2014]*{_INNER})?|[{re.escape(_EDGE)}]")
_MARKS = frozenset(_EDGE + "\u2013-")
_OPENING = frozenset(("", *".!?:\"'\u201c\u2018\u00ab"))
_SHORT = re.compile("(?<=\\w)['\u2019](?:s|re|ve|ll|d|m)\\Z", re.IGNORECASE)
_PLAIN = re.compile(r"[a-z]+(?:['-][a-z]+)*")
_QUOTED = re.compile(
    "\"([^\"]*)\"|\u201c([^\u201d]*)\u201d|\u00ab([^\u00bb]*)\u00bb|\u2018([^\u2019]*)\u2019(?!\\w)|(?<!\\w)'([^']*)'(?!\\w)"
)
_HALF_QUOTED = re.compile("[\"\u201c\u201d\u00ab\u00bb\u2018]|(?<!\\w)'")
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ed|es|s|ly|e)\Z")


class Lexicon(Model):
    """The words of one language, in lower case.

    Attributes:
        neutral: of which one may stand for another before a number (`are`, `the`, `said`).
        stops: end a noun phrase and say nothing of their own.
        participles: say nothing of their own, but may stand before a noun, so they end no noun phrase.
        anchors: numbers, quantifiers, frequencies, comparatives, dates; superlatives are known by their ending.
        not_superlative: words with that ending that are none.
        negators: besides words in -n't.
        conditions: what makes a statement less than one; as many sorts must stand in claim and sentence.
        boundaries: begin a new clause.
        opposites: pairs of words that turn a statement around.
        opposite_forms: how a word is made into its opposite, `{}` for the word.
        references: phrases that point elsewhere instead of saying something.
        openers: may be capitalised where a sentence opens without being a name.
        count_after: words besides neutral ones after which the kernel may write a count.
        foreign: negations and the like of other languages.
        markers: words of which a claim of more than five tokens must hold one, to be taken for this language.
        nouns: singular and plural that the kernel writes after a count, by the name of the set.
    """

    neutral: frozenset[str]
    stops: frozenset[str]
    participles: frozenset[str]
    anchors: frozenset[str]
    not_superlative: frozenset[str]
    negators: frozenset[str]
    conditions: frozenset[str]
    boundaries: frozenset[str]
    opposites: tuple[tuple[str, str], ...]
    opposite_forms: tuple[str, ...]
    references: tuple[str, ...]
    openers: frozenset[str]
    count_after: frozenset[str]
    foreign: frozenset[str]
    markers: frozenset[str]
    nouns: dict[str, tuple[str, str]]


class ProseTable(Model):
    """A lexicon per language code, and the endings by which a bare word is known as a web address."""

    languages: dict[str, Lexicon]
    web_suffixes: tuple[str, ...]


class ProseRefused(ValueError):  # noqa: N818 - the name says what happened to the prose
    """Prose is not released. `rule` says why; `quotes-only` when the policy has no lexicon for its language."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


class EvidenceSentence(NamedTuple):
    """One sentence that the claim cites, and the URL of its document. A title is another sentence and carries nothing."""

    document: str
    text: str
    title: str | None
    url: str | None


class Prose(NamedTuple):
    """Released prose, the document whose sentence carries it, and what was replaced (`counted`, labels of `same_url`)."""

    text: str
    document: str
    labels: frozenset[str]


def check_prose(
    text: object, evidence: Sequence[EvidenceSentence], counts: Mapping[str, int], policy: Policy, *, language: str = "en"
) -> Prose:
    """Return `text` with `{count:SET}` written out by the kernel and URLs as recorded, when one cited sentence carries it.

    Args:
        text: a model's words, one claim.
        evidence: the sentences that the claim cites.
        counts: size of each set by its name, one of the fields of `Counts`.
        policy: whose lexicons apply.
        language: of text and evidence.

    Raises:
        ProseRefused: with the rule that came closest to being kept.
    """
    table = policy.table("prose", ProseTable)
    lexicon = table.languages.get(language)
    if lexicon is None:
        raise ProseRefused("quotes-only")
    hidden = policy.table("urls", UrlTable).invisible
    if type(text) is not str or re.search(f"[{hidden}]", text) or normalize("NFC", text) != text:
        raise ProseRefused("prose-character")
    shown, judged, labels = _expand(text, evidence, counts, policy, lexicon)
    claim = _read(judged)
    _refuse_own(claim, lexicon)
    return Prose(shown, _carrier(claim, evidence, lexicon), labels)


def _carrier(claim: _Sentence, evidence: Sequence[EvidenceSentence], lexicon: Lexicon) -> str:
    """Return the document whose sentence keeps every rule for `claim`."""
    sentences = [_read(normalize("NFC", source.text)) for source in evidence]
    # Half of what is said must be the evidence's words, and all of those must stand in one sentence: two do not make one claim.
    content = _content(claim.words, lexicon)
    said = content & _content([word for sentence in sentences for word in sentence.words], lexicon)
    if 2 * len(said) < len(content):
        raise ProseRefused("unrelated" if evidence else "no-evidence")
    failures: list[int] = []
    for source, sentence in zip(evidence, sentences, strict=True):
        if said <= _content(sentence.words, lexicon):
            failed = next((index for index, (_, rule) in enumerate(_RULES) if not rule(claim, sentence, lexicon)), None)
            if failed is None:
                return source.document
            failures.append(failed)
    raise ProseRefused(_RULES[max(failures)][0] if failures else "stitched")


class _Sentence(NamedTuple):
    text: str
    tokens: tuple[str, ...]  # words without their edges, and punctuation marks one by one
    words: tuple[str, ...]  # the tokens in lower case, numbers without thousands separators


def _read(text: str) -> _Sentence:
    tokens = tuple(_SHORT.sub("", token).replace("\u2019", "'") for token in _TOKEN.findall(text))
    return _Sentence(text, tokens, tuple(re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", token.lower()) for token in tokens))


def _expand(
    text: str, evidence: Sequence[EvidenceSentence], counts: Mapping[str, int], policy: Policy, lexicon: Lexicon
) -> tuple[str, str, frozenset[str]]:
    """Return the text to release, the text to judge, and labels."""
    shown, judged, labels = "", "", frozenset[str]()
    suffixes = "|".join(policy.table("prose", ProseTable).web_suffixes)
    bare = re.compile(rf"(?<![@\w.-])(?:[\w-]+\.)+(?:{suffixes})(?![\w-])", re.IGNORECASE)
    for index, part in enumerate(_SPECIAL.split(text)):
        if index % 2 == 0:
            if _MARKUP.search(part) or bare.search(part):
                raise ProseRefused("prose-markup")
            written, stand_in, found = part, part, frozenset[str]()
        elif part.startswith("{"):
            written, stand_in, found = _counted(part[7:-1], counts, lexicon), _COUNT, frozenset({"counted"})
        else:
            written, stand_in, found = _linked(part, [source.url for source in evidence if source.url is not None], policy)
        shown, judged, labels = shown + written, judged + stand_in, labels | found
    return shown, judged, labels


def _counted(name: str, counts: Mapping[str, int], lexicon: Lexicon) -> str:
    number = counts.get(name)
    if type(number) is not int or number < 0 or name not in lexicon.nouns:
        raise ProseRefused("count-unknown")
    return f"{number} {lexicon.nouns[name][number != 1]}"


def _linked(token: str, cited: list[str], policy: Policy) -> tuple[str, str, frozenset[str]]:
    # A mark after a URL belongs to the sentence, unless only the URL with it is a recorded one.
    for end in range(len(token.rstrip(_EDGE)), len(token) + 1):
        equal = [(labels, url) for url in cited if (labels := same_url(token[:end], url, policy)) is not None]
        if equal:
            labels, url = min(equal, key=lambda match: len(match[0]))
            return url + token[end:], _LINK + token[end:], labels
    raise ProseRefused("prose-url")


def _refuse_own(claim: _Sentence, lexicon: Lexicon) -> None:
    """Refuse what needs no evidence to be refused: another language, no content of its own, a count or quote out of place."""
    if lexicon.foreign & set(claim.words) or (len(claim.words) > 5 and not lexicon.markers & set(claim.words)):
        raise ProseRefused("quotes-only")
    said = f" {' '.join(claim.words)} "
    if any(f" {phrase} " in said for phrase in lexicon.references) or not _content(claim.words, lexicon):
        raise ProseRefused("no-content")
    if _HALF_QUOTED.search(_QUOTED.sub("", claim.text)):
        raise ProseRefused("half-quoted")
    for before, word, after in zip(("", *claim.words), claim.words, (*claim.words[1:], ""), strict=False):
        follows = not after or _ends_phrase(after, lexicon) or after in lexicon.participles
        leads = _is_neutral(before, lexicon) or before in lexicon.count_after
        if word == _COUNT and not (leads and follows and after != "of"):
            raise ProseRefused("count-place")


def _is_neutral(word: str, lexicon: Lexicon) -> bool:
    return not word or word in _MARKS or word in lexicon.neutral


def _ends_phrase(word: str, lexicon: Lexicon) -> bool:
    return word in _MARKS or word in lexicon.stops


def _is_anchor(word: str, lexicon: Lexicon) -> bool:
    """Whether the word counts or compares: a number, a quantifier, a comparative or a superlative."""
    superlative = word.endswith("est") and word not in lexicon.not_superlative
    first = next(filter(str.isalnum, word), "")
    return superlative or first.isnumeric() or not lexicon.anchors.isdisjoint(word.split("-"))


def _stem(word: str) -> str:
    return re.sub(r"([b-df-hj-np-tv-z])\1\Z", r"\1", _ENDING.sub("", word))


def _content(words: Sequence[str], lexicon: Lexicon) -> frozenset[str]:
    """Return the stems of the words that say something."""
    empty = (lexicon.stops, lexicon.participles, lexicon.openers, lexicon.conditions)
    said = (word for word in words if _PLAIN.fullmatch(word) and not any(word in listed for listed in empty))
    return frozenset(_stem(word) for word in said if not _is_anchor(word, lexicon) and not _negates(word, lexicon))


def _negates(word: str, lexicon: Lexicon) -> bool:
    return word in lexicon.negators or word.endswith("n't")


def _places(phrase: Sequence[str], words: Sequence[str]) -> list[int]:
    return [at for at in range(len(words) - len(phrase) + 1) if words[at : at + len(phrase)] == phrase]


def _names_stand(claim: _Sentence, sentence: _Sentence, lexicon: Lexicon) -> bool:
    """Every run of tokens that are no plain lower-case words stands in the sentence, letter by letter."""
    stems = {_stem(word) for word in sentence.words}
    runs: list[tuple[str, ...]] = [()]
    for before, token, word in zip(("", *claim.tokens), claim.tokens, claim.words, strict=False):
        opens = before in _OPENING and token == word.capitalize()
        plain = _PLAIN.fullmatch(token) or token in _MARKS or token in (_COUNT, _LINK) or _is_anchor(word, lexicon)
        if plain or (opens and (word in lexicon.openers | lexicon.negators or (_stem(word) in stems and token not in sentence.tokens))):
            runs.append(())
        else:
            runs[-1] += (token,)
    return all(_places(run, sentence.tokens) for run in runs if run)


def _quotes_stand(claim: _Sentence, sentence: _Sentence, _: Lexicon) -> bool:
    quoted = ["".join(filter(None, groups)) for groups in _QUOTED.findall(claim.text)]
    return all(words and re.search(rf"(?<!\w){re.escape(words)}(?!\w)", sentence.text) for words in quoted)


def _numbers_stand(claim: _Sentence, sentence: _Sentence, lexicon: Lexicon) -> bool:
    return all(_number_stands(at, claim.words, sentence.words, lexicon) for at, word in enumerate(claim.words) if _is_anchor(word, lexicon))


def _number_stands(at: int, words: tuple[str, ...], evidence: tuple[str, ...], lexicon: Lexicon) -> bool:
    """Whether the number at `at` stands in the evidence with its noun phrase, no longer there, after the same or a neutral word."""
    end = at + 1
    while end < len(words) and (words[end] == "of" or words[end - 1] == "of" or not _ends_phrase(words[end], lexicon)):
        end += 1
    before = words[at - 1] if at else ""
    for place in _places(words[at:end], evidence):
        there = evidence[place - 1] if place else ""
        after = evidence[place + end - at :]
        same = before == there or (_is_neutral(before, lexicon) and _is_neutral(there, lexicon))
        if same and (not after or (_ends_phrase(after[0], lexicon) and after[0] != "of")):
            return True
    return False


def _negations_agree(claim: _Sentence, sentence: _Sentence, lexicon: Lexicon) -> bool:
    """As many negations in both; what the claim negates is what the sentence negates, and nothing else is."""
    if sum(_negates(word, lexicon) for word in claim.words) != sum(_negates(word, lexicon) for word in sentence.words):
        return False
    denied, said = _clauses(sentence, lexicon)
    claim_denied, claim_said = _clauses(claim, lexicon)
    return claim_denied <= denied and claim_said.isdisjoint(denied - said)


def _clauses(sentence: _Sentence, lexicon: Lexicon) -> tuple[frozenset[str], frozenset[str]]:
    """Return what stands in clauses with an odd number of negations, and what stands in the others."""
    clauses: list[list[str]] = [[]]
    for word in sentence.words:
        if word in _MARKS or word in lexicon.boundaries:
            clauses.append([])
        else:
            clauses[-1].append(word)
    odd = [clause for clause in clauses if sum(_negates(word, lexicon) for word in clause) % 2]
    even = [clause for clause in clauses if clause not in odd]
    return _content([w for clause in odd for w in clause], lexicon), _content([w for clause in even for w in clause], lexicon)


def _no_opposites(claim: _Sentence, sentence: _Sentence, lexicon: Lexicon) -> bool:
    """No word of the claim has its opposite in the sentence without standing there itself."""
    mine, theirs = ({_stem(word) for word in one.words} for one in (claim, sentence))
    pairs = {(_stem(one), _stem(other)) for one, other in lexicon.opposites}
    pairs |= {(_stem(word), _stem(form.format(word))) for word in claim.words + sentence.words for form in lexicon.opposite_forms}
    new = mine - theirs
    return not any((one in new and other in theirs) or (other in new and one in theirs) for one, other in pairs)


def _conditions_agree(claim: _Sentence, sentence: _Sentence, lexicon: Lexicon) -> bool:
    conditions = lexicon.conditions | {"?"}
    return conditions & set(claim.words) == conditions & set(sentence.words)


_RULES: tuple[tuple[str, Callable[[_Sentence, _Sentence, Lexicon], bool]], ...] = (
    ("name-not-in-sentence", _names_stand),
    ("quoted-not-in-sentence", _quotes_stand),
    ("number-not-in-sentence", _numbers_stand),
    ("negation-differs", _negations_agree),
    ("opposite", _no_opposites),
    ("condition-differs", _conditions_agree),
)
