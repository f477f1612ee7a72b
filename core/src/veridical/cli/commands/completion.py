"""`veridical completion`."""

from __future__ import annotations

import click

_SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(_SHELLS))
def command(shell: str) -> None:
    """Print the completion script of a SHELL: eval "$(veridical completion bash)"."""
    from click.shell_completion import get_completion_class

    from veridical.cli.group import veridical

    completion = get_completion_class(shell)
    if completion is None:
        raise click.UsageError(f"click knows no completion for {shell}.")
    click.echo(completion(veridical, {}, "veridical", "_VERIDICAL_COMPLETE").source())
