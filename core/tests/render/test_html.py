"""HTML: one page, nothing loaded, nothing run, nothing of a source alive."""

from __future__ import annotations

import base64
import hashlib

from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser
from veridical.render import render_html, visible

from .test_markdown import HOSTILE, NASTY

ALLOWED = {
    *("html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "section", "p", "blockquote", "mark", "span", "footer", "a"),
    *("br", "ol", "ul", "li", "small", "strong", "code", "-comment", "-text", "-doctype"),
}


@given(text=NASTY | st.sampled_from([*HOSTILE, '"><script>', "' onload='x"]))
def test_no_word_of_a_source_becomes_markup(make, text):
    quote = make("quote", text, text or "x", text, before=make("span", text), headings=[make("span", text)], labels=[text])
    report = make(
        "report",
        query=text,
        themes=[make("theme", make("claim", quote, wording="model", support="attached", text=text, template=text))],
        citations=[
            make("citation", url="https://good.example/a?b=1&c=(2)", title=text, locator={"container": text}, origin=text, witness="wire")
        ],
        inputs=[{"path": text, "sha256": None, "size": 1, "status": "unreadable", "reason": {"origin": "files", "text": text}}],
    )
    page = LexborHTMLParser(render_html(report))
    tags = [node.tag for node in page.root.traverse(include_text=False)]
    assert set(tags) <= ALLOWED
    assert [node.attributes["href"] for node in page.css("[href]")] == ["#source-1", "https://good.example/a?b=1&c=(2)"]
    assert page.css("[src], [onload], [onerror], script, link, img, iframe, form") == []
    assert page.css_first("mark").text() == visible(text or "x")
    assert "".join(page.css_first("h1").text().split()) == "".join(visible(text).split())


def test_the_page_carries_the_marker_and_allows_only_its_own_style(make):
    text = render_html(make("report"))
    page = LexborHTMLParser(text)
    assert page.css_first('meta[name="veridical-export"]').attributes["content"] == "veridical.report/1"
    policy = page.css_first('meta[http-equiv="Content-Security-Policy"]').attributes["content"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    style = text.split("<style>")[1].split("</style>")[0]
    assert base64.b64encode(hashlib.sha256(style.encode()).digest()).decode() in policy
    assert "It does not prove that the words are true, independent, complete or fairly chosen." in text


def test_answers_and_refusals_are_shown(make):
    answers = [
        {"question": "Is it slow?", "status": "unaddressed", "claims": [], "reason": "No sentence."},
        {"question": "Is it hard?", "status": "answered", "claims": [make("claim", make("quote"), id="c2")], "reason": None},
    ]
    text = render_html(make("report", answers=answers))
    assert "Unaddressed: No sentence." in text
    assert text.count("<mark>the words</mark>") == 2
    refused = {"code": "no-evidence", "text": "Nothing.", "tried": [{"what": "documents", "count": 3}], "help": ["Name files."]}
    text = render_html(make("report", outcome="refused", themes=[], citations=[], refusal=refused))
    assert "<strong>No answer.</strong> Nothing." in text
    assert "<li>documents: 3</li>" in text
    assert "<li>Name files.</li>" in text
    bare = {**refused, "tried": [], "help": []}
    assert "What was tried" not in render_html(make("report", outcome="refused", themes=[], citations=[], refusal=bare))


def test_a_url_that_is_not_http_is_no_link(make):
    text = render_html(make("report", citations=[make("citation", url="javascript:alert(1)")]))
    assert "javascript" not in text
