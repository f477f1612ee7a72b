"""The locator finds what a fold has touched, anywhere, and proposes nothing that the kernel does not confirm."""

import random
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.policy import load_policy
from veridical.kernel.quotes import Confirmed, confirm
from veridical.locate.find import Located, Miss, locate

POLICY = load_policy()
FILLER = "Nothing of the kind stands here, and the words are common ones. "


def find(text: str, quote: str, **options: bool) -> tuple[str, str, list[str], int]:
    found = locate(text, quote, policy=POLICY, **options)
    assert isinstance(found, Located), found
    again = confirm(text, found.start, found.end, quote, policy=POLICY, **options)
    assert again == found.confirmed
    return text[found.start : found.end], found.confirmed.verdict, list(found.confirmed.folds), found.occurrences


FOUND: list[tuple[str, str, str, str, list[str]]] = [
    ("Yes. It is slow. No.", "It is slow.", "It is slow.", "exact", []),
    ("Yes. It is\n slow. No.", "It is slow.", "It is\n slow.", "located", ["whitespace"]),
    ("Yes. The caf\u00e9 closes early.", "The cafe\u0301 closes", "The caf\u00e9 closes", "located", ["nfc"]),
    ("Yes. The cafe\u0301 closes early.", "The caf\u00e9 closes", "The cafe\u0301 closes", "located", ["nfc"]),
    ("He said \u201cit is slow\u201d again.", '"it is slow"', "\u201cit is slow\u201d", "clipped", ["typography"]),
    ("It is \u201cslow\u201d.", 'It is "slow".', "It is \u201cslow\u201d.", "located", ["typography"]),
    ("wait\u2026 what is it", "wait... what is", "wait\u2026 what is", "located", ["typography"]),
    ("The \ufb01nal o\ufb03cial build.", "The final official build.", "The \ufb01nal o\ufb03cial build.", "located", ["ligature"]),
    ("The final official build.", "The \ufb01nal o\ufb03cial build.", "The final official build.", "located", ["ligature"]),
    ("\uff21\uff22\uff23 is too slow.", "ABC is too slow.", "\uff21\uff22\uff23 is too slow.", "located", ["width"]),
    ("ze\u200bro is too slow.", "zero is too slow.", "ze\u200bro is too slow.", "located", ["invisible"]),
    ("zero is too slow.", "ze\u200bro is too slow.", "zero is too slow.", "located", ["invisible"]),
    ("I \u2764\ufe0f this phone.", "I \u2764 this phone.", "I \u2764\ufe0f this phone.", "located", ["invisible"]),
    ("I love this \u2764\ufe0f.", "I love this \u2764", "I love this \u2764\ufe0f", "located", ["invisible"]),
    ("\u2764\ufe0f I love this.", "\u2764 I love this", "\u2764\ufe0f I love this", "located", ["invisible"]),
    ("use cross-\nvalidation on it", "use cross-validation on it", "use cross-\nvalidation on it", "located", ["linebreak"]),
    ("the informa-\ntion is old", "the information is old", "the informa-\ntion is old", "located", ["dehyphenated"]),
    ("so re-\nused informa-\ntion", "so re-used information", "so re-\nused informa-\ntion", "located", ["dehyphenated", "linebreak"]),
    ("co\u00adoperate with the team", "cooperate with the team", "co\u00adoperate with the team", "located", ["soft-hyphen"]),
    ("So the update broke it.", "The update broke it.", "the update broke it.", "located", ["case"]),
    ("it was so slow.", "it WAS so slow.", "it was so slow.", "located", ["case"]),
    ("Tom & Jerry are fine.", "Tom &amp; Jerry are fine.", "Tom & Jerry are fine.", "located", ["entity"]),
    ("a <b> is here", "a &lt;b&gt; is here", "a <b> is here", "located", ["entity"]),
    ("It is so slow.", "...it is so slow...", "It is so slow", "located", ["case", "outer-ellipsis-stripped"]),
    ("It is so slow.", "[\u2026] is so slow.", "is so slow.", "located", ["outer-ellipsis-stripped"]),
    ("It is so slow.", "  It is so slow.\n", "It is so slow.", "located", ["whitespace"]),
    ("-5 ms is fast", "\u22125 ms is fast", "-5 ms is fast", "located", ["typography"]),
    ("\u06005 dinars are due", "\u06005 dinars are due...", "\u06005 dinars are due", "located", ["outer-ellipsis-stripped"]),
    ("The (old) one is slow.", "(old) one is slow.", "(old) one is slow.", "exact", []),
    ("The \uff08old\uff09 one is slow.", "(old) one is slow.", "\uff08old\uff09 one is slow.", "located", ["width"]),
    ("\u96fb\u6c60\u304c\u3000\u3059\u3050\u306b\u5207\u308c\u308b\u3002", "\u96fb\u6c60\u304c \u3059\u3050\u306b\u5207\u308c\u308b\u3002",
     "\u96fb\u6c60\u304c\u3000\u3059\u3050\u306b\u5207\u308c\u308b\u3002", "located", ["whitespace"]),
    ("\u1112\u1161\u11ab\u1100\u116e\u11a8 \uc9c0\uc6d0\uc774 \uc5c6\ub2e4.", "\ud55c\uad6d \uc9c0\uc6d0\uc774 \uc5c6\ub2e4.",
     "\u1112\u1161\u11ab\u1100\u116e\u11a8 \uc9c0\uc6d0\uc774 \uc5c6\ub2e4.", "located", ["nfc"]),
]  # fmt: skip


