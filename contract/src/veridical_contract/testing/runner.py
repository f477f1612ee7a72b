"""Make the checks in their order, each once, and say what became of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

from veridical_contract import Kind

from .options import Options
from .process import Process, kept
from .registry import CHECKS, Check, NoReplyError, NotApplicable, Violation, check_ids, said_by
from .report import ContractReport, Outcome, Result, kit_version
from .subject import Subject

__all__ = ["Runner", "run_contract"]


class Runner:
    """One plugin and the checks that were made of it so far.

    Args:
        subject: the plugin.
        waived: id to the reason of the author.
        strict: whether it is the plugin's fault when nobody can answer it: in a test of its own it is, elsewhere the check is not run.
    """

    def __init__(self, subject: Subject, waived: Mapping[str, str], *, strict: bool) -> None:
        self.subject: Subject = subject
        self._waived = waived
        self._strict = strict
        self._results: dict[str, Result] = {}

    def result(self, name: str) -> Result:
        """Return what became of the check `name`, made now unless it was made before."""
        if name not in self._results:
            self._results[name] = self._made(CHECKS[name])
        return self._results[name]

    def report(self, names: Sequence[str] | None = None) -> ContractReport:
        """Return the report of the checks `names`; of all that apply when none are named."""
        wanted = check_ids(self.subject.kind) if names is None else names
        results = tuple(self.result(name) for name in wanted)
        subject = self.subject
        return ContractReport(
            kit=kit_version(),
            plugin=subject.name,
            kind=subject.kind,
            distribution=subject.distribution,
            version=subject.version,
            results=results,
        )

    def _made(self, check: Check) -> Result:
        if check.id in self._waived:
            return _result(check, "waived", self._waived[check.id])
        for name in check.needs:
            if (before := self.result(name)).outcome == "not run":
                return _result(check, "not run", f"{name}: {before.outcome}")
            if before.outcome in ("failed", "skipped"):
                return _result(check, "skipped", f"{name}: {before.outcome}")
        before = Process.now()
        try:
            with kept():
                check.function(self.subject)
        except Violation as error:
            return _result(check, "failed", str(error))
        except NoReplyError as error:
            return _result(check, "failed" if self._strict else "not run", str(error))
        except NotApplicable as error:
            return _result(check, "skipped", str(error))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - the plugin's own, from wherever the check did not expect it
            return _result(check, "failed", f"it raised {said_by(error)}")
        finally:
            before.restore()
        return _result(check, "passed")


def run_contract(name: str, *, kind: Kind, strict: bool = False, **options: Any) -> ContractReport:
    """Make all checks of the installed plugin `name` of `kind`; what `options` may be says `contract_suite`.

    Raises:
        ValueError: an option is unknown or off, or a waiver names no check or has no reason.
    """
    given = Options.of(name, kind, options)
    with closing(Subject(given)) as subject:
        return Runner(subject, given.waive, strict=strict).report()


def _result(check: Check, outcome: Outcome, said: str = "") -> Result:
    line = " ".join(said.split())
    return Result(check=check.id, outcome=outcome, said=line[:2000], sentence=check.sentence, hint=check.hint, anchor=check.anchor)
