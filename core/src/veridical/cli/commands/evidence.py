"""`veridical evidence`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from veridical.cli import codes
from veridical.cli.shared import client, json_option, print_json, say
from veridical.cli.words import visible

if TYPE_CHECKING:
    from veridical.client import Found


@click.group("evidence")
def command() -> None:
    """Look at what the store holds."""


@command.command("search")
@click.argument("words")
@click.option("--source", "sources", multiple=True, metavar="NAME", help="Look in this source only; may be given several times.")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many passages at most.")
@json_option
@click.pass_context
def search(context: click.Context, words: str, sources: tuple[str, ...], limit: int, as_json: bool) -> int:  # noqa: FBT001 - click's own signature
    """Find passages that hold any of WORDS, best first."""
    with client(context) as veridical:
        found = veridical.search_evidence(words, sources=sources, limit=limit)
    if as_json:
        print_json([_row(one) | {"text": one.text, "start": one.start, "end": one.end} for one in found])
    for one in () if as_json else found:
        click.echo(f"{one.id[:12]}  {visible(_place(one))}")
        click.echo(f"    {visible(' '.join(one.text.split()))}\n")
    if not found:
        say("Nothing holds any of these words. See what there is: veridical sources list")
        return codes.NOT_IN_EVIDENCE
    return codes.DONE


@command.command("show")
@click.argument("identifier")
@json_option
@click.pass_context
def show(context: click.Context, identifier: str, as_json: bool) -> None:  # noqa: FBT001
    """Show one document as it was admitted; the first digits of its IDENTIFIER are enough."""
    with client(context) as veridical:
        found = veridical.show_evidence(identifier)
    if as_json:
        print_json(_row(found) | {"document": found.document.model_dump(mode="json")})
        return
    document = found.document
    author = document.author.name or document.author.id if document.author is not None else None
    published = document.published.value if document.published is not None else None
    fields = (
        ("identifier", found.id),
        ("place", _place(found)),
        ("url", document.url),
        ("title", document.title),
        ("author", author),
        ("published", published),
        ("retrieved", document.retrieved),
        ("read by", f"{document.plugin} ({document.extractor})"),
    )
    for name, value in fields:
        if value is not None:
            click.echo(f"{name + ':':12}{visible(value)}")
    click.echo()
    click.echo(visible(document.text, keep="\n\t"))


def _row(found: Found) -> dict[str, object]:
    return {"id": found.id, "place": _place(found), "url": found.document.url, "title": found.document.title}


def _place(found: Found) -> str:
    locator = found.document.locator
    parts = [f"{name} {value}" for name, value in (("page", locator.page), ("row", locator.row)) if value is not None]
    if found.line is not None:
        parts.append(f"line {found.line}")
    return ", ".join([locator.container, *parts])
