"""Write TypeScript types of the contract, docs/reference/types/veridical.d.ts, from its JSON Schemas: `python -m tools.typescript`.

One interface for each model that the contract exports. A member that has a default may be left out, as the schema says; what veridical
prints has them all. A test holds the file against the models, and where `tsc` is installed it compiles it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from . import schemas
from .docstrings import public_models

FILE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "types" / "veridical.d.ts"
_HEAD = "// Types of what crosses the border of veridical. Written by python -m tools.typescript; edit the docstrings instead.\n"
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

_Schema = dict[str, Any]


def text() -> str:
    """Return what the file should hold."""
    return "\n".join([_HEAD, *(_declared(name, schema) for name, schema in sorted(definitions().items()))])


def definitions() -> dict[str, _Schema]:
    """Return the schema of each model and of what it holds, by name.

    Raises:
        ValueError: one name stands for two schemas.
    """
    found: dict[str, _Schema] = {}
    for name, model in public_models().items():
        whole = json.loads(schemas.schema(model))
        inner = whole.pop("$defs", {})
        own = {} if "$ref" in whole else {name: {key: value for key, value in whole.items() if key != "$schema"}}
        for each, schema in {**inner, **own}.items():
            if found.setdefault(each, schema) != schema:
                raise ValueError(f"{each} stands for two schemas.")
    return found


def _declared(name: str, schema: _Schema) -> str:
    about = _comment(schema, "")
    if "properties" not in schema and schema.get("type") != "object":
        return f"{about}export type {name} = {typed(schema)};\n"
    required = schema.get("required", [])
    members = (_member(key, each, required=key in required) for key, each in schema.get("properties", {}).items())
    return f"{about}export interface {name} {{\n{''.join(members)}}}\n"


def _member(name: str, schema: _Schema, *, required: bool) -> str:
    return f"{_comment(schema, '  ')}  readonly {name}{'' if required else '?'}: {typed(schema)};\n"


def _comment(schema: _Schema, indent: str) -> str:
    said = " ".join(schema.get("description", "").split())
    if "default" in schema:
        said = f"{said} Default: `{json.dumps(schema['default'])}`.".strip()
    return f"{indent}/** {said.replace('*/', '* /')} */\n" if said else ""


def typed(schema: _Schema) -> str:
    """Return the TypeScript type of what `schema` allows; bounds and patterns have none."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(typed, schema["anyOf"])))
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    if "prefixItems" in schema:
        return f"readonly [{', '.join(map(typed, schema['prefixItems']))}]"
    if schema.get("type") == "array":
        return f"ReadonlyArray<{typed(schema['items'])}>"
    if schema.get("type") == "object":
        # Not `Record<string, ...>`: the contract has a model of that name.
        return f"{{ readonly [name: string]: {_values(schema)} }}"
    return _PLAIN[schema["type"]] if "type" in schema else "unknown"


def _values(schema: _Schema) -> str:
    values = schema.get("additionalProperties", True)
    return "unknown" if isinstance(values, bool) else typed(values)


def main() -> None:
    """Write the file."""
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(text(), "utf-8")


if __name__ == "__main__":
    main()
