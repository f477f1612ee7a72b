"""A verb that runs in one thread is let go from another."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from veridical import AsyncVeridical, Veridical
from veridical_contract import CancelledError

from tests.providers.service import Answer, Asked, service

SETTINGS = '[plugins]\nenabled = ["brave"]\n[plugins.hosts]\nbrave = ["127.0.0.1"]\n[plugin.brave]\nbase_url = "{url}"\n'


def opened(folder: Path) -> Veridical:
    return Veridical(home=folder, base=folder, environment={"BRAVE_SEARCH_API_KEY": "key-of-this-test"})


def test_a_verb_that_waits_for_a_plugin_ends_when_it_is_cancelled(tmp_path: Path) -> None:
    asked = threading.Event()

    def hang(_: Asked) -> Answer | None:
        asked.set()
        return None

    with service(hang) as running, ThreadPoolExecutor() as threads:
        (tmp_path / "settings.toml").write_text(SETTINGS.format(url=running.url), "utf-8")
        with opened(tmp_path) as veridical:
            waiting = threads.submit(veridical.research, "how was radium discovered", search="brave")
            assert asked.wait(30)
            veridical.cancel()
            with pytest.raises(CancelledError):
                waiting.result(10)
            running.released.set()


def test_what_was_cancelled_before_it_began_does_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as veridical:
        AsyncVeridical(veridical).cancel()
        with pytest.raises(CancelledError):
            veridical.search_evidence("radium")
