"""What is seen in the bytes of a page, in which encoding, what it is about, and that the kernel takes all of it."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.admission import AdmissionRefused
from veridical.kernel.exit import Reread
from veridical.kernel.policy import load_policy
from veridical.locate.projection import project
from veridical.wire.fetching import FetchRefused, Limits, Page, admit_page
from veridical.wire.fetching.exchange import Reply
from veridical.wire.fetching.main_text import outline
from veridical.wire.fetching.page import read_page
from veridical.wire.reading import Reader
from veridical_contract import Grades

from core.tests.wire.conftest import make_pdf

from .kit import START

URL = "https://a.example.com/page"


def page(body: bytes | str, kind: str = "text/html", *, url: str = URL, limits: Limits | None = None) -> Page:
    data = body.encode() if isinstance(body, str) else body
    return read_page(url, (), url, Reply(200, {"content-type": [kind]}, data), retrieved=START, limits=limits or Limits())


def text(body: bytes | str, kind: str = "text/html") -> str:
    (part,) = page(body, kind).parts
    return part.text


def rule(body: bytes | str, kind: str, **more: object) -> str:
    with pytest.raises(FetchRefused) as caught:
        page(body, kind, **more)  # pyright: ignore[reportArgumentType]
    return caught.value.rule


def main(html: str) -> list[str]:
    found = outline(html)
    return [found.text[start:end] for start, end in found.main]


# Types


@pytest.mark.parametrize("kind", ["text/html", "TEXT/HTML; charset=utf-8", "application/xhtml+xml"])
def test_html_is_what_a_reader_sees(kind: str) -> None:
    assert "Tom & Ann\n\x1ewrote it." == text("<title>T</title><p>Tom &amp; <b>Ann</b></p><script>no()</script><p>wrote it.", kind)


@pytest.mark.parametrize("kind", ["text/plain", "application/json", "application/ld+json; charset=utf-8", "text/json"])
def test_text_and_json_are_kept_as_they_are_written(kind: str) -> None:
    source = '{"a": "<b>5 &lt; 6</b>\\n"}'
    (part,) = page(source, kind).parts
    assert (source, (), ((0, len(source)),)) == (part.text, part.runs, part.main)


def test_a_pdf_is_a_part_for_each_page_with_text() -> None:
    found = page(
        make_pdf([(72, 700, 12, b"The first page says this.")], [], [(72, 700, 12, b"The third page says that.")]), "application/pdf"
    )
    assert [(1, "The first page says this."), (3, "The third page says that.")] == [(part.number, part.text) for part in found.parts]
    assert ("", None) == (found.encoding, found.title)


@pytest.mark.parametrize(
    "kind", ["", "image/png", "application/octet-stream", "text/css", "text/html-sandboxed", "application/jsonp", "multipart/mixed"]
)
def test_other_types_are_not_read(kind: str) -> None:
    assert "content-type" == rule("<p>x</p>", kind)


def test_a_page_of_two_types_has_none() -> None:
    reply = Reply(200, {"content-type": ["text/html", "text/plain"]}, b"x")
    with pytest.raises(FetchRefused, match="neither HTML"):
        read_page(URL, (), URL, reply, retrieved=START, limits=Limits())


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"%PDF-1.7 no", "application/pdf"),
        (make_pdf([]), "application/pdf"),
        (b"a\0b", "text/html"),
    ],
)
def test_what_cannot_be_read_is_said_so(body: bytes, kind: str) -> None:
    assert "unreadable" == rule(body, kind)


def test_a_pdf_may_have_no_more_pages_than_the_limit() -> None:
    two = make_pdf(*[[(72, 700, 12, b"A page with some words.")]] * 2)
    assert 2 == len(page(two, "application/pdf", limits=Limits(pages=2)).parts)
    assert "unreadable" == rule(two, "application/pdf", limits=Limits(pages=1))


def test_html_may_be_no_larger_than_its_limit() -> None:
    small = Limits(markup=10)
    assert "body-size" == rule("<p>12345678", "text/html", limits=small)
    assert "1234567" == page("<p>1234567", limits=small).parts[0].text
    assert "<p>12345678" == page("<p>12345678", "text/plain", limits=small).parts[0].text


def test_a_page_says_where_its_bytes_came_from() -> None:
    found = page("<title> A \n <b>title</b></title><p>x")
    assert (URL, URL, hashlib.sha256(found.body).hexdigest(), START) == (found.asked, found.url, found.digest, found.retrieved)
    assert "A" == found.title
    assert None is page("<p>x").title


# Encodings


@pytest.mark.parametrize(
    ("body", "kind", "encoding"),
    [
        ("é".encode(), "text/html", "utf-8"),
        ("\ufeffé".encode(), "text/html; charset=koi8-r", "utf-8-sig"),
        ("é".encode("utf-16"), "text/html; charset=utf-8", "utf-16"),
        ("é".encode("utf-16-le"), "text/plain; charset=utf-16", "utf-16-le"),
        ("жук".encode("koi8-r"), "text/html; charset=koi8-r", "koi8-r"),
        ("жук".encode("koi8-r"), 'text/html; charset="KOI8-R"', "koi8-r"),
        ('<meta charset="koi8-r">жук'.encode("koi8-r"), "text/html", "koi8-r"),
        ('<meta charset="koi8-r">жук'.encode("cp1251"), "text/html; charset=windows-1251", "cp1251"),
        ('<meta charset="koi8-r">жук'.encode("koi8-r"), "text/html; charset=utf-8", "koi8-r"),
        ("é".encode(), "text/html; charset=iso-8859-1", "utf-8"),
        ("é".encode("latin-1"), "text/html; charset=iso-8859-1", "cp1252"),
        ("é".encode(), "text/html; charset=nonsense", "utf-8"),
        ("é".encode(), "text/html; charset=undefined", "utf-8"),
        (b"+AGE-", "text/html; charset=utf-7", "utf-8"),
        ("é".encode(), "text/plain; charset=unicode_escape", "utf-8"),
        ('<meta charset="koi8-r">é'.encode(), "text/plain", "utf-8"),
    ],
)
def test_the_encoding_is_what_mark_header_page_and_bytes_say_in_this_order(body: bytes, kind: str, encoding: str) -> None:
    assert encoding == page(body, kind).encoding


def test_nothing_is_ever_replaced() -> None:
    assert "Ω" == text("Ω".encode("cp1253"), "text/plain; charset=windows-1253")
    assert "\ufffd" not in text("<p>d\xe9j\xe0 vu, ce n\u2019est pas fini, voil\xe0".encode("cp1252"))


# What a page is about


ARTICLE = """
<html><head><title>Batteries</title></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/all">All of our very many stories, one after the other, day by day</a></li></ul></nav>
<article><h1>Batteries die</h1>
<p>The battery of the printer died after a week of use, as many of its owners say.</p>
<h2>Why they do</h2>
<p>Short.</p>
<p>The firmware keeps the radio awake at night, which empties it in a few hours.</p></article>
<aside><p>Subscribe to our letter, which comes once a week and tells you everything about batteries.</p></aside>
<footer>Copyright by the people who made this page, all rights reserved, in all countries.</footer></body></html>
"""


def test_main_text_is_what_a_page_is_about() -> None:
    (found,) = main(ARTICLE)
    assert found.startswith("Batteries die")
    assert found.endswith("in a few hours.")
    assert "Why they do" in found
    assert "Short." in found


def test_a_page_without_sentences_is_main_text_as_a_whole() -> None:
    assert ["One\n\x1eTwo"] == main("<ul><li>One</li><li>Two</li></ul>")
    assert [] == main("<script>x</script>")


def test_what_stands_aside_between_two_parts_keeps_them_apart() -> None:
    sentence = "The battery of the printer died after a week of use, they say."
    first, second = main(f"<p>{sentence}</p><aside>Advertisement</aside><p>{sentence}</p>")
    assert (sentence, sentence) == (first, second)


def test_links_are_not_sentences_however_many_words_they_have() -> None:
    link = "<a href=/x>The ten best ways to save the battery of your printer</a>"
    sentence = "The battery of the printer died after a week of use, they say."
    assert [sentence] == main(f"<div>{link}</div><div>{link}{link}</div><div>{sentence}</div><div>{link}</div>")


def test_a_header_within_an_article_belongs_to_it() -> None:
    inside = "<article><header><h1>Batteries die</h1></header><p>The battery died after a week of use, they all say.</p></article>"
    assert ["Batteries die\n\x1eThe battery died after a week of use, they all say."] == main(
        f"<header><h1>The Daily</h1></header>{inside}"
    )


def test_a_comment_after_the_article_is_left_out_where_the_article_is_most_of_it() -> None:
    long = "The battery of the printer died after a week of use, and nobody knows why."
    (found,) = main(f"<main><p>{long}</p><p>{long}</p></main><p>Somebody says that this is not so, again.</p>")
    assert "Somebody" not in found


TAGS = ("p", "a", "nav", "article", "header", "aside", "form", "li", "s", "h1", "script", "blockquote", "table", "td", "div")
MARKUP = st.lists(
    st.sampled_from([f"<{slash}{name}>" for name in TAGS for slash in ("", "/")] + ["&amp;", "&", "<", "<br>", "<!--", "-->"])
    | st.text("abc .,é\u4e00\n", max_size=12),
    max_size=40,
).map("".join)


@given(MARKUP)
def test_every_span_of_main_text_is_a_stretch_of_the_whole(source: str) -> None:
    found = outline(source)
    seen = project(source, "html")
    assert (seen.text, seen.runs) == (found.text, found.runs)
    last = 0
    for start, end in found.main:
        assert last <= start < end <= len(found.text)
        last = end
    assert bool(found.main) == bool(found.text)


# Admission


def test_text_and_url_of_a_page_are_held() -> None:
    (admission,) = admit_page(page(ARTICLE), origin="web", policy=load_policy())
    document = admission.document
    assert Grades(text="held", url="held") == document.grades
    assert (URL, URL, "fetch", "web", "text/html/1") == (
        document.url,
        document.locator.container,
        document.plugin,
        document.origin,
        document.extractor,
    )
    assert "2026-11-22T12:00:00Z" == document.retrieved
    assert () == admission.dropped


def test_a_page_of_a_pdf_is_a_document() -> None:
    made = make_pdf([(72, 700, 12, b"The first page says this.")], [(72, 700, 12, b"The second page says that.")])
    found = [admission.document for admission in admit_page(page(made, "application/pdf"), origin="web", policy=load_policy())]
    assert [(1, "The first page says this."), (2, "The second page says that.")] == [(one.locator.page, one.text) for one in found]


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "[::1]:8080", "wiki.corp", "[::1]"])
def test_a_page_of_a_listed_host_keeps_its_url(host: str) -> None:
    url = f"http://{host}/page"
    (admission,) = admit_page(page(ARTICLE, url=url), origin="web", policy=load_policy(), hosts=frozenset([host]))
    assert url == admission.document.url


def test_a_page_that_shows_nothing_is_no_evidence() -> None:
    with pytest.raises(AdmissionRefused, match="no-text"):
        list(admit_page(page("<script>render()</script>"), origin="web", policy=load_policy()))


@given(MARKUP, st.sampled_from(["utf-8", "utf-16", "gb18030"]))
def test_whatever_a_page_holds_the_kernel_confirms_and_the_exit_reads_again(source: str, encoding: str) -> None:
    found = page(source.encode(encoding), f"text/html; charset={encoding}")
    if not found.parts[0].text.strip():
        return
    (admission,) = admit_page(found, origin="web", policy=load_policy())
    again: Reread = Reader().reread(admission.document, found.body)
    assert (found.parts[0].text, tuple(found.parts[0].runs)) == (again.text, tuple(again.runs))
