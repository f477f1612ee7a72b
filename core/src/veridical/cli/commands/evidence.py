"""`veridical evidence`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from veridical.cli import codes
from veridical.cli.shared import client, json_option, print_json, say
from veridical.cli.words import visible

if TYPE_CHECKING:
    from veridical.client import Found
    from veridical.workflows.find import Place, Standing


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


@command.command("find")
@click.argument("quote")
@click.option("--source", "sources", multiple=True, metavar="NAME", help="Look in this source only; may be given several times.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, help="How many places to show at most.")
@json_option
@click.pass_context
def find(context: click.Context, quote: str, sources: tuple[str, ...], limit: int, as_json: bool) -> int:  # noqa: FBT001
    """Find every document in which QUOTE stands, word for word or in another spelling of the same words.

    Exits with 4 when it stands nowhere, or when nobody can say so without looking into a document.
    """
    with client(context) as veridical:
        standing = veridical.find_quote(quote, sources=sources, limit=limit)
        found = [veridical.show_place(place) for place in standing.places]
    rows = list(zip(standing.places, found, strict=True))
    if as_json:
        print_json(
            {
                "total": standing.total,
                "complete": standing.complete,
                "absent": standing.absent,
                "refusals": standing.refusals,
                "places": [_row(at) | {"text": at.text} | _stands(place) for place, at in rows],
            }
        )
    for place, at in () if as_json else rows:
        times = f", {place.occurrences} times" if place.occurrences > 1 else ""
        click.echo(f"{place.id[:12]}  {visible(_place(at))}{times} ({_verdict(place)})")
        click.echo(f"    {visible(' '.join(at.text.split()))}\n")
    say(_summary(standing))
    return codes.DONE if standing.total else codes.NOT_IN_EVIDENCE


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
        ("account", f"{document.author.site}/{document.author.id}" if document.author is not None else None),
        ("published", published),
        ("retrieved", document.retrieved),
        ("read by", f"{document.plugin} ({document.extractor})"),
    )
    for name, value in fields:
        if value is not None:
            click.echo(f"{name + ':':12}{visible(value)}")
    click.echo()
    click.echo(visible(document.text, keep="\n\t"))


def _summary(standing: Standing) -> str:
    """Say in how many documents a quote stands, and how sure that is."""
    if standing.total:
        least = "" if standing.complete else "at least "
        shown = f"; {len(standing.places)} shown" if standing.total > len(standing.places) else ""
        return f"It stands in {least}{standing.total} document{'s' * (standing.total > 1)}{shown}."
    if standing.refusals:
        return f"The words are there, and cannot be quoted like this: {', '.join(standing.refusals)}."
    if standing.absent:
        return "It stands in no document of the store."
    if standing.rejections:
        return f"Not found, but {len(standing.rejections)} documents could not be read. See: veridical doctor --store"
    return "Not found, which proves nothing: so few words need a document to look into. Give more words, or name a smaller --source."


def _stands(place: Place) -> dict[str, object]:
    verdict = place.verdict
    return {
        "start": place.start,
        "end": place.end,
        "verdict": verdict.verdict,
        "folds": verdict.folds,
        "labels": verdict.labels,
        "occurrences": place.occurrences,
    }


def _verdict(place: Place) -> str:
    folds = f": {', '.join(place.verdict.folds)}" if place.verdict.folds else ""
    return f"{place.verdict.verdict}{folds}"


def _row(found: Found) -> dict[str, object]:
    return {"id": found.id, "place": _place(found), "url": found.document.url, "title": found.document.title}


def _place(found: Found) -> str:
    locator = found.document.locator
    parts = [f"{name} {value}" for name, value in (("page", locator.page), ("row", locator.row)) if value is not None]
    if found.line is not None:
        parts.append(f"line {found.line}")
    return ", ".join([locator.container, *parts])
