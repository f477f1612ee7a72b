"""How a file is laid out, by the end of its name; `.gz` after it is looked through."""

from __future__ import annotations

from pathlib import PurePath
from typing import Final, NamedTuple

from veridical_contract import Projection, RecordFormat

__all__ = ["Layout", "layout_of"]


class Layout(NamedTuple):
    """How a file is read.

    Attributes:
        format: of its records.
        projection: of its text; None when the records decide.
        known: whether the end of the name says so; else it is tried as text.
    """

    format: RecordFormat
    projection: Projection | None = None
    known: bool = True


_LAYOUTS: Final[dict[str, Layout]] = {
    **dict.fromkeys((".txt", ".text", ".log", ".rst"), Layout("text", "plain")),
    **dict.fromkeys((".md", ".markdown"), Layout("text", "markdown")),
    **dict.fromkeys((".html", ".htm", ".xhtml"), Layout("text", "html")),
    ".pdf": Layout("pdf", "plain"),
    **dict.fromkeys((".csv", ".tsv"), Layout("csv")),
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), Layout("json")),
    **dict.fromkeys((".eml", ".mbox"), Layout("mime")),
}
_NOT_TEXT: Final[str] = (
    ".7z .aac .avi .avif .bin .bmp .bz2 .class .db .dll .doc .docx .dylib .epub .exe .flac .gif .heic .ico .jar .jpeg .jpg .key .m4a "
    ".mkv .mov .mp3 .mp4 .npy .npz .numbers .o .odp .ods .odt .ogg .otf .pages .parquet .pickle .pkl .png .ppt .pptx .pyc .rar .rtf "
    ".so .sqlite .sqlite3 .svg .tar .tgz .tif .tiff .ttf .wasm .wav .webm .webp .whl .woff .woff2 .xls .xlsx .xz .zip .zst"
)


def layout_of(path: str) -> Layout | None:
    """Return how the file called `path` is read; None when it holds no text that can be read."""
    name = PurePath(path.lower())
    suffix = PurePath(name.stem).suffix if name.suffix == ".gz" else name.suffix
    if suffix in _NOT_TEXT.split():
        return None
    return _LAYOUTS.get(suffix, Layout("text", "plain", known=False))
