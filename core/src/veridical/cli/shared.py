"""What several commands share: options, the client, progress, results."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from veridical_contract import FieldMap

    from veridical.client import Veridical
    from veridical.workflows.ingest import Synced

_Command = TypeVar("_Command", bound=Callable[..., Any])

FIELDS = ("text", "url", "title", "author", "author_name", "published")
PROJECTIONS = ("plain", "markdown", "html")
_SHOWN_PROBLEMS = 10


def json_option(command: _Command) -> _Command:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")(command)


def map_options(command: _Command) -> _Command:
    """Add `--map` and `--projection`."""
    command = click.option(
        "--projection",
        type=click.Choice(PROJECTIONS),
        help="How the text of tabular data is marked up. Default: found out per record.",
    )(command)
    return click.option(
        "--map",
        "mapped",
        metavar="FIELD=COLUMN,...",
        help="Which column or JSON member holds which field: text=body,author=user_id,url=permalink,published=created",
    )(command)


def field_map(mapped: str | None, projection: str | None) -> FieldMap | None:
    """Return the field map that the options name, or None."""
    if mapped is None and projection is None:
        return None
    from veridical_contract import FieldMap

    fields: dict[str, str] = {}
    for part in filter(None, (mapped or "").split(",")):
        name, equals, column = part.partition("=")
        if not equals or name not in FIELDS or not column:
            raise click.BadParameter(f"{part!r} is not FIELD=COLUMN with a field of {', '.join(FIELDS)}.", param_hint="--map")
        fields[name] = column
    return FieldMap.model_validate({"fields": fields, "projection": projection})


@contextmanager
def client(context: click.Context) -> Generator[Veridical]:
    """Yield the installation that the options name; end it afterwards."""
    import logging

    from veridical.client import Veridical

    from .progress import progress

    if "--debug" not in sys.argv:
        # What a person has to know is said in one line; logging's own last resort would add more.
        logging.getLogger("veridical").addHandler(logging.NullHandler())
    with progress() as watcher, Veridical(home=context.find_root().obj, progress=watcher) as opened:
        yield opened


def say(line: str) -> None:
    """Print a line for a person, on stderr."""
    click.echo(line, err=True)


def print_json(value: object) -> None:
    """Print a result as JSON, on stdout."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=not _prints_unicode()))


def print_table(rows: Sequence[Sequence[str]], header: Sequence[str]) -> None:
    """Print rows in columns, on stdout; cells are shown without control characters."""
    from veridical.cli.words import visible

    cells = [[visible(cell) for cell in row] for row in (header, *rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    for row in cells:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def say_synced(synced: Synced) -> None:
    """Say what reading did, and name what could not be read."""
    by_status: dict[str, int] = {}
    for record in synced.inputs:
        by_status[record.status] = by_status.get(record.status, 0) + 1
    read, unchanged = by_status.get("read", 0), by_status.get("unchanged", 0)
    if synced.followed:
        say(f"Read {synced.added} new documents; it holds {sum(record.documents for record in synced.inputs)} now.")
    else:
        say(f"Read {_files(read)} ({synced.added} new documents); {_files(unchanged)} unchanged.")
    bad = [record for record in synced.inputs if record.status not in ("read", "unchanged")]
    for record in bad[:_SHOWN_PROBLEMS]:
        reason = f": {' '.join(record.reason.text.split())}" if record.reason is not None else ""
        say(f"  {record.status}: {record.path}{reason}")
    if len(bad) > _SHOWN_PROBLEMS:
        say(f"  and {len(bad) - _SHOWN_PROBLEMS} more; --json lists them all.")
    for what, counts in (("records refused", synced.refused), ("fields left out", synced.dropped_fields)):
        if counts:
            say(f"  {what}: {_counts(counts)}")
    if synced.withheld:
        say(f"  left out: {synced.withheld} records that were forgotten; to read them again: veridical sources sync --forgotten NAME")
    if synced.beside:
        say(f"  left out: {synced.beside} records whose replies hold a forgotten one; they come back when it is gone where it was read")


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{rule} {count}" for rule, count in sorted(counts.items()))


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"


def _prints_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def existing_folder(path: Path) -> bool:
    """Whether results can be written beside `path`."""
    return path.parent.is_dir()