@pytest.mark.parametrize("around", [0, 400], ids=["short", "long"])
@pytest.mark.parametrize(("text", "quote", "words", "verdict", "folds"), FOUND)
def test_what_a_fold_has_touched_is_found(text: str, quote: str, words: str, verdict: str, folds: list[str], around: int) -> None:
    filler = FILLER * around
    assert find(f"{filler}\n\n{text}\n\n{filler}", quote) == (words, verdict, folds, 1)


@pytest.mark.parametrize(
    ("text", "quote", "rule"),
    [
        ("The product is unusable and unreliable.", "usable and unreliable", "inside-word"),
        ("The product is unusable and\nunreliable.", "usable and unreliable", "inside-word"),
        ("It lasts 4 hours.", "It lasts 5 hours.", "not-found"),
        ("It lasts 4 hours.", "lasts 4", "too-short"),
        ("It lasts 4 hours.", "", "not-found"),
        ("It lasts 4 hours.", "...", "not-found"),
        ("It lasts 4 hours.", "\U0001f600", "not-found"),
        ("", "It lasts 4 hours.", "not-found"),
        ("the rapist was arrested", "therapist was arrested", "not-found"),
        ("please re-\nsign the form", "please resign the form", "not-found"),
        ("It is\x1every slow today", "It is very slow today", "hard-boundary"),
        ("A woman: without her, man is nothing", "A woman without her man is nothing", "not-found"),
    ],
)
def test_a_miss_says_the_rule_of_the_nearest_place(text: str, quote: str, rule: str) -> None:
    assert locate(text, quote, policy=POLICY) == Miss(rule)


@pytest.mark.parametrize("quote", [None, 5, b"It lasts", ["It lasts"], True])
def test_what_is_not_a_string_is_a_miss(quote: str) -> None:
    assert locate("It lasts 4 hours.", quote, policy=POLICY) == Miss("not-a-string")


def test_every_place_is_counted_and_the_best_one_is_taken() -> None:
    assert find("It is fast. It is fast. It is fast.", "It is fast.") == ("It is fast.", "exact", [], 3)
    text = "> It is so fast.\n\nI doubt it is so fast. It is so fast."
    found = locate(text, "It is so fast.", policy=POLICY)
    assert isinstance(found, Located)
    assert (found.start, found.occurrences) == (text.rindex("It"), 2)
    assert found.confirmed.labels == ()


def test_a_clipped_place_is_taken_only_when_there_is_no_better() -> None:
    text = "I would not buy it again. Yet I buy it again."
    assert find(text, "buy it again")[1] == "exact"
    assert find(text[:25], "buy it again")[1] == "clipped"


def test_an_exact_place_hides_folded_ones() -> None:
    assert find("It\nis so fast. It is so fast.", "It is so fast.") == ("It is so fast.", "exact", [], 1)


