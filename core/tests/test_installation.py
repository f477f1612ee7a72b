"""Settings of plugins that a program gives: they count where the settings file says nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from veridical import Veridical
from veridical_contract import ConfigurationError

NONE = {"sqlite": {"cache_megabytes": 0}}


def test_a_default_is_used_where_the_file_says_nothing(tmp_path: Path) -> None:
    with Veridical(home=tmp_path, plugin_defaults=NONE) as opened, pytest.raises(ConfigurationError, match="cache_megabytes"):
        opened.search_evidence("words")


def test_the_file_goes_before_a_default(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("[plugin.sqlite]\ncache_megabytes = 8\n")
    with Veridical(home=tmp_path, plugin_defaults=NONE) as opened:
        assert opened.search_evidence("words") == ()
