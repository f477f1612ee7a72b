"""The mutants of a module: cosmic-ray's operators, less those and what a declared rule knows to be noise.

A mutant is named by operator and occurrence; it is made from the source as text, and nothing is written to a file.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

__all__ = ["Mutant", "changed_lines", "mutants", "noise", "source_of"]

# Of the ten operators that cosmic-ray can put in the place of an arithmetic one, the nearest is taken: what sees it sees the place.
# The others (a shift, a power) are no mistakes that anybody makes, and as the bound of a slice most of them change nothing.
_NEAREST = {
    "Add": "Sub", "Sub": "Add", "Mul": "FloorDiv", "Div": "Mul", "FloorDiv": "Mul", "Mod": "FloorDiv", "Pow": "Mul",
    "LShift": "RShift", "RShift": "LShift", "BitOr": "BitAnd", "BitAnd": "BitOr", "BitXor": "BitOr",
}  # fmt: skip
_BINARY = "core/ReplaceBinaryOperator_"
# These take the names of variables as arguments and choose by chance.
_CHOSEN_BY_CHANCE = frozenset({"core/VariableInserter", "core/VariableReplacer"})
# Whether equal numbers or strings are one object is up to the interpreter: `is` in the place of `==` or `<` makes a program that is right
# here and wrong there. In the place of `is not` it is a mutant like any other.
_IDENTITY = re.compile(r"core/ReplaceComparisonOperator_(?:Eq|NotEq|Lt|LtE|Gt|GtE)_Is(?:Not)?")
_CACHES = frozenset({"cache", "lru_cache"})


@dataclass(frozen=True)
class Mutant:
    """One change to a module, by cosmic-ray's name of the operator and the number of the place, from 0."""

    operator: str
    occurrence: int


def mutants(source: str) -> list[Mutant]:
    """Return every mutant of `source`, noise too, in the order of operators and places."""
    nodes = list(ast_nodes(get_ast(source)))
    found: list[Mutant] = []
    for name in filter(_is_used, sorted(operator_names())):
        operator = get_operator(name)()
        places = sum(1 for node in nodes for _ in operator.mutation_positions(node))
        found += [Mutant(name, occurrence) for occurrence in range(places)]
    return found


def _is_used(name: str) -> bool:
    if name.startswith(_BINARY):
        replaced, _, by = name.removeprefix(_BINARY).partition("_")
        return _NEAREST[replaced] == by
    return name not in _CHOSEN_BY_CHANCE and _IDENTITY.fullmatch(name) is None


def source_of(mutant: Mutant, source: str) -> str:
    """Return the mutated source.

    Raises:
        ValueError: there is no such place.
    """
    changed = mutate_code(source, get_operator(mutant.operator)(), mutant.occurrence)
    if changed is None:
        raise ValueError(f"no place {mutant.occurrence} for {mutant.operator}")
    return changed


def noise(source: str, changed: str) -> str | None:
    """Return the rule by which the changed source is no mutant of `source`, or None.

    - `no-python`: it does not compile;
    - `same-code`: without annotations, docstrings, the marks in a signature that say how an argument is passed, and what caches a
      function, it is the same program. An annotation is never evaluated here but by pydantic, which refuses what is no type; how an
      argument is passed is for the type checker; a cache without its decorator or with another size is only slower.
    """
    try:
        after = _essence(changed)
    except (SyntaxError, ValueError):
        return "no-python"
    return "same-code" if _essence(source) == after else None


def changed_lines(source: str, changed: str) -> tuple[str, str]:
    """Return the lines that differ, before and after, without their indentation."""
    before, after = source.splitlines(), changed.splitlines()
    old: list[str] = []
    new: list[str] = []
    for tag, i0, i1, j0, j1 in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            old += [line.strip() for line in before[i0:i1]]
            new += [line.strip() for line in after[j0:j1]]
    return "\n".join(old), "\n".join(new)


def _essence(source: str) -> str:
    tree = ast.parse(source)
    compile(tree, "<mutant>", "exec")
    return ast.dump(_Bare().visit(ast.parse(source)))


class _Bare(ast.NodeTransformer):
    """Takes away what does not change what a program does."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        node.decorator_list = [each for each in node.decorator_list if _name(each) not in _CACHES]
        node.body = list(_undocumented(node.body))
        self.generic_visit(node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = list(_undocumented(node.body))
        self.generic_visit(node)
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        positional = [*node.posonlyargs, *node.args]
        missing = [None] * (len(positional) - len(node.defaults))
        node.kw_defaults = [*missing, *node.defaults, *node.kw_defaults]
        node.kwonlyargs = [*positional, *node.kwonlyargs]
        node.posonlyargs, node.args, node.defaults = [], [], []
        self.generic_visit(node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        self.generic_visit(node)
        return node


def _name(decorator: ast.expr) -> str:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return called.id if isinstance(called, ast.Name) else ""


def _undocumented(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, str)):
            yield statement
