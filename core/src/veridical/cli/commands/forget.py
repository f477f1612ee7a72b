"""`veridical forget`."""

from __future__ import annotations

import sys

import click

from veridical.cli import codes
from veridical.cli.shared import client, json_option, print_json, say


@click.command("forget")
@click.argument("identifiers", nargs=-1)
@click.option("--source", metavar="NAME", help="All that this source holds or held, and no other; it is no source afterwards.")
@click.option("--account", metavar="SITE/ID", help="All that this account wrote.")
@click.option("--reason", metavar="TEXT", required=True, help="Why: reports that cite it will say so.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@click.pass_context
def command(
    context: click.Context,
    identifiers: tuple[str, ...],
    source: str | None,
    account: str | None,
    reason: str,
    yes: bool,  # noqa: FBT001 - click's own signature
    as_json: bool,  # noqa: FBT001
) -> int:
    """Delete documents from the store for good, by IDENTIFIERS, source or account, in every version that was read.

    No byte of their words stays in the store. The reports of past runs that cite them go too, and say that evidence was withdrawn. What
    was saved elsewhere, and the files that were read, are not touched; reading them again does not bring the documents back.
    """
    with client(context) as veridical:
        what = veridical.store.doomed(identifiers, source=source, account=account)
        beside = f" ({len(what.beside)} of them for the recorded replies that they stand in)" if what.beside else ""
        question = (
            f"Delete {len(what.documents)} documents{beside} for good, and the reports of {len(what.dependents)} runs that cite them?"
        )
        if not yes and not _agreed(question):
            say("Nothing was deleted.")
            return codes.REFUSED
        receipt = veridical.store.forget(what, reason=reason)
    if as_json:
        print_json(receipt.model_dump(mode="json"))
    else:
        say(f"Deleted {receipt.deleted} documents and the reports of {receipt.withdrawn} runs.")
    return codes.DONE


def _agreed(question: str) -> bool:
    if not sys.stdin.isatty():
        raise click.UsageError(f"{question} Nobody is there to ask: add --yes.")
    return click.confirm(question, err=True)
