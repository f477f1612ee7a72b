"""`veridical sources`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from veridical.cli.shared import client, field_map, json_option, map_options, print_json, print_table, say, say_synced

if TYPE_CHECKING:
    from veridical.settings import Source
    from veridical.workflows.ingest import Synced


@click.group("sources")
def command() -> None:
    """Name files, folders and what plugins read once, and keep them read."""


@command.command("add")
@click.argument("name")
@click.argument("paths", nargs=-1)
@map_options
@click.option("--plugin", metavar="PLUGIN", default="files", show_default=True, help="The plugin that reads it.")
@click.option(
    "--location",
    "locations",
    multiple=True,
    metavar="TEXT",
    help="What a plugin that reads no files is told to read; may be given several times.",
)
@json_option
@click.pass_context
def add(
    context: click.Context,
    name: str,
    paths: tuple[str, ...],
    mapped: str | None,
    projection: str | None,
    plugin: str,
    locations: tuple[str, ...],
    as_json: bool,  # noqa: FBT001 - click's own signature
) -> None:
    """Add the source NAME from PATHS (files, folders, globs), read it, and remember how.

    A source that is no files needs no PATHS: --plugin names what reads it, and the settings file says the rest.
    """
    with client(context) as veridical:
        synced = veridical.add_source(name, paths, field_map=field_map(mapped, projection), plugin=plugin, locations=locations)
    _show({name: synced}, as_json=as_json)


@command.command("list")
@json_option
@click.pass_context
def list_(context: click.Context, as_json: bool) -> None:  # noqa: FBT001
    """List the sources and how many documents each holds."""
    with client(context) as veridical:
        rows = veridical.sources()
    if as_json:
        print_json([{"name": row.name, "documents": row.documents, **row.settings.model_dump(mode="json")} for row in rows])
    elif rows:
        print_table([(row.name, str(row.documents), _where(row.settings)) for row in rows], ("NAME", "DOCUMENTS", "READ FROM"))
    else:
        say("No source was added yet. Add one: veridical sources add NAME PATH")


@command.command("sync")
@click.argument("names", nargs=-1)
@click.option("--full", is_flag=True, help="Read everything again of sources that are no files, and drop what is gone there.")
@click.option("--forgotten", is_flag=True, help="Read everything again, and take back what was deleted with `veridical forget`.")
@json_option
@click.pass_context
def sync(context: click.Context, names: tuple[str, ...], full: bool, forgotten: bool, as_json: bool) -> None:  # noqa: FBT001
    """Read what changed in the sources NAMES; in all of them when none is named."""
    with client(context) as veridical:
        synced = veridical.sync_sources(names, full=full, forgotten=forgotten)
    _show(synced, as_json=as_json)


@command.command("remove")
@click.argument("name")
@json_option
@click.pass_context
def remove(context: click.Context, name: str, as_json: bool) -> None:  # noqa: FBT001
    """Forget the source NAME. Reports that cite its documents can still be checked."""
    with client(context) as veridical:
        documents = veridical.remove_source(name)
    if as_json:
        print_json({"name": name, "documents": documents})
    else:
        say(f"Removed {name}, which held {documents} documents.")


def _where(source: Source) -> str:
    return ", ".join(source.paths) or " ".join([source.plugin, *source.locations])


def _show(synced: dict[str, Synced], *, as_json: bool) -> None:
    for name, one in synced.items():
        if len(synced) > 1:
            say(f"{name}:")
        say_synced(one)
    if as_json:
        print_json(
            {
                name: {
                    "added": one.added,
                    "inputs": [record.model_dump(mode="json") for record in one.inputs],
                    "withheld": one.withheld,
                    "beside": one.beside,
                    "refused": one.refused,
                    "dropped_fields": one.dropped_fields,
                }
                for name, one in synced.items()
            }
        )
    for one in synced.values():
        if one.failure is not None:
            raise one.failure
