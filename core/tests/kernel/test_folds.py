"""A fold passes over one listed difference and names it; everything else is a difference."""

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.folds import FoldTable, align, compare
from veridical.kernel.policy import load_policy

POLICY = load_policy()
TABLE = POLICY.table("folds", FoldTable)


def folds(source: str, quote: str) -> list[str] | None:
    found = compare(source, quote, POLICY)
    return None if found is None else sorted(found)


SAME: list[tuple[str, str, list[str]]] = [
    ("a b c", "a b c", []),
    # whitespace
    ("a\nb", "a b", ["whitespace"]),
    ("a\r\nb", "a b", ["whitespace"]),
    ("a  \t b", "a b", ["whitespace"]),
    ("a b", "a \n b", ["whitespace"]),
    ("a\u00a0b", "a b", ["whitespace"]),
    ("It\u3000is", "It is", ["whitespace"]),
    ("a\u2028b", "a b", ["whitespace"]),
    ("a\n\nb", "a b", ["whitespace", "whitespace:block"]),
    ("a\n \t\r\nb", "a b", ["whitespace", "whitespace:block"]),
    ("a\u2029b", "a b", ["whitespace", "whitespace:block"]),
    ("a\n\nb", "a\n\nb", []),
    ("a \u200b b", "a b", ["whitespace"]),
    ("> a\n> b", "> a b", ["whitespace"]),
    ("> a\n> > b", "> a b", ["whitespace"]),
    ("> a\n>b", "> a b", ["whitespace"]),
    ("> a\n>\n> b", "> a b", ["whitespace", "whitespace:block"]),
    ("a b", " a b\n", ["whitespace"]),
    ("100\u202f000", "100 000", ["whitespace"]),
    ("1\r\n000", "1\n000", ["whitespace"]),
    ("12  users", "12 users", ["whitespace"]),
    ("users  12", "users 12", ["whitespace"]),
    ("the informa-\ntion", "the informa\u2010\ntion", ["typography"]),
    ("well-\nknown", "well\u2010\nknown", ["typography"]),
    ("well-\nknown", "well\u2010known", ["linebreak", "typography"]),
    ("a\n\nb", "a\n b", ["whitespace", "whitespace:block"]),
    ("a b\n", "a b\n\n", ["whitespace"]),
    ("sold 5 ", "sold 5  ", ["whitespace"]),
    ("\u201cyes\u201d official", '"yes" o\ufb03cial', ["ligature", "typography"]),
    # canonical equivalence
    ("cafe\u0301", "caf\u00e9", ["nfc"]),
    ("caf\u00e9", "cafe\u0301", ["nfc"]),
    ("\u1112\u1161\u11ab", "\ud55c", ["nfc"]),
    ("a\u0323\u0307", "a\u0307\u0323", ["nfc"]),
    ("x\u037e", "x;", ["nfc"]),
    ("5 \u212b", "5 \u00c5", ["nfc"]),
    # typography
    ("\u201ca\u201d", '"a"', ["typography"]),
    ("\u00aba\u00bb", "\u201ea\u201c", ["typography"]),
    ("it\u2019s", "it's", ["typography"]),
    ("it's", "it\u2019s", ["typography"]),
    ("10\u201320", "10-20", ["typography"]),
    ("\u221210", "-10", ["typography"]),
    ("a \u2014 b", "a - b", ["typography"]),
    ("wait\u2026 what", "wait... what", ["typography"]),
    ("wait... what", "wait\u2026 what", ["typography"]),
    ("wait\u2026.", "wait....", ["typography"]),
    ("a \u2014 b", "a -- b", ["typography"]),
    ("a--b", "a\u2013b", ["typography"]),
    # ligatures and width
    ("\ufb01nal", "final", ["ligature"]),
    ("o\ufb03cial", "official", ["ligature"]),
    ("official", "o\ufb03cial", ["ligature"]),
    ("\uff21\uff22", "AB", ["width"]),
    ("AB", "\uff21\uff22", ["width"]),
    ("a\uff0db", "a\u2014b", ["typography", "width"]),
    # what is not seen
    ("zero\u200bwidth", "zerowidth", ["invisible"]),
    ("zerowidth", "zero\u2060width", ["invisible"]),
    ("\ufeffab", "ab", ["invisible"]),
    ("ab\u200b", "ab", ["invisible"]),
    ("\u200b5", "5", ["invisible"]),
    ("price\u2062 is", "price is", ["invisible"]),
    ("I \u2764\ufe0f", "I \u2764", ["invisible"]),
    ("A\u034fB", "AB", ["invisible"]),
    ("e\u034f\u0301", "\u00e9", ["invisible", "nfc"]),
    ("a\u202eb", "ab", ["invisible"]),
    ("co\u00adoperate", "cooperate", ["soft-hyphen"]),
    ("co\u00ad\u200boperate", "cooperate", ["invisible", "soft-hyphen"]),
    ("\u0646\u0645\u06cc\u200c\u062e\u0648", "\u0646\u0645\u06cc\u062e\u0648", ["invisible"]),
    ("10\u200b%", "10%", ["invisible"]),
    # case
    ("the update", "The update", ["case"]),
    ("The update", "the update", ["case"]),
    ("\u201cthe update\u201d", '"The update"', ["case", "typography"]),
    ("\u00e9tait", "\u00c9tait", ["case"]),
    ("it was slow", "it WAS slow", ["case"]),
    ("it WAS slow", "it was slow", ["case"]),
    ("it is NOT good", "it is not good", ["case"]),
    # line breaks
    ("cross-\nvalidation", "cross-validation", ["linebreak"]),
    ("cross\u2010\r\n  validation", "cross-validation", ["linebreak", "typography"]),
    ("> cross-\n> validation", "> cross-validation", ["linebreak"]),
    ("re-\nsign", "re-sign", ["linebreak"]),
    ("informa-\ntion", "information", ["dehyphenated"]),
    ("informa\u2010\n tion", "information", ["dehyphenated"]),
    ("> informa-\n> tion", "> information", ["dehyphenated"]),
    ("re\u00ad\nsign", "resign", ["dehyphenated"]),
    ("inf-\normation", "information", ["dehyphenated"]),
    ("con-\nsider", "consider", ["dehyphenated"]),
    ("par-\nticular", "particular", ["dehyphenated"]),
    ("informat-\nion", "information", ["dehyphenated"]),
    ("an-\nother", "an- other", ["whitespace"]),
    # around the quote
    ("the end", "...the end...", ["outer-ellipsis-stripped"]),
    ("the end.", "\u2026 the end.\u2026", ["outer-ellipsis-stripped"]),
    ("the end.", "the end....", ["outer-ellipsis-stripped"]),
    ("the end", "[...] the end [\u2026]", ["outer-ellipsis-stripped"]),
    ("the end", " ... the end", ["outer-ellipsis-stripped", "whitespace"]),
    ("...the end", "...the end", []),
    # entities, of the quote only
    ("Tom & Jerry", "Tom &amp; Jerry", ["entity"]),
    ("a <b> c", "a &lt;b&gt; c", ["entity"]),
    ("it\u2019s", "it&#39;s", ["entity", "typography"]),
    ("a b", "a&nbsp;b", ["entity", "whitespace"]),
    ("AT&amp;T", "AT&amp;amp;T", ["entity"]),
    ("AT&amp;T", "AT&amp;T", []),
    ("Tom & Jerry", "... Tom &amp; Jerry", ["entity", "outer-ellipsis-stripped"]),
    ("Tom & Jerry", "Tom &amp; Jerry ", ["entity", "whitespace"]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "quote", "expected"), SAME)
