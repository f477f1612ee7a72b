"""A source plugin that lies about replies, about containers, or about where it was: installed, enabled and asked as any other is."""

from __future__ import annotations

import gc
import textwrap
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from veridical import Veridical
from veridical.wire.recording import Recorded
from veridical_contract import ConfigurationError, PluginError, ProviderError, ScanRequest

from tests.attacks.test_replies import installed
from tests.distributions import Distribution, plugin
from tests.providers.service import Answer, Asked, as_json, service

PAGES = 8


def pages(asked: Asked) -> Answer:
    """Page N has one row, of N."""
    number = int(asked.path.rsplit("/", 1)[1])
    return as_json(
        {"rows": [{"url": f"https://rows.example/{number}", "text": f"This is the only row of page {number}."}]}, 200 + 304 * (number == 99)
    )


def acme(base: str, code: str) -> Distribution:
    """A source plugin whose hook is `code`; `ask(n)` asks for page n, `item(**changes)` is its row, `batch(...)` a batch."""
    start = f"""
    def __init__(self, context):
        self.http, self.base = context.http(), "{base}"
        self.wire = WireMap(base_url=self.base, item="/rows/*", url="url", text=("text",))

    @hookimpl
    def read(self, request):
        ask = lambda number: self.http.get(f"{{self.base}}/{{number}}")
        def item(container="rows", at="/rows/0", text="text", map="", **said):
            return Item(locator=Locator(container=container), place=WirePlace(map=map, item=at, text=text), **said)
        def batch(*items, container="rows", **more):
            return SourceBatch(container=container, items=items, **more)
    """
    return plugin("acme", textwrap.dedent(start) + textwrap.indent(textwrap.dedent(code), "    "), kind="source")


@contextmanager
def reading(folder: Path, code: str) -> Generator[Veridical]:
    with service(pages) as running, installed(folder, acme(running.url, code)) as veridical:
        veridical.enable_plugin("acme")
        yield veridical


def texts(veridical: Veridical) -> list[str]:
    gateway = veridical._installation.gateway()
    return sorted(found.text for found in gateway.fetch(gateway.scan(ScanRequest())).documents.values())


def test_a_row_is_what_the_reply_holds(tmp_path: Path) -> None:
    with reading(tmp_path, "ask(1)\nyield batch(item(), done=True)") as veridical:
        assert veridical.add_source("rows", plugin="acme").refused == {}
        assert texts(veridical) == ["This is the only row of page 1."]


@pytest.mark.parametrize(
    ("items", "rule"),
    [
        ("item(title='Invented')", "attested-not-allowed"),
        ("item(url='https://elsewhere.example/1')", "differs-from-bytes"),
        ("item(at='/rows/1')", "wire-url"),
        ("item(at='/meta')", "wire-place"),
        ("item(text='url')", "wire-place"),
        ("item(map='other')", "wire-map-unknown"),
        ("item(container='others')", "locator-differs"),
        ("item(text=None)", "no-text"),
        ("Item(locator=Locator(container='rows'), text='This row was never sent.')", "attested-not-allowed"),
    ],
)
def test_what_the_reply_does_not_hold_is_refused(items: str, rule: str, tmp_path: Path) -> None:
    with reading(tmp_path, f"ask(1)\nyield batch(item(), {items}, done=True)") as veridical:
        assert veridical.add_source("rows", plugin="acme").refused == {rule: 1}
        assert texts(veridical) == ["This is the only row of page 1."]


def test_a_page_may_come_in_several_batches(tmp_path: Path) -> None:
    code = "ask(1)\nyield batch(container='a', done=True)\nyield batch(item(container='b'), container='b', done=True)"
    with reading(tmp_path, code) as veridical:
        veridical.add_source("rows", plugin="acme")
        assert texts(veridical) == ["This is the only row of page 1."]


