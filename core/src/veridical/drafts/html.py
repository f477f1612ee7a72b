"""An HTML draft: what a browser shows."""

from __future__ import annotations

from veridical.locate.projection.html import feed

from .page import Page, Reading

__all__ = ["read_html"]


def read_html(source: str, start: int = 0, end: int | None = None) -> Reading:
    """Return what `source[start:end]` shows."""
    page = Page(source)
    feed(page, source, start, len(source) if end is None else end, None)
    return page.reading()
