"""HTML to visible text, with exact offsets.

Tags are found by one regular expression that never looks back, so any input takes time in proportion to its length; `html.parser` gives
offsets too, but its rules for malformed input change between versions of Python, and a stored text has to come out again.
It follows the HTML standard's tokenizer (13.2.5): an unclosed comment or tag swallows the rest.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Final

from .visible import RAW_TEXT, Place, Visible

__all__ = ["feed", "project_html"]

_TOKEN: Final = re.compile(
    r"""
      (?P<text> [^<&]++ )
    | (?P<entity> &(?: \#[0-9]{1,7}(?![0-9]) | \#[xX][0-9a-fA-F]{1,6}(?![0-9a-fA-F]) | [A-Za-z][A-Za-z0-9]{0,31} );? )
    | (?P<tag> <(?P<slash>/?)(?P<name> [A-Za-z][^\s/>]*+ )
        (?P<attributes> (?: [^>"'=]++ | =\s*+ (?: "[^"]*+" | '[^']*+' | [^\s"'>][^\s>]*+ )? | ["'] )*+ ) > )
    | (?P<comment> <!-- (?: -?> | (?P<said>.*?) --!?> ) )
    | (?P<unclosed> <!-- .* | </?[A-Za-z] .* )
    | (?P<declared> <!doctype [^>]*+ >? )
    | (?P<bogus> <[!?/] (?P<also_said> [^>]*+ ) >? )
    | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL | re.ASCII | re.IGNORECASE,
)


def project_html(source: str) -> Visible:
    """Return the page that `source` shows."""
    page = Visible(source)
    feed(page, source, 0, len(source), None)
    return page


def feed(page: Visible, text: str, start: int, end: int, place: Place | None) -> int | None:
    """Read `text[start:end]`, which stands in the source at `place`, or is the source itself.

    Returns:
        Where an unclosed comment begins, which swallowed the rest; None when there is none.
    """
    at = start
    while at < end:
        token = _TOKEN.match(text, at, end)
        assert token is not None  # noqa: S101 - the last alternative matches any character
        at = token.end()
        kind = token.lastgroup
        if kind == "text" or kind == "other":
            page.flow(text, token.start(), at, place)
        elif kind == "tag":
            at = _tag(page, token, text, end, place)
        elif kind == "entity":
            _entity(page, token, text, place)
        elif kind == "comment":
            _comment(page, token["said"])
        elif kind == "bogus":
            _comment(page, token["also_said"])
        elif kind == "unclosed":
            page.omit()
            return token.start() if token[0].startswith("<!--") else None
    return None


def _tag(page: Visible, token: re.Match[str], text: str, end: int, place: Place | None) -> int:
    name = token["name"].lower()
    if token["slash"]:
        page.close(name)
        return token.end()
    page.tag = token.start("attributes"), place
    page.open(name, token["attributes"])
    if name not in RAW_TEXT:
        return token.end()
    closing = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE | re.ASCII).search(text, token.end(), end)
    stop = closing.start() if closing is not None else end
    page.flow(text, token.end(), stop, None)
    return stop


def _comment(page: Visible, said: str | None) -> None:
    if said and not said.isspace():
        page.omit(comment=True)


def _entity(page: Visible, token: re.Match[str], text: str, place: Place | None) -> None:
    start, end = token.span()
    spots = [(start, end)] if place is None else [*place.spans(start, end)]
    if unescape(token[0]) != token[0] and spots == [(spots[0][0], spots[0][0] + end - start)]:
        page.entity(token[0], spots[0][0])
    else:
        page.flow(text, start, end, place)