def test_places_inside_words_do_not_count() -> None:
    assert find("It is unusable for us. It is usable for us.", "usable for us") == ("usable for us", "exact", [], 1)


def test_excerpts_and_illustrations_are_judged_as_such() -> None:
    assert locate("Prices rise ... in 2025", "Prices rise ... in 2025", policy=POLICY, snippet=True) == Miss("seam")
    assert find("the battery is bad", "battery", illustration=True)[1] == "illustration"


CHANGES: dict[str, Callable[[str], str]] = {
    "nothing": lambda words: words,
    "newlines": lambda words: words.replace(" ", "\n"),
    "spaces": lambda words: words.replace(" ", " \u00a0 "),
    "decomposed": lambda words: unicodedata.normalize("NFD", words),
    "composed": lambda words: unicodedata.normalize("NFC", words),
    "curly": lambda words: words.replace("'", "\u2019").replace('"', "\u201c").replace("-", "\u2010"),
    "straight": lambda words: words.replace("\u2019", "'").replace("\u201c", '"').replace("\u201d", '"').replace("\u2014", "-"),
    "unseen": lambda words: words.replace("a", "a\u2060"),
    "ellipses": lambda words: f"... {words} [\u2026]",
    "entities": lambda words: words.replace("&", "&amp;").replace("<", "&lt;"),
    "shy": lambda words: words.replace("e", "e\u00ad"),
}
DOCUMENTS = [
    "I bought it & like it: the caf\u00e9's \u201cbattery\u201d <b>lasts</b> 4 hours \u2014 enough, isn\u2019t it? It is well-known.",
    "Stra\u00dfe und Geb\u00e4ude sind \u201egut\u201c erhalten, der Akku 3,5 Stunden. Der \u00c4rger bleibt; die F\u00e4nger nicht.",
    'The re\u0301sume\u0301 upload, it\'s said, is "slow" & <i>old</i>, yet it works a-ok for all of us here in the na\u00efve zone.',
]


@given(st.sampled_from(DOCUMENTS), st.sampled_from(sorted(CHANGES)), st.integers(0, 8), st.integers(3, 12), st.integers(0, 40))
def test_true_words_under_every_kind_of_fold_come_home_to_their_place(text: str, change: str, first: int, count: int, around: int) -> None:
    words = text.split(" ")
    taken = " ".join(words[first : first + count])
    before = FILLER * around
    whole, start = before + text, len(before) + len(" ".join(words[:first])) + (first > 0)
    honest = confirm(whole, start, start + len(taken), taken, policy=POLICY)
    found = locate(whole, CHANGES[change](taken), policy=POLICY)
    if isinstance(honest, Confirmed):
        assert isinstance(found, Located)
        assert (found.start, found.end) == (start, start + len(taken))
        assert (found.confirmed.labels, found.confirmed.sentence) == (honest.labels, honest.sentence)
    else:
        assert isinstance(found, Miss)


@given(st.sampled_from(DOCUMENTS), st.integers(0, 8), st.integers(3, 12), st.integers(0, 11), st.sampled_from(["", "other", "7", "not"]))
def test_words_of_a_liar_find_no_place(text: str, first: int, count: int, at: int, word: str) -> None:
    words = text.split(" ")[first : first + count] or ["it"]
    altered = [*words[: at % len(words)], *([word] if word else []), *words[at % len(words) + 1 :]]
    # Dropping an end leaves true words; leaving the middle out does not.
    if word or 0 < at % len(words) < len(words) - 1:
        assert isinstance(locate(FILLER * 20 + text, " ".join(altered), policy=POLICY), Miss)


def test_a_long_page_without_the_quote_is_not_read_word_by_word() -> None:
    """The windows that are compared do not grow with the page: at most the places of a few anchors are looked at."""
    shuffled = FILLER.split() * 3_000
    random.Random(1).shuffle(shuffled)
    page = " ".join(shuffled)
    assert locate(page, "of the kind stands nowhere in the common words here", policy=POLICY) == Miss("not-found")
    assert locate(page, "zebra crossings are common ones", policy=POLICY) == Miss("not-found")
