"""The plugin of docs/how-to/write-a-plugin.md, given a file."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pluggy
from veridical.wire.reading import Reader
from veridical_contract import PROJECT, SPECS, InputFile, SourceRequest

PAGE = Path(__file__).resolve().parents[2] / "docs/how-to/write-a-plugin.md"


def plugin(reader: Reader) -> Any:
    """Return the page's plugin, made from the page's words."""
    code = re.search(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert code is not None
    names: dict[str, Any] = {}
    exec(compile(code[1], str(PAGE), "exec"), names)
    return names["WikiSource"](SimpleNamespace(files=reader, cancelled=lambda: False))


def written(path: Path, content: bytes) -> InputFile:
    path.write_bytes(content)
    return InputFile(path=path.name, sha256=hashlib.sha256(content).hexdigest(), size=len(content))


def test_the_example_points_at_every_page(tmp_path: Path) -> None:
    rows = [{"name": "Grinder", "link": "https://wiki.example/grinder", "body": "It is *loud*."}, {"name": "Cup", "body": "It is white."}]
    file = written(tmp_path / "wiki.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())
    first, last = plugin(Reader(tmp_path)).read(request=SourceRequest(origin="wiki", inputs=(file,)))
    assert ("wiki.jsonl", False, None, 2) == (first.container, first.done, first.problem, len(first.items))
    assert {"text": "/body", "title": "/name", "url": "/link"} == first.items[0].derivation.pointers
    assert ("wiki.jsonl", True, None, ()) == (last.container, last.done, last.problem, last.items)


def test_the_example_reports_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    file = written(tmp_path / "wiki.jsonl", b"{}\n")
    (tmp_path / "wiki.jsonl").write_bytes(b'{"changed": "since it was enumerated"}\n')
    (batch,) = plugin(Reader(tmp_path)).read(request=SourceRequest(origin="wiki", inputs=(file,)))
    assert ((), True) == (batch.items, batch.done)
    assert batch.problem


def test_the_example_is_a_source_plugin(tmp_path: Path) -> None:
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(SPECS["source"])
    manager.register(plugin(Reader(tmp_path)))
    manager.check_pending()
