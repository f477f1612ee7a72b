"""A Markdown draft: CommonMark with tables, strikethrough, footnotes and front matter.

front matter   blanked, as it is not shown; lines that are no fields are text between two rules
[^a]: ...      its colon becomes a hard boundary, so that it is a paragraph and not a reference definition; all offsets stay
links          the reader listens to them; their addresses are read from the source, as they are written there
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, cast

from markdown_it.common.utils import normalizeReference
from markdown_it.helpers import parseLinkDestination
from markdown_it.token import Token

from veridical.locate.projection.layout import Laid
from veridical.locate.projection.markdown import Reader

from .page import Link, Page, Reading

__all__ = ["read_markdown"]

_FRONT: Final = re.compile(
    r"""\A(?: --- [ \t]*\r?\n (?: (?! (?:---|\.\.\.) [ \t]*\r?$ ) [^\n]*\n )*+ (?:---|\.\.\.)
          | \+\+\+ [ \t]*\r?\n (?: (?! \+\+\+ [ \t]*\r?$ ) [^\n]*\n )*+ \+\+\+ ) [ \t]*\r?(?=\n|\Z)""",
    re.MULTILINE | re.VERBOSE,
)
_NOTE: Final = re.compile(r"^([ \t>]{0,8}\[\^[^\]\s]{1,80}\]):", re.MULTILINE)
_FIELD: Final = re.compile(r"""[ \t]|[#\]})\[{]|-(?:[ \t]|\Z)|\Z|["']?[\w][\w .@/-]{0,80}["']?[ \t]*[:=](?:[ \t]|\Z)""")
_INK: Final = re.compile(r"[^\r\n]")
_LABEL: Final = re.compile(r"[ \t>]*+\[((?:[^\[\]\\]|\\.){1,999})\]:[ \t]*(?:\r?\n[ \t>]*)?", re.DOTALL)
_DEFINED: Final = re.compile(r"^[ \t>*+\-0-9.)]{0,40}\[", re.MULTILINE)
_BEFORE_ADDRESS: Final = re.compile(r"\]\(\s*")


def read_markdown(source: str) -> Reading:
    """Return what `source` shows."""
    front = _FRONT.match(source)
    is_fields = front is not None and all(map(_FIELD.match, front[0].splitlines()[1:-1]))
    blanked = _INK.sub(" ", front[0]) + source[front.end() :] if front is not None and is_fields else source
    shown = _NOTE.sub("\\1\x1e", blanked)
    page = Page(shown, source)
    reader = _DraftReader(page, shown)
    reader.read()
    page.definitions.extend(reader.definitions())
    return page.reading()


class _DraftReader(Reader):
    """Tells the page of links, code and the numbers of list items too."""

    def __init__(self, page: Page, source: str) -> None:
        super().__init__(page, source)
        self._draft_page = page
        self._links: list[tuple[int, Token]] = []

    def definitions(self) -> list[Link]:
        """Return the addresses of reference definitions, where they stand."""
        references = cast("dict[str, dict[str, object]]", self.env.get("references", {}))
        starts = [0, *(found.end() for found in re.finditer(r"\r\n?|\n", self._source))]
        found: list[Link] = []
        for label, reference in references.items():
            first, last = cast("list[int]", reference["map"])
            end = starts[last] if last < len(starts) else len(self._source)
            link = _definition(self._source, starts[first], end, label)
            if link is not None:
                found.append(link)
        return found

    def _open(self, token: Token, tokens: Sequence[Token], index: int, line: int) -> None:
        super()._open(token, tokens, index, line)
        if token.type == "list_item_open" and token.info.isdecimal():
            self._draft_page.item(int(token.info))

    def _piece(self, token: Token, at: int, laid: Laid) -> None:
        page = self._draft_page
        if token.type == "link_open":
            self._links.append((page.length, token))
        if token.type == "code_inline":
            page.begin_code()
        super()._piece(token, at, laid)
        if token.type == "code_inline":
            page.end_code()
        if token.type == "link_close":
            start, opened = self._links.pop()
            self._link(start, opened, at, laid)

    def _link(self, start: int, opened: Token, at: int, laid: Laid) -> None:
        if opened.info == "auto":
            first = opened.meta["at"] + 1
            self._say(start, laid.text[first : laid.text.index(">", first)], first, laid.text.index(">", first), laid)
            return
        before = _BEFORE_ADDRESS.match(laid.text, at)
        if before is not None:
            address = parseLinkDestination(laid.text, before.end(), len(laid.text))
            bracketed = laid.text.startswith("<", before.end())
            self._say(start, address.str, before.end() + bracketed, address.pos - bracketed, laid)
        else:
            self._draft_page.link(start, str(opened.attrs.get("href", "")), (-1, -1))

    def _say(self, start: int, address: str, first: int, last: int, laid: Laid) -> None:
        spans = list(laid.spans(first, last))
        if spans:
            self._draft_page.link(start, address, (spans[0][0], spans[-1][1]))


def _definition(source: str, start: int, end: int, label: str) -> Link | None:
    """Return the definition of `label` that stands in `source[start:end]`."""
    opening = _DEFINED.search(source, start, end)
    found = _LABEL.match(source, opening.end() - 1, end) if opening is not None else None
    if found is None or normalizeReference(found[1]) != label:
        return None
    address = parseLinkDestination(source, found.end(), end)
    bracketed = source.startswith("<", found.end())
    return Link(-1, -1, address.str, found.end() + bracketed, address.pos - bracketed) if address.ok else None
