"""Reopen: the report of a past run, published again from the store as it is now, through the same exit.

steps in the store + chain and digest in the host's ledger --> Run --exit--> Published, or what was withdrawn and why
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from veridical_contract import NotPublishableError, Report, StoredRun, UsageError

from veridical.gateway.verified import Gateway
from veridical.kernel.canonical import digest, parse
from veridical.kernel.exit import Published, publish
from veridical.kernel.policy import load_policy
from veridical.kernel.report import quoted
from veridical.kernel.run import Run

__all__ = ["reopen"]


def reopen(gateway: Gateway, run: str, chain: bytes | None, report_digest: str | None) -> Published:
    """Publish the report of `run` again.

    Args:
        gateway: to the store.
        run: identifier.
        chain: the sealed chain, as the host's ledger has it.
        report_digest: SHA-256 of the report, as the host's ledger has it.

    Raises:
        UsageError: there is no such run, or it has no report.
        NotPublishableError: evidence was withdrawn, or the report no longer follows from the store; the message says which.
    """
    steps = {step.kind: step for step in gateway.runs(run)}
    if not {"report", "seal"} <= steps.keys() or chain is None:
        raise UsageError(f"There is no report of a run called {run!r}.", hint="See: veridical runs list")
    documents = _chained(run, steps["seal"], chain)
    body = steps["report"].body
    if body and digest(body) != report_digest:  # before anything of it is believed
        raise NotPublishableError(f"The report of run {run} is not the one that was published.", hint="Type: veridical doctor --store")
    _check_withdrawn(gateway, run, steps["report"], documents)
    report = Report.model_validate_json(body)
    again = _run(report, documents)
    again.release(report)
    return publish(report, again, gateway.store())


def _chained(run: str, seal: StoredRun, chain: bytes) -> Sequence[str]:
    if seal.body != chain:
        raise NotPublishableError(f"The sealed evidence of run {run} is not what was sealed.", hint="Type: veridical doctor --store")
    return cast("dict[str, list[str]]", parse(chain))["documents"]


def _check_withdrawn(gateway: Gateway, run: str, report: StoredRun, documents: Sequence[str]) -> None:
    """Say which evidence was withdrawn, when, and why: all of the run's when its report went too, else what the report cites."""
    cited = documents if not report.body else [row.document for row in Report.model_validate_json(report.body).citations]
    gone = [found for found in gateway.tombstones(cited) if found is not None]
    present = gateway.fetch([found.document for found in gone]).documents
    withdrawn = [found for found in gone if found.document not in present]
    if withdrawn:
        first = withdrawn[0]
        more = f" (and {len(withdrawn) - 1} more)" if len(withdrawn) > 1 else ""
        raise NotPublishableError(
            f"Evidence withdrawn: document {first.document[:12]}{more} of run {run} was deleted on {first.deleted[:10]}: {first.reason}."
        )
    if not report.body:
        raise NotPublishableError(f"The report of run {run} is missing from the store.", hint="Type: veridical doctor --store")


def _run(report: Report, documents: Sequence[str]) -> Run:
    record = report.run
    run = Run(
        run=record.id,
        created_at=record.created_at,
        query=report.query,
        must_address=tuple(answer.question for answer in report.answers),
        policy=load_policy(record.policy),
        seed=record.seed,
        version=record.veridical,
    )
    for document in documents:
        run.admit(document)
    run.seal()
    claims = [claim for part in (*report.themes, *report.answers) for claim in part.claims]
    run.shown = (*quoted(claims), *report.not_cited)
    run.in_scope, run.retrieved, run.selected = report.funnel.in_scope, report.funnel.retrieved, report.funnel.selected
    run.inputs, run.plugins, run.rejections = report.inputs, report.plugins, list(report.rejections)
    return run
