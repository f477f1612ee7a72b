"""Write the JSON Schemas of what crosses a border: `python -m tools.schemas`.

One file for each model that a hook takes or gives back, and for those that leave: reports, outcomes, the chunks of a conversation. What
they hold stands in their `$defs`. Descriptions come from the docstrings. A test holds the files against the models.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import get_args, get_type_hints

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema
from veridical_contract import SPECS, AgentChunk, Audit, CheckReport, Completion, Document, Model, Report, ResearchOutcome, Turn

from .docstrings import documentation

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "reference" / "schemas"


class _Documented(GenerateJsonSchema):
    """Takes the description of each field from the docstring of its class, and leaves out titles that repeat the name."""

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002 - the name that pydantic calls
        return False

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        found = super().model_schema(schema)
        described = documentation(schema["cls"])
        found["description"] = described.text
        for name, text in described.fields.items():
            found["properties"][name]["description"] = text
        return found


def roots() -> dict[str, type[Model]]:
    """Return the models that get a file, by name."""
    leaving: tuple[type[Model], ...] = (Report, CheckReport, Document, ResearchOutcome, Audit, Turn, Completion, *_models(AgentChunk))
    found = {model.__name__: model for model in leaving}
    for spec in SPECS.values():
        for _, hook in inspect.getmembers(spec, inspect.isfunction):
            found |= {model.__name__: model for annotation in get_type_hints(hook).values() for model in _models(annotation)}
    return dict(sorted(found.items()))


def _models(annotation: object) -> Iterator[type[Model]]:
    """Yield the models that an annotation names, at any depth."""
    if inspect.isclass(annotation) and issubclass(annotation, Model):
        yield annotation
    for part in get_args(annotation):
        yield from _models(part)


def schema(model: type[Model]) -> str:
    """Return the JSON Schema of `model` as indented JSON with a final newline."""
    head = {"$schema": GenerateJsonSchema.schema_dialect}
    return json.dumps(head | model.model_json_schema(schema_generator=_Documented), indent=2, ensure_ascii=True) + "\n"


def files() -> dict[Path, str]:
    """Return each file and what it should hold."""
    return {FOLDER / f"{name}.schema.json": schema(model) for name, model in roots().items()}


def main() -> None:
    """Write the files, and remove those of models that are gone."""
    wanted = files()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path in FOLDER.glob("*.schema.json"):
        if path not in wanted:
            path.unlink()
    for path, text in wanted.items():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
