"""Bundles: a report with its evidence in one canonical archive, and the stand-alone program that checks one.

archive    writes a bundle
signing    signs its root digest, in a file beside it
checker    one file, the standard library only; runs by itself on a machine without veridical
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from .archive import BUNDLE_FORMAT, Publication, write_bundle
from .signing import KeyPair, SigningKey, new_key, read_signing_key, signature_path

__all__ = [
    "BUNDLE_FORMAT",
    "CHECKER",
    "KeyPair",
    "Publication",
    "SigningKey",
    "Verification",
    "new_key",
    "read_signing_key",
    "signature_path",
    "verify_bundle",
    "write_bundle",
]

CHECKER = Path(__file__).with_name("checker.py")
"""The checker's own file."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What the checker found.

    Attributes:
        code: 0 the bundle verifies, 2 it or the key cannot be read, 4 it does not verify.
        text: what the checker printed.
        problem: why the bundle cannot be read; empty otherwise.
    """

    code: int
    text: str
    problem: str


def verify_bundle(
    path: Path, root: str | None = None, *, key: Path | None = None, show: bool = False, as_json: bool = False
) -> Verification:
    """Run the checker on a bundle in a clean interpreter: nothing of this process, of the environment or of installed packages.

    Args:
        path: of the bundle.
        root: root digest that was obtained elsewhere than with the bundle.
        key: public key (PEM) that must have signed the root digest, in the file with `.sig` after the bundle's name.
        show: print the released items too.
        as_json: print JSON.
    """
    named = [("--root", root), ("--key", str(key) if key is not None else None)]
    options = [f"{name}={value}" for name, value in named if value is not None]
    options += [*(["--show"] if show else []), *(["--json"] if as_json else [])]
    command = [sys.executable, "-I", "-S", "-X", "utf8", str(CHECKER), *options, "--", str(path)]
    done = subprocess.run(command, capture_output=True, check=False, encoding="utf-8", errors="replace")  # noqa: S603 - our own file
    return Verification(done.returncode, done.stdout, done.stderr)
