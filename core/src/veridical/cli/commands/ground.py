"""`veridical ground`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from veridical.cli import codes
from veridical.cli.shared import client, field_map, json_option, map_options, print_json, say

if TYPE_CHECKING:
    from veridical_contract import ResearchOutcome

_WIDEST = 100


@click.command("ground")
@click.argument("question")
@click.option(
    "--from", "paths", multiple=True, metavar="PATH", help="A file, folder, glob or source to look in too; may be given several times."
)
@click.option("--source", "sources", multiple=True, metavar="NAME", help="A source that was added, to look in too.")
@map_options
@click.option("--search", metavar="NAME", help="Ask this search plugin and no other.")
@click.option(
    "--pages", type=click.IntRange(0, 50), default=0, metavar="N", help="Fetch this many of the pages that were found and look in them."
)
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True, metavar="N", help="How many results to ask for.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write the report too: report.md, .html, .json or .zip."
)
@json_option
@click.pass_context
def command(
    context: click.Context,
    question: str,
    paths: tuple[str, ...],
    sources: tuple[str, ...],
    mapped: str | None,
    projection: str | None,
    search: str | None,
    pages: int,
    limit: int,
    output: Path | None,
    as_json: bool,  # noqa: FBT001 - click's own signature
) -> int:
    """Answer QUESTION from a real web search, each statement with its citation; no model has a part in it.

    Local evidence is looked in only where it is named. Exit code 3 means a refusal: it says what was tried and what would help.
    """
    with client(context) as veridical:
        veridical.check_output(output)
        outcome = veridical.ground(
            question,
            paths=paths,
            sources=sources,
            field_map=field_map(mapped, projection),
            search=search,
            pages=pages,
            limit=limit,
        )
        if (unkept := veridical.unkept()) is not None:
            say(f"not kept: what went over the wire in this run. {unkept}")
        published = veridical.published()
        root = veridical.save(published, output) if output is not None and published is not None else None
    _print(outcome, as_json=as_json)
    if output is not None:
        say(f"{output}  {root or ''}".rstrip() if published is not None else f"{output} was not written: there is no report.")
    return codes.DONE if outcome.ok else codes.REFUSED


def _print(outcome: ResearchOutcome, *, as_json: bool) -> None:
    if as_json:
        print_json(json.loads(outcome.model_dump_json()))
        return
    from veridical.render import render_outcome

    click.echo(render_outcome(outcome, width=min(shutil.get_terminal_size((_WIDEST, 24)).columns, _WIDEST)), nl=False)