def test_a_listed_difference_is_passed_over_and_named(source: str, quote: str, expected: list[str]) -> None:
    assert expected == folds(source, quote)


DIFFERENT = [
    ("it WAS so", "it had so"),
    ("it HAD so", "it was so"),
    ("well\u2010\nknown", "wellknown"),
    ("a\u0178ab-\ncdef", "a\u0178abcdef"),
    ("o\ufb01\ufe0f x", "ofi x"),
    ("o\ufb01 x", "ofi\ufe0f x"),
    ("x \U0001f3f4\U000e0067\U000e0062 y", "x \U0001f3f4 y"),
    ("x \U0001f3f4\U000e0020 y", "x \U0001f3f4 y"),
    ("a", "b"), ("a", ""), ("", "a"), ("a b", "a"), ("a", "a b"), ("a b c", "a c"), ("a b", "b a"),
    # space is never made or deleted
    ("is slow", "isslow"), ("isslow", "is slow"), ("the rapist", "therapist"), ("therapist", "the rapist"), ("no table", "notable"),
    ("the\u200brapist", "the rapist"), ("a - b", "a-b"), ("a-b", "a - b"), ("a\nb", "ab"), ("a ", "a"), (" a", "a"), ("a b", "a\x1eb"),
    ("a >b", "a b"), ("a\n>5 b", "a 5 b"), ("a\n>= b", "a = b"),
    # digits do not join, and columns are not groups
    ("1\n000", "1000"), ("1 000", "1000"), ("1\n000", "1 000"), ("1 000", "1\n000"), ("1\t000", "1 000"), ("1  000", "1 000"),
    ("1\u200b000", "1000"), ("1\u00ad000", "1000"), ("1000", "1\u2060000"), ("10-\n20", "1020"), ("10-\n20", "10-20"),
    ("a-\n20", "a-20"), ("con-\nform", "conform"), ("for-\nget", "forget"), ("dis-\ncover", "discover"),
    # not canonical equivalence
    ("a\u0301\u0308", "a\u0308\u0301"), ("caf\u00e9", "cafe"), ("cafe", "caf\u00e9"), ("cafe\u0301", "cafe"), ("a\u00f1os", "anos"),
    ("m\u00b2", "m2"), ("2\u2075", "25"), ("\u00b5TP", "\u03bcTP"), ("\u2121", "TEL"), ("\u00bd", "1/2"), ("\u2460", "1"),
    ("e\u0301\U0001e4ec", "\u00e9\U0001e4ec"), ("Stra\u00dfe", "Strasse"), ("\u0132", "IJ"), ("\u00e6", "ae"), ("\u017f", "s"),
    ("\uac00\u11a8", "\uac00"), ("\u00a9", "(c)"), ("\u2122", "TM"),
    # punctuation says something
    ("Really?", "Really!"), ("A woman: without her, man", "A woman without her man"), ("a, b", "a b"), ("a b", "a, b"), ("a.", "a"),
    ("\u2018a\u2019", '"a"'), ("`a`", "'a'"), ("a\u2025", "a.."), ("a--b", "a-b"), ("a\u2010b", "a--b"), ("a\u2014b", "a---b"),
    ("a\u2026", "a.."), ("a\u2026", "a"), ("a ... b", "a b"), ("5\u2032", "5'"), ("1.000", "1,000"), ("\u20ac5", "$5"), ("3-5", "35"),
    ("($10.0 million)", "$100 million"), ("~~a~~", "a"), ("*a*", "a"),
    # look-alikes, other digits
    ("\u0430dmin", "admin"), ("\u0391pple", "Apple"), ("O", "0"), ("\u0661\u0662", "12"), ("l", "1"), ("\uff10", "O"), ("five", "5"),
    ("\U0001d400", "A"), ("\u2170", "i"),
    # case in the middle says something
    ("for US customers", "for us customers"), ("We polish", "We Polish"), ("3 polish apps", "3 Polish apps"), ("it may be", "it MAY be"),
    ("who", "WHO is"), ("it is", "it IS"), ("it was", "it Was"), ("it Was", "it wAs"), ("it Was", "it WAS"), ("xwas", "xWAS"),
    ("it wash", "it WASh"), ("it wasn", "it WASn"), ("\u03bf \u03c2", "\u03bf \u03c3"), ("I\u0307", "i"), ("\u0130t", "it"),
    ("\u0131t", "It"), ("US", "us"), ("\u00dfa", "SSa"),
    # pictographs are what they are
    ("\U0001f3f4\U000e0067\U000e0062\U000e007f", "\U0001f3f4"), ("\U0001f44d\U0001f3fd", "\U0001f44d"), ("1\ufe0f\u20e3", "1"),
    ("\U0001f468\u200d\U0001f469", "\U0001f468\U0001f469"), ("\U0001f468\u200d\U0001f469", "\U0001f468"),
    # a hyphen at the end of a line may be the author's
    ("re-\nsign", "resign"), ("no-\ntable", "notable"), ("anti-\nbody", "antibody"), ("sea-\nport", "seaport"),
    ("the-\nrapist", "therapist"), ("not-\nable", "notable"), ("co-\nop", "coop"), ("informa-\nti", "informati"),
    ("in-\nformation", "information"), ("NATO-\nled", "NATOled"), ("infor-\nMation", "inforMation"), ("informa- tion", "information"),
    ("informa-\n\ntion", "information"), ("informa-tion", "information"), ("information", "informa-\ntion"),
    ("information", "informa-tion"), ("x1-\nfoo", "x1foo"), ("pre-\nand post", "pre-and post"),
    ("cross- validation", "cross-validation"), ("cross\nvalidation", "cross-validation"), ("cross\nvalidation", "crossvalidation"),
    ("cross-\n\nvalidation", "cross-validation"), ("foo-\n(bar", "foo-(bar"), ("foo--\nbar", "foo--bar"), ("-\ntion", "tion"),
    # edits in brackets, seams
    ("It crashes", "It [the app] crashes"), ("Its alot", "Its [sic] alot"), ("He said", "[H]e said"), ("a b c", "a ... c"),
    ("a b c", "a [...] c"), ("a", "..a"), ("a", "(...) a"), ("a b", "a ... b"),
    # the source's entities are its own characters; once is once
    ("Tom &amp; Jerry", "Tom & Jerry"), ("AT&amp;amp;T", "AT&T"), ("AT&T", "AT&amp;amp;T"), ("\u00e9", "&eacute;"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "quote"), DIFFERENT)
