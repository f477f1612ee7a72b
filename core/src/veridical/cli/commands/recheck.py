"""`veridical recheck`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from veridical.cli import codes
from veridical.cli.shared import client, json_option, print_json, print_table, say
from veridical.cli.words import visible

if TYPE_CHECKING:
    from veridical.workflows.recheck_report import PageState, Recheck

_CODES = {"stands": codes.DONE, "differs": codes.NOT_IN_EVIDENCE, "nothing-checked": codes.NOTHING_TO_CHECK}


@click.command("recheck")
@click.argument("bundle", type=click.Path(path_type=Path))
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="HOST[:PORT]",
    help="A private host that may be read, an intranet wiki for example; may be given several times.",
)
@json_option
@click.pass_context
def command(context: click.Context, bundle: Path, hosts: tuple[str, ...], as_json: bool) -> int:  # noqa: FBT001 - click's own signature
    """Read the pages that a BUNDLE (report.zip) quotes again: same, moved, changed, gone, or unknown when one cannot be read.

    The bundle is verified first. Exit code 4 means that a page changed or is gone, 5 that none could be read.
    """
    with client(context) as veridical:
        found = veridical.recheck(bundle, hosts=hosts)
    if as_json:
        print_json(_json(found))
    else:
        _show(found)
    return _CODES[found.outcome]


def _show(found: Recheck) -> None:
    if found.pages:
        print_table([[page.state, f"[{page.number}]", page.url] for page in found.pages], ("state", "cited", "url"))
    for page in found.pages:
        if page.reason:
            say(f"[{page.number}] {visible(page.reason)}")
        for quote in page.quotes:
            if not quote.stands:
                say(f"    not there: {visible(quote.sentence)}")
    if found.without_url:
        say(f"Quoted documents without a URL, which were not looked at: {found.without_url}")


def _json(found: Recheck) -> dict[str, object]:
    return {
        "format": "veridical.recheck/1",
        "run": found.run,
        "outcome": found.outcome,
        "counts": dict(sorted(found.counts.items())),
        "without_url": found.without_url,
        "pages": [_page(page) for page in found.pages],
    }


def _page(page: PageState) -> dict[str, object]:
    return {
        "number": page.number,
        "document": page.document,
        "url": page.url,
        "state": page.state,
        "found": page.found,
        "identical": page.identical,
        "reason": page.reason,
        "quotes": [{"sentence": quote.sentence, "stands": quote.stands} for quote in page.quotes],
    }
