"""The one line of a plugin's own tests: a class with a test for each check."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from veridical_contract import Kind

from .options import Options
from .registry import check_ids
from .runner import Runner
from .subject import Subject

__all__ = ["contract_suite"]


def contract_suite(name: str, *, kind: Kind, **options: Any) -> type:
    """Return a class of tests for the installed plugin `name`; assign it to a name that begins with `Test`.

    Args:
        name: of the entry point.
        kind: of the plugin.
        options: see `Options`: settings, secrets, variables, cassettes, server, hosts, locations, inputs, documents, waive.

    Raises:
        ValueError: an option is unknown or off.
    """
    import pytest

    beside = Path(sys._getframe(1).f_code.co_filename).parent / "cassettes"  # noqa: SLF001 - the file that calls, as pytest shows it  # pyright: ignore[reportPrivateUsage]
    given = Options.of(name, kind, {"cassettes": beside, **options})

    class Suite:
        """The contract."""

        @pytest.fixture(scope="class")
        @classmethod
        def runner(cls, request: pytest.FixtureRequest) -> Any:
            record = bool(request.config.getoption("record", default=False))
            subject = Subject(Options.of(name, kind, {**_named(given), "record": record}))
            yield Runner(subject, given.waive, strict=True)
            subject.close()

        @pytest.mark.parametrize("check", check_ids(kind))
        def test_contract(self, check: str, runner: Runner, record_property: Any) -> None:
            result = runner.result(check)
            record_property("veridical-contract", runner.report([check]).model_dump_json())
            if result.outcome == "failed":
                pytest.fail(f"{result.check}: {result.sentence}\n  {result.said}\n  {result.hint}\n  see {result.anchor}", pytrace=False)
            if result.outcome in ("skipped", "waived"):
                pytest.skip(f"{result.outcome}: {result.said}")

    Suite.__qualname__ = Suite.__name__ = f"Contract[{kind}-{name}]"
    Suite.__module__ = sys._getframe(1).f_globals.get("__name__", __name__)  # noqa: SLF001 - where it is collected  # pyright: ignore[reportPrivateUsage]
    return Suite


def _named(options: Options) -> dict[str, Any]:
    from dataclasses import fields

    return {each.name: getattr(options, each.name) for each in fields(options)[2:]}
