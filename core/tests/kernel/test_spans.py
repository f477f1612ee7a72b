"""Spans are converted exactly from their unit, or refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.policy import load_policy
from veridical.kernel.spans import SpanError, overlap, to_codepoints, union
from veridical.kernel.texts import known_rule

from core.tests.kernel.lying import LyingInt, LyingStr

POLICY = load_policy()
TEXT = "na\u00efve caf\u00e9 \U0001f600 is slow"


class Number(int):
    pass


class Name(str):
    __slots__ = ()


@pytest.mark.parametrize(("start", "end", "unit"), [(13, 20, "codepoint"), (18, 25, "utf8"), (14, 21, "utf16")])
def test_one_place_has_one_span_in_each_unit(start: int, end: int, unit: str) -> None:
    assert to_codepoints(TEXT, start, end, unit, policy=POLICY) == (13, 20)
    assert to_codepoints(TEXT, start, end, unit, policy=POLICY, expected="is slow") == (13, 20)


@pytest.mark.parametrize(
    ("text", "span", "expected", "rule"),
    [
        (TEXT, (18, 25, "codepoint"), "is slow", "span-outside"),
        (TEXT, (0, 7, "codepoint"), "is slow", "span-text-differs"),
        (TEXT, (12, 19, "codepoint"), "is slow", "span-text-differs"),
        (TEXT, (0, 4, "codepoint"), "nai\u0308v", "span-text-differs"),
        (TEXT, (0, 4, "codepoint"), 4, "span-text-differs"),
        (TEXT, (13, 20, "codepoint"), Name("is slow"), "span-text-differs"),
        (TEXT, (3, 6, "utf8"), None, "inside-character"),
        (TEXT, (0, 3, "utf8"), None, "inside-character"),
        (TEXT, (12, 14, "utf16"), None, "inside-character"),
        (TEXT, (0, 12, "utf16"), None, "inside-character"),
        (TEXT, (4, 4, "codepoint"), None, "span-empty"),
        (TEXT, (4, 4, "utf8"), None, "span-empty"),
        (TEXT, (5, 4, "codepoint"), None, "span-empty"),
        (TEXT, (-3, 4, "codepoint"), None, "span-empty"),
        (TEXT, (-3, -1, "utf8"), None, "span-empty"),
        (TEXT, (0, 9999, "codepoint"), None, "span-outside"),
        (TEXT, (0, 26, "utf8"), None, "span-outside"),
        (TEXT, (0, 22, "utf16"), None, "span-outside"),
        (TEXT, (True, 5, "codepoint"), None, "span-type"),
        (TEXT, (0, True, "codepoint"), None, "span-type"),
        (TEXT, (0, None, "utf8"), None, "span-type"),
        (TEXT, (0.0, 5, "codepoint"), None, "span-type"),
        (TEXT, ("0", "5", "codepoint"), None, "span-type"),
        (TEXT, (0, Number(5), "codepoint"), None, "span-type"),
        (TEXT, (0, 5, "tokens"), None, "span-unit"),
        (TEXT, (0, 5, None), None, "span-unit"),
        (TEXT, (0, 5, Name("codepoint")), None, "span-unit"),
        (TEXT, (0, 5, Name("utf8")), None, "span-unit"),
        (TEXT, (0, 5, ["utf8"]), None, "span-unit"),
        ("cafe\u0301 ok", (0, 4, "codepoint"), "cafe", "inside-grapheme"),
        ("cafe\u0301 ok", (4, 6, "codepoint"), None, "inside-grapheme"),
        ("a\r\nb", (0, 2, "utf8"), None, "inside-grapheme"),
        ("Hello world", (1, 6, "codepoint"), "Hello", "span-text-differs"),
        ("Hi\nyo\nworld", (8, 13, "codepoint"), "world", "span-outside"),
        ("Hello world", (-1, 5, "codepoint"), None, "span-empty"),
        ("Hello world", (LyingInt(0), 5, "codepoint"), None, "span-type"),
        ("Hello world", (0, LyingInt(5), "codepoint"), None, "span-type"),
        ("Hello world", (0, 5, LyingStr("codepoint")), None, "span-unit"),
        ("Hello world", (0, 5, LyingStr("utf8")), None, "span-unit"),
        ("Hello world", (0, 5, "codepoint"), LyingStr("Hello"), "span-text-differs"),
    ],
)
def test_what_is_not_exactly_a_span_of_this_text_is_refused(
    text: str, span: tuple[object, object, object], expected: object, rule: str
) -> None:
    with pytest.raises(SpanError) as error:
        to_codepoints(text, *span, policy=POLICY, expected=expected)
    assert error.value.rule == rule
    assert known_rule(rule)


@given(st.text(st.sampled_from("a\u00e9\u0301\U0001f600\u96fb "), min_size=1), st.data())
def test_every_unit_names_the_same_characters_as_python_does(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    spans = {
        "codepoint": (start, end),
        "utf8": (len(text[:start].encode()), len(text[:end].encode())),
        "utf16": (len(text[:start].encode("utf-16-le")) // 2, len(text[:end].encode("utf-16-le")) // 2),
    }
    found: set[object] = set()
    for unit, (first, last) in spans.items():
        try:
            found.add(to_codepoints(text, first, last, unit, policy=POLICY, expected=text[start:end]))
        except SpanError as error:
            found.add(error.rule)
    assert found in ({(start, end)}, {"inside-grapheme"})


def test_a_text_that_cannot_be_encoded_has_no_spans_in_bytes() -> None:
    with pytest.raises(UnicodeEncodeError):
        to_codepoints("a\ud83d b", 0, 1, "utf8", policy=POLICY)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((0, 10), (10, 20), False),
        ((10, 20), (0, 10), False),
        ((0, 4), (6, 8), False),
        ((0, 10), (9, 20), True),
        ((9, 20), (0, 10), True),
        ((0, 9), (3, 4), True),
        ((3, 4), (0, 9), True),
    ],
)
def test_touching_is_not_overlapping(one: tuple[int, int], other: tuple[int, int], expected: bool) -> None:
    assert overlap(one, other) is expected


@pytest.mark.parametrize(
    ("spans", "expected", "labels"),
    [
        ([(4, 10), (0, 6)], ((0, 6), (4, 10)), {"overlap"}),
        ([(0, 4), (0, 4)], ((0, 4),), {"deduplicated"}),
        ([(0, 4), (4, 8)], ((0, 4), (4, 8)), set[str]()),
        ([(0, 9), (0, 9), (3, 4)], ((0, 9), (3, 4)), {"deduplicated", "overlap"}),
        ([], (), set[str]()),
    ],
)
def test_a_union_counts_each_span_once(spans: list[tuple[int, int]], expected: tuple[tuple[int, int], ...], labels: set[str]) -> None:
    assert union(spans) == (expected, labels)
