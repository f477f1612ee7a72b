"""`veridical plugins`. Listing imports no plugin and none of the heavy libraries."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from veridical.cli import codes
from veridical.cli.shared import client, json_option, print_json, print_table, say
from veridical.discovery.listing import KINDS

if TYPE_CHECKING:
    from veridical_contract import Kind, WireMap

    from veridical.discovery import Listing


@click.group("plugins")
def command() -> None:
    """See which plugins are installed, and say which may run."""


@command.command("list")
@json_option
@click.pass_context
def list_(context: click.Context, as_json: bool) -> None:  # noqa: FBT001 - click's own signature
    """List the installed plugins as their metadata describes them; none is imported."""
    from veridical.discovery import catalogue, read_allow
    from veridical.homes import Home

    rows = catalogue(read_allow(Home.locate(home=context.find_root().obj, environment=os.environ).settings))
    if as_json:
        print_json([_row(row) for row in rows])
    else:
        print_table([_cells(row) for row in rows], ("NAME", "KIND", "STATE", "DISTRIBUTION", "VERSION"))
        for row in rows:
            if said := row.reason or row.note:
                say(f"{row.name}: {said}")


@command.command("show")
@click.argument("name")
@json_option
@click.pass_context
def show(context: click.Context, name: str, as_json: bool) -> None:  # noqa: FBT001
    """Show one plugin: where it comes from, whether it may run, how loading it went, and where it reads replies."""
    with client(context) as veridical:
        rows = veridical.show_plugin(name)
        maps = veridical.wire_maps(name)
    found = [
        _row(listing)
        | {"status": status.status, "reason": status.reason, "notes": list(status.notes), "milliseconds": status.milliseconds}
        | {"isolated": status.isolated}
        | {"wire": {key: wire.model_dump(mode="json") for key, wire in maps.get(cast("Kind", listing.kind), {}).items()}}
        for listing, status in rows
    ]
    if as_json:
        print_json(found)
        return
    for row in found:
        for key, value in row.items():
            if key not in ("wire", "notes") and value not in ("", None):
                click.echo(f"{key + ':':14}{value}")
        for note in cast("list[str]", row["notes"]):
            click.echo(f"{'note:':14}{note}")
        for wire in maps.get(cast("Kind", row["kind"]), {}).values():
            click.echo(f"{'asks:':14}{_asks(wire)}")


@command.command("enable")
@click.argument("name")
@click.option("--pin", is_flag=True, help="Only in the version that is installed now, with the files that it has now.")
@json_option
@click.pass_context
def enable(context: click.Context, name: str, pin: bool, as_json: bool) -> None:  # noqa: FBT001
    """Let the plugin NAME run. Enabling a plugin is trusting its code: unless it is isolated, it runs in this process."""
    with client(context) as veridical:
        listing = veridical.enable_plugin(name, exactly=pin)
        maps = [wire for found in veridical.wire_maps(name).values() for wire in found.values()]
        reasons = [status.reason for _, status in veridical.show_plugin(name) if status.status != "ok"]
    _changed(listing, as_json=as_json)
    if listing.files:
        say(f"It is pinned to version {listing.version} with the files that it has now, {listing.files[:12]}.")
    for reason in dict.fromkeys(reasons):
        say(f"It cannot be loaded yet: {_sentence(reason)} Then type this again, to see what it asks: veridical plugins enable {name}")
    for wire in maps:
        say(f"  asks {_asks(wire)}")


@command.command("disable")
@click.argument("name")
@json_option
@click.pass_context
def disable(context: click.Context, name: str, as_json: bool) -> None:  # noqa: FBT001
    """Keep the plugin NAME from running."""
    with client(context) as veridical:
        listing = veridical.disable_plugin(name)
    _changed(listing, as_json=as_json)


@command.command("freeze")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write it to this file.")
@json_option
@click.pass_context
def freeze(context: click.Context, output: Path | None, as_json: bool) -> None:  # noqa: FBT001
    """Print every enabled plugin with its version, its files and what was approved, as TOML; none is imported."""
    with client(context) as veridical:
        frozen = veridical.freeze_plugins(output)
    if output is not None:
        say(f"{len(frozen.plugins)} plugins are frozen in {output}.")
    if as_json:
        print_json(frozen.model_dump(mode="json"))
    elif output is None:
        click.echo(frozen.toml(), nl=False)


@command.command("restore")
@click.argument("frozen", metavar="FILE", type=click.Path(path_type=Path))
@json_option
@click.pass_context
def restore(context: click.Context, frozen: Path, as_json: bool) -> int:  # noqa: FBT001
    """Enable exactly the plugins that FILE, from `plugins freeze`, names, if all are installed exactly so; none is imported."""
    with client(context) as veridical:
        done = veridical.restore_plugins(frozen)
    if as_json:
        from dataclasses import asdict

        print_json(asdict(done))
    for difference in done.differences:
        say(f"{difference.name}: {difference.said}. Type: {difference.type}")
    if done.differences:
        say("Nothing was changed.")
        return codes.CONFIGURATION
    say(f"Enabled, and pinned as they were frozen: {', '.join(done.enabled) or 'none'}.")
    if done.ended:
        say(f"Not enabled any more: {', '.join(done.ended)}.")
    return codes.DONE


@command.command("check")
@click.argument("name")
@click.option("--kind", type=click.Choice(KINDS), help="Only the plugin of this kind, where there are several of the name.")
@click.option(
    "--location", "locations", multiple=True, metavar="LOCATION", help="What to ask a source for that reads no files; repeatable."
)
@click.option(
    "--cassettes",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where recorded replies are; else in its package.",
)
@json_option
@click.pass_context
def check(
    context: click.Context,
    name: str,
    kind: str | None,
    locations: tuple[str, ...],
    cassettes: Path | None,
    as_json: bool,  # noqa: FBT001
) -> int:
    """Hold the installed plugin NAME against its contract. This runs its code, enabled or not, and asks no service."""
    with client(context) as veridical:
        reports = veridical.check_plugin(name, kind=cast("Kind | None", kind), locations=locations, cassettes=cassettes)
    if as_json:
        print_json([report.model_dump(mode="json") for report in reports])
    for report in reports:
        if not as_json:
            rows = [(result.outcome, result.check, result.sentence) for result in report.results]
            print_table(rows, ("OUTCOME", "CHECK", "WHAT IT DOES"))
        for result in report.reasons():
            said = f"{_sentence(result.said)} {result.hint}" if result.outcome == "failed" else result.said
            say(f"{result.outcome}: {result.check}: {said}")
        say(report.badge())
    if any(report.count("failed") for report in reports):
        return codes.NOT_IN_EVIDENCE
    return codes.DONE if all(report.passed for report in reports) else codes.NOTHING_TO_CHECK


def _sentence(said: str) -> str:
    return said if said.endswith((".", "!", "?")) else f"{said}."


def _asks(wire: WireMap) -> str:
    return f"{wire.base_url}; its hits: {wire.item}, their text: {', '.join(wire.text) or 'none, links alone'}, URL: {wire.url}"


def _changed(listing: Listing, *, as_json: bool) -> None:
    if as_json:
        print_json(_row(listing))
    else:
        say(f"{listing.name} ({listing.distribution} {listing.version}) is {listing.state}. {listing.reason}".rstrip())


def _cells(row: Listing) -> tuple[str, ...]:
    return (row.name, row.kind, row.state, row.distribution, row.version)


def _row(row: Listing) -> dict[str, object]:
    fields = ("name", "kind", "generation", "distribution", "version", "value", "enabled", "state", "reason")
    return {**{field: getattr(row, field) for field in fields}, "pinned": row.files, "notes": [row.note] if row.note else []}
