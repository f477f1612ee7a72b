"""A span begins and ends between words, numbers and tokens. "|" is the cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.boundaries import BoundaryTable, Cut, Rule, fault, skeleton
from veridical.kernel.policy import load_policy

POLICY = load_policy()
TABLE = POLICY.table("boundaries", BoundaryTable)


def cut(marked: str) -> str | None:
    """What the kernel says about a span that ends, and about one that begins, at the mark: the same."""
    head, tail = marked.split("|")
    text, at = head + tail, len(head)
    ending, beginning = fault(text, 0, at, POLICY), fault(text, at, len(text), POLICY)
    assert ending == beginning
    return ending


WORD = [
    "un|usable", "in|significant", "\u00fcber|all", "\u043d\u0435|\u0434\u043e\u0431\u0440", "snake_|case", "word|2", "2|nd", "m|\u00b2",
    "un\u00ad|usable", "un|\u00adusable", "un\u200b|usable", "\u0646\u0645\u06cc\u200c|\u062e\u0648\u0627", "un*|usable", "un|**usable",
    "un`|usable", "n'|est", "n\u2019|est", "don|'t", "don\u2019|t", "rock|'n'roll", "well-|known", "well|-known", "well\u2010|known",
    "state-of-|the-art", "New York\u2013|London", "cross-\n|validation", "cross-|\nvalidation", "cross|-\nvalidation",
    "cross-\r\n  |validation", "cross-\n> |validation", "cross-\n|> validation", "cross-\n |  validation", "\ud55c\uad6d|\uc5b4",
    "a\u0301|b", "\u0915\u093e|\u0916", "twenty-|five",
]  # fmt: skip
NUMBER = [
    "1.2|3", "1.|23", "1|.23", "12:|30", "12|:30", "1,|000", "1|,000", "1'|000", "1/|2", "10^|5", "\u0661\u066b|\u0662", "100\u202f|000",
    "100|\u202f000", "100 |000", "100| 000", "100\n|000", "1 000 |000", "1 |000 000", "3-|5", "3|-5", "3\u2013|5", "3\u2014|5", "3 - |5",
    "3 |- 5", "3| - 5", "3%-|5%", "$3-|$5", "$3 - |$5", "2019-|05-01", "10-\n|20", "3 to |5 days", "3| to 5 days", "3 |to 5", "1 |of 20",
    "1 of |20", "1| out of 20", "2 or |3 days", "3 bis |5 Tage", "4 x |4", "4% to |5%", "between 3 and |5 days", "between 3| and 5 days",
    "between 3 |and 5 days", "Between 1,000 and |2,000 users", "1 |1/2 cups", "1| 1/2 cups", "1 |\u00bd cups", "1|\u00bd cups",
    "3 |\u00d7 4", "3 \u00d7 |4", "3|\u00d74", "10|^5", "5| \u00b1 2", "5| +/- 2", "5 |+- 2", "4|\u6642\u9593", "\u7b2c|4\u7ae0",
    "\u4e09|\u5341\u4eba", "5|\u4e07\u4eba", "\uff11|\u6642",
]  # fmt: skip
FIGURE = [
    "to -|5 ms", "to \u2212|5 ms", "+|5 ms", "~|5 ms", "~ |5 ms", "\u00b1|5", "\u00b1 |5", "<|5 ms", "< |5 ms", ">|5 ms", "is > |5 ms",
    "\u2264 |5", "it is \u2265 |5", "a \u2265|5", "x =|5", "is #|1", "is -|.5", "\n>|5 ms", "is .|5 ms", "by -.|5", "minus |5 degrees",
    "Minus |5", "negative |$5", "$|5", "\u20ac|5", "\u00a3 |5", "\u20ac|.5", "5|\u20ac", "5| \u20ac", "5 |\u20ac", "5|%", "5 |%", "5| %",
    "5|\u2030", "5|\u00b0", "5| \u00b0C", "5\u00a0|%", "USD |5", "US$|5", "Rs. |500", "5| USD", "5 |EUR a month", "5|EUR", "AD |79",
    "79| AD", "5| PM", "3.5| million units", "3.5 |million units", "five| percent", "five |percent", "Five |hundred", "10| per cent",
    "5| pm", "5 |a.m", "5|-million", "20| Prozent", "two hundred| and fifty", "two hundred and |fifty", "two hundred |and fifty",
    "two thousand |five hundred", "one million |200",
    "twenty |five", "Twenty| five", "less than |5 ms", "At least |5 ms", "up to |$5",
    "(|$10.0 million)", "(|10)", "($10.0 million|)", "(10|)",
]  # fmt: skip
TOKEN = [
    "example.|com", "example|.com", "U.|S. army", "e.|g. this", "Node.|js", "and/|or", "and|/or", "km/|h", "AT|&T", "AT&|T", "a=|b",
    "C+|+", "C:|\\x", "a\\|b", "std::|vector", "std|::vector", "C|++", "C|#", "C++|11", "A|+ grade", "foo|#bar", "5|+ users", "100|+",
    "see .|NET here", ".|NET here", "see @|bob", "(#|tag", "see #|tag", "see $|HOME", "'/|usr/bin", "rm -|rf", "git --|hard",
    "20 \u00b0|C today", "see https://|ex.com/a", "see http|s://ex.com", "see https:|//ex.com", "https://ex.com/|a-b",
    "https://ex.com|/a", "https://ex.com/a|?x=1", "https://ex.com/a?x=|1&y", "https://ex.com/a/|)b", "alice@|example.org",
    "alice|@example.org", "a.b|@c", "mailto:a@b.c,|d@e.f", "www.ex.com/|#a", "[docs|](https://ex.com/a)", "[the| docs](/a)",
    "[docs]|(/a)", "[docs](/|a)", "[docs](|/a)", "[docs](/a|)", "[docs]|[1]", "!|[alt](/a)",
    "[a long text of a link that goes on and on and on |and on and on and on and on and on](/a)", "docs](|https://ex.com/a)",
]  # fmt: skip
GRAPHEME = ["e|\u0301x", "\U0001f468|\u200d\U0001f469", "a\r|\nb", "\u1112|\u1161", "\U0001f1e9|\U0001f1ea", "\u2764|\ufe0f"]

RULES = {"inside-word": WORD, "inside-number": NUMBER, "clipped-figure": FIGURE, "inside-token": TOKEN, "inside-grapheme": GRAPHEME}


@pytest.mark.parametrize(("rule", "marked"), [(rule, marked) for rule, cases in RULES.items() for marked in cases])
def test_a_cut_inside_something_is_refused(rule: str, marked: str) -> None:
    found = cut(marked)
    assert found is not None
    assert found == rule or {rule, found} <= {"inside-number", "clipped-figure", "inside-token", "inside-word"}


SOUND = [
    "|", "a |b", "a| b", "a|. B", "a.| B", "a|, b", "a,| b", "a.\n|B", "a\n\n|B", "\ufeff|First", "a |\u2014 b", "a\u2014|b",
    "a|\u2014b", "a... |b", "a...|b", "a\u2026|b", "\u201c|a b\u201d", "\u201ca b|\u201d", "'|tis so'", "the dogs|' tails",
    "the '|good' one", "it is 'good|' now", "(|a b)", "(a b|)", "in 2019|. Then", "in 2019.| Then", "in 2019, |then",
    "in 2019 |300 users", "5 |stars", "5| stars", "4 hours|, which", "about |4 hours", "five |stars", "of |5 users", "iPhone 12 |with",
    "see 5|; 6", "cost \u2014|10 dollars", "\n> |5 stars", "> |5 stars", "> > |5 stars", "a -| 5 stars", "a - |5 stars", "- |5 stars",
    "\n- |it", "\n-|it is slow", "pre- |and post", "fast -- |but", "fast--|but", "it is not|** good", "it is **|not",
    "\u96fb\u6c60|\u304c", "\u304c|\u3059\u3050", "\u0e01\u0e32|\u0e23", "\u7528\u3002|\u6211", "iPhone|\u306e", "\u30b9\u30de|\u30db",
    "OK\u3002|Very", "\u4e09|\u6642\u9593", "see https://ex.com/a| now", "see |https://ex.com/a", "see (|https://ex.com/a)",
    "see https://ex.com/a|).", "see https://ex.com/a|, b", "<|https://ex.com/a>", "a@b.org|. So", "x + |y", "x| = y", "to the |power",
    "AND |then", "USD |is", "5 |Users", "am |I", "half |the", "the million |users", "twenty |users", "less than |five", "up to |us",
    "Plan 5| $10 per month", "one| or two", "between us and |them", "two |hundredfold", "is it 5|? No", "it's 5|!", "[the docs]|. See",
    "[1]| is", "a [|b] c", "\x00|usable", "\x1e|usable", "a\x1e.| B", "10 |Milli", "Rs |x", "hundred |and more", "minus |the",
    "see [a link](x/y) and |then", "words| first and [a link](x/y)", "see [a note| here] and [b](c/d) too",
]  # fmt: skip


@pytest.mark.parametrize("marked", SOUND)
def test_a_cut_between_things_is_sound(marked: str) -> None:
    assert cut(marked) is None


@pytest.mark.parametrize(
    ("before", "after"), [("5 ", word) for word in (*TABLE.scales, *TABLE.units)] + [(word + " ", "5") for word in TABLE.units]
)
def test_no_word_that_changes_a_figure_is_cut_from_it(before: str, after: str) -> None:
    assert cut(f"{before}|{after} x") is not None


@pytest.mark.parametrize("word", TABLE.numbers)
def test_a_number_word_keeps_its_scale(word: str) -> None:
    assert cut(f"about {word} |percent") == "clipped-figure"
    assert cut(f"about x{word} |percent") is None


@pytest.mark.parametrize("word", TABLE.ranges)
def test_both_ends_of_a_range_stay_together(word: str) -> None:
    assert cut(f"about 3 {word} |5") is not None
    assert cut(f"about 3| {word} 5") is not None
    assert cut(f"about three {word} |it") is None


LETTERS = st.text(st.sampled_from("aZ1_\u00e9\u00ad\u200b .,$-\n"), max_size=12)


@given(LETTERS, LETTERS)
def test_no_cut_is_made_between_two_letters_or_digits_whatever_unseen_stands_between(before: str, after: str) -> None:
    touching = before.rstrip("\u00ad\u200b")[-1:] + after.lstrip("\u00ad\u200b")[:1]
    if len(touching) == 2 and touching.replace("_", "a").isalnum():
        assert fault(before + after, 0, len(before), POLICY) is not None


@pytest.mark.parametrize("size", [1, 23, 24, 25, 100, 5000])
def test_no_amount_of_what_is_not_seen_hides_a_word_or_a_number(size: int) -> None:
    unseen = "\u200b" * size
    assert cut(f"un{unseen}|usable") == cut(f"un|{unseen}usable") == cut(f"un{unseen}|{unseen}usable") == "inside-word"
    assert cut(f"100{unseen} |000") == cut(f"100 |{unseen}000") == "inside-number"
    assert cut(f"some {unseen}|words") is None


@given(st.text(max_size=30))
def test_a_skeleton_is_ascii_and_as_long_as_its_text(text: str) -> None:
    found = skeleton(text, POLICY)
    assert found.isascii()
    assert len(text) == len(found)


def test_every_character_of_the_basic_plane_has_an_image_in_ascii() -> None:
    text = "".join(chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000)
    assert skeleton(text, POLICY).isascii()
    assert skeleton("".join(chr(code) for code in range(0xFF01, 0xFF5F)), POLICY) == "".join(chr(code) for code in range(0x21, 0x7F))


def test_only_a_digit_of_a_script_without_spaces_is_a_digit_and_no_letter() -> None:
    assert "0\1\1" == skeleton("\u0e50\u0e2f\u0f2a", POLICY)


def test_an_address_is_looked_for_a_thousand_characters_to_either_side() -> None:
    forwards, backwards = "a://" + "~" * 2000, "~" * 2000 + "://a"
    assert ["inside-token", None] == [fault(forwards, 0, at, POLICY) for at in (1001, 1002)]
    assert [None, "inside-token"] == [fault(backwards, 0, at, POLICY) for at in (1002, 1003)]


def test_a_skeleton_says_what_kind_of_thing_a_character_is() -> None:
    assert (
        skeleton("a\u00e9\u00c9\u0661\u96fb\u4e09\u2014\u00bd\u2026\u200b\u20ac\u2192\u3000\u2028\uff21\u0e50", POLICY)
        == "axX0\1\2\3\4\6\x7f$\5 \nA0"
    )


PIECES = [
    "5",
    " ",
    "-",
    "\n",
    "hundred",
    "million",
    "and",
    "five",
    "percent",
    "to",
    "of",
    "USD",
    "minus",
    "$",
    "%",
    ".",
    "x",
    "(",
    ")",
    "/",
    "a",
]


@given(st.lists(st.sampled_from(PIECES), max_size=6).map("".join), st.lists(st.sampled_from(PIECES), max_size=6).map("".join))
def test_the_shortcut_for_plain_cuts_passes_none_that_a_rule_refuses(before: str, after: str) -> None:
    found = TABLE.patterns[1].search(f"{before}\0{after}")
    assert found is None or fault(before + after, 0, len(before), POLICY) is not None


@pytest.mark.parametrize(
    ("rule", "cut_"), [(rule.rule, cut_) for rule in TABLE.rules for cut_ in rule.cuts], ids=lambda made: getattr(made, "example", made)
)
def test_each_pattern_of_the_table_refuses_its_example(rule: str, cut_: Cut) -> None:
    before, after = cut_.example.split("|")
    alone = BoundaryTable.model_validate({**TABLE.model_dump(), "rules": (Rule(rule=rule, cuts=(cut_,)),)})
    assert alone.patterns[1].search(f"{skeleton(before, POLICY)}\0{skeleton(after, POLICY)}") is not None
    assert cut(cut_.example) is not None
