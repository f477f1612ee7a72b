"""`veridical keys`."""

from __future__ import annotations

from pathlib import Path

import click

from veridical.cli import codes
from veridical.cli.shared import json_option, print_json, say


@click.group("keys")
def command() -> None:
    """Make a key to sign bundles with."""


@command.command("new")
@click.argument("path", type=click.Path(path_type=Path))
@json_option
def new(path: Path, as_json: bool) -> int:  # noqa: FBT001 - click's own signature
    """Make an Ed25519 key: the private one in PATH, that only you can read, and the public one in PATH.pub.

    Nothing is replaced. Whoever has PATH can sign in your name; give PATH.pub to those who check.
    """
    from veridical.bundle import new_key

    made = new_key(path)
    if as_json:
        print_json({"private": str(made.private), "public": str(made.public), "key": made.fingerprint})
    else:
        click.echo(f"{made.private}\n{made.public}")
        say(f"KEY {made.fingerprint}")
        say("Sign: veridical research QUESTION --from PATH -o report.zip --sign " + str(made.private))
        say("Check: veridical verify report.zip --key " + str(made.public))
    return codes.DONE
