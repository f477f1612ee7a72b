"""The cases of the pitfall catalogue about quotes.

Who was shown and who wrote it is settled before anybody is asked, in the same way for all: a tool that knows nothing of authors is not
blamed for what it was not told.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from veridical.locate.projection import project

from .cases import Case

__all__ = ["KINDS", "read"]

KINDS = ("quote", "quote-type")


def read(path: Path) -> Iterator[Case]:
    """Yield the cases that ask what a quote's words are; those that end before that (not shown, of another author) are left out."""
    for line in path.read_text("utf-8").split("\n"):
        if line and (row := json.loads(line))["kind"] in KINDS and (case := _case(row)) is not None:
            yield case


def _case(row: dict[str, Any]) -> Case | None:
    documents = row.get("sources") or [
        {"id": name, "text": row["source_text"]} for name in row.get("available", [row.get("cited", "only")])
    ]
    cited, _, part = str(row.get("cited", documents[0]["id"])).partition("#")
    record = next((each for each in documents if str(each["id"]) == cited), None)
    if row.get("sealed") or record is None or row.get("attributed_to", record.get("author")) != record.get("author"):
        return None
    fields = [part] if part else [name for name in ("text", "page", "title") if isinstance(record.get(name), str)] or ["snippet"]
    markup = row["area"] == "markup" or any(line.lstrip().startswith("> ") for line in str(row.get("source_text", "")).split("\n"))
    texts = tuple(project(record[name], "markdown").text if markup else record[name] for name in fields if name in record)
    points = row.get("proposed_codepoints")
    quote = "".join(map(chr, points)) if points is not None else row.get("proposed")
    keep = row["expected_verdict"] in ("keep", "keep-with-label")
    return Case(row["id"], "catalogue", row["area"].partition("/")[0], quote, texts, keep, fields == ["snippet"])
