"""A report as a page, as Markdown, as text for a terminal. Each is made from the report alone and proves nothing by itself.

words      what all three say: the counts, the witness, what is not proved; escaping of what cannot be seen
markdown, html, text
outcome    a grounded outcome as text
checks, github, sarif   the same for a check of somebody's draft
"""

from __future__ import annotations

from .checks import render_check_text
from .github import render_check_github
from .html import render_html
from .markdown import render_markdown
from .outcome import render_outcome
from .sarif import render_check_sarif
from .text import render_text
from .words import visible

__all__ = [
    "render_check_github",
    "render_check_sarif",
    "render_check_text",
    "render_html",
    "render_markdown",
    "render_outcome",
    "render_text",
    "visible",
]
