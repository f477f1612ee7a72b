"""`veridical verify`."""

from __future__ import annotations

import re
from pathlib import Path

import click

from veridical.cli import codes
from veridical.cli.shared import json_option, say


@click.command("verify")
@click.argument("bundle", type=click.Path(path_type=Path))
@click.option("--root", metavar="DIGEST", help="The root digest, got from somewhere else than the bundle: shows where it comes from.")
@click.option(
    "--key",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The public key (PEM) that must have signed it, in BUNDLE.sig: names who asserts the recording.",
)
@click.option("--show", is_flag=True, help="Print everything that was released, as the checker reads it.")
@json_option
def command(bundle: Path, root: str | None, key: Path | None, show: bool, as_json: bool) -> int:  # noqa: FBT001 - click's own signature
    """Check a BUNDLE (report.zip) with a program that shares no code with the rest, in a clean interpreter.

    Exit code 4 names the first place that does not hold.
    """
    from veridical.bundle import verify_bundle

    if root is not None and re.fullmatch(r"[0-9a-fA-F]{64}", root) is None:
        raise click.BadParameter("expected 64 hexadecimal digits.", param_hint="--root")
    if not bundle.is_file():
        say(f"veridical: there is no file {bundle}. Expected a bundle: veridical research QUESTION --from PATH -o report.zip")
        return codes.USAGE
    if key is not None and not key.is_file():
        say(f"veridical: there is no file {key}. Expected a public key: veridical keys new makes a pair, KEY and KEY.pub")
        return codes.USAGE
    found = verify_bundle(bundle, root=root, key=key, show=show, as_json=as_json)
    click.echo(found.text, nl=False)
    if found.problem and not found.text:
        say(found.problem.strip().splitlines()[-1])
    return found.code
