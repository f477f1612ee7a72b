"""A report as one HTML page: no script, nothing loaded from elsewhere, every word of a source escaped.

The page's content security policy allows its own style sheet by hash and nothing else. The only outward links are those of citations.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape as escape_html

from veridical_contract import MARKER, Answer, Citation, Claim, Quote, Refusal, Report, Theme

from . import words

__all__ = ["render_html"]

_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.55 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { line-height: 1.25; }
h2 { margin-top: 2.5rem; }
blockquote { margin: 1.2rem 0; padding: 0 0 0 1rem; border-left: 3px solid #8888; }
blockquote p { margin: 0; white-space: pre-line; }
mark { background: #ffe08a; color: #000; }
.near { opacity: .6; }
.counts, footer, .note { font-size: .875rem; opacity: .8; }
li { margin: .35rem 0; }
:target { outline: 2px solid #ffb000; }
"""
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{b64encode(sha256(_STYLE.encode()).digest()).decode()}'; base-uri 'none'; form-action 'none'"
)


def render_html(report: Report) -> str:
    """Return the report as a self-contained page; a meta element in its head carries the export marker."""
    sources = words.by_document(report)
    title = _line(report.query)
    body = [f'<h1 dir="auto">{title}</h1>']
    if report.refusal is not None:
        body.append(_refusal(report.refusal))
    body += [_theme(number, theme, sources) for number, theme in enumerate(report.themes, 1)]
    if report.answers:
        body.append("<h2>Questions to address</h2>")
        body += [_answer(answer, sources) for answer in report.answers]
    if report.citations:
        body.append(f"<h2>Sources</h2>\n<ol>\n{_joined(_source(citation) for citation in report.citations)}\n</ol>")
    body.append(f"<h2>How this was made</h2>\n{_list(words.account_lines(report))}")
    body.append(f"<h2>What is proved, and what is not</h2>\n<p>{_line(words.proof_words())}</p>")
    body.append("<p>This page proves nothing by itself: <code>veridical verify</code> checks the bundle that it came with.</p>")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="{MARKER}" content="{_line(report.format)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{_STYLE}</style>
</head>
<body>
{_joined(body)}
</body>
</html>
"""


def _text(text: str) -> str:
    return escape_html(words.visible(text), quote=True)


def _line(text: str) -> str:
    return escape_html(words.visible_line(text), quote=True)


def _joined(parts: Iterable[str]) -> str:
    return "\n".join(parts)


def _list(lines: Iterable[str]) -> str:
    return f"<ul>\n{_joined(f'<li>{_line(line)}</li>' for line in lines)}\n</ul>"


def _theme(number: int, theme: Theme, sources: dict[str, Citation]) -> str:
    named = " <small>(named by a model)</small>" if theme.name.wording == "model" else ""
    return _joined(
        [
            f'<section>\n<h2 dir="auto">{number}. {_line(theme.name.text)}{named}</h2>',
            f'<p class="counts">{_line(words.counts_line(theme.counts))}.</p>',
            *(_claim(claim, sources) for claim in theme.claims),
            "</section>",
        ]
    )


def _claim(claim: Claim, sources: dict[str, Citation]) -> str:
    quotes = _joined(_quote(quote, sources[quote.span.document]) for quote in claim.quotes)
    own = words.own_words(claim)
    if own is None:
        return quotes
    return f'<p dir="auto">{_line(own)}</p>\n<p class="note">{_line(words.ATTACHED)}</p>\n{quotes}'


def _quote(quote: Quote, citation: Citation) -> str:
    found = words.marked(quote)
    before, after = (_near(words.context(span)) for span in (quote.before, quote.after))
    sentence = f"{_text(found.before)}<mark>{_text(found.quoted)}</mark>{_text(found.after)}"
    headings = "".join(f" / {_line(heading.text)}" for heading in quote.headings)
    where = _line(words.place_words(citation, quote.line))
    remark = words.note(quote)
    return f"""<blockquote>
<p dir="auto">{" ".join(part for part in (before, sentence, after) if part)}</p>
<footer><a href="#source-{citation.number}">source {citation.number}</a>, {where}{headings}
{f"<br>Note: {_line(remark)}." if remark else ""}</footer>
</blockquote>"""


def _near(text: str) -> str:
    return f'<span class="near">{_line(text)}</span>' if text else ""


def _answer(answer: Answer, sources: dict[str, Citation]) -> str:
    question = f'<h3 dir="auto">{_line(answer.question)}</h3>'
    if answer.status == "unaddressed":
        return f"{question}\n<p>Unaddressed: {_line(answer.reason or '')}</p>"
    return _joined([question, *(_claim(claim, sources) for claim in answer.claims)])


def _refusal(refusal: Refusal) -> str:
    parts = [f"<p><strong>No answer.</strong> {_line(refusal.text)}</p>"]
    if refusal.tried:
        parts.append(f"<p>What was tried:</p>\n{_list(f'{step.what}: {step.count}' for step in refusal.tried)}")
    if refusal.help:
        parts.append(f"<p>What would help:</p>\n{_list(refusal.help)}")
    return _joined(parts)


def _source(citation: Citation) -> str:
    facts = ". ".join(_line(fact) for fact in words.source_facts(citation))
    destination = words.link(citation.url)
    href = (
        "" if destination is None else f' <a rel="noopener noreferrer nofollow" href="{_line(destination)}">{_line(citation.url or "")}</a>'
    )
    return f'<li id="source-{citation.number}" value="{citation.number}" dir="auto">{facts}.{href}</li>'
