"""Claim prose: a model's words leave only when one cited sentence carries everything in them that can be checked."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from veridical.kernel.policy import load_policy
from veridical.kernel.prose import EvidenceSentence, Prose, ProseRefused, ProseTable, check_prose

from core.tests.kernel.lying import LyingInt, LyingStr

POLICY = load_policy()
LEXICON = POLICY.table("prose", ProseTable).languages["en"]
URL = "https://reviews.example/1"
COUNTS = {"mentions": 1, "accounts": 37, "sources": 2, "unknown_accounts": 0, "attested_accounts": 1, "origins": 5}


def check(text: object, *sentences: str, url: str | None = URL, **more: Any) -> Prose:
    evidence = [EvidenceSentence(document=f"d{n}", text=sentence, title=None, url=url) for n, sentence in enumerate(sentences)]
    return check_prose(text, evidence, COUNTS, POLICY, **more)


def rule_of(text: object, *sentences: str, **more: Any) -> str | None:
    """The rule that refuses `text`, or None when it is released."""
    try:
        check(text, *sentences, **more)
    except ProseRefused as refused:
        return refused.rule
    return None


CLOGS = "The nozzle clogs every time I print PETG."
PAID = "About 500 users paid $1,200 for the Prusa MK4 in April 2024, but it does not print quietly."
MIXED = 'Ann Lee (ann.lee@mail.example) and Bob Smith said "the fan rattles" loudly after 3 weeks of printing at 10:30 with 5 kg of resin.'

KEPT = [
    ("The nozzle clogs every time I print PETG.", CLOGS),
    ("The nozzle clogs every time with PETG.", CLOGS),
    ("Users report that the nozzle clogs when printing PETG.", CLOGS),
    ("Nozzle clogs", CLOGS),
    ("Nozzle clogging", CLOGS),
    ("In a test the nozzle clogs.", CLOGS),
    ("Clogging is a frustration with PETG printers", CLOGS),
    ("Clogging nozzles: printing PETG", CLOGS),
    ("It clogs. The nozzle is affected.", CLOGS),
    ("The nozzle's clogging.", CLOGS),
    ("The nozzle \u201cclogs every time\u201d.", CLOGS),
    ('The nozzle "clogs every time".', CLOGS),
    ("The nozzle 'clogs'.", CLOGS),
    ("The nozzle \u2018clogs\u2019.", CLOGS),
    ("The nozzle \u00abclogs\u00bb.", CLOGS),
    ("About 500 users paid $1,200 for the Prusa MK4, but it does not print quietly.", PAID),
    ("About 500 users paid $1200, but it does not print quietly.", PAID),
    ("It doesn\u2019t print quietly, users say.", PAID),
    ("In April 2024 it does not print quietly.", PAID),
    ("Bob Smith said the fan rattles.", MIXED),
    ("Ann Lee can be reached at ann.lee@mail.example.", MIXED),
    ("The fan rattles loudly after 3 weeks of printing.", MIXED),
    ("Bob Smith was printing with 5 kg of resin.", MIXED),
    ("At 10:30 the fan rattles.", "At 10:30 the fan rattles."),
    ("The fan is unreliable.", "My fan is unreliable."),
    ("Half of the users left.", "She said half of the users left."),
    ("The share rose to 5.5 percent.", "The share rose to 5.5 percent."),
    ("Nobody likes the noise.", "Nobody likes the noise."),
    ("It is the most reliable printer.", "This is the most reliable printer."),
    ("If wet, the filament pops.", "The filament pops if it is wet."),
    ("Does the fan rattle?", "Does my fan rattle?"),
    ("The fan never rattles, and it is quiet.", "It is quiet, and the fan never rattles."),
    ("The caf\u00e9 is quiet.", "The caf\u00e9 is very quiet."),
    ("The Node.js build breaks.", "My Node.js build breaks."),
    ("The fan rattles \u2013 loudly.", "The fan rattles loudly."),
    ("The fan rattles\u2026 loudly.", "The fan rattles loudly."),
    ("1 user left it.", "1 user left it."),
    ("The price is .5 cents", "The price is .5 cents"),
]


@pytest.mark.parametrize(("text", "sentence"), KEPT)
def test_prose_that_one_cited_sentence_carries_is_released_unchanged(text: str, sentence: str) -> None:
    assert check(text, "Something else was written.", sentence) == Prose(text, "d1", frozenset())


REFUSED = [
    # characters and markup
    ("prose-character", None, CLOGS),
    ("prose-character", b"The nozzle clogs.", CLOGS),
    ("prose-character", type("S", (str,), {})("The nozzle clogs."), CLOGS),
    ("prose-character", "The nozzle\nclogs.", CLOGS),
    ("prose-character", "The nozzle\tclogs.", CLOGS),
    ("prose-character", "The nozzle \x1b[31mclogs.", CLOGS),
    ("prose-character", "The nozzle \u202eclogs.", CLOGS),
    ("prose-character", "The noz\u200bzle clogs.", CLOGS),
    ("prose-character", "The nozzle\u00a0clogs.", CLOGS),
    ("prose-character", "The nozzle clogs\ufe0f.", CLOGS),
    ("prose-character", "The nozzle clogs \ud800.", CLOGS),
    ("prose-character", "The cafe\u0301 clogs.", CLOGS),
    ("prose-markup", "The <b>nozzle</b> clogs.", CLOGS),
    ("prose-markup", "The nozzle clogs <!-- -->.", CLOGS),
    ("prose-markup", "The nozzle &lt; clogs.", CLOGS),
    ("prose-markup", "The nozzle &#60; clogs.", CLOGS),
    ("prose-markup", "The **nozzle** clogs.", CLOGS),
    ("prose-markup", "The _nozzle_ clogs.", CLOGS),
    ("prose-markup", "The `nozzle` clogs.", CLOGS),
    ("prose-markup", "The ~~nozzle~~ clogs.", CLOGS),
    ("prose-markup", "The nozzle clogs [1].", CLOGS),
    ("prose-markup", "The nozzle clogs [here](x).", CLOGS),
    ("prose-markup", "The nozzle clogs ![x](y).", CLOGS),
    ("prose-markup", "The nozzle | clogs.", CLOGS),
    ("prose-markup", "The nozzle \\ clogs.", CLOGS),
    ("prose-markup", "# The nozzle clogs", CLOGS),
    ("prose-markup", "> The nozzle clogs", CLOGS),
    ("prose-markup", "- The nozzle clogs", CLOGS),
    ("prose-markup", "1. The nozzle clogs", CLOGS),
    ("prose-markup", "The nozzle clogs {count}.", CLOGS),
    ("prose-markup", "The nozzle clogs {{count:accounts}}.", CLOGS),
    ("prose-markup", "{count:accounts}s say the nozzle clogs.", CLOGS),
    ("prose-markup", "x{count:accounts} say the nozzle clogs.", CLOGS),
    ("prose-markup", "{count:accounts}% say the nozzle clogs.", CLOGS),
    # addresses
    ("prose-url", "The nozzle clogs (https://evil.example/1).", CLOGS),
    ("prose-url", "The nozzle clogs: https://reviews.example/2", CLOGS),
    ("prose-url", "The nozzle clogs: https://reviews.example/", CLOGS),
    ("prose-url", "The nozzle clogs: http://reviews.example/1", CLOGS),
    ("prose-url", "The nozzle clogs: https://reviews.example/1/2", CLOGS),
    ("prose-url", "The nozzle clogs: https://reviews.example/1,https://evil.example/", CLOGS),
    ("prose-url", f"The nozzle clogs: http{chr(0x17F)}://reviews.example/1", CLOGS),
    ("prose-markup", "The nozzle clogs,https://reviews.example/1", CLOGS),
    ("prose-markup", "The nozzle clogs, ftp://reviews.example/1", CLOGS),
    ("prose-markup", "The nozzle clogs, //reviews.example/1", CLOGS),
    ("prose-markup", "The nozzle clogs, javascript:alert", CLOGS),
    ("prose-markup", "The nozzle clogs, mailto:ann@mail.example", CLOGS),
    ("prose-markup", "The nozzle clogs, see www.evil", CLOGS),
    ("prose-markup", "The nozzle clogs, see evil.com", "The nozzle clogs, see evil.com"),
    ("prose-markup", "The nozzle clogs, see reviews.example/1", CLOGS),
    ("prose-markup", "The nozzle clogs, see a.b.EVIL.co.uk.", CLOGS),
    # no content of its own
    ("no-content", "", CLOGS),
    ("no-content", " ", CLOGS),
    ("no-content", "...", CLOGS),
    ("no-content", "It is.", "It is."),
    ("no-content", "see above", "see above"),
    ("no-content", "See above.", CLOGS),
    ("no-content", "The nozzle clogs, as established.", CLOGS),
    ("no-content", "As mentioned, the nozzle clogs.", CLOGS),
    ("no-content", "Ditto.", CLOGS),
    ("no-content", "Users say so.", CLOGS),
    ("unrelated", "The display flickers.", CLOGS),
    ("unrelated", "Users find it great.", CLOGS),
    ("unrelated", "The nozzle poisons small children.", CLOGS),
    ("no-evidence", "The nozzle clogs."),
    # names and other tokens that are no plain words
    ("name-not-in-sentence", "The nozzle clogs with ABS.", CLOGS),
    ("name-not-in-sentence", "The Prusa nozzle clogs.", CLOGS),
    ("name-not-in-sentence", "Prusa nozzles clog.", CLOGS),
    ("name-not-in-sentence", "Printers clog with PETG.", CLOGS),
    ("name-not-in-sentence", "The nozzle clogs with Petg.", CLOGS),
    ("name-not-in-sentence", "The nozzle clogs, he said. Prusa agrees.", CLOGS),
    ("name-not-in-sentence", "The iFan nozzle clogs.", CLOGS),
    ("name-not-in-sentence", "Ann Smith said the fan rattles.", MIXED),
    ("name-not-in-sentence", "Lee Ann said the fan rattles.", MIXED),
    ("name-not-in-sentence", "Will Smith said the fan rattles.", MIXED),
    ("name-not-in-sentence", "Ann Lee Smith said the fan rattles.", MIXED),
    ("name-not-in-sentence", "The MK3 fan rattles.", MIXED),
    ("name-not-in-sentence", "The v2.0 fan rattles.", MIXED),
    ("name-not-in-sentence", "The fan rattles, says bob@mail.example.", MIXED),
    ("name-not-in-sentence", "The fan rattles, says ann.lee@mail.examples.", MIXED),
    ("name-not-in-sentence", "The fan rattles, says @annlee.", MIXED),
    ("name-not-in-sentence", "The fan rattles with resin/water.", MIXED),
    ("name-not-in-sentence", "The f\u0430n rattles after it.", "The fan rattles after it."),
    ("name-not-in-sentence", "The Node.js fan rattles.", MIXED),
    ("name-not-in-sentence", "The fan rattles at 11:30 \u2603.", "The fan rattles at 11:30."),
    ("name-not-in-sentence", "US says the fan rattles.", "They gave us the fan that rattles."),
    ("stitched", "The nozzle clogs, says Ann.", CLOGS, "Ann likes it."),
    ("stitched", "The nozzle clogs and warps.", CLOGS, "It warps."),
    # quoted strings
    ("quoted-not-in-sentence", 'Bob Smith said "the fan is loud".', MIXED),
    ("quoted-not-in-sentence", 'Bob Smith said "the fan rattled".', MIXED),
    ("quoted-not-in-sentence", 'Bob Smith said "the fan rattle".', MIXED),
    ("quoted-not-in-sentence", 'Bob Smith said "The fan rattles".', MIXED),
    ("quoted-not-in-sentence", "Bob Smith said \u201cthe  fan rattles\u201d.", MIXED),
    ("quoted-not-in-sentence", "Bob Smith said \u2018rattles the fan\u2019.", MIXED),
    ("quoted-not-in-sentence", "Bob Smith said 'rattles the fan'.", MIXED),
    ("quoted-not-in-sentence", "Bob Smith said \u00abrattles the fan\u00bb.", MIXED),
    ("quoted-not-in-sentence", 'Bob Smith said "" the fan rattles.', MIXED),
    ("half-quoted", 'Bob Smith said "the fan rattles.', MIXED),
    ("half-quoted", "Bob Smith said \u201cthe fan rattles.", MIXED),
    ("half-quoted", "Bob Smith said the fan rattles\u201d.", MIXED),
    ("half-quoted", "Bob Smith said \u2018it\u2019s the fan rattling.", MIXED),
    ("half-quoted", "Bob Smith said 'the fan rattles.", MIXED),
    # numbers, units and nouns
    ("number-not-in-sentence", "About 501 users paid, but it does not print quietly.", PAID),
    ("number-not-in-sentence", "500 users paid, but it does not print quietly.", PAID),
    ("number-not-in-sentence", "Over 500 users paid, but it does not print quietly.", PAID),
    ("number-not-in-sentence", "About 500 admins paid, but it does not print quietly.", PAID),
    ("number-not-in-sentence", "About 5 users paid, but it does not print quietly.", PAID),
    ("number-not-in-sentence", "About 500 printers, but it does not print quietly.", PAID),
    ("number-not-in-sentence", "About five hundred users paid, but it does not print quietly.", PAID),
    ("number-not-in-sentence", "About 500% paid, but it does not print quietly.", PAID),
    ("number-not-in-sentence", "Users paid $1,300, but it does not print quietly.", PAID),
    ("number-not-in-sentence", "Users paid 1,200, but it does not print quietly.", PAID),
    ("number-not-in-sentence", "Users paid $1,20, but it does not print quietly.", PAID),
    ("number-not-in-sentence", "Users got $1,200, but it does not print quietly.", PAID),
    ("number-not-in-sentence", "In April 2025 it does not print quietly.", PAID),
    ("number-not-in-sentence", "Since 2024 it does not print quietly.", PAID),
    ("number-not-in-sentence", "Since april 2024 it does not print quietly.", PAID),
    ("number-not-in-sentence", "The fan rattles loudly after 4 weeks of printing.", MIXED),
    ("number-not-in-sentence", "The fan rattles loudly after 3 days of printing.", MIXED),
    ("number-not-in-sentence", "The fan rattles loudly after 3 weeks.", MIXED),
    ("number-not-in-sentence", "The fan rattles with 5 kg of sand.", MIXED),
    ("number-not-in-sentence", "The fan rattles with 3 kg of resin.", MIXED),
    ("number-not-in-sentence", "The fan rattles at 10:31 with resin.", MIXED),
    ("number-not-in-sentence", "The team raised 3.", "The team raised 3 million."),
    ("number-not-in-sentence", "The team raised 3 million.", "The team raised 3."),
    ("number-not-in-sentence", "The team raised -3.", "The team raised 3."),
    ("number-not-in-sentence", "The team raised 3.", "The team raised -3."),
    ("number-not-in-sentence", "The price is 5 cents.", "The price is .5 cents."),
    ("number-not-in-sentence", "The price is 5 cents.", "The price is 0.5 cents."),
    ("number-not-in-sentence", "The price is \u0665 cents.", "The price is 5 cents."),
    ("number-not-in-sentence", "\u00bd of the users left.", "\u00bd of the prints left the users."),
    ("number-not-in-sentence", "1 000 users left.", "000 users left."),
    ("number-not-in-sentence", "Of the users 5 left.", "Of the 5, users left."),
    ("number-not-in-sentence", "Version 3 users left.", "Version 2 users left but 3 users came."),
    ("number-not-in-sentence", "More than 5 users left.", "Fewer than 5 users left, more came."),
    ("number-not-in-sentence", "Twenty-five users left.", "Twenty users left."),
    ("number-not-in-sentence", "5 percent of users left.", "5 percent of sales left to users."),
    ("number-not-in-sentence", "3 new admins left.", "3 new users left."),
    ("number-not-in-sentence", "The firm sold 3 big red round flat heavy chairs.", "The firm sold 3 big red round flat heavy tables."),
    ("number-not-in-sentence", "37 accounts say the nozzle clogs.", CLOGS),
    # quantifiers, frequency, comparison
    ("number-not-in-sentence", "Most users say the nozzle clogs.", CLOGS),
    ("number-not-in-sentence", "Many say the nozzle clogs.", CLOGS),
    ("number-not-in-sentence", "Several users say the nozzle clogs.", CLOGS),
    ("number-not-in-sentence", "A few users say the nozzle clogs.", CLOGS),
    ("number-not-in-sentence", "All nozzles clog.", CLOGS),
    ("number-not-in-sentence", "Everyone says the nozzle clogs.", CLOGS),
    ("number-not-in-sentence", "A majority says the nozzle clogs.", CLOGS),
    ("number-not-in-sentence", "A number of users say the nozzle clogs.", CLOGS),
    ("number-not-in-sentence", "Dozens say the nozzle clogs.", CLOGS),
    ("number-not-in-sentence", "Half say the nozzle clogs.", CLOGS),
    ("number-not-in-sentence", "Clogging doubled with PETG.", CLOGS),
    ("number-not-in-sentence", "The nozzle often clogs.", CLOGS),
    ("number-not-in-sentence", "The nozzle clogs twice.", CLOGS),
    ("number-not-in-sentence", "Only the nozzle clogs.", CLOGS),
    ("number-not-in-sentence", "The nozzle clogged yesterday.", CLOGS),
    ("number-not-in-sentence", "The nozzle is the worst when it clogs.", CLOGS),
    ("number-not-in-sentence", "The nozzle clogs faster with PETG.", CLOGS),
    ("number-not-in-sentence", "The nozzle clogs more.", CLOGS),
    ("number-not-in-sentence", "The new fan is louder.", "The fan is loud."),
    ("number-not-in-sentence", "The nastiest nozzle clogs.", CLOGS),
    ("number-not-in-sentence", "Every nozzle clogs.", CLOGS),
    ("number-not-in-sentence", "Most users left.", "Most prints left users angry."),
    ("number-not-in-sentence", "Most reported users left.", "Most reported prints left users angry."),
    ("number-not-in-sentence", "All using users left.", "All leaving users left."),
    ("number-not-in-sentence", "Nearly all users left.", "All users left."),
    ("number-not-in-sentence", "All users left.", "Nearly all users left."),
    ("number-not-in-sentence", "Everyone left.", "Not everyone left."),
    ("number-not-in-sentence", "Prices doubled.", "Sales doubled, prices fell."),
    # negation
    ("negation-differs", "The nozzle does not clog with PETG.", CLOGS),
    ("negation-differs", "The nozzle doesn't clog.", CLOGS),
    ("negation-differs", "The nozzle doesn\u2019t clog.", CLOGS),
    ("negation-differs", "The nozzle never clogs.", CLOGS),
    ("negation-differs", "No nozzle clogs.", CLOGS),
    ("negation-differs", "Nobody says the nozzle clogs.", CLOGS),
    ("negation-differs", "The nozzle clogs without PETG.", CLOGS),
    ("negation-differs", "It is false that the nozzle clogs.", CLOGS),
    ("negation-differs", "The nozzle hardly clogs.", CLOGS),
    ("negation-differs", "The nozzle dont clog.", CLOGS),
    ("negation-differs", "It prints quietly.", PAID),
    ("negation-differs", "Users did not pay, but it prints quietly.", PAID),
    ("negation-differs", "It does not print.", "It prints loudly, but it does not rattle."),
    ("negation-differs", "It rattles.", "It prints loudly, but it does not rattle."),
    ("negation-differs", "It does not print loudly, but it rattles.", "It prints loudly, but it does not rattle."),
    ("negation-differs", "Ann likes it.", "Ann never likes it."),
    ("negation-differs", "Ann never likes it.", "Ann likes it."),
    ("negation-differs", "The fan is not cheap.", "The fan is not loud."),
    ("negation-differs", "The print failed.", "The print came out."),
    ("negation-differs", "The print came out.", "The print failed to come out."),
    ("negation-differs", "It does not lack a fan.", "It has a fan."),
    # opposites
    ("opposite", "The fan is reliable.", "The fan is unreliable."),
    ("opposite", "The fan is unreliable.", "The fan is reliable."),
    ("opposite", "The fan is nonflammable.", "The fan is flammable."),
    ("opposite", "The fan is flammable.", "The fan is non-flammable."),
    ("opposite", "The cost rose.", "The cost fell."),
    ("opposite", "The costs increase.", "The cost decreased."),
    ("opposite", "The fan works.", "The fan broke, it is broken."),
    ("opposite", "The fan is good.", "The fan is bad."),
    ("opposite", "The fan is expensive.", "The fan is cheap."),
    ("opposite", "Users like the fan.", "Users dislike the fan."),
    ("opposite", "The fan is useful.", "The fan is useless."),
    ("opposite", "The paint is lead-free.", "The paint has lead."),
    ("opposite", "The paint has lead.", "The paint is lead-free."),
    ("opposite", "The fan is noiseless.", "The fan makes a noise."),
    # conditions
    ("condition-differs", "The fan leaks.", "If it drops, the fan leaks."),
    ("condition-differs", "The fan leaks.", "The fan may leak."),
    ("condition-differs", "The fan leaks.", "Does the fan leak?"),
    ("condition-differs", "The fan leaks.", "The fan allegedly leaks."),
    ("condition-differs", "The head of the firm left.", "The former head of the firm left."),
    ("condition-differs", "The fan leaks unless dry.", "The fan leaks when dry."),
    # language
    ("quotes-only", "Der L\u00fcfter rattert immer sehr laut.", "Der L\u00fcfter rattert immer sehr laut."),
    ("quotes-only", "Der Fan ist nicht laut.", "Der Fan ist laut."),
    ("quotes-only", "Le fan ne rattle pas.", "Le fan rattle."),
]


@pytest.mark.parametrize(("rule", "text", "sentences"), [(rule, text, sentences) for rule, text, *sentences in REFUSED])
def test_prose_that_says_more_or_other_than_one_cited_sentence_is_refused(rule: str, text: object, sentences: list[str]) -> None:
    assert rule_of(text, *sentences) == rule


def test_half_of_what_is_said_has_to_be_the_evidences_words() -> None:
    assert rule_of("The nozzle ruins furniture.", CLOGS) == "unrelated"
    assert rule_of("The nozzle ruins.", CLOGS) != "unrelated"


def test_six_words_without_a_mark_of_the_language_are_too_many() -> None:
    assert rule_of("Nozzle clogs nozzle clogs nozzle clogs", CLOGS) == "quotes-only"
    assert rule_of("Nozzle clogs nozzle clogs clogs", CLOGS) is None


def test_a_sentence_may_deny_more_than_the_claim_repeats() -> None:
    assert rule_of("The battery does not charge.", "The loud battery does not charge.") is None


def test_a_claim_says_as_much_negation_as_its_sentence() -> None:
    assert rule_of("The battery is good.", "The battery is good, but the screen is not.") == "negation-differs"
    assert (
        rule_of("The battery never fails, and it is not loud.", "It is not true that the loud battery never fails.") == "negation-differs"
    )


def test_a_name_that_opens_a_claim_keeps_its_capitals() -> None:
    assert rule_of("iPhone batteries fail early.", "The iphone batteries fail early.") == "name-not-in-sentence"
    assert rule_of("iPhone batteries fail early.", "The iPhone batteries fail early.") is None


@pytest.mark.parametrize("text", ["The cafe\u0301 is quiet.", "It is 5 \u212b wide.", "It is 5 \u212a warm."])
def test_prose_is_in_its_composed_form(text: str) -> None:
    assert rule_of(text, text) == "prose-character"


def test_what_only_says_that_it_is_a_text_or_a_number_is_none() -> None:
    assert rule_of(LyingStr(CLOGS), CLOGS) == "prose-character"
    with pytest.raises(ProseRefused, match="count-unknown"):
        check_prose("{count:accounts}.", [EvidenceSentence("d", CLOGS, None, URL)], {"accounts": LyingInt(3)}, POLICY)


def test_the_same_url_is_written_before_a_shorter_one_that_equals_it() -> None:
    long = URL + "?utm_source=x"
    evidence = [EvidenceSentence("d", CLOGS, None, url) for url in (URL, long)]
    assert check_prose(f"The nozzle clogs, see {long}.", evidence, COUNTS, POLICY).text.endswith(f" {long}.")


@pytest.mark.parametrize("language", ["de", "", "EN", "en-US", "zh"])
def test_in_a_language_without_lexicon_only_quotes_are_released(language: str) -> None:
    assert rule_of("The nozzle clogs.", CLOGS, language=language) == "quotes-only"


def test_facts_from_two_sentences_do_not_make_one_claim() -> None:
    one, other = "Ann bought a printer.", "The printer cost 500 dollars."
    assert rule_of("Ann bought a printer.", one, other) is None
    assert rule_of("The printer cost 500 dollars.", one, other) is None
    assert rule_of("Ann bought a printer that cost 500 dollars.", one, other) == "stitched"


def test_the_title_of_a_document_carries_nothing() -> None:
    evidence = [EvidenceSentence("d", "The fan rattles.", "Prusa MK4", None)]
    with pytest.raises(ProseRefused, match="name-not-in-sentence"):
        check_prose("The Prusa MK4 fan rattles.", evidence, {}, POLICY)


def test_the_rule_that_came_closest_to_being_kept_is_named() -> None:
    assert rule_of("The nozzle clogs 5 times.", "Nothing of this.", CLOGS, "Nozzle!") == "number-not-in-sentence"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("{count:accounts} report that the nozzle clogs.", "37 accounts report that the nozzle clogs."),
        ("{count:mentions} found that the nozzle clogs.", "1 mention found that the nozzle clogs."),
        ("{count:accounts} reported that the nozzle clogs.", "37 accounts reported that the nozzle clogs."),
        ("The nozzle clogs, {count:sources} say.", "The nozzle clogs, 2 sources say."),
        ("The nozzle clogs ({count:origins}).", "The nozzle clogs (5 distinct texts)."),
        ("The nozzle clogs, by {count:unknown_accounts}", "The nozzle clogs, by 0 mentions by unknown authors"),
        ("The nozzle clogs: {count:attested_accounts}.", "The nozzle clogs: 1 account that only a plugin vouches for."),
    ],
)
def test_a_count_is_written_by_the_kernel_with_its_own_noun(text: str, written: str) -> None:
    assert check(text, CLOGS) == Prose(written, "d0", frozenset({"counted"}))


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("count-unknown", "{count:people} say the nozzle clogs."),
        ("count-unknown", "{COUNT:ACCOUNTS} say the nozzle clogs."),
        ("prose-markup", "{count:accounts:all} say the nozzle clogs."),
        ("prose-markup", "{sum:accounts} say the nozzle clogs."),
        ("prose-markup", "{count: accounts} say the nozzle clogs."),
        ("count-place", "Over {count:accounts} say the nozzle clogs."),
        ("count-place", "About {count:accounts} say the nozzle clogs."),
        ("count-place", "At least {count:accounts} say the nozzle clogs."),
        ("count-place", "Not {count:accounts} say the nozzle clogs."),
        ("count-place", "Half of {count:accounts} say the nozzle clogs."),
        ("count-place", "Up to {count:accounts} say the nozzle clogs."),
        ("count-place", "12 {count:accounts} say the nozzle clogs."),
        ("count-place", "{count:accounts} {count:accounts} say the nozzle clogs."),
        ("count-place", "{count:accounts} percent say the nozzle clogs."),
        ("count-place", "{count:accounts} million say the nozzle clogs."),
        ("count-place", "{count:accounts} engineers say the nozzle clogs."),
        ("count-place", "{count:accounts} of the nozzles clog."),
        ("number-not-in-sentence", "{count:accounts} or more say the nozzle clogs."),
        ("no-content", "{count:accounts} say so."),
        ("unrelated", "{count:accounts} say the display flickers."),
        ("negation-differs", "{count:accounts} say the nozzle never clogs."),
    ],
)
def test_a_count_leaves_only_from_its_own_place(rule: str, text: str) -> None:
    assert rule_of(text, CLOGS) == rule


@pytest.mark.parametrize("size", [True, 2.0, "37", None, -1])
def test_a_size_that_is_no_exact_count_is_not_written(size: Any) -> None:
    with pytest.raises(ProseRefused, match="count-unknown"):
        check_prose("{count:accounts} say the nozzle clogs.", [EvidenceSentence("d", CLOGS, None, None)], {"accounts": size}, POLICY)


def test_a_set_without_a_noun_of_the_kernel_is_not_written() -> None:
    with pytest.raises(ProseRefused, match="count-unknown"):
        check_prose("{count:people} say the nozzle clogs.", [EvidenceSentence("d", CLOGS, None, None)], {"people": 3}, POLICY)


@pytest.mark.parametrize(
    ("text", "url", "written", "labels"),
    [
        (f"The nozzle clogs ({URL}).", URL, f"The nozzle clogs ({URL}).", set()),
        (f"The nozzle clogs: {URL}", URL, f"The nozzle clogs: {URL}", set()),
        (f"{URL} says the nozzle clogs.", URL, f"{URL} says the nozzle clogs.", set()),
        ("The nozzle clogs (HTTPS://Reviews.example/1).", URL, f"The nozzle clogs ({URL}).", {"url-canonical"}),
        (f"The nozzle clogs ({URL}?utm_source=openai).", URL, f"The nozzle clogs ({URL}).", {"url-tracking"}),
        ("It clogs (https://r.example/a_(b)).", "https://r.example/a_(b)", "It clogs (https://r.example/a_(b)).", set()),
        ("It clogs (https://r.example/a.).", "https://r.example/a.", "It clogs (https://r.example/a.).", set()),
        ("It clogs: http://wiki/a", "http://wiki/a", "It clogs: http://wiki/a", set()),
    ],
)
def test_a_url_in_prose_leaves_as_the_recorded_string(text: str, url: str, written: str, labels: set[str]) -> None:
    assert check(text, CLOGS, url=url) == Prose(written, "d0", frozenset(labels))


def test_the_same_recorded_string_is_written_before_an_equal_one() -> None:
    evidence = [EvidenceSentence("d", CLOGS, None, url) for url in (None, f"{URL}?utm_source=x", URL)]
    assert check_prose(f"The nozzle clogs ({URL}).", evidence, {}, POLICY).text == f"The nozzle clogs ({URL})."


def test_a_url_of_the_evidence_text_is_no_url_of_the_evidence() -> None:
    sentence = "The nozzle clogs, see https://evil.example/buy for more."
    assert rule_of("The nozzle clogs, see https://evil.example/buy.", sentence) == "prose-url"
    assert rule_of("The nozzle clogs, see https://evil.example/buy.", sentence, url=None) == "prose-url"


def test_nothing_in_a_claim_can_pass_for_what_the_kernel_wrote() -> None:
    assert rule_of("\0c say the nozzle clogs.", CLOGS) == "prose-character"
    assert rule_of("\0u says the nozzle clogs.", CLOGS) == "prose-character"


WORDS = st.sampled_from(["nozzle", "fan", "resin", "printer", "rattles", "leaks", "cable", "motor", "smells", "warps"])
SENTENCES = st.lists(WORDS, min_size=2, max_size=6, unique=True).map(lambda words: "The " + " ".join(words) + ".")
NAMES = st.text("abcdefgh", min_size=2, max_size=6).map(str.capitalize)
NUMBERS = st.integers(0, 10**6).map(str) | st.decimals(0, 999, places=1).map(str) | st.integers(1000, 10**7).map("{:,}".format)
HOSTS = st.text("abcdefgh", min_size=1, max_size=8)


@given(SENTENCES)
def test_a_sentence_supports_itself(sentence: str) -> None:
    assert rule_of(sentence, sentence) is None


@given(SENTENCES, NAMES, NUMBERS, HOSTS, st.data())
def test_a_name_number_address_or_quoted_string_that_is_not_in_the_sentence_is_refused(
    sentence: str, name: str, number: str, host: str, data: st.DataObject
) -> None:
    foreign = data.draw(
        st.sampled_from(
            [name, number, f"${number}", f"{number}%", f"https://{host}.example/", f"{host}@mail.example", f'"{host} zz"', f"{host}.js"]
        )
    )
    words = sentence.removesuffix(".").split()
    at = data.draw(st.integers(1, len(words)))
    assert rule_of(" ".join([*words[:at], foreign, *words[at:]]) + ".", sentence) is not None


@given(SENTENCES, st.sampled_from(sorted(LEXICON.anchors | LEXICON.negators | LEXICON.conditions | LEXICON.foreign)), st.data())
def test_a_quantifier_negation_or_condition_that_is_not_in_the_sentence_is_refused(sentence: str, word: str, data: st.DataObject) -> None:
    words = sentence.removesuffix(".").split()
    at = data.draw(st.integers(1, len(words)))
    longer = " ".join([*words[:at], word, *words[at:]]) + "."
    assert rule_of(longer, sentence) is not None
    if word in LEXICON.negators | LEXICON.conditions:
        assert rule_of(sentence, longer) is not None


@given(NUMBERS, NUMBERS, WORDS, WORDS)
def test_a_number_goes_with_its_own_noun(one: str, other: str, noun: str, other_noun: str) -> None:
    assume(one.replace(",", "") != other.replace(",", "") and noun != other_noun)
    sentence = f"They counted {one} {noun} and {other} {other_noun}."
    assert rule_of(f"They counted {one} {noun}.", sentence) is None
    assert rule_of(f"They counted {other} {noun}.", sentence) is not None
    assert rule_of(f"They counted {one} {other_noun}.", sentence) is not None


@given(st.lists(NAMES, min_size=4, max_size=4, unique=True))
def test_first_and_last_names_of_two_people_are_not_exchanged(names: list[str]) -> None:
    assume(not {name.lower() for name in names} & (LEXICON.openers | LEXICON.anchors))
    one, two, three, four = names
    sentence = f"We saw that {one} {two} and {three} {four} left the printer."
    assert rule_of(f"We saw that {one} {two} left the printer.", sentence) is None
    assert rule_of(f"We saw that {one} {four} left the printer.", sentence) == "name-not-in-sentence"


@given(st.sampled_from(LEXICON.opposites), st.booleans())
def test_a_word_is_not_exchanged_for_its_opposite(pair: tuple[str, str], turned: bool) -> None:
    one, other = reversed(pair) if turned else pair
    assert rule_of(f"The printer is {one} it.", f"The printer is {other} it.") is not None


@given(st.text(max_size=40))
def test_released_prose_is_the_proposed_text_and_holds_no_markup(text: str) -> None:
    try:
        found = check(text, text)
    except ProseRefused:
        return
    assert found.text == text
    assert not set(text) & set("<>[]{}`\\|*~^_\n\t")


@given(SENTENCES, st.text(st.characters(categories=["Cc", "Cf", "Zl", "Zp", "Co"]), min_size=1, max_size=2), st.integers(0, 5))
def test_a_control_or_invisible_character_anywhere_is_refused(sentence: str, hidden: str, at: int) -> None:
    assert rule_of(sentence[:at] + hidden + sentence[at:], sentence, sentence[:at] + hidden + sentence[at:]) == "prose-character"