def test_what_is_not_listed_is_a_difference(source: str, quote: str) -> None:
    assert folds(source, quote) is None


@pytest.mark.parametrize("word", sorted(TABLE.emphasis))
def test_each_emphasised_word_is_found_in_either_case(word: str) -> None:
    assert folds(f"it {word} x", f"it {word.upper()} x") == ["case"]
    assert folds(f"it {word.upper()} x", f"it {word} x") == ["case"]


@pytest.mark.parametrize("word", ["us", "it", "who", "may", "can", "all", "is", "or", "in", "no", "me", "polish", "march"])
def test_words_that_are_also_names_or_acronyms_keep_their_case(word: str) -> None:
    assert folds(f"see {word} x", f"see {word.upper()} x") is None


ANY = st.text(
    st.sampled_from("abWA\u00e9e\u0301 \n\t-\u2010\u00ad\u200b\ufb01fi'\u2019\u2026.>1 2\uff21\ud55c\u1112\u1161\u11ab\u2764\ufe0f&"),
    max_size=14,
)


@given(ANY)
def test_what_is_the_same_needs_no_fold(text: str) -> None:
    assert align(text, text, POLICY) == frozenset()
    assert compare(text, text, POLICY) == frozenset()


def _substance(text: str) -> str:
    """What no fold may touch, worked out another way: letters, digits, marks and symbols, in order, and where the spaces are."""
    text = unicodedata.normalize("NFKC", text.replace("\u2026", "..."))
    text = "".join(char for char in text if unicodedata.category(char) not in ("Cf", "Pd") and char not in "\u034f\ufe0f>")
    for char in "\u2018\u2019":
        text = text.replace(char, "'")
    return "".join(text.split()).lower()


