"""From markup to the text that a reader sees, with its map to the source. Untrusted: the kernel confirms every map.

project(source, kind) -> Projection
|-- plain     the identity
|-- html      html.py finds the tags
`-- markdown  markdown.py walks what markdown-it-py parsed, layout.py finds the characters in the source
    both tell visible.py what they meet, which knows what is shown and what keeps words apart
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import assert_never

from veridical_contract import Projection as ProjectionKind

from veridical.kernel.derivation import Run

from .html import project_html
from .plain import plain_blocks

__all__ = ["Projection", "project"]

_UNMARKED = re.compile(r"[A-Za-z](?: ?[!-%'()+-;=?@A-Z^a-z{}])*")
"""One line in which no character can mean anything to Markdown, as half of all comments are: parsing it costs twelve times as much."""


@dataclass(frozen=True, slots=True)
class Projection:
    """Visible text. All offsets are code points of `text`, all spans half-open.

    Attributes:
        text: what a reader sees.
        runs: where each stretch of it stands in the source; see `veridical.kernel.derivation`. Empty for `plain`.
        headings: (start, end, level from 1 to 6) of each heading, in order.
        blocks: (start, end) of each block of text that no paragraph break or hard boundary between blocks interrupts, in order.
    """

    text: str
    runs: tuple[Run, ...]
    headings: tuple[tuple[int, int, int], ...]
    blocks: tuple[tuple[int, int], ...]


def project(source: str, kind: ProjectionKind) -> Projection:
    """Return the visible text of `source`."""
    match kind:
        case "plain":
            return Projection(source, (), (), tuple(plain_blocks(source)))
        case "html":
            page = project_html(source)
        case "markdown" if _UNMARKED.fullmatch(source):
            end = len(source)
            return Projection(source, ((0, end, 0, end, "copy"),), (), ((0, end),))
        case "markdown":
            from .markdown import project_markdown  # markdown-it-py takes 50 ms to load

            page = project_markdown(source)
        case _:
            assert_never(kind)
    text, runs = page.result()
    return Projection(text, runs, tuple(page.headings), tuple(page.blocks))
