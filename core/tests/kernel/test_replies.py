"""The layouts of recorded replies: events, elements, URLs that are made of atoms."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.replies import Element, element_value, elements, event_data, expanded, is_composed

# --- events

LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r"])
DATA = st.text(st.characters(blacklist_characters="\r\n", blacklist_categories=["Cs"]), max_size=12)


@given(st.lists(st.lists(DATA, min_size=1, max_size=3), max_size=4), LINE_ENDS, st.booleans())
def test_the_data_of_each_event_comes_back_whatever_ends_its_lines(events: list[list[str]], end: str, mark: bool) -> None:
    said = [event for event in events if event != ["[DONE]"]]
    stream = "".join("".join(f"data: {line}{end}" for line in event) + end for event in events)
    assert ["\n".join(event) for event in said] == list(event_data("\ufeff" * mark + stream))


@given(st.lists(st.lists(DATA, min_size=1, max_size=3), min_size=1, max_size=4), st.integers(1, 12))
def test_an_event_that_was_cut_is_none(events: list[list[str]], cut: int) -> None:
    stream = "".join("".join(f"data: x{line}\n" for line in event) + "\n" for event in events)
    expected = ["\n".join(f"x{line}" for line in event) for event in events]
    found = list(event_data(stream[:-cut]))
    assert found == expected[: len(found)]
    assert len(found) < len(expected)


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        ("", []),
        ("data: a", []),
        ("data: a\n", []),
        ("data: a\n\n", ["a"]),
        ("data:a\n\n", ["a"]),
        ("data:  a\n\n", [" a"]),
        ("data\n\n", [""]),
        (": comment\n\n", []),
        ("event: ping\n\n", []),
        ("event: message\r\ndata: a\r\nid: 3\r\n\r\n", ["a"]),
        ("data: a\r\ndata: b\r\n\r\n", ["a\nb"]),
        ("data: a\rdata: b\r\r", ["a\nb"]),
        ("data: a\n\n\n\n\ndata: b\n\n", ["a", "b"]),
        ("\n\ndata: a\n\n", ["a"]),
        ("data: a\n\ndata: [DONE]\n\n", ["a"]),
        ("data: [DONE]\ndata: [DONE]\n\n", ["[DONE]\n[DONE]"]),
        ("DATA: a\n\n", []),
        (" data: a\n\n", []),
        ("data: a: b\n\n", ["a: b"]),
        ("data: a\u2028b\x0b\x85c\n\n", ["a\u2028b\x0b\x85c"]),
        ("\ufeff\ufeffdata: a\n\n", []),
    ],
)
def test_a_stream_is_read_as_the_standard_says(stream: str, expected: list[str]) -> None:
    assert expected == list(event_data(stream))


# --- elements


@dataclass
class Node:
    """An element, what it holds, and how it is written."""

    tag: str
    attributes: dict[str, str]
    inside: list[Node | str] = field(default_factory=list["Node | str"])

    def written(self) -> str:
        attributes = "".join(f' {name}="{html.escape(value)}"' for name, value in self.attributes.items())
        return f"<{self.tag}{attributes}>{self.inner()}</{self.tag}>"

    def inner(self) -> str:
        return "".join(each if isinstance(each, str) else each.written() for each in self.inside)

    def all(self) -> list[Node]:
        return [self, *(below for each in self.inside if isinstance(each, Node) for below in each.all())]


WORDS = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00\r"), max_size=8)
PLAIN = WORDS.map(html.escape)
ATTRIBUTES = st.dictionaries(st.sampled_from(["class", "href", "data-x"]), WORDS, max_size=2)
NODES: st.SearchStrategy[Node] = st.recursive(
    st.builds(Node, st.sampled_from(["a", "div", "b"]), ATTRIBUTES, st.lists(PLAIN, max_size=2)),
    lambda inner: st.builds(Node, st.sampled_from(["a", "div", "b"]), ATTRIBUTES, st.lists(PLAIN | inner, max_size=3)),
    max_leaves=8,
)


@given(st.lists(NODES | PLAIN, max_size=3))
def test_elements_come_in_the_order_of_their_start_tags_with_what_stands_inside(roots: list[Node | str]) -> None:
    source = "".join(each if isinstance(each, str) else each.written() for each in roots)
    nodes = [node for each in roots if isinstance(each, Node) for node in each.all()]
    found = elements(source)
    assert [(node.tag, node.attributes, node.inner()) for node in nodes] == [(each.tag, each.attributes, each.inside) for each in found]
    assert [number + len(node.all()) - 1 for number, node in enumerate(nodes)] == [each.last for each in found]
    for number, node in enumerate(nodes):
        assert node.inner() == element_value(found, str(number))
        assert node.attributes.get("href") == element_value(found, f"{number}@href")


@given(st.text("<>/ab =\"'!-?&;\n", max_size=60))
def test_any_source_is_read_and_what_stands_inside_is_a_part_of_it(source: str) -> None:
    found = elements(source)
    for number, each in enumerate(found):
        assert each.inside in source
        assert 0 <= each.begin <= each.end <= len(source)
        assert number <= each.last < len(found)


def outlines(source: str) -> list[tuple[str, str, int]]:
    return [(each.tag, each.inside, each.last) for each in elements(source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", []),
        ("no tags & no elements", []),
        ("<p>a<p>b", [("p", "a<p>b", 1), ("p", "b", 1)]),
        ("<div><b>a</div>b", [("div", "<b>a", 1), ("b", "a", 1)]),
        ("<br>a<br/>b", [("br", "", 0), ("br", "", 1)]),
        ("<div>a<img src=x>b</div>", [("div", "a<img src=x>b", 1), ("img", "", 1)]),
        ("<div/>a", [("div", "a", 0)]),
        ("</div><b>a</b></i>", [("b", "a", 0)]),
        ("<div><b>a</b></b>c</div>d", [("div", "<b>a</b></b>c", 1), ("b", "a", 1)]),
        ("<b>1</b><b>2</b>", [("b", "1", 0), ("b", "2", 1)]),
        ("<DIV>a</Div>", [("div", "a", 0)]),
        ("<b>a\n<i\n>b</i>\r\n</b>", [("b", "a\n<i\n>b</i>\r\n", 1), ("i", "b", 1)]),
        ("<script>if (a<b) '<i>'</script><i>c</i>", [("script", "if (a<b) '<i>'", 0), ("i", "c", 1)]),
        ("<!-- <b>x</b> --><b>y</b>", [("b", "y", 0)]),
        ("<b>é🏆\n優</b><i>x</i>", [("b", "é🏆\n優", 0), ("i", "x", 1)]),
    ],
)
def test_a_source_is_read_without_mending_it(source: str, expected: list[tuple[str, str, int]]) -> None:
    assert expected == outlines(source)


def test_character_references_in_attributes_are_resolved_and_those_inside_are_kept() -> None:
    (link,) = elements('<a href="?a=1&amp;b=2" hidden>Ben &amp; Jerry</a>')
    assert ({"href": "?a=1&b=2", "hidden": ""}, "Ben &amp; Jerry") == (link.attributes, link.inside)


@pytest.mark.parametrize("words", ["&", "&;", "&#", "&#;", "&#x", "&#xg;", "a &# b;", "&amp", "&#38", "&#38;", "&copy;&", "&#" + "1" * 9])
def test_whatever_follows_an_ampersand_ends_neither_the_page_nor_an_element(words: str) -> None:
    """The parser once stopped at a `&#` that is no reference, and the element that was open held all the rest of the page."""
    assert [("b", words, 0), ("i", "after", 1)] == outlines(f"<b>{words}</b><i>after</i>")


def test_of_two_attributes_of_one_name_the_first_counts() -> None:
    assert {"href": "first"} == elements("<a href=first href=second>")[0].attributes


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [("0", "a<br>"), ("1", ""), ("0@href", "x"), ("0@hidden", ""), ("0@title", None), ("2", None), ("2@href", None), ("9999999", None)],
)
def test_a_pointer_leads_to_an_element_or_an_attribute_or_nowhere(pointer: str, expected: str | None) -> None:
    assert expected == element_value(elements("<a href=x hidden>a<br></a>"), pointer)


@pytest.mark.parametrize(
    "pointer", ["", "-1", "00", "01", "1.0", "0@", "@href", "0@HREF", "0@a b", "0/1", "x", "10000000", "0@href\n", "٣"]
)
def test_what_is_no_pointer_into_a_page_is_refused(pointer: str) -> None:
    with pytest.raises(ValueError, match="pointer"):
        element_value([Element("a", {}, "", 0, 0, 0)], pointer)


def test_an_element_is_shown_without_the_whole_page() -> None:
    assert "Element(tag='b', attributes={'id': 'x'}, begin=10, end=14, last=0)" == repr(elements('<b id="x">many</b> words')[0])


def test_a_page_of_nested_elements_and_stray_end_tags_costs_no_more_than_it_is_long() -> None:
    """Each element once held a copy of all that stood inside it, and each stray end tag looked at every open element."""
    depth = 20_000
    page = elements("<b>" * depth + "</i>" * depth)
    assert (depth, depth - 1) == (len(page), page[0].last)
    assert {id(page[0].source)} == {id(each.source) for each in page}


@pytest.mark.parametrize("unfinished", ["<a ", "<a x='", "<!--", "</a ", "<![CDATA[", "<?", "<!"])
def test_a_tag_that_the_source_ends_in_is_none_and_costs_no_more_than_it_is_long(unfinished: str) -> None:
    """Each of these once was read to the end of the source anew: hours for a page of some hundred kilobytes."""
    assert ["b"] == [each.tag for each in elements("<b>before</b>" + unfinished * 100_000)]


# --- URLs

PARAMETER = "?uddg={3@href}"
URLS = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=30).map("https://example.org/{}".format)


@given(URLS, st.sampled_from([quote, quote_plus]), st.sampled_from(["//duckduckgo.com/l/", "https://duckduckgo.com/l/", ""]))
def test_the_parameter_of_a_link_comes_back_as_it_went_in(url: str, written: Callable[[str], str], start: str) -> None:
    link = f"{start}?rut=abc&uddg={written(url)}&other=1#part"
    assert url == expanded(PARAMETER, {"3@href": link}.get)


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        (None, None),
        ("", None),
        ("https://example.org/", None),
        ("?uddg=", None),
        ("?uddgx=a", None),
        ("#?uddg=a", None),
        ("?uddg=a&uddg=b", "a"),
        ("?uddg=a+b%2Bc", "a b+c"),
        ("?x=1;uddg=a", None),
        ("?uddg=a%3Fuddg%3Db", "a?uddg=b"),
    ],
)
def test_a_parameter_that_is_not_there_is_no_url(link: str | None, expected: str | None) -> None:
    assert expected == expanded(PARAMETER, {"3@href": link}.get)


@pytest.mark.parametrize("link", ["?uddg=https%3A%2F%2Fexample.org%2F%FF", "http://[::1?uddg=a"])
def test_a_link_that_cannot_be_read_exactly_is_refused(link: str) -> None:
    with pytest.raises(ValueError):
        expanded(PARAMETER, {"3@href": link}.get)


TEMPLATE = "https://host.example/{/a/id}/item?id={/a/id}&part={/b}"


def test_a_template_takes_each_slot_from_its_pointer() -> None:
    assert "https://host.example/x_1/item?id=x_1&part=2-B" == expanded(TEMPLATE, {"/a/id": "x_1", "/b": "2-B"}.get)


@given(st.text(max_size=10))
def test_no_value_of_a_slot_leads_to_another_host_or_part(value: str) -> None:
    try:
        url = expanded("https://host.example/item?id={/id}&x=1", {"/id": value}.get)
    except ValueError:
        return
    assert f"https://host.example/item?id={value}&x=1" == url
    assert value.isascii()
    assert value.replace("-", "").replace("_", "").isalnum() or set(value) <= {"-", "_"}


@pytest.mark.parametrize("value", ["", "a/b", "a.b", "@evil.example", "a&b", "a#b", "a b", "a\n", "é", "a" * 129, "%2e", "{x}"])
def test_a_slot_holds_letters_digits_underscore_and_hyphen_alone(value: str) -> None:
    with pytest.raises(ValueError, match="slot"):
        expanded("https://{/id}.example/", {"/id": value}.get)


def test_a_template_without_one_of_its_atoms_is_no_url() -> None:
    assert None is expanded(TEMPLATE, {"/a/id": "1"}.get)


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("/results/0/url", False),
        ("", False),
        ("3@href", False),
        ("url", False),
        ("http://h/{x}", True),
        ("https://h/{x}", True),
        ("?u={x}", True),
    ],
)
def test_templates_and_parameters_are_told_from_pointers(pointer: str, expected: bool) -> None:
    assert expected == is_composed(pointer)
