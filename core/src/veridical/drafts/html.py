"""An HTML draft: what a browser shows."""

from __future__ import annotations

from veridical.locate.projection.html import feed

from .page import Page, Reading

__all__ = ["read_html"]


def read_html(source: str) -> Reading:
    """Return what `source` shows."""
    page = Page(source)
    feed(page, source, 0, len(source), None)
    return page.reading()