@given(ANY, ANY)
def test_two_texts_that_align_have_one_substance(source: str, quote: str) -> None:
    if align(source, quote, POLICY) is not None:
        assert _substance(source) == _substance(quote)


@given(ANY, st.data())
def test_a_changed_letter_or_digit_is_never_passed_over(text: str, data: st.DataObject) -> None:
    letters = [index for index, char in enumerate(text) if char.isalnum()]
    if letters:
        at = data.draw(st.sampled_from(letters))
        changed = text[:at] + data.draw(st.sampled_from(["x", "9", ""])) + text[at + 1 :]
        assert align(text, changed, POLICY) is None


@given(st.lists(st.sampled_from(["caf\u00e9", "it\u2019s", "\ufb01nd", "a\u2013b", "zero", "12", "\u201cso\u201d"]), min_size=1), st.data())
def test_every_mixture_of_folds_is_passed_over_under_their_names(words: list[str], data: st.DataObject) -> None:
    changes: dict[str, Callable[[str], str]] = {
        "nfc": lambda text: unicodedata.normalize("NFD", text),
        "typography": lambda text: "".join(TABLE.typography.get(char, char) for char in text),
        "ligature": lambda text: text.replace("\ufb01", "fi"),
        "invisible": lambda text: text.replace("z", "z\u200b"),
        "whitespace": lambda text: text.replace(" ", "\u00a0"),
    }
    source = " ".join(words)
    quote, expected = source, set[str]()
    for name in data.draw(st.sets(st.sampled_from(sorted(changes)))):
        changed = changes[name](quote)
        expected |= {name} if changed != quote else set()
        quote = changed
    assert align(source, quote, POLICY) == expected
