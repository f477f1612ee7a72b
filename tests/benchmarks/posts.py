"""Questions, answers and comments of Stack Exchange sites, as they are read: the labelled data of the measurements of echoes and recall."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from veridical.locate.projection import project

__all__ = ["SHARED", "Post", "read", "sentences", "window"]

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\s*[\n\x1e]+\s*")


@dataclass(frozen=True, slots=True)
class Post:
    """A question, an answer or a comment.

    Attributes:
        id: within its site.
        site: host name.
        kind: question, answer or comment.
        parent: the post that it belongs to; empty for a question.
        title: of a question; empty otherwise.
        text: visible.
    """

    id: str
    site: str
    kind: str
    parent: str
    title: str
    text: str


def read(folder: Path) -> list[Post]:
    """Return the posts of every file in `folder`, in their order."""
    return [_post(json.loads(line)) for path in sorted(folder.glob("*.jsonl.gz")) for line in gzip.open(path, "rt", encoding="utf-8")]


def _post(row: dict[str, str]) -> Post:
    text = project(row["text"], "html" if row["text_format"] == "html" else "markdown").text
    parent = f"p{row['parent']}" if row["parent"] else ""
    return Post(row["id"], row["site"], row["kind"], parent, row["title"] or "", text)


def sentences(text: str) -> list[str]:
    """Return `text` in sentences, roughly."""
    return [sentence for sentence in _SENTENCE_END.split(text) if sentence]


def window(text: str, wanted: Iterable[str], *, least: int = 150, most: int = 300) -> str:
    """Return what a search engine shows of `text`: one to three sentences where most `wanted` words are, cut at `most` characters."""
    parts = sentences(text)
    words = set(wanted)
    found = [_snippet(parts[start : start + 3], least, most) for start in range(len(parts))]
    return max(found, key=lambda snippet: len(words.intersection(re.findall(r"\w+", snippet.lower()))), default="")


def _snippet(parts: Iterable[str], least: int, most: int) -> str:
    shown = ""
    for part in parts:
        shown = f"{shown} {part}".strip()
        if len(shown) >= least:
            break
    return shown if len(shown) <= most else f"{shown[:most].rpartition(' ')[0]} ..."
