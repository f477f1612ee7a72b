"""Write the pages of docs/reference that follow from the code: `python -m tools.reference`.

hooks.md    from the hook specifications        errors.md   from the error tree
models.md   from the models                     schemas.md  the index of the JSON Schemas

A test holds the pages against the code.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator
from pathlib import Path

import veridical_contract
from pydantic_core import PydanticUndefined
from veridical_contract import DEPRECATED, GENERATION, KINDS, SPECS, Model, VeridicalError

from . import schemas
from .docstrings import constants, documentation, public_models

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "reference"
_WRITTEN = "<!-- Written by python -m tools.reference; edit the docstrings instead. -->"


def pages() -> dict[Path, str]:
    """Return each page and what it should hold."""
    made = {"hooks.md": hooks(), "models.md": models(), "errors.md": errors(), "schemas.md": index()}
    return {FOLDER / name: text for name, text in made.items()}


def hooks() -> str:
    """Return the page of the hook specifications."""
    return _page(
        "Hooks",
        "A plugin is a class that an entry point names. The host calls the class once with a `PluginContext`, and then its hooks, each "
        "with keyword arguments. A hook may be `async def`. Mark it with `veridical_contract.hookimpl`; wrappers, `tryfirst` and `trylast` "
        "are refused. What a hook returns is data from outside: it is copied, checked for exact types, and admitted or dropped.",
        *(part for kind in KINDS for part in _kind(kind, SPECS[kind])),
    )


def models() -> str:
    """Return the page of the models, in the order of their names."""
    aliases = [_table(("type", "meaning"), [(f"`{name}`", text) for name, text in sorted(constants().items()) if name[0].isupper()])]
    return _page(
        "Models",
        "Every model is strict (nothing is coerced: `True` is not `1`), frozen, and refuses unknown fields. Offsets are code points and "
        "half-open: `start` is the first character, `end` is one past the last.",
        "## Shared types",
        *aliases,
        *(part for name, model in public_models().items() for part in _model(name, model)),
    )


def errors() -> str:
    """Return the page of the error tree."""
    return _page(
        "Errors",
        "Every error is one line for a person and a stable `code` for a program. `message` says who, what came and what was expected; "
        "`hint` is the next command to type.",
        *_error(VeridicalError, 0),
    )


def index() -> str:
    """Return the page that lists the JSON Schemas."""
    rows = [
        (f"[{name}](schemas/{name}.schema.json)", documentation(model).text.split("\n\n")[0]) for name, model in schemas.roots().items()
    ]
    return _page(
        "JSON Schemas",
        "One file for each model that a hook takes or gives back, and for those that leave: `Report`, `CheckReport` and `Document`. Every "
        "string of a report has a `leaf`, which says where its words come from: `span`, `ledger`, `computed`, `kernel`, `user`, `prose` or "
        "`untrusted`. `veridical schema NAME` prints the schema of any model of the contract.",
        "For TypeScript, [veridical.d.ts](types/veridical.d.ts) declares an interface for each model of the contract.",
        _table(("schema", "what it is"), rows),
    )


def _kind(kind: str, spec: type[object]) -> Iterator[str]:
    yield f"## {kind}"
    yield f"Entry-point group `veridical.{GENERATION}.{kind}`."
    for name, hook in vars(spec).items():
        if inspect.isfunction(hook):
            signature = inspect.signature(hook)
            annotated = [_argument(one) for one in signature.parameters.values() if one.name != "self"]
            yield f"### {name}"
            yield f"```python\ndef {name}({', '.join(['self', *annotated])}) -> {signature.return_annotation}: ...\n```"
            yield documentation(hook).text
            yield from (f"**Deprecated.** {row}" for row in DEPRECATED if (row.kind, row.hook) == (kind, name))


def _argument(parameter: inspect.Parameter) -> str:
    default = "" if parameter.default is inspect.Parameter.empty else f" = {parameter.default!r}".replace("'", '"')
    return f"{parameter.name}: {parameter.annotation}{default}"


def _model(name: str, model: type[Model]) -> Iterator[str]:
    described = documentation(model)
    hints = inspect.get_annotations(model)
    yield f"## {name}"
    yield described.text
    yield _table(
        ("field", "type", "default", "meaning"),
        [(f"`{field}`", f"`{_plain(str(hints[field]))}`", _default(model, field), text) for field, text in described.fields.items()],
    )


def _plain(annotation: str) -> str:
    """Return an annotation as it reads: the bounds in `Annotated` stand in the JSON Schema."""
    while annotation.startswith("Annotated["):
        inside, depth = annotation.removeprefix("Annotated[")[:-1], 0
        for at, character in enumerate(inside):
            depth += (character in "[(") - (character in "])")
            if character == "," and not depth:
                inside = inside[:at]
                break
        annotation = inside
    return annotation


def _default(model: type[Model], field: str) -> str:
    info = model.model_fields[field]
    if info.default is PydanticUndefined:
        return "`{}`" if info.default_factory is not None else "required"
    return f"`{info.default!r}`"


def _error(error: type[VeridicalError], depth: int) -> Iterator[str]:
    described = documentation(error, "Args")
    parent = error.__bases__[0].__name__
    yield f"## {error.__name__}"
    yield f"Code `{error.code}`." + (f" A kind of `{parent}`." if depth else "")
    yield described.text
    if described.fields:
        yield _table(("argument", "meaning"), [(f"`{name}`", text) for name, text in described.fields.items()])
    for child in error.__subclasses__():
        if child.__name__ in veridical_contract.__all__:
            yield from _error(child, depth + 1)


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _page(title: str, introduction: str, *parts: str) -> str:
    opening = [f"# {title}", _WRITTEN, textwrap.fill(introduction, 140)]
    return "\n\n".join([*opening, *parts]) + "\n"


def main() -> None:
    """Write the pages."""
    for path, text in pages().items():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
