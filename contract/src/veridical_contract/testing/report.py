"""What became of each check, as data, and the line for a badge."""

from __future__ import annotations

from importlib.metadata import version
from typing import Literal

from veridical_contract import Kind
from veridical_contract._model import Model

__all__ = ["ContractReport", "Outcome", "Result"]

Outcome = Literal["passed", "failed", "waived", "skipped", "not run"]


class Result(Model):
    """What became of one check.

    Attributes:
        check: its id.
        outcome: `waived` with a reason of the author's; `skipped` where there was nothing to look at, or a check that it needs failed;
            `not run` where nobody could answer the plugin, so that nothing is known.
        said: what the plugin did; why it was skipped or waived; empty when it passed.
        sentence: what a plugin does that passes.
        hint: what to do about it.
        anchor: where the documentation speaks of it.
    """

    check: str
    outcome: Outcome
    said: str = ""
    sentence: str
    hint: str
    anchor: str


class ContractReport(Model):
    """What the kit found.

    Attributes:
        kit: version of the kit.
        plugin: its name.
        kind: of its hooks.
        distribution: that brings it; empty when there is none.
        version: of the distribution.
        results: one for each check, in their order.
    """

    kit: str
    plugin: str
    kind: Kind
    distribution: str = ""
    version: str = ""
    results: tuple[Result, ...] = ()

    def count(self, outcome: Outcome) -> int:
        """How many checks came to `outcome`."""
        return sum(one.outcome == outcome for one in self.results)

    @property
    def passed(self) -> bool:
        """Whether no check failed, and each that applies was made."""
        return not self.count("failed") and not self.count("not run")

    def reasons(self) -> tuple[Result, ...]:
        """Return what did not pass, without the checks that only follow from another one of these."""
        follows = {f"{result.check}: {result.outcome}" for result in self.results}
        return tuple(result for result in self.results if result.outcome != "passed" and result.said not in follows)

    def badge(self) -> str:
        """Return the line that a README may show."""
        failed = f"{self.count('failed')} FAILED, " if self.count("failed") else ""
        unknown = f", {self.count('not run')} not run" if self.count("not run") else ""
        counts = f"{failed}{self.count('passed')} passed, {self.count('waived')} waived{unknown}"
        return f"veridical contract: {self.plugin} ({self.kind}): {counts}, kit {self.kit}"


def kit_version() -> str:
    """Return the version of the kit: that of the distribution that brings it."""
    return version("veridical-contract")
