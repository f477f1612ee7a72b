"""Plugins that go for the kit itself: it says what they did, and is there afterwards as it was."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

import pytest
from veridical_contract.testing import run_contract

from tests.contract.broken import broken
from tests.contract.broken.search import HONEST
from tests.distributions.installing import on_path

_FOUND = "        return found[: query.limit]\n"
_CALLED = '        parameters = {"q": query.text, "n": str(query.limit), "page": str(query.page)}\n'
_ODD = "class Odd(list):\n    def __eq__(self, other): raise SystemExit(0)\n    def __repr__(self): raise SystemExit(0)\n\n\nclass Acme:"
_BAD = "class Bad(Exception):\n    def __str__(self): raise SystemExit(0)\n\n\nclass Acme:"
_HOSTILE = {
    "ends the process": ((_CALLED, f"        import os\n        os._exit(0)\n{_CALLED}"),),
    "ends the process that imports it": (
        ("class Settings", "import os, sys\nif '-c' in sys.orig_argv:\n    os._exit(0)\n\n\nclass Settings"),
    ),
    "prints while it is imported": (("class Settings", "print('[]')\n\n\nclass Settings"),),
    "interrupts": (("        self._context = context\n", "        self._context = context\n        raise KeyboardInterrupt\n"),),
    "returns what ends the program when it is compared or shown": (("class Acme:", _ODD), (_FOUND, "        return Odd(found)\n")),
    "raises what ends the program when it is shown": (("class Acme:", _BAD), (_CALLED, f"        raise Bad\n{_CALLED}")),
    "turns logging off": ((_CALLED, f"{_CALLED}        import logging\n        logging.disable(logging.CRITICAL)\n"),),
}


@pytest.mark.parametrize("does", _HOSTILE)
def test_a_hostile_plugin_fails_and_leaves_the_kit_alone(does: str, tmp_path: Path) -> None:
    one = broken(HONEST, "", does, *_HOSTILE[does])
    before = (dict(os.environ), Path.cwd(), logging.root.manager.disable, os._exit)
    with on_path(tmp_path / "site") as site:
        one.distribution.install(site)
        path = list(sys.path)
        report = run_contract("acme", kind="search", strict=True)
        assert path == sys.path
    assert report.count("failed")
    assert before == (dict(os.environ), Path.cwd(), logging.root.manager.disable, os._exit)
