"""A report as plain text for a terminal of a given width. No colours, no control characters, no escape sequences.

The quoted part of a sentence stands between `⟦` and `⟧`, which no words of a source contain once they are visible;
the sentences around it stand in parentheses.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from veridical_contract import MARKER, Answer, Citation, Claim, Quote, Refusal, Report, Theme

from . import words

__all__ = ["render_text", "wrapped"]

_NARROWEST = 40


def render_text(report: Report, *, width: int) -> str:
    """Return the report as text.

    Args:
        report: what a run released.
        width: columns of the terminal; less than 40 counts as 40.
    """
    width = max(width, _NARROWEST)
    sources = words.by_document(report)
    lines = [*wrapped(report.query, width), ""]
    if report.refusal is not None:
        lines += _refusal(report.refusal, width)
    for number, theme in enumerate(report.themes, 1):
        lines += _theme(number, theme, sources, width)
    for answer in report.answers:
        lines += _answer(answer, sources, width)
    if report.citations:
        lines += ["Sources", *(line for citation in report.citations for line in _source(citation, width)), ""]
    lines += ["How this was made", *(line for fact in words.account_lines(report) for line in wrapped(fact, width, "  "))]
    lines += ["", *wrapped(words.proof_words(), width), "", f"{MARKER} {report.format}"]
    return "\n".join(lines) + "\n"


def wrapped(text: str, width: int, indent: str = "", first: str | None = None) -> list[str]:
    """Return the visible words of `text` in lines of at most `width` columns, an East Asian wide character taking two.

    Args:
        text: any words; line feeds count as spaces.
        width: columns.
        indent: before every line.
        first: before the first line, instead of `indent`.
    """
    return _filled(words.visible_line(text), width, indent, indent if first is None else first)


def _filled(text: str, width: int, indent: str, first: str) -> list[str]:
    lines, line, used = list[str](), first, 0
    room = width - len(indent)
    for word in text.split(" "):
        for piece in _broken(word, room):
            columns = _columns(piece)
            if used and used + 1 + columns > room:
                lines.append(line)
                line, used = indent, 0
            line, used = (f"{line} {piece}", used + 1 + columns) if used else (f"{line}{piece}", columns)
    return [*lines, line]


def _broken(word: str, room: int) -> Iterable[str]:
    """Yield `word` in pieces of at most `room` columns."""
    if _columns(word) <= room:
        yield word
        return
    piece, used = "", 0
    for char in word:
        columns = _columns(char)
        if used + columns > room:
            yield piece
            piece, used = "", 0
        piece, used = piece + char, used + columns
    yield piece


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _theme(number: int, theme: Theme, sources: dict[str, Citation], width: int) -> list[str]:
    name = theme.name.text + (" (named by a model)" if theme.name.wording == "model" else "")
    lines = [*wrapped(name, width, "   ", f"{number}. "), *wrapped(words.counts_line(theme.counts), width, "   "), ""]
    for claim in theme.claims:
        lines += _claim(claim, sources, width)
    return lines


def _claim(claim: Claim, sources: dict[str, Citation], width: int) -> list[str]:
    lines: list[str] = []
    own = words.own_words(claim)
    if own is not None:
        lines += [*wrapped(own, width, "   "), *wrapped(f"({words.ATTACHED})", width, "   "), ""]
    for quote in claim.quotes:
        lines += _quote(quote, sources[quote.span.document], width)
    return lines


def _quote(quote: Quote, citation: Citation, width: int) -> list[str]:
    found = words.marked(quote)
    before, quoted, after = (words.visible(part) for part in (found.before, found.quoted, found.after))
    near = [f"({words.visible(text)})" if text else "" for text in (words.context(quote.before), words.context(quote.after))]
    whole = " ".join(part for part in (near[0], f"{before}⟦{quoted}⟧{after}", near[1]) if part)
    lines = _filled(words.one_line(whole), width, "   ", "   ")
    where = f"— [{citation.number}] {words.place_words(citation, quote.line)}"
    headings = "".join(f" / {heading.text}" for heading in quote.headings)
    lines += wrapped(where + headings, width, "       ", "     ")
    remark = words.note(quote)
    return [*lines, *(wrapped(f"Note: {remark}.", width, "       ") if remark else []), ""]


def _answer(answer: Answer, sources: dict[str, Citation], width: int) -> list[str]:
    lines = wrapped(answer.question, width, "   ", "?  ")
    if answer.status == "unaddressed":
        return [*lines, *wrapped(f"Unaddressed: {answer.reason}", width, "   "), ""]
    lines.append("")
    for claim in answer.claims:
        lines += _claim(claim, sources, width)
    return lines


def _refusal(refusal: Refusal, width: int) -> list[str]:
    lines = [*wrapped(f"No answer. {refusal.text}", width), ""]
    if refusal.tried:
        tried = (line for step in refusal.tried for line in wrapped(f"{step.what}: {step.count}", width, "    ", "  - "))
        lines += ["What was tried:", *tried, ""]
    if refusal.help:
        lines += ["What would help:", *(line for step in refusal.help for line in wrapped(step, width, "    ", "  - ")), ""]
    return lines


def _source(citation: Citation, width: int) -> list[str]:
    facts = ". ".join(words.source_facts(citation)) + (f". {citation.url}" if citation.url is not None else ".")
    return wrapped(facts, width, "     ", f"[{citation.number}]".rjust(4) + " ")
