"""A report as a page, as Markdown, as text for a terminal. Each is made from the report alone and proves nothing by itself.

words      what all three say: the counts, the witness, what is not proved; escaping of what cannot be seen
markdown, html, text
"""

from __future__ import annotations

from .html import render_html
from .markdown import render_markdown
from .text import render_text
from .words import visible

__all__ = ["render_html", "render_markdown", "render_text", "visible"]
