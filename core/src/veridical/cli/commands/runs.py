"""`veridical runs`."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from veridical.cli import codes
from veridical.cli.shared import client, json_option, print_json, print_table, say


@click.group("runs")
def command() -> None:
    """Look at past runs, and write their reports again."""


@command.command("list")
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, help="How many at most, the newest first.")
@json_option
@click.pass_context
def list_(context: click.Context, limit: int, as_json: bool) -> None:  # noqa: FBT001 - click's own signature
    """List the newest runs."""
    with client(context) as veridical:
        rows = veridical.store.runs(limit)
    if as_json:
        print_json([{"run": row.run, "created_at": row.created_at, "query": row.query, "state": row.state} for row in rows])
    elif rows:
        print_table([(row.run[:12], row.created_at, row.state, row.query) for row in rows], ("RUN", "CREATED", "STATE", "QUESTION"))
    else:
        say('There was no run yet. Type: veridical research "QUESTION" --from PATH')


@command.command("export")
@click.argument("run")
@click.option("-o", "--output", "output", metavar="FILE", required=True, help="Where to: .md, .html, .json or .zip.")
@click.option("--slim", is_flag=True, help="Leave the records' bytes out of a .zip.")
@json_option
@click.pass_context
def export(context: click.Context, run: str, output: str, slim: bool, as_json: bool) -> int:  # noqa: FBT001
    """Check the report of RUN against the store as it is now, and write it again. Exit code 4 when evidence was withdrawn."""
    with client(context) as veridical:
        veridical.check_output(output)
        root = veridical.save(veridical.store.reopen(run), output, slim=slim)
    if as_json:
        print_json({"file": output, "root": root})
    else:
        say(f"Wrote {output}." + (f" Root digest: {root}" if root is not None else ""))
    return codes.DONE


@command.command("wire")
@click.argument("run")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Copy the record to this file: WARC, compressed.")
@json_option
@click.pass_context
def wire(context: click.Context, run: str, output: Path | None, as_json: bool) -> int:  # noqa: FBT001
    """Show what went over the wire in RUN: each reply as it came. Evidence from the web names the reply that it stands in by its digest."""
    with client(context) as veridical:
        replies = veridical.store.wire(run)
        file = veridical.store.wire_file(run)
    if output is not None and replies:
        if output.exists():
            raise click.UsageError(f"{output} is there already.")
        shutil.copyfile(file, output)
    if as_json:
        print_json([{"url": one.url, "date": one.date.isoformat(), "status": one.status, "sha256": one.digest} for one in replies])
    elif replies:
        print_table(
            [(str(one.status), one.digest[:16], str(len(one.body)), one.url) for one in replies], ("STATUS", "SHA-256", "BYTES", "URL")
        )
        say(f"Copied to {output}." if output is not None else f"As WARC: {file}")
    else:
        say("Nothing went over the wire in this run, or its record is no longer kept.")
    return codes.DONE
