"""Markdown to visible text, with exact offsets: CommonMark with tables and strikethrough, as markdown-it-py reads it.

markdown-it-py says in which lines a block stands and what its text is, not where each character stands. Blocks are laid over their lines
(`layout`), and inlines are parsed by a state that notes where each token began (`_Noted`). Every character is compared with the source
before it is shown; a block that does not fit is left out, with a boundary, since a wrong map is worse than a gap.
Formulas (`$x_1$`, `$$..$$`) stay as they are written, as sites that draw them keep Markdown out of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, Literal

from markdown_it import MarkdownIt
from markdown_it.common.utils import mdTrim
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from .html import feed
from .layout import Laid, Layout, NotLaidError
from .visible import Visible

__all__ = ["Reader", "project_markdown"]

# As Pandoc has it: no white space inside the dollars, no digit behind them. Prices ("$5 or $6") are not formulas.
_FORMULA: Final = re.compile(r"\$\$(?!\$)[^$`<~]+\$\$|\$(?![\s$])(?=[^$\n]*[\\^_{=])[^$\n`~]*[^\s\\$`~]\$(?![0-9])")


def project_markdown(source: str) -> Visible:
    """Return the page that `source` shows."""
    page = Visible(source)
    Reader(page, source).read()
    return page


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable(["strikethrough", "table"])
    # Inlines are parsed here, one block at a time; joined tokens would lose where they stand.
    parser.disable(["inline", "text_join", "fragments_join"])
    parser.inline.ruler.before("escape", "formula", _formula)
    return parser


def _formula(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the library calls it so
    found = _FORMULA.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("formula", "", 0).content = found[0]
    state.pos = found.end()
    return True


class _Noted(StateInline):
    """Parses the text of one block and notes with each token where it began."""

    def __init__(self, text: str, parser: MarkdownIt, env: dict[str, object]) -> None:
        super().__init__(text, parser, env, [])
        self._first = 0
        self._count = 0

    def append_pending(self, text: str) -> None:
        if not self._count:
            self._first = self.pos
        elif self._first + self._count != self.pos:
            raise NotLaidError
        self._count += len(text)
        super().append_pending(text)

    def pushPending(self) -> Token:  # noqa: N802 - the library's name
        token = super().pushPending()
        token.meta = {"at": self._first}
        self._count = 0
        return token

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        last = self.tokens[-1] if self.tokens else None
        token = super().push(ttype, tag, nesting)
        self._count = 0
        at = self.pos
        if ttype == "text" and last is not None and last.type == "text" and last.meta.get("run") == self.pos:
            # Delimiters of one run are pushed one by one while the position stays at its start.
            at = last.meta["at"] + len(last.content)
        token.meta = {"at": at, "run": self.pos}
        return token


class Reader:
    """Walks the tokens and tells the page what it meets; a subclass may listen to more of them."""

    def __init__(self, page: Visible, source: str) -> None:
        self.env: dict[str, object] = {}
        self._page = page
        self._layout = Layout(source)
        self._source = source
        self._level = 0
        self._cells: Iterator[Laid] | None = None
        self._autolink = False
        self._covered = 0  # up to here the source lies in a comment that began in a block of HTML

    def read(self) -> None:
        """Tell the page about the whole source."""
        tokens = _parser().parse(self._source, self.env)
        for index, token in enumerate(tokens):
            try:
                self._block(token, tokens, index)
            except NotLaidError:
                self._page.omit()

    def _block(self, token: Token, tokens: Sequence[Token], index: int) -> None:
        """Tell the page about one token of the block level."""
        line = token.map[0] if token.map else 0
        if token.type == "inline":
            self._inline(self._lay(token.content, line))
        elif token.type in ("fence", "code_block"):
            self._code(token.content, line + (token.type == "fence"))
        elif token.type == "html_block":
            laid = self._layout.lines(token.content, line)
            self._html(laid, 0, len(laid.text))
        elif token.nesting > 0:
            self._open(token, tokens, index, line)
        elif token.nesting < 0:
            self._page.close(token.tag, markdown=True)
            self._cells = None if token.type == "tr_close" else self._cells
        else:
            self._page.void(token.tag)

    def _open(self, token: Token, tokens: Sequence[Token], index: int, line: int) -> None:
        self._page.open(token.tag, markdown=True)
        self._level = len(token.markup) if token.type == "heading_open" and token.markup.startswith("#") else 0
        if token.type == "tr_open":
            self._cells = self._layout.row(list(_cell_texts(tokens, index)), line)

    def _lay(self, text: str, line: int) -> Laid:
        if self._cells is not None:
            laid = next(self._cells, None)
            if laid is None or laid.text != text:
                raise NotLaidError
            return laid
        if self._level:
            return self._layout.heading(text, line, self._level)
        return self._layout.lines(text, line)

    def _code(self, text: str, line: int) -> None:
        page = self._page
        page.open("pre", markdown=True)
        for number, content in enumerate(text.removesuffix("\n").split("\n"), line):
            if mdTrim(content):
                start, indent = self._layout.line(content, number)
                if start >= self._covered:
                    page.code(start, start + len(content) - indent, indent=indent)
            page.line_break(self._layout.line_feed(number))
        page.close("pre", markdown=True)

    def _html(self, laid: Laid, start: int, end: int) -> None:
        unclosed = feed(self._page, laid.text, start, end, laid)
        if unclosed is not None:
            close = self._source.find("-->", laid.at(unclosed) + 4)
            self._covered = close + 3 if close >= 0 else len(self._source)

    def _inline(self, laid: Laid) -> None:
        parser = _parser()
        state = _Noted(laid.text, parser, self.env)
        parser.inline.tokenize(state)
        for rule in parser.inline.ruler2.getRules(""):
            rule(state)
        for token in state.tokens:
            self._piece(token, token.meta["at"], laid)

    def _piece(self, token: Token, at: int, laid: Laid) -> None:
        page = self._page
        match token.type:
            case "text" | "formula":
                self._text(token, at, laid)
            case "text_special" if token.info == "escape" and token.markup == "\\" + token.content:
                self._escape(at, laid)
            case "text_special":
                self._shown(laid, at, at + len(token.markup))
            case "code_inline":
                self._code_span(token, at, laid)
            case "softbreak" if page.in_quote:
                page.space()
            case "softbreak":
                page.line_break(laid.at(at))
            case "hardbreak":
                page.line_break()
            case "html_inline":
                self._shown(laid, at, at + len(token.content))
            case "image":
                page.omit()
            case "s_open":
                page.open("s", markdown=True)
            case "s_close":
                page.close("s", markdown=True)
            case "link_open":
                self._autolink = token.info == "auto"
            case _:
                pass

    def _text(self, token: Token, at: int, laid: Laid) -> None:
        start, end = at, at + len(token.content)
        if self._autolink:
            # Shown as it is written between the angle brackets, not as the parser spells it.
            start, end = at + 1, laid.text.index(">", at)
            self._autolink = False
        elif not laid.text.startswith(token.content, at):
            raise NotLaidError
        while start < end and laid.at(start) < self._covered:
            start += 1
        self._page.flow(laid.text, start, end, laid)

    def _shown(self, laid: Laid, start: int, end: int) -> None:
        if laid.at(start) < self._covered:
            self._page.omit(comment=True)
        else:
            self._html(laid, start, end)

    def _escape(self, at: int, laid: Laid) -> None:
        places = list(laid.spans(at, at + 2))
        if laid.at(at) < self._covered:
            self._page.omit(comment=True)
        elif len(places) == 1:
            self._page.escape(places[0][0])
        else:
            # In a table cell: the backslash before a bar is gone already, and stands between the two.
            self._page.flow(laid.text, at + 1, at + 2, laid)

    def _code_span(self, token: Token, at: int, laid: Laid) -> None:
        """Show a code span; one space on each side is not part of it (CommonMark 6.1)."""
        for start in (at + len(token.markup), at + len(token.markup) + 1):
            end = start + len(token.content)
            if laid.text[start:end].replace("\n", " ") == token.content:
                if laid.at(at) >= self._covered:
                    self._page.flow(laid.text, start, end, laid)
                return
        raise NotLaidError


def _cell_texts(tokens: Sequence[Token], index: int) -> Iterator[str]:
    """Yield the texts of the cells of the row that opens at `index`."""
    while tokens[index].type != "tr_close":
        if tokens[index].type == "inline":
            yield tokens[index].content
        index += 1
