"""The steps of runs: a chain each, which is only added to."""

from __future__ import annotations

from collections.abc import Sequence

from veridical_contract import StoredRun, StoreError
from veridical_contract.testing.material import chain
from veridical_contract.testing.registry import Violation, check
from veridical_contract.testing.stores import opened, outcome_of
from veridical_contract.testing.subject import Subject

_STORAGE = ("storage",)


@check(
    "run-chain",
    "A step of a run that does not follow is refused with StoreError: a gap, a repetition, another step before.",
    "Compare the step with the newest of its run, and `previous` with the SHA-256 of that one's body, in the transaction that writes.",
    kinds=_STORAGE,
    needs=("store-opens",),
)
def run_chain(subject: Subject) -> None:
    one, two, three = chain("r")
    bad = {
        "a gap": three,
        "a step that repeats one": one,
        "a first step of another number": chain("s")[1],
        "a first step that names one before": chain("s")[0].model_copy(update={"previous": "1" * 64}),
        "a step that names another one before": two.model_copy(update={"previous": "0" * 64}),
    }
    with opened(subject) as store:
        store.put_runs(one)
        for what, entry in bad.items():
            error = store.ask("put_run", entry=entry).error
            if not isinstance(error, StoreError):
                raise Violation(f"{what[0].upper()}{what[1:]} is to be refused with StoreError; {outcome_of(error)}.")
        store.put_runs(two, three)


@check(
    "runs-read",
    "runs returns all steps of a run in order; without a name the newest step of each of the newest runs, newest first.",
    "`limit` counts runs, never the steps of one.",
    kinds=_STORAGE,
    needs=("run-chain",),
)
def runs_read(subject: Subject) -> None:
    names = [f"run {number}" for number in range(5)]
    with opened(subject) as store:
        for name in names:
            store.put_runs(*chain(name))
        _expect_runs("of one run", store.runs(names[2], 1), chain(names[2]))
        _expect_runs("of a run that is not there", store.runs("nobody"), [])
        newest = [chain(name)[2] for name in reversed(names)]
        for limit in (1, 3, 5, 100):
            _expect_runs(f"of the newest {limit}", store.runs(None, limit), newest[:limit])


def _expect_runs(what: str, found: Sequence[StoredRun], expected: Sequence[StoredRun]) -> None:
    if list(found) != list(expected):
        raise Violation(f"Asked for steps {what} it returns {len(found)}, expected {len(expected)} in another order or of other runs.")