def test_a_reply_of_long_ago_is_let_go_of(tmp_path: Path) -> None:
    code = f"""
    for number in range(1, {PAGES}):
        ask(number)
        yield batch(item())
    yield batch(item(text="text", url="https://rows.example/1"), done=True)
    """
    with reading(tmp_path, code) as veridical:
        assert veridical.add_source("rows", plugin="acme").refused == {"differs-from-bytes": 1}
        assert len(texts(veridical)) == PAGES - 1


def test_a_source_of_many_pages_holds_few_of_them(tmp_path: Path) -> None:
    alive: list[int] = []

    class Watching:
        def step(self, name: str, done: int, total: int | None) -> None:
            if name == "reading":
                alive.append(_replies())

    code = "for number in range(30):\n    ask(number)\n    yield batch(item(), done=number == 29)"
    with reading(tmp_path, code) as veridical:
        veridical._progress = Watching()
        before = _replies()
        veridical.add_source("rows", plugin="acme")
    assert len(alive) == 30
    assert max(alive) - before <= 5


def _replies() -> int:
    gc.collect()
    return sum(1 for one in gc.get_objects() if type(one) is Recorded)


def test_a_request_that_failed_and_is_not_spoken_of_is_a_failure(tmp_path: Path) -> None:
    with reading(tmp_path, "ask(1)\nyield batch(item(), cursor='1')\nask(99)") as veridical:
        synced = veridical.add_source("rows", plugin="acme")
        assert isinstance(synced.failure, ProviderError)
        assert texts(veridical) == ["This is the only row of page 1."]


def test_a_batch_that_was_read_from_elsewhere_stops_the_reading(tmp_path: Path) -> None:
    code = "self.http.get(self.base.replace('127.0.0.1', 'localhost') + '/1')\nyield batch(item(), done=True, cursor='x')"
    with reading(tmp_path, code) as veridical, pytest.raises(PluginError, match="from where it was approved to ask"):
        veridical.add_source("rows", plugin="acme")


@pytest.mark.parametrize(
    "code",
    [
        "yield {'container': 'rows'}",
        "class Lie(SourceBatch): pass\nyield Lie(container='rows', done=True)",
        "made = batch()\nobject.__setattr__(made, 'cursor', 7)\nyield made",
        "made = batch(item())\nobject.__setattr__(made, 'keys', ('a', 'b'))\nyield made",
    ],
)
def test_what_is_no_batch_is_a_failure_of_the_plugin(code: str, tmp_path: Path) -> None:
    with reading(tmp_path, code) as veridical, pytest.raises(PluginError, match="acme"):
        veridical.add_source("rows", plugin="acme")


def test_keys_and_cursors_of_any_length_and_script_are_kept_as_they_are(tmp_path: Path) -> None:
    odd = "'\\u202e\\x00' + 'long' * 50_000"
    code = f"""
    if request.cursor is not None:
        assert request.cursor == {odd}, "another cursor"
    ask(2 if request.cursor else 1)
    yield batch(item(), cursor={odd}, keys=({odd},), done=True)
    """
    with reading(tmp_path, code) as veridical:
        veridical.add_source("rows", plugin="acme")
        veridical.sync_sources(["rows"])
        assert texts(veridical) == ["This is the only row of page 2."]


def test_a_plugin_that_drops_its_container_to_hide_rows_is_one_that_reads_everything_again(tmp_path: Path) -> None:
    """Going on from a cursor, a plugin can add to its source and replace by key; it cannot take anything away."""
    code = """
    if request.cursor is None:
        ask(1)
        yield batch(item(), cursor="1", done=True)
    else:
        yield batch(container="others", cursor="2", done=True)
    """
    with reading(tmp_path, code) as veridical:
        veridical.add_source("rows", plugin="acme")
        veridical.sync_sources(["rows"])
        assert texts(veridical) == ["This is the only row of page 1."]


def test_a_plugin_that_is_no_source_is_not_one(tmp_path: Path) -> None:
    with reading(tmp_path, "yield batch(done=True)") as veridical:
        with pytest.raises(ConfigurationError, match="There is no source plugin called 'brave'"):
            veridical.add_source("rows", plugin="brave")
        assert dict[str, Any](veridical.settings().sources) == {}
