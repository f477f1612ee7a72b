"""The bundle: one canonical archive, byte for byte the same for the same content.

    MANIFEST.json           every other member: name, SHA-256, size; its own SHA-256 is the root digest
    chain.json              the sealed chain of the run
    documents/ID.json       canonical bytes of each cited or counted document
    maps/ID.json            where each stretch of a projected text stands in its text atom
    raw/DIGEST              the record's own bytes; left out of a slim bundle
    report.html, report.md  renderings: hashed, proving nothing by themselves
    report.json             the report

Members are stored, sorted by name, with one fixed date, one fixed mode and no extra field, so that nothing can hide between them.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO, Protocol

from veridical_contract import Json, Report, UsageError

from veridical.kernel.canonical import canonical_bytes, digest
from veridical.render import render_html, render_markdown

__all__ = ["BUNDLE_FORMAT", "Publication", "members", "write_bundle"]

BUNDLE_FORMAT = "veridical.bundle/1"
_MANIFEST = "MANIFEST.json"
_LARGEST = zipfile.ZIP64_LIMIT
_MOST = zipfile.ZIP_FILECOUNT_LIMIT
_OVERHEAD = 300  # at most, for the two headers of a member


class Publication(Protocol):
    """What the kernel's exit hands out; `veridical.kernel.exit.Published` is one."""

    @property
    def report(self) -> Report:
        """Parsed from `report_bytes`."""
        ...

    @property
    def report_bytes(self) -> bytes:
        """Canonical JSON."""
        ...

    @property
    def chain_bytes(self) -> bytes:
        """Canonical JSON of the sealed chain."""
        ...

    @property
    def documents(self) -> Mapping[str, bytes]:
        """Canonical bytes of every document in the report's citations, by identifier."""
        ...

    @property
    def raws(self) -> Mapping[str, bytes]:
        """Bytes of their records, by digest."""
        ...

    @property
    def maps(self) -> Mapping[str, bytes]:
        """Canonical JSON of the projection map of each document whose text is projected, by identifier."""
        ...


def write_bundle(published: Publication, target: Path | BinaryIO, *, slim: bool = False) -> str:
    """Write the bundle of `published` and return its root digest.

    Args:
        published: what the kernel's exit handed out.
        target: a path, which is replaced only once the whole bundle is on disk; or an open binary file that can seek, at its start.
        slim: leave the raw bytes out; their digests stay.

    Raises:
        UsageError: the bundle would hold 2 GiB or 65,535 members, beyond which archives have another format.
        OSError: it cannot be written; what was at the path before is still there.
    """
    content = members(published, slim=slim)
    if isinstance(target, Path):
        _replace(target, content)
    else:
        _write(target, content)
    return digest(content[_MANIFEST])


def members(published: Publication, *, slim: bool = False) -> dict[str, bytes]:
    """Return every member of the bundle by its name, in the order of the archive.

    Raises:
        UsageError: the bundle would be too large for the plain archive format.
    """
    # From the bytes that were published, not from an object that may have been changed since.
    report = Report.model_validate_json(published.report_bytes)
    content = {
        "chain.json": published.chain_bytes,
        "report.html": render_html(report).encode(),
        "report.json": published.report_bytes,
        "report.md": render_markdown(report).encode(),
        **{f"documents/{name}.json": body for name, body in published.documents.items()},
        **{f"maps/{name}.json": body for name, body in published.maps.items()},
    }
    if not slim:
        content.update({f"raw/{name}": body for name, body in published.raws.items()})
    rows: list[Json] = [{"name": name, "sha256": digest(body), "size": len(body)} for name, body in sorted(content.items())]
    content[_MANIFEST] = canonical_bytes({"format": BUNDLE_FORMAT, "members": rows, "slim": slim})
    if len(content) >= _MOST or sum(len(body) + _OVERHEAD for body in content.values()) >= _LARGEST:
        size = sum(map(len, content.values()))
        raise UsageError(
            f"A bundle of {len(content):,} members and {size:,} bytes is more than one archive holds (2 GiB, 65,535 members).",
            hint="Leave the raw bytes out with --slim, or narrow the question.",
        )
    return dict(sorted(content.items()))


def _replace(path: Path, content: Mapping[str, bytes]) -> None:
    """Write beside `path`, then rename: a reader sees the old bundle or the new one, never half of one."""
    part = path.with_name(f".{path.name}.{token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            _write(file, content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _write(file: BinaryIO, content: Mapping[str, bytes]) -> None:
    with zipfile.ZipFile(file, "w", allowZip64=False) as archive:
        for name, body in content.items():
            member = zipfile.ZipInfo(name)
            member.create_system = 3
            member.external_attr = 0o100644 << 16
            archive.writestr(member, body)
