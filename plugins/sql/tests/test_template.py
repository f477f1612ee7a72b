"""URLs of rows: whatever stands in a column, it fills its slot and nothing else."""

from __future__ import annotations

from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.policy import load_policy
from veridical.kernel.urls import UrlRefused, admit_url
from veridical_sql._template import UrlTemplate

POLICY = load_policy()
TEMPLATE = "https://tickets.example.com/t/{id}/comments?by={who}&sort=new#top"


def test_a_slot_takes_the_value_of_its_column() -> None:
    assert "https://tickets.example.com/t/47-11/comments?by=ann&sort=new#top" == UrlTemplate(TEMPLATE).filled({"id": "47-11", "who": "ann"})


def test_slots_may_be_parts_of_a_segment_and_stand_twice() -> None:
    template = UrlTemplate("https://wiki.example.com/page-{id}.html?rev={id}")
    assert ("id",) == template.columns
    assert "https://wiki.example.com/page-7.html?rev=7" == template.filled({"id": "7"})


@given(number=st.text(), who=st.text())
def test_no_value_chooses_another_place(number: str, who: str) -> None:
    filled = UrlTemplate(TEMPLATE).filled({"id": number, "who": who})
    if filled == TEMPLATE:
        with pytest.raises(UrlRefused):
            admit_url(filled, policy=POLICY)
        return
    parts = urlsplit(admit_url(filled, policy=POLICY))
    assert ("https", "tickets.example.com", "top") == (parts.scheme, parts.netloc, parts.fragment)
    assert ["", "t", number, "comments"] == [unquote(segment) for segment in parts.path.split("/")]
    assert [("by", who), ("sort", "new")] == parse_qsl(parts.query.replace("+", "%2B"), keep_blank_values=True)


@pytest.mark.parametrize("value", [None, "", " ", ".", "..", "a\nb", "\x00", "\x7f", "\udc80"])
def test_what_names_no_page_leaves_a_template_that_the_host_refuses(value: str | None) -> None:
    template = UrlTemplate("https://tickets.example.com/t/{id}")
    assert "https://tickets.example.com/t/{id}" == template.filled({"id": value})


@pytest.mark.parametrize(
    "template",
    [
        "https://{host}.example.com/t/1",
        "https://example.com{path}",
        "https://example.com:{port}/t",
        "{url}",
        "{scheme}://example.com/t",
        "ftp://example.com/{id}",
        "https://user@example.com/{id}",
        "https://example.com/t",
        "https://example.com/t/{id",
        "https://example.com/t/id}",
        "https://example.com/t/{}",
        "https://example.com/t/{{id}}",
        "https://example.com/t?{name}=1",
        "https://example.com/t?a=1&{name}",
        "https://example.com/t#{id}",
        "https://example.com/t/{id}#{id}",
        "",
    ],
)
def test_a_slot_that_could_choose_a_place_is_refused(template: str) -> None:
    with pytest.raises(ValueError, match="url_template"):
        UrlTemplate(template)
