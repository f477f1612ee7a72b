"""What a source plugin is asked, and what it hands back, batch by batch.

A source of files is handed `inputs`. Any other is asked by its name, `origin`: what the operator wrote about it stands in the plugin's
own table, `[plugin.NAME.sources.ORIGIN]`. One that knows where it was hands in a `cursor` with a batch; what came up to there is kept,
whatever happens afterwards, and the next request brings the cursor back. A record that changed comes again under its key, and takes the
place of the old one.
"""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

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
        locations: what the operator named, verbatim, for a source that reads something else than files; often nothing.
        map: the field map for tabular data.
        cursor: where the last read ended, as this plugin said; None when everything is to be read: the first time, after a change of the
            plugin or of its settings for this source, and when the operator asks for it.
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
        cursor: where a later read may start: everything before it was handed in, this batch too. None where only the whole can be read;
            that of the last batch counts.
        keys: what each item is known by in its container, one for each item, or none at all. An item takes the place of what earlier
            batches brought under its key, so all items of one key come in one batch.
    """

    container: str
    items: tuple[Item, ...] = ()
    done: bool = False
    problem: str | None = Field(default=None, max_length=2000)
    cursor: str | None = None
    keys: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _a_key_for_each(self) -> Self:
        if self.keys and len(self.keys) != len(self.items):
            raise ValueError(f"{len(self.keys)} keys for {len(self.items)} items: expected one for each, or none")
        return self
