from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

import pytest
import veridical_contract
from veridical_contract import (
    PluginError,
    ProviderError,
    ProviderFailure,
    StoreFullError,
    VeridicalError,
    _errors,  # pyright: ignore[reportPrivateUsage]
)


def tree(error: type[VeridicalError], depth: int = 0) -> Iterator[tuple[int, str]]:
    yield depth, error.__name__
    for child in error.__subclasses__():
        if child.__module__.startswith("veridical_contract"):
            yield from tree(child, depth + 1)


def drawn() -> Iterator[tuple[int, str]]:
    """Read the tree that the module's docstring draws."""
    for line in (_errors.__doc__ or "").splitlines():
        if found := re.fullmatch(r"((?:[|` ]   ?|[|`]-- )*)(\w+Error)\b.*", line):
            yield len(found[1]) // 4, found[2]


def errors() -> list[type[VeridicalError]]:
    return [getattr(veridical_contract, name) for _, name in tree(VeridicalError)]


def test_the_drawn_tree_is_the_tree() -> None:
    assert list(tree(VeridicalError)) == list(drawn())


def test_every_error_is_exported() -> None:
    exported = {name for name in veridical_contract.__all__ if name.endswith("Error")}
    assert exported == {name for _, name in tree(VeridicalError)}


def test_codes_are_stable_and_no_two_are_equal() -> None:
    """A program that reads `--json` decides by them: changing one breaks it."""
    assert {
        "CancelledError": "cancelled",
        "ConfigurationError": "configuration",
        "IncompatibleError": "incompatible",
        "MissingExtraError": "missing-extra",
        "MissingSecretError": "missing-secret",
        "NotPublishableError": "not-publishable",
        "PluginError": "plugin",
        "PluginTimeoutError": "plugin-timeout",
        "ProviderError": "provider",
        "StoreCorruptError": "store-corrupt",
        "StoreError": "store",
        "StoreFullError": "store-full",
        "UnreadableError": "unreadable",
        "UsageError": "usage",
        "VeridicalError": "error",
    } == {error.__name__: error.code for error in errors()}


@pytest.mark.parametrize("error", errors(), ids=lambda error: error.__name__)
def test_every_error_says_what_it_means(error: type[VeridicalError]) -> None:
    assert error.__doc__


def test_the_hint_follows_the_message() -> None:
    assert "no room left in /tmp/x Free some, then run: veridical research" == str(
        StoreFullError("no room left in /tmp/x", hint="Free some, then run: veridical research")
    )


def test_without_a_hint_the_message_stands_alone() -> None:
    assert "it broke" == str(VeridicalError("it broke"))


def test_a_plugin_error_names_plugin_and_hook() -> None:
    found = PluginError("it broke", plugin="acme", hook="search", hint="veridical doctor")
    assert ("acme", "search", "it broke veridical doctor") == (found.plugin, found.hook, str(found))


@pytest.mark.parametrize("failure", get_args(ProviderFailure))
def test_a_provider_error_says_what_kind_of_failure_it_was(failure: ProviderFailure) -> None:
    found = ProviderError("quota used up", failure=failure, retry_after=2.5)
    assert (failure, 2.5, "", "") == (found.failure, found.retry_after, found.plugin, found.hook)
