"""`veridical research`."""

from __future__ import annotations

import shlex
import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from veridical.cli import codes
from veridical.cli.shared import client, field_map, json_option, map_options, say

if TYPE_CHECKING:
    from veridical_contract import Report

    from veridical.kernel.exit import Published
    from veridical.spending import Spent

_WIDEST = 100


@click.command("research")
@click.argument("question")
@click.option(
    "--from", "paths", multiple=True, metavar="PATH", help="A file, folder, glob or source to look in; may be given several times."
)
@click.option("--source", "sources", multiple=True, metavar="NAME", help="A source that was added, to look in. Default: all of them.")
@click.option(
    "--must-address", multiple=True, metavar="QUESTION", help="A question that the report has to answer; may be given several times."
)
@map_options
@click.option("--web", is_flag=True, help="Search the web too: with the plugins whose keys are set. See: veridical doctor")
@click.option("--search", metavar="NAME", help="Search the web with this plugin.")
@click.option(
    "--pages", type=click.IntRange(0, 50), default=0, metavar="N", help="Fetch this many of the pages that were found and look in them."
)
@click.option("--resolve", is_flag=True, help="Ask a provider's short-lived redirects where they lead; both addresses are noted.")
@click.option("--cite", is_flag=True, help="Let the chat plugin's provider cite the passages by its own means; every citation is checked.")
@click.option("--max-cost", metavar="DOLLARS", help="What models may cost at most: 0.50. One whose price is not known is not asked then.")
@click.option("--seconds", type=click.FloatRange(1, 86_400), metavar="N", help="How long the whole run may take.")
@click.option(
    "--chat",
    metavar="NAME",
    help="The plugin that groups and names. Default: one whose key is set, else the local one.",
)
@click.option("--embedding", metavar="NAME", help="The plugin that compares passages. Default: the local one.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the random part of the selection.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write report.md, report.html, report.json or report.zip."
)
@click.option(
    "--sign",
    type=click.Path(path_type=Path),
    metavar="KEY",
    help="Sign the .zip with an Ed25519 private key (PEM); see: veridical keys new. Writes FILE.sig beside it.",
)
@click.option("--slim", is_flag=True, help="Leave the files' own bytes out of a .zip; their digests stay.")
@json_option
@click.pass_context
def command(
    context: click.Context,
    question: str,
    paths: tuple[str, ...],
    sources: tuple[str, ...],
    must_address: tuple[str, ...],
    mapped: str | None,
    projection: str | None,
    web: bool,  # noqa: FBT001 - click's own signature
    search: str | None,
    pages: int,
    resolve: bool,  # noqa: FBT001
    cite: bool,  # noqa: FBT001
    max_cost: str | None,
    seconds: float | None,
    chat: str | None,
    embedding: str | None,
    seed: int,
    output: Path | None,
    sign: Path | None,
    slim: bool,  # noqa: FBT001 - click's own signature
    as_json: bool,  # noqa: FBT001
) -> int:
    """Answer QUESTION from files, sources and, when asked to, the web: themes, quotes that stand there word for word, and counts.

    Exit code 3 means that the evidence says too little: the report then says what was tried and what would help.
    """
    from veridical.resolution import LOCAL

    with client(context) as veridical:
        veridical.check_output(output, sign=sign)
        web = web or search is not None or pages > 0
        for choice in veridical.choices(chat=chat, search=search if web else None, web=web):
            if choice.why != LOCAL:
                say(f"{choice.kind}: {choice.name} ({choice.why}). {choice.change}")
        published = veridical.research(
            question,
            paths=paths,
            sources=sources,
            must_address=must_address,
            field_map=field_map(mapped, projection),
            chat=chat,
            embedding=embedding,
            seed=seed,
            web=web,
            search=search,
            pages=pages,
            resolve=resolve,
            cite=cite,
            max_cost=max_cost,
            seconds=seconds,
        )
        for (plugin, model), row in veridical.spent().items():
            if row.cost or row.unknown:
                say(f"{plugin} {model}: {_spent(row)}")
        _say_inputs(published.report)
        if (unkept := veridical.unkept()) is not None:
            say(f"not kept: what went over the wire in this run. {unkept}")
        root = veridical.save(published, output, slim=slim, sign=sign) if output is not None else None
    _print(published, output, root, as_json=as_json)
    if sign is not None:
        say(f"Signature {output}.sig; give it away with the bundle, and the public key by another way.")
    return codes.DONE if published.report.outcome == "answered" else codes.REFUSED


def _print(published: Published, output: Path | None, root: str | None, *, as_json: bool) -> None:
    report = published.report
    if as_json:
        click.echo(published.report_bytes.decode("ascii"))
    elif output is None:
        from veridical.render import render_text

        click.echo(render_text(report, width=min(shutil.get_terminal_size((_WIDEST, 24)).columns, _WIDEST)))
    else:
        click.echo(f"{output}  {root}" if root is not None else str(output))
    if report.refusal is not None and (as_json or output is not None):
        say(f"Refused: {report.refusal.text} {report.refusal.help[0]}")
    if root is not None:
        say(f"Root digest {root}")
        say(f"Check it: veridical verify {_typed(output)} --root {root}")


def _spent(row: Spent) -> str:
    from veridical.prices import dollars

    known = f"{dollars(row.cost)}{' at most' if row.estimated else ''}" if row.unknown < row.calls else "cost not known"
    searches = f", {row.searches} searches" if row.searches else ""
    calls = "1 call" if row.calls == 1 else f"{row.calls} calls"
    return f"{calls}, {row.input_tokens} tokens in, {row.output_tokens} out{searches}: {known}"


def _typed(path: Path | None) -> str:
    """Return a path as it can be typed into a shell."""
    text = str(path)
    return shlex.quote(f"./{text}" if text.startswith("-") else text)


def _say_inputs(report: Report) -> None:
    bad = [record for record in report.inputs if record.status not in ("read", "unchanged")]
    for record in bad:
        reason = f": {' '.join(record.reason.text.split())}" if record.reason is not None else ""
        say(f"{record.status}: {record.path}{reason}")
    refused = Counter(one.rule for one in report.rejections if one.hook == "read")
    for rule, count in sorted(refused.items()):
        say(f"left out on reading: {count} ({rule}); the operator's log says where: veridical config path")
