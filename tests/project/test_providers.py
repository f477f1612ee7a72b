"""The pages about providers: the same headings in the same order, and what the plugin's own code says of settings, variables and maps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.project.code_blocks import DOCS, ROOT, blocks
from tools import wire_maps
from tools.settings_tables import settings_model

PAGES = sorted((DOCS / "providers").glob("*.md"))
HEADINGS = ["Set it up", "What is sent", "What is evidence", "What can be asked", "How it fails", "Limits", "Terms to mind"]
WIRED = [(kind, name, maps) for kind, name, maps in wire_maps.found() if (DOCS / f"providers/{name}.md").exists()]
VARIABLE = re.compile(r'"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|URL|TOKEN))"')

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def code_of(page: Path) -> str:
    """Return the source of the plugin that a page is about."""
    return "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "plugins" / page.stem / "src").rglob("*.py")))


def test_every_plugin_that_asks_a_service_has_a_page() -> None:
    """One that holds a wire map, or asks its context for a client or a secret."""
    asks = re.compile(r"context\.(?:http|ahttp|httpx2_transport|requests_session|secret)\(")
    plugins = [folder for folder in sorted((ROOT / "plugins").iterdir()) if (folder / "pyproject.toml").exists()]
    found = {folder.name for folder in plugins if asks.search(code_of(Path(folder.name)))}
    assert set() == found - {page.stem for page in PAGES} - SOURCES
    assert len(found) > 5


SOURCES = {"sql", "http-json"}
"""Private sources ask a service too, and have pages of their own among the how-tos."""


@every_page
def test_the_headings_are_those_of_every_provider(page: Path) -> None:
    assert HEADINGS == re.findall(r"^## (.+)$", page.read_text("utf-8"), re.MULTILINE)


@every_page
def test_it_begins_with_how_to_install_and_enable_the_plugin(page: Path) -> None:
    commands = [block.text for block in blocks(page) if block.language == "console"]
    assert f'$ pip install "veridical[{page.stem}]"\n' in commands[0]
    assert f"$ veridical plugins enable {page.stem}\n" in "".join(commands)


@every_page
def test_every_setting_is_named_with_its_default(page: Path) -> None:
    model = settings_model(page.stem)
    text = page.read_text("utf-8")
    if model is None:
        assert "| settings | none |" in text
        return
    assert f"](../reference/settings.md#plugin{page.stem})" in text
    in_blocks = {key for block in blocks(page) for key in re.findall(r"^(\w+) = ", block.text, re.MULTILINE)}
    assert set() == model.model_fields.keys() - in_blocks - set(re.findall(r"`(\w+)`", text))
    words = {str(field.default) for field in model.model_fields.values() if isinstance(field.default, str) and field.default}
    assert [] == [word for word in words if word not in text]


@every_page
def test_every_variable_that_the_plugin_reads_is_named(page: Path) -> None:
    names = set(VARIABLE.findall(code_of(page)))
    assert [] == sorted(name for name in names if f"`{name}`" not in page.read_text("utf-8"))


@pytest.mark.parametrize(("kind", "name", "maps"), WIRED, ids=[f"{kind}-{name}" for kind, name, _ in WIRED])
def test_every_place_in_a_reply_is_named(kind: str, name: str, maps: wire_maps.Maps) -> None:
    """A name of a map, and where a hit, its texts, its URL and its date stand; of a list of texts the name of the list."""
    text = (DOCS / f"providers/{name}.md").read_text("utf-8").replace("the same, after the number of the event", "`/*")
    places = {place for wire in maps.values() for place in (wire.url, wire.published, *wire.text) if place}
    shown = {place.removesuffix("/*").split("@")[0].removeprefix("?uddg={") for place in places}
    missing = {place for place in {*shown, *filter(None, maps)} if f"`{place}`" not in text}
    missing |= {wire.item for wire in maps.values() if wire.item not in text and wire.layout != "sse"}
    assert set() == missing
