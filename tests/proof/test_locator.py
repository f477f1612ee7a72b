"""The oracle can say no, and the proof sees a locator that lies or loses quotes."""

from __future__ import annotations

from typing import Any

import pytest
from veridical.kernel.quotes import Confirmed
from veridical.locate.find import Located, Miss

from tests.proof import locator
from tests.proof.oracle import levels, plainly_sound, same_words, torn, words_enough


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("It is slow.", "It is slow."), ("It is  \n> slow", "It is slow"), ("isn\u2019t \u201cgreat\u201d", "isn't \"great\""),
        ("the informa-\ntion", "the information"), ("well-\nknown", "well-known"), ("a\u00adb c", "ab c"), ("ab c", "a\u200bb c"),
        ("o\ufb03cial", "official"), ("official", "o\ufb03cial"), ("no\u2026", "no..."), ("cafe\u0301", "caf\u00e9"), ("ABC", "\uff21BC"),
        ("the end", "The end"), ("it is NOT so", "it is not so"), ("AT&T", "AT&amp;T"), ("it works", "... it works ..."),
        ("it works", " it works\n"), ("I \u2764\ufe0f it", "I \u2764 it"), ("was", "\uff37as"),
    ],
)  # fmt: skip
def test_what_a_fold_passes_over_is_the_same_words(source: str, quote: str) -> None:
    assert same_words(source, quote)


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("It is slow.", "It is low."), ("therapist", "the rapist"), ("re-sign", "resign"), ("caf\u00e9", "cafe"), ("5 ms", "6 ms"),
        ("it is not so", "it is so"), ("a b", "ab"), ("a, b", "a b"), ("one. two", "one two"), ("a b c", "a ... c"), ("abc", "\u0430bc"),
        ("it is slow", "it IS slow now"), ("He said", "he Said"), ("x\u00b2", "x2"), ("\U0001f1e9\U0001f1ea", "\U0001f1e8\U0001f1ea"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\U0001f469"), ("\u96fb\u6c60", "\u96fb"),
        ("\u0e44\u0e21\u0e48\u0e14\u0e35", "\u0e14\u0e35"),
        ("\U0001f3f4\U000e0067\U000e0062\U000e007f", "\U0001f3f4"), ("a-b", "a b"), ("$5", "\u20ac5"), ("5 - 3", "5 + 3"), ("", "x"),
    ],
)  # fmt: skip
def test_everything_else_is_other_words(source: str, quote: str) -> None:
    assert not same_words(source, quote)


@pytest.mark.parametrize("marked", ["un|usable", "12|019", "e|\u0301", "us\u00ad|able", "\U0001f468|\u200d\U0001f469", "\u0e01|\u0e33"])
def test_a_cut_inside_of_something_is_torn(marked: str) -> None:
    at = marked.index("|")
    assert torn(marked.replace("|", ""), at)
    assert not plainly_sound(marked.replace("|", ""), at)


@pytest.mark.parametrize("marked", ["plain |words here", "plain| words here", "\u96fb\u6c60|\u304c\u3059\u3050", "|all", "all|"])
def test_a_cut_between_plain_words_is_sound(marked: str) -> None:
    at = marked.index("|")
    assert plainly_sound(marked.replace("|", ""), at)
    assert not torn(marked.replace("|", ""), at)


def test_depths_of_quotation_are_counted() -> None:
    assert [1, 1, 2, 2] == [levels(text, 0, len(text)) for text in ("a\nb", "> a\n> b", "a\n> b", "> > a\n> b")]


def test_few_words_are_not_surely_enough() -> None:
    assert [False, True, True] == [words_enough(text) for text in ("one two three", "one two three four", "\u96fb\u6c60\u304c" * 3)]


def test_a_draw_follows_from_its_seed_and_number() -> None:
    assert locator.draw(1, 7) == locator.draw(1, 7) != locator.draw(1, 8)


def _outcomes(numbers: int = 150) -> dict[str, int]:
    return dict(locator._share(5, range(numbers))[0])


def test_the_locator_as_it_is_holds() -> None:
    found = _outcomes()
    assert (0, 0) == (found.get("wrong", 0), found.get("lost", 0))
    assert found["due"] > 3


def test_a_locator_that_gives_neighbouring_spans_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    real = locator.locate

    def off_by_a_word(text: str, quote: str, **options: Any) -> Located | Miss:
        found = real(text, quote, **options)
        if isinstance(found, Miss):
            return found
        end = text.find(" ", found.end + 1)
        return Located(Confirmed("exact", found.start, end if end > 0 else found.end, (), (), (0, 1)), 1)

    monkeypatch.setattr(locator, "locate", off_by_a_word)
    assert _outcomes()["wrong"] > 10


def test_a_kernel_that_does_not_compare_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veridical.kernel.quotes.compare", lambda *_: frozenset())
    assert _outcomes()["wrong"] > 10


def test_a_kernel_that_cuts_anywhere_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veridical.kernel.quotes.fault", lambda *_: None)
    assert _outcomes(600)["wrong"] > 3


def test_a_locator_that_finds_nothing_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locator, "locate", lambda *_, **__: Miss("not-found"))
    assert _outcomes()["lost"] > 3
