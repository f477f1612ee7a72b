"""A report as Markdown (CommonMark; safe with the extensions of GitHub too).

Words of a source are text and nothing else: every character that could open markup, a list, an autolink or a reference is escaped.
The only links are those of citations.
"""

from __future__ import annotations

from veridical_contract import MARKER, Answer, Citation, Claim, Quote, Refusal, Report, Theme

from . import words

__all__ = ["escape", "escape_line", "render_markdown"]

_ALWAYS = frozenset("\\`*_{}[]<>#|~&^$")
_AT_LINE_START = frozenset("-+=:")


def render_markdown(report: Report) -> str:
    """Return the report as Markdown; its first line carries the export marker as a comment."""
    sources = words.by_document(report)
    lines = [f"<!-- {MARKER} {report.format} -->", "", f"# {escape_line(report.query)}", ""]
    if report.refusal is not None:
        lines += _refusal(report.refusal)
    for number, theme in enumerate(report.themes, 1):
        lines += _theme(number, theme, sources)
    if report.answers:
        lines += ["## Questions to address", ""]
        for answer in report.answers:
            lines += _answer(answer, sources)
    if report.citations:
        lines += ["## Sources", ""]
        lines += [_source(citation) for citation in report.citations]
        lines.append("")
    lines += _account(report)
    return "\n".join(lines) + "\n"


def escape(text: str, prefix: str = "") -> str:
    """Return `text` as Markdown that renders as exactly its visible characters; line feeds become hard breaks.

    Args:
        text: any words.
        prefix: what each further line starts with, `> ` in a block quote.
    """
    return "".join(_escaped(words.visible(text), prefix))


def escape_line(text: str) -> str:
    """Return `text` as Markdown on one line."""
    return "".join(_escaped(words.visible_line(text), ""))


def _escaped(text: str, prefix: str) -> list[str]:
    """Return one piece of Markdown per character of `text`."""
    pieces = [_piece(text, at, prefix) for at in range(len(text))]
    for edge in (0, -1) if pieces else ():
        if text[edge].isspace():
            pieces[edge] = _reference(text[edge])
    return pieces


def _piece(text: str, at: int, prefix: str) -> str:
    char = text[at]
    if char == "\n":
        return f"\\\n{prefix}"
    if char == "@":
        # Some programs link addresses and accounts after they have resolved escapes; never inside code.
        return "`" * (text[at - 1 : at] != "@") + "@" + "`" * (text[at + 1 : at + 2] != "@")
    return f"\\{char}" if _opens(char, text, at) else char


def _opens(char: str, text: str, at: int) -> bool:
    if char in _ALWAYS:
        return True
    after = text[at + 1 : at + 2]
    if char in _AT_LINE_START and not text[:at].rpartition("\n")[2].strip():
        return True
    if char == ":":
        return after.isalnum() or after == "/"
    return (char == "." and after.isalnum()) or (char in ".)" and text[at - 1 : at].isdigit())


def _reference(char: str) -> str:
    return f"&#{ord(char)};"


def _marked(quote: Quote, prefix: str) -> str:
    found = words.marked(quote)
    before, quoted, after = (words.visible(part) for part in (found.before, found.quoted, found.after))
    head, middle, tail = (_escaped(part, prefix) for part in (before, quoted, after))
    # `**` next to a letter opens or closes only before or after a letter; a character reference counts as punctuation.
    if before and before[-1] != "@" and not before[-1].isspace() and not quoted[:1].isalnum():
        head[-1] = _reference(before[-1])
    elif before and before[-1].isspace():
        head[-1] = _piece(before, len(before) - 1, prefix)
    if after and after[0] != "@" and not after[0].isspace() and not quoted[-1:].isalnum():
        tail[0] = _reference(after[0])
    elif after and after[0].isspace():
        tail[0] = _piece(after, 0, prefix)
    return f"{''.join(head)}**{''.join(middle)}**{''.join(tail)}"


def _theme(number: int, theme: Theme, sources: dict[str, Citation]) -> list[str]:
    name = escape_line(theme.name.text) + (" (named by a model)" if theme.name.wording == "model" else "")
    lines = [f"## {number}. {name}", "", f"{words.counts_line(theme.counts)}.", ""]
    for claim in theme.claims:
        lines += _claim(claim, sources)
    return lines


def _claim(claim: Claim, sources: dict[str, Citation]) -> list[str]:
    lines: list[str] = []
    own = words.own_words(claim)
    if own is not None:
        lines += [escape_line(own), "", f"*{words.ATTACHED}*", ""]
    for quote in claim.quotes:
        lines += _quote(quote, sources)
    return lines


def _quote(quote: Quote, sources: dict[str, Citation]) -> list[str]:
    citation = sources[quote.span.document]
    parts = [_muted(words.context(quote.before)), _marked(quote, "> "), _muted(words.context(quote.after))]
    lines = [f"> {' '.join(part for part in parts if part)}", ">"]
    where = escape_line(words.place_words(citation, quote.line))
    headings = " / ".join(escape_line(heading.text) for heading in quote.headings)
    lines.append(f"> — source {citation.number}, {where}{f', under {headings}' if headings else ''}")
    remark = words.note(quote)
    return [*lines, ">", f"> Note: {escape_line(remark)}.", ""] if remark else [*lines, ""]


def _muted(text: str) -> str:
    return f"*{escape_line(text)}*" if text else ""


def _answer(answer: Answer, sources: dict[str, Citation]) -> list[str]:
    lines = [f"### {escape_line(answer.question)}", ""]
    if answer.status == "unaddressed":
        return [*lines, f"Unaddressed: {escape_line(answer.reason or '')}", ""]
    for claim in answer.claims:
        lines += _claim(claim, sources)
    return lines


def _refusal(refusal: Refusal) -> list[str]:
    lines = [f"**No answer.** {escape_line(refusal.text)}", ""]
    if refusal.tried:
        lines += ["What was tried:", "", *(f"- {escape_line(step.what)}: {step.count}" for step in refusal.tried), ""]
    if refusal.help:
        lines += ["What would help:", "", *(f"- {escape_line(step)}" for step in refusal.help), ""]
    return lines


def _source(citation: Citation) -> str:
    line = f"{citation.number}. {'. '.join(escape_line(fact) for fact in words.source_facts(citation))}."
    destination = words.link(citation.url)
    if citation.url is None or destination is None:
        return line
    return f"{line} [{escape_line(citation.url)}](<{destination.replace('&', '&amp;')}>)"


def _account(report: Report) -> list[str]:
    lines = ["## How this was made", ""]
    lines += [f"- {escape_line(line)}" for line in words.account_lines(report)]
    return [*lines, "", "## What is proved, and what is not", "", escape_line(words.proof_words()), ""]
