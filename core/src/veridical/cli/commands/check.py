"""`veridical check`."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from veridical.cli import codes
from veridical.cli.shared import client, field_map, map_options, say
from veridical.cli.words import visible

if TYPE_CHECKING:
    from veridical_contract import CheckReport

    from veridical.workflows.check import Checked

_WIDEST = 100
_CODES = {"confirmed": codes.DONE, "not-in-evidence": codes.NOT_IN_EVIDENCE, "nothing-to-check": codes.NOTHING_TO_CHECK}


@click.command("check")
@click.argument("drafts", nargs=-1, required=True, metavar="DRAFT...")
@click.option("--against", multiple=True, metavar="PATH", help="A file, folder or glob that is the evidence; may be given several times.")
@click.option("--source", "sources", multiple=True, metavar="NAME", help="A source that was added. Default: everything in the store.")
@map_options
@click.option(
    "--format",
    "shape",
    type=click.Choice(("text", "json", "sarif", "github")),
    default="text",
    show_default=True,
    help="How the findings are printed: SARIF 2.1.0 for code scanning, github for workflow annotations.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--strict", is_flag=True, help="Warnings are errors: a quotation whose cut changes what it says.")
@click.option("--list-unchecked", is_flag=True, help="List the sentences in which there is nothing to check.")
@click.option(
    "--fix", "out", type=click.Path(path_type=Path), metavar="OUT", help="Write a copy with altered quotations put right and errors marked."
)
@click.option("--fix-suffix", "suffix", metavar="WORD", help="Write such copies beside the drafts: .fixed makes draft.fixed.md.")
@click.option("--overwrite", is_flag=True, help="A copy may replace another file. It never replaces a draft.")
@click.pass_context
def command(
    context: click.Context,
    drafts: tuple[str, ...],
    against: tuple[str, ...],
    sources: tuple[str, ...],
    mapped: str | None,
    projection: str | None,
    shape: str,
    as_json: bool,  # noqa: FBT001 - click's own signature
    strict: bool,  # noqa: FBT001
    list_unchecked: bool,  # noqa: FBT001
    out: Path | None,
    suffix: str | None,
    overwrite: bool,  # noqa: FBT001
) -> int:
    """Check every quotation, address, number and citation in a DRAFT (Markdown, HTML or text; - is standard input).

    Exit code 4 means that something is not in the evidence, 5 that there was nothing to check. The drafts are never changed.
    """
    if out is not None and suffix is not None:
        raise click.UsageError("--fix and --fix-suffix exclude each other.")
    names = list(dict.fromkeys(drafts))
    with client(context) as veridical:
        fixing = out is not None or suffix is not None
        paths = veridical.fix_paths(names, out=out, suffix=suffix, overwrite=overwrite) if fixing else ()
        read = [(name, sys.stdin.buffer.read()) if name == "-" else name for name in names]
        checked = veridical.check(read, against=against, sources=sources, field_map=field_map(mapped, projection), strict=strict)
        _say_inputs(checked.report)
        click.echo(_rendered(checked.report, "json" if as_json else shape, list_unchecked=list_unchecked), nl=False)
        veridical.write_fixed(checked, paths)
    _say_copies(checked, paths)
    return _CODES[checked.report.outcome]


def _rendered(report: CheckReport, shape: str, *, list_unchecked: bool) -> str:
    if shape == "json":
        # ASCII: what a draft says is shown to people by other formats, made visible.
        return json.dumps(report.model_dump(mode="json"), indent=2, ensure_ascii=True) + "\n"
    from veridical.render import render_check_github, render_check_sarif, render_check_text

    if shape == "sarif":
        return render_check_sarif(report, unchecked=list_unchecked)
    if shape == "github":
        return render_check_github(report, unchecked=list_unchecked)
    width = min(shutil.get_terminal_size((_WIDEST, 24)).columns, _WIDEST)
    return render_check_text(report, width=width, unchecked=list_unchecked)


def _say_inputs(report: CheckReport) -> None:
    for record in report.inputs:
        if record.status not in ("read", "unchanged"):
            reason = f": {' '.join(record.reason.text.split())}" if record.reason is not None else ""
            say(visible(f"{record.status}: {record.path}{reason}"))


def _say_copies(checked: Checked, paths: Sequence[Path]) -> None:
    for path, file in zip(paths, checked.drafts, strict=bool(paths)):
        edits = [finding.fix for finding in checked.report.findings if finding.file == file.draft.name and finding.fix is not None]
        replaced = sum(edit.replaces for edit in edits)
        say(visible(f"Wrote {path}: {_number(replaced, 'quotation')} put right, {_number(len(edits) - replaced, 'place')} marked."))


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
