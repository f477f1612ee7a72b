"""`veridical schema`."""

from __future__ import annotations

import click

from veridical.cli.shared import print_json


@click.command("schema")
@click.argument("name", default="Report")
def command(name: str) -> None:
    """Print the JSON Schema of a model of the contract; of the report when no NAME is given."""
    import veridical_contract
    from veridical_contract import Model, UsageError

    found = getattr(veridical_contract, name, None)
    if not (isinstance(found, type) and issubclass(found, Model)):
        models = [each for each in veridical_contract.__all__ if _is_model(getattr(veridical_contract, each))]
        raise UsageError(f"There is no model called {name!r}.", hint=f"Expected one of: {', '.join(models)}.")
    print_json(found.model_json_schema())


def _is_model(value: object) -> bool:
    from veridical_contract import Model

    return isinstance(value, type) and issubclass(value, Model)
