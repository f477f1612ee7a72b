"""The JSON Schemas of arguments and results, as clients see them."""

from __future__ import annotations

import inspect
from typing import Any, Literal

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema
from veridical_contract import Model

__all__ = ["schema_of"]


class _Short(GenerateJsonSchema):
    """Leaves out titles that repeat a name, and of a docstring all but its first paragraph: the reference has the rest."""

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002 - the name that pydantic calls
        return False

    def field_is_required(
        self,
        field: core_schema.ModelField | core_schema.DataclassField | core_schema.TypedDictField,
        total: bool,  # noqa: FBT001 - pydantic's
    ) -> bool:
        return self.mode == "serialization" or super().field_is_required(
            field, total
        )  # a result has every field, also those with a default

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        found = super().model_schema(schema)
        found["description"] = " ".join((inspect.getdoc(schema["cls"]) or "").partition("\n\n")[0].split())
        return found


def schema_of(model: type[Model], mode: Literal["validation", "serialization"], without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the schema of `model`; `without` are fields that are left out of it."""
    schema = model.model_json_schema(mode=mode, schema_generator=_Short)
    for name in without:
        schema.get("properties", {}).pop(name, None)
        if name in schema.get("required", ()):
            schema["required"].remove(name)
    return schema
