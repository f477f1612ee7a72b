"""Where the copies of drafts go that `--fix` writes: never over a draft, and over another file only when that is asked for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from veridical_contract import UsageError

__all__ = ["copy_paths"]


def copy_paths(drafts: Sequence[str], *, base: Path, out: Path | None, suffix: str | None, overwrite: bool) -> tuple[Path, ...]:
    """Return where the copy of each draft goes.

    Args:
        drafts: names of the drafts; `-` is standard input.
        base: the folder that relative paths are below.
        out: a file for one draft, or a folder in which the copies keep their names.
        suffix: instead: the copies lie beside the drafts, and this stands before the end of their names.
        overwrite: another file of that name may be replaced.

    Raises:
        UsageError: a copy would replace a draft or another file, or there is no such folder.
    """
    paths = _in(base / out, drafts) if out is not None else [_beside(base, name, suffix or "") for name in drafts]
    for path in paths:
        _check(path, drafts, base, overwrite=overwrite)
    if len({os.path.realpath(path) for path in paths}) < len(paths):
        raise UsageError("Two drafts would get one copy.", hint="Check them one by one, or type: --fix-suffix .fixed")
    return tuple(paths)


def _in(out: Path, drafts: Sequence[str]) -> list[Path]:
    if out.is_dir():
        return [out / (Path(name).name if name != "-" else "stdin.txt") for name in drafts]
    if len(drafts) != 1:
        raise UsageError(f"{out} is no folder, and there are {len(drafts)} drafts.", hint=f"Type: mkdir {out}")
    return [out]


def _beside(base: Path, name: str, suffix: str) -> Path:
    if name == "-":
        raise UsageError("Nothing lies beside standard input.", hint="Name the copy: --fix FILE")
    if not suffix or "/" in suffix or "\0" in suffix:
        raise UsageError(f"{suffix!r} cannot stand in the name of a file.", hint="Type: --fix-suffix .fixed")
    path = base / name
    return path.with_name(f"{path.stem}{suffix}{path.suffix}")


def _check(path: Path, drafts: Sequence[str], base: Path, *, overwrite: bool) -> None:
    if any(name != "-" and os.path.realpath(base / name) == os.path.realpath(path) for name in drafts):
        raise UsageError(f"{path} is a draft, and no draft is ever changed.", hint="Name another file: --fix FILE")
    if path.is_dir():
        raise UsageError(f"{path} is a folder.", hint="Name another file: --fix FILE")
    if path.exists() and not overwrite:
        raise UsageError(f"{path} is there already.", hint="Name another file, or add --overwrite to replace it.")
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {path.parent}.", hint=f"Type: mkdir -p {path.parent}")
