"""What the trusted parts may cost, and what they may import.

A line is a line that holds code: a budget on blank lines, comments and docstrings would be paid for with the explanation.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNEL = ROOT / "core/src/veridical/kernel"
CHECKER = ROOT / "core/src/veridical/bundle/checker.py"
KERNEL_LINES = 1_500
LANGUAGE_LINES = 900
WIRE_LINES = 260
LANGUAGE = {"unicode.py", "folds.py", "boundaries.py", "sentences.py", "quotes.py", "prose.py"}
"""The rules about words, which have a budget of their own: docs/decisions/kernel-lines.md says why."""
WIRE = {"replies.py", "wire.py"}
"""What proves a hit in a recorded reply: the same page says why."""
CHECKER_LINES = 600
TRUSTED = {"pydantic", "veridical_contract"}
SURFACES = {"veridical_http", "veridical_mcp"}
# With these a module could read or change the world; `policy` alone reads, and only the packaged tables.
WORLD = {
    "os",
    "pathlib",
    "socket",
    "subprocess",
    "sqlite3",
    "time",
    "random",
    "secrets",
    "threading",
    "asyncio",
    "http",
    "shutil",
    "tempfile",
}


def imports(path: Path) -> set[str]:
    """Return the top-level names of what `path` imports from elsewhere."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add((node.module or "").partition(".")[0])
    return found


def lines_of_code(source: str) -> int:
    """Return how many lines hold code: neither blank nor comment nor docstring."""
    documented: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            documented |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    nothing = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    tokens = (token for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.type not in nothing)
    return len({line for token in tokens for line in range(token.start[0], token.end[0] + 1)} - documented)


def test_lines_of_code_are_counted_and_nothing_else() -> None:
    source = '"""Map."""\n\n# why\ndef f():\n    """What."""\n    return (\n        1,  # why\n    )\n\n\nX = """data\nmore"""\n'
    assert 6 == lines_of_code(source)


def test_the_kernel_stays_small() -> None:
    sizes = {path.name: lines_of_code(path.read_text("utf-8")) for path in sorted(KERNEL.glob("*.py"))}
    table = "\n".join(f"{size:5} {name}" for name, size in sizes.items())
    language = sum(size for name, size in sizes.items() if name in LANGUAGE)
    wire = sum(size for name, size in sizes.items() if name in WIRE)
    rest = sum(sizes.values()) - language - wire
    assert rest <= KERNEL_LINES, f"the kernel has {rest} lines of code:\n{table}"
    assert wire <= WIRE_LINES, f"the kernel's rules about replies have {wire} lines of code:\n{table}"
    assert language <= LANGUAGE_LINES, f"the kernel's rules about words have {language} lines of code:\n{table}"


def test_the_checker_stays_small() -> None:
    assert lines_of_code(CHECKER.read_text("utf-8")) <= CHECKER_LINES


@pytest.mark.parametrize("path", sorted(KERNEL.rglob("*.py")), ids=lambda path: path.stem)
def test_the_kernel_imports_what_is_trusted(path: Path) -> None:
    assert set() == imports(path) - set(sys.stdlib_module_names) - TRUSTED


@pytest.mark.parametrize("path", sorted(KERNEL.rglob("*.py")), ids=lambda path: path.stem)
def test_the_kernel_is_pure(path: Path) -> None:
    assert set() == imports(path) & WORLD


def test_the_checker_imports_the_standard_library_alone() -> None:
    assert set() == imports(CHECKER) - set(sys.stdlib_module_names)


@pytest.mark.parametrize("source", sorted((ROOT / "plugins").glob("*/src/*")), ids=lambda path: path.name)
def test_a_plugin_imports_the_contract_and_never_the_host(source: Path) -> None:
    """Surfaces, which bring commands and no plugin, import the facade besides: the import rules say what of it."""
    found = {name for path in source.rglob("*.py") for name in imports(path)} - (
        {"veridical", source.name} if source.name in SURFACES else set()
    )
    assert set() == {name for name in found if name == "veridical" or (name.startswith("veridical_") and name not in TRUSTED)}


def test_no_tests_folder_is_a_package() -> None:
    """With `__init__.py` in two of them, `tests.test_x` would name two modules, and pytest would run one of them twice."""
    assert [] == [path for pattern in ("*/tests", "plugins/*/tests", "tests") for path in ROOT.glob(f"{pattern}/__init__.py")]
