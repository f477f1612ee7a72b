"""The documentation as it is built: every link, image and anchor of every page leads to something that is there."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]
BROKEN = "# Page\n\n[a](#none) ![b](none.svg) <a href='none.html'>c</a> <img src='none.png'> [d](index.md) [e](none.pdf)\n"


class Page(HTMLParser):
    """What a page refers to, and what can be referred to in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        self.targets += [given[name] for name in ("href", "src") if name in given]


@cache
def page(path: Path) -> Page:
    return Page(path)


def broken(site: Path) -> Iterator[str]:
    """Yield each reference of a built site to something of its own that is not there."""
    for path in sorted(site.rglob("*.html")):
        for target in page(path).targets if path.name != "404.html" else ():
            parts = urlsplit(target)
            found = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            found = found / "index.html" if found.is_dir() else found
            if parts.scheme or parts.netloc:
                continue
            there = found.is_relative_to(site) and found.exists()
            if not there or (parts.fragment and found.suffix == ".html" and unquote(parts.fragment) not in page(found).anchors):
                yield f"{path.relative_to(site)}: {target}"


def built(folder: Path, docs: Path, configuration: str) -> Path:
    """Build `docs` in `folder` and return where the site is."""
    if importlib.util.find_spec("zensical") is None:
        pytest.skip("zensical is not installed: uv sync --group docs")
    shutil.copytree(docs, folder / "docs")
    (folder / "zensical.toml").write_text(configuration, "utf-8")
    done = subprocess.run([sys.executable, "-m", "zensical", "build", "--clean"], cwd=folder, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    return (folder / "site").resolve()


def test_everything_that_a_page_refers_to_is_there(tmp_path: Path) -> None:
    site = built(tmp_path, ROOT / "docs", (ROOT / "zensical.toml").read_text("utf-8"))
    assert len(list((ROOT / "docs").rglob("*.md"))) < len(list(site.rglob("*.html")))
    assert [] == list(broken(site))


def test_what_is_not_there_is_found(tmp_path: Path) -> None:
    docs = tmp_path / "pages"
    docs.mkdir()
    (docs / "index.md").write_text("# Start\n", "utf-8")
    (docs / "page.md").write_text(BROKEN, "utf-8")
    site = built(tmp_path, docs, '[project]\nsite_name = "x"\nnav = [{ "Start" = "index.md" }, { "Page" = "page.md" }]\n')
    found = {line.rpartition("/")[2].rpartition(" ")[2] for line in broken(site)}
    assert {"#none", "none.svg", "none.html", "none.png", "none.pdf"} == found
