"""`veridical audit`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from veridical.cli import codes
from veridical.cli.shared import client, json_option, print_json, print_table, say
from veridical.cli.words import visible

if TYPE_CHECKING:
    from veridical_contract import Audit

_CODES = {"same": codes.DONE, "differs": codes.NOT_IN_EVIDENCE, "incomplete": codes.NOTHING_TO_CHECK, "nothing": codes.NOTHING_TO_CHECK}


@click.command("audit")
@click.argument("outcome", type=click.Path(path_type=Path))
@click.option(
    "--host",
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="HOST[:PORT]",
    help="A private host that may be read, an intranet wiki for example; may be given several times.",
)
@json_option
@click.pass_context
def command(context: click.Context, outcome: Path, hosts: tuple[str, ...], as_json: bool) -> int:  # noqa: FBT001 - click's own signature
    """Look for what an OUTCOME (of `veridical ground --json`) cites: same, changed, gone, altered, or unreadable.

    Exit code 4 means that a citation changed or is gone, or that the file was edited; 5 that one could not be read, or that there is
    none.
    """
    with client(context) as veridical:
        found = veridical.audit(outcome, hosts=hosts)
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        _show(found)
    return _CODES[found.outcome]


def _show(found: Audit) -> None:
    if found.citations:
        rows = [[row.state, f"[{row.citation_index + 1}]", row.url or row.found or "no URL"] for row in found.citations]
        print_table(rows, ("state", "cited", "where"))
    for row in found.citations:
        if row.reason:
            say(f"[{row.citation_index + 1}] {visible(row.reason)}")
        if row.nearest is not None:
            say(f"    nearest: {visible(' '.join(row.nearest.split()))}")
    for claim in found.misplaced:
        say(f"[{claim.citation_index + 1}] claim not in its citation: {visible(claim.text)}")
    if found.refusal_reason is not None:
        say(f"The outcome is a refusal: {visible(found.refusal_reason)}")
    if not found.citations:
        say("It has no citations: there is nothing to audit.")
