"""No file of this repository holds the key of a service: not by its shape, and not the value of one that is set here."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_NAMED = re.compile(r"(_API_KEY|_TOKEN|_SECRET|_PASSWORD)$")
_SHORTEST = 12
_SHAPES = {
    "Anthropic": re.compile(rb"sk-ant-(?:api|oat)[0-9]{2}-[A-Za-z0-9_-]{40,}"),
    "OpenAI": re.compile(rb"sk-(?:proj-|svcacct-)?[A-Za-z0-9]{40,}"),
    "Google": re.compile(rb"AIza[0-9A-Za-z_-]{35}"),
    "Tavily": re.compile(rb"tvly-(?:dev-|prod-)?[A-Za-z0-9]{24,}"),
    "Brave": re.compile(rb"\bBSA[A-Za-z0-9_-]{24,}"),
    "GitHub": re.compile(rb"gh[pousr]_[A-Za-z0-9]{36}"),
    "PyPI": re.compile(rb"pypi-AgEI[A-Za-z0-9_-]{50,}"),
    "AWS": re.compile(rb"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    "a private key": re.compile(rb"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\n[A-Za-z0-9+/=\n]{60,}"),
}


def _files(root: Path) -> Iterator[Path]:
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, check=True).stdout
    yield from (path for name in listed.split(b"\0") if name and (path := root / os.fsdecode(name)).is_file())


def _found(content: bytes, environment: Mapping[str, str]) -> list[str]:
    """Say what kind of key stands in `content`; never the key."""
    shaped = [name for name, shape in _SHAPES.items() if shape.search(content)]
    values = [name for name, value in environment.items() if _NAMED.search(name) and len(value) >= _SHORTEST and value.encode() in content]
    return [*shaped, *values]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a clone: what belongs to the repository is not known")
def test_no_file_holds_a_key() -> None:
    assert {} == {str(path.relative_to(ROOT)): found for path in _files(ROOT) if (found := _found(path.read_bytes(), os.environ))}


@pytest.mark.parametrize(
    ("name", "planted"),
    [
        ("Anthropic", "sk-ant-" + "api03-" + "aB3_" * 12),
        ("OpenAI", "sk-" + "proj-" + "aB3d" * 12),
        ("Google", "AIza" + "aB3dE" * 7),
        ("Tavily", "tvly-" + "aB3d" * 8),
        ("Brave", "BSA" + "aB3d" * 7),
        ("GitHub", "gh" + "p_" + "aB3d" * 9),
        ("AWS", "AKIA" + "AB34" * 4),
    ],
)
def test_a_key_is_known_by_its_shape(name: str, planted: str) -> None:
    assert [name] == _found(f'{{"url": "https://example.org/?key={planted}"}}'.encode(), {})


def test_the_value_of_a_key_that_is_set_here_is_found_and_a_short_one_is_not_looked_for() -> None:
    assert ["ACME_API_KEY"] == _found(
        b"x-key: plain-words-1234", {"ACME_API_KEY": "plain-words-1234", "B_TOKEN": "x-key", "PATH": "x-key: plain"}
    )
