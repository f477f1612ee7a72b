"""What `--fix` does to a draft: altered quotations get the evidence's own words, everything else that is an error gets a visible mark.

    Finding -> edit_for: an edit, encoded for the draft's format (Markdown escapes, HTML entities); the draft's quotation marks stay
    edits   -> fixed: the draft's text with all of them, and the export marker at its end: a copy is no evidence

Where the draft's markup begins inside a quotation and ends outside of it, nothing is replaced: the mark is put there instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape as escape_html
from typing import Final, Literal, TypeAlias

from veridical_contract import CHECK_FORMAT, MARKER, Edit, Finding, FindingVerdict, Span

from veridical.drafts import Draft, DraftFormat, Piece
from veridical.render.markdown import escape_line
from veridical.render.words import visible_line

__all__ = ["edit_for", "fixed"]

_MARKS: Final[dict[FindingVerdict, str]] = {
    "altered": "differs from the evidence",
    "misattributed": "in the evidence, but from another source",
    "stitched": "put together from parts of the evidence",
    "not-found": "not found in the evidence",
    "needs-document": "not found in the evidence",
    "not-shown": "cited document not in the evidence",
    "too-short": "too short to be looked for",
    "clipped": "cut so that it says something else",
    "exact": "quoted there from somebody else",
    "located": "quoted there from somebody else",
}
_OTHER_ADDRESS: Final = "leads to another address"
_CLOSING: Final = re.compile(
    r"[,.;:!?]*(?:[\"\u201d\u201c\u2019\u2018'\u00bb\u00ab\u203a\u2039\u300d\u300f]|&(?:quot|[lr]dquo|[lr]squo|[lr]aquo|[lr]saquo|#\w+);|</q\s*>)",
    re.IGNORECASE,
)
_LINK_END: Final = re.compile(r">?(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^)]*\)))?\s*\)")
_LINK_AFTER: Final = re.compile(r"\]\((?:(?!\]\()[^\n])*\)")
_DEFINITION: Final = re.compile(r"[ >]*\[[^\]]+\]:\s*<?\Z")
_ANCHOR_END: Final = re.compile(r"</a\s*>", re.IGNORECASE)
_TAG: Final = re.compile(r"<(/?)([a-z][\w-]*)[^>]*?(/?)>", re.IGNORECASE)
_PAIRED: Final = re.compile(r"\\.|\*+|_+|`+|~~|\[|\]", re.DOTALL)
_BLANK_LINE: Final = re.compile(r"(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)")
_PARAGRAPH: Final = 4_000
_TAG_FIRST: Final = re.compile(r"[ \t>]*<[a-z/!?]", re.IGNORECASE)
_MARKDOWN: Final = re.compile(r"[\\`*_~|\[\]#]")
_Written: TypeAlias = Literal["markdown", "html", "text", "both"]
_VOID: Final = frozenset({"br", "img", "wbr", "hr", "input"})


def edit_for(draft: Draft, piece: Piece, verdict: FindingVerdict, instead: Span | None) -> Edit:
    """Return what is done about an error.

    Args:
        draft: that holds the piece.
        piece: that is in error.
        verdict: on it.
        instead: the evidence's words to put in its place.
    """
    if instead is not None and _is_balanced(draft.text[piece.start : piece.end], draft.format):
        words = _encoded(_within(" ".join(instead.text.split()), draft.text[piece.end : piece.end + 1]), _written(draft, piece.start))
        return _edit(draft, piece.start, piece.end, words, replaces=True)
    at, before = _outside(draft, *_behind(draft, piece))
    said = _OTHER_ADDRESS if piece.kind == "url" and verdict == "misattributed" else _MARKS.get(verdict, _MARKS["not-found"])
    return _edit(draft, at, at, f"{before}{_mark(said, _written(draft, at))}", replaces=False)


def fixed(draft: Draft, findings: Iterable[Finding]) -> str:
    """Return the draft's text with the edits of its findings; none of them overlap."""
    parts: list[str] = []
    at = 0
    for edit in sorted((one.fix for one in findings if one.fix is not None), key=lambda edit: (edit.start, edit.end)):
        parts += [draft.text[at : edit.start], edit.text]
        at = edit.end
    text = "".join([*parts, draft.text[at:]])
    ending = "\r\n" if "\r\n" in draft.text else "\n"
    marker = MARKER if draft.format == "text" else f"<!-- {MARKER} {CHECK_FORMAT} -->"
    return f"{text.rstrip()}{ending}{ending}{marker}{ending}"


