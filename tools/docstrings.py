"""Read the docstrings of the contract: what a class is, and what each of its fields means."""

from __future__ import annotations

import ast
import inspect
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import veridical_contract
from veridical_contract import Model

_ENTRY = re.compile(r"    (\w+): (.*)")


@dataclass(frozen=True, slots=True)
class Documentation:
    """A docstring, taken apart.

    Attributes:
        text: everything that stands above the sections, as paragraphs joined with blank lines.
        fields: name of an attribute or argument to what is said of it, on one line.
    """

    text: str
    fields: dict[str, str]


def documentation(thing: object, section: str = "Attributes") -> Documentation:
    """Take the docstring of `thing` apart; `section` is the one that documents its fields."""
    text, _, rest = (inspect.getdoc(thing) or "").partition(f"\n\n{section}:\n")
    fields: dict[str, list[str]] = {}
    for line in rest.split("\n\n", 1)[0].splitlines():
        if entry := _ENTRY.fullmatch(line):
            fields[entry[1]] = [entry[2]]
        elif fields:
            fields[next(reversed(fields))].append(line.strip())
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
    return Documentation("\n\n".join(paragraphs), {name: " ".join(lines) for name, lines in fields.items()})


def constants() -> dict[str, str]:
    """Return the name of each public constant and alias that a string below it documents, and that string."""
    found: dict[str, str] = {}
    for path in sorted(Path(veridical_contract.__file__).parent.glob("_*.py")):
        for above, below in pairwise(ast.parse(path.read_text("utf-8")).body):
            if isinstance(above, ast.Assign | ast.AnnAssign) and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                name = ast.unparse(above.target if isinstance(above, ast.AnnAssign) else above.targets[0])
                found[name] = " ".join(str(below.value.value).split())
    return {name: text for name, text in found.items() if name in veridical_contract.__all__}


def public_models() -> dict[str, type[Model]]:
    """Return the models that the contract exports, by name, without their base."""
    exported = {name: getattr(veridical_contract, name) for name in veridical_contract.__all__}
    return {name: thing for name, thing in exported.items() if inspect.isclass(thing) and issubclass(thing, Model) and thing is not Model}
