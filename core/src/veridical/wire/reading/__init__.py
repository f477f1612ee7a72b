"""Files as the host reads them: records with their exact bytes, and what can be seen in them. Untrusted: the kernel confirms it all.

InputFile --content.py: hash, unpack, bound--> bytes --encodings.py--> characters
  text    the whole, long: parts.py       json  objects.py: a line, an element of a list
  csv     tables.py: a row               mime  mail.py: a message
  pdf     pages.py: a page
Record --derived.py--> atoms, visible text, map, headings, lines
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path, PurePath

from veridical_contract import Derivation, Document, InputFile, Locator, Raw, Record, RecordFormat, UnreadableError

from veridical.kernel.admission import AdmissionRefused, Bytes
from veridical.kernel.derivation import DerivationRefused, values_at
from veridical.kernel.exit import Reread

from . import mail, objects, tables
from .content import Content, Limits, opened
from .derived import Derived
from .encodings import find_encoding, survey
from .lines import Piece, text_lines
from .parts import LONG, text_parts

__all__ = ["Limits", "Reader"]

VERSION = 1
"""Of everything in this package; another one reads every file again."""

_MARKUP = frozenset({".htm", ".html", ".xhtml", ".xml"})
_MARKDOWN = frozenset({".markdown", ".md"})
_LINES = frozenset({".jsonl", ".ndjson"})


class Reader:
    """Reads files, and holds the bytes of records until they are let go.

    Args:
        base: the folder that relative paths start from; None is the working directory.
        limits: how much one file may take.
    """

    def __init__(self, base: Path | None = None, *, limits: Limits | None = None) -> None:
        self._base = base or Path()
        self._limits = limits or Limits()
        self._held: dict[str, bytes] = {}
        self._layouts: set[tuple[str, str, str, str]] = set()

    def start_from(self, base: Path) -> None:
        """Read relative paths below `base` from now on."""
        self._base = base

    def records(self, file: InputFile, *, format: RecordFormat) -> Iterator[Record]:  # noqa: A002 - the field's name
        """See `HostFiles.records`. The message of an `UnreadableError` does not repeat the path."""
        read = {"text": self._text, "json": self._json, "csv": self._csv, "mime": self._mime, "pdf": self._pdf}[format]
        with opened(self._base / file.path, file, self._limits) as content:
            yield from read(content)

    def atoms(self, record: Record, pointers: Mapping[str, str]) -> dict[str, str]:
        """See `HostFiles.atoms`."""
        layout = Derivation(format=record.format, encoding=record.encoding, delimiter=record.delimiter, pointers={})
        try:
            if record.format == "pdf":
                from .pages import page_text  # PDFium takes 60 ms to load, and few files are PDF

                return {name: page_text(self.held(record.raw.digest), int(number)) for name, number in pointers.items()}
            return values_at(self.held(record.raw.digest), layout, pointers)
        except (AdmissionRefused, DerivationRefused) as error:
            raise UnreadableError(f"the record does not hold what is looked for: {error.rule}") from None

    def held(self, name: str) -> bytes:
        """Return the record's bytes whose SHA-256 is `name`.

        Raises:
            AdmissionRefused: no such record was read since the last release.
        """
        found = self._held.get(name)
        if found is None:
            raise AdmissionRefused("bytes-not-read")
        return found

    def laid_out(self, name: str, derivation: Derivation) -> bool:
        """Whether record `name` was read in the format, encoding and delimiter that `derivation` says: no plugin chooses them."""
        return (name, derivation.format, derivation.encoding, derivation.delimiter) in self._layouts

    def identity(self) -> str:
        """What the way of reading is known by: another version of what reads may see another text in the same bytes."""
        return f"reader {VERSION}, " + ", ".join(f"{name} {version(name)}" for name in ("markdown-it-py", "pypdfium2"))

    def release(self) -> None:
        """Let go of the bytes of every record that was read so far."""
        self._held = {}
        self._layouts = set()

    def derive(self, raw: bytes, derivation: Derivation) -> Bytes:
        """Read the visible text of a record; where there is none, the kernel says why."""
        found = Derived(raw, derivation)
        return Bytes(raw, found.text, found.runs)

    def reread(self, document: Document, raw: bytes) -> Reread:
        """Read the visible text, headings and lines of a document again."""
        if document.derivation is None:
            return Reread("", (), lambda _offset: None, lambda _offset: ())
        found = Derived(raw, document.derivation, line=document.locator.line)
        return Reread(found.text, found.runs, found.line, found.headings)

    # Formats

    def _text(self, content: Content) -> Iterator[Record]:
        if _suffix(content) not in _MARKUP | _MARKDOWN and content.is_longer(LONG):
            yield from self._long_text(content)
            return
        data = content.whole()
        encoding = find_encoding(data, markup=_suffix(content) in _MARKUP)
        yield self._record(content, Piece(1, 0, data), format="text", encoding=encoding.whole, names={"text": ""}, line=None)

    def _long_text(self, content: Content) -> Iterator[Record]:
        content.check()
        encoding = survey(content.chunks())
        for number, piece in enumerate(text_parts(content, encoding), 1):
            yield self._record(content, piece, format="text", encoding=encoding.part, names={"text": ""}, page=number)

    def _json(self, content: Content) -> Iterator[Record]:
        if _suffix(content) in _LINES:
            content.check()
            encoding = survey(content.chunks())
            found = objects.read_lines(text_lines(content, encoding), encoding)
        else:
            data = content.whole()
            encoding = find_encoding(data)
            found = objects.read_values(data, encoding)
        for value in found:
            yield self._record(content, value.piece, format="json", encoding=encoding.part, names=value.names)

    def _csv(self, content: Content) -> Iterator[Record]:
        content.check()
        encoding = survey(content.chunks())
        delimiter = "\t" if _suffix(content) == ".tsv" else None
        for row in tables.read_rows(text_lines(content, encoding), encoding, delimiter=delimiter):
            yield self._record(
                content, row.piece, format="csv", encoding=encoding.part, names=row.names, row=row.number, delimiter=row.delimiter
            )

    def _mime(self, content: Content) -> Iterator[Record]:
        if _suffix(content) == ".mbox":
            content.check()
            found = mail.read_mbox(content.lines(), content.limits)
        else:
            found = iter([Piece(1, 0, content.whole())])
        for piece in found:
            names, message = mail.names(piece.raw)
            yield self._record(content, piece, format="mime", names=names, message=message)

    def _pdf(self, content: Content) -> Iterator[Record]:
        from .pages import pages_with_text  # PDFium takes 60 ms to load, and few files are PDF

        data = content.whole()
        for number in pages_with_text(data):
            yield self._record(content, Piece(1, 0, data), format="pdf", names={"text": str(number)}, line=None, page=number)

    def _record(
        self,
        content: Content,
        piece: Piece,
        *,
        format: RecordFormat,  # noqa: A002 - the field's name
        names: dict[str, str],
        encoding: str = "utf-8",
        delimiter: str = ",",
        **place: int | str | None,
    ) -> Record:
        digest = hashlib.sha256(piece.raw).hexdigest()
        self._held[digest] = piece.raw
        self._layouts.add((digest, format, encoding, delimiter))
        locator = {"container": content.file.path, "line": piece.number, **place}
        return Record(
            raw=Raw(digest=digest, size=len(piece.raw), container=content.file.sha256, offset=piece.offset),
            format=format,
            encoding=encoding,
            delimiter=delimiter,
            names=names,
            locator=Locator.model_validate(locator),
        )


def _suffix(content: Content) -> str:
    return PurePath(content.file.path.lower().removesuffix(".gz")).suffix