def _edit(draft: Draft, start: int, end: int, text: str, *, replaces: bool) -> Edit:
    (line, column), (end_line, end_column) = draft.place(start), draft.place(end)
    return Edit(start=start, end=end, line=line, column=column, end_line=end_line, end_column=end_column, text=text, replaces=replaces)


def _written(draft: Draft, at: int) -> _Written:
    """How a draft is written there: a paragraph of Markdown that begins with a tag may be HTML, or both."""
    if draft.format != "markdown":
        return draft.format
    blank = max((found.end() for found in _BLANK_LINE.finditer(draft.text, max(0, at - _PARAGRAPH), at)), default=max(0, at - _PARAGRAPH))
    return "both" if _TAG_FIRST.match(draft.text, blank) is not None else "markdown"


def _outside(draft: Draft, at: int, before: str) -> tuple[int, str]:
    """Move a place that lies within a quotation behind it: a mark there would become a part of what is quoted."""
    quotes = (piece for piece in draft.pieces if piece.kind == "quote" and piece.start < at)
    # The whole quotation may be the text of the link: then its mark of quotation closes behind the link.
    around = next((piece for piece in quotes if at <= piece.end or _LINK_AFTER.fullmatch(draft.text, piece.end, at)), None)
    if around is None:
        return at, before
    if at <= around.end:
        return _behind(draft, around)
    closing = _CLOSING.match(draft.text, at)
    return (closing.end() if closing is not None else at), before


def _encoded(words: str, form: _Written) -> str:
    if form == "both":
        return _MARKDOWN.sub(lambda found: f"&#{ord(found[0])};", escape_html(visible_line(words), quote=False))
    if form == "markdown":
        return escape_line(words)
    return escape_html(visible_line(words), quote=False) if form == "html" else visible_line(words)


def _within(words: str, closing: str) -> str:
    """The words with straight quotation marks made round where one would end the quotation."""
    if closing != '"':
        return words
    return re.sub(r'(?<![^\s(\[])"', "\u201c", words).replace('"', "\u201d")


def _mark(words: str, form: _Written) -> str:
    if form == "text":
        return f"[{words.upper()}]"
    return f"**\\[{words}\\]**" if form == "markdown" else f"<mark>[{words}]</mark>"


def _behind(draft: Draft, piece: Piece) -> tuple[int, str]:
    """Where a mark is put, and what comes before it."""
    if piece.kind == "quote":
        closing = _CLOSING.match(draft.text, piece.end)
        return (closing.end() if closing is not None else piece.end), " "
    if piece.kind == "url" and draft.format == "markdown":
        return _behind_markdown_link(draft.text, piece)
    if draft.format == "html":
        return _behind_tag(draft.text, piece.end), " "
    return piece.end, " "


def _behind_markdown_link(text: str, piece: Piece) -> tuple[int, str]:
    line = text.rfind("\n", 0, piece.start) + 1
    if _DEFINITION.match(text[line : piece.start]) is not None:
        end = text.find("\n", piece.end)
        return (len(text) if end < 0 else end - (text[end - 1] == "\r")), "\n\n"
    if re.search(r"\]\(\s*<?\Z", text[line : piece.start]) is not None:
        closing = _LINK_END.match(text, piece.end)
        return (closing.end() if closing is not None else piece.end), " "
    return piece.end + (text[piece.start - 1 : piece.start] == "<" and text[piece.end : piece.end + 1] == ">"), " "


def _behind_tag(text: str, at: int) -> int:
    """One past the link in whose tag `at` stands; `at` itself outside of tags."""
    if text.rfind("<", 0, at) <= text.rfind(">", 0, at):
        return at
    closing = _ANCHOR_END.search(text, at)
    if closing is not None:
        return closing.end()
    end = text.find(">", at)
    return len(text) if end < 0 else end + 1


def _is_balanced(raw: str, form: DraftFormat) -> bool:
    if form == "html":
        names = [(found[1], found[2].lower()) for found in _TAG.finditer(raw) if not found[3] and found[2].lower() not in _VOID]
        opened = sorted(name for slash, name in names if not slash)
        return opened == sorted(name for slash, name in names if slash)
    if form == "markdown":
        found = [mark for mark in _PAIRED.findall(raw) if not mark.startswith("\\")]
        return found.count("[") == found.count("]") and all(found.count(mark) % 2 == 0 for mark in {*found} - {"[", "]"})
    return True
