"""What a source plugin is asked, and what it hands back, batch by batch."""

from __future__ import annotations

from pydantic import Field

from ._documents import Item, Projection
from ._model import Count, Digest, Model


class InputFile(Model):
    """One file that the host enumerated and hashed before any plugin was loaded.

    Attributes:
        path: as the operator gave it, or found below what the operator gave; what locators show.
        sha256: of the bytes on disk.
        size: in bytes.
    """

    path: str
    sha256: Digest
    size: Count


class FieldMap(Model):
    """Which column or JSON member holds which field of tabular data.

    Attributes:
        fields: field name (`text`, `url`, `title`, `author`, `author_name`, `published`) to column name or JSON member; a JSON
            member may be an RFC 6901 pointer (`/data/body`).
        projection: how the text is marked up; None lets the plugin decide.
    """

    fields: dict[str, str]
    projection: Projection | None = None


class SourceRequest(Model):
    """A request to read.

    Attributes:
        origin: the name of the source that the operator gave.
        inputs: the files to read, in order; empty for a source that has none.
        locations: what the operator named, verbatim, for a source that reads something else than files.
        map: the field map for tabular data.
        cursor: where the last read ended, as this plugin said; None on the first.
    """

    origin: str
    inputs: tuple[InputFile, ...] = ()
    locations: tuple[str, ...] = ()
    map: FieldMap | None = None
    cursor: str | None = None


class SourceBatch(Model):
    """Some records of one container.

    Attributes:
        container: path of the input, or the name of what was read.
        items: records in their order in the container.
        done: no more batches of this container will come.
        problem: why (the rest of) the container could not be read, in one line; None when it could.
        cursor: where a later read may start.
    """

    container: str
    items: tuple[Item, ...] = ()
    done: bool = False
    problem: str | None = Field(default=None, max_length=2000)
    cursor: str | None = None
