"""Evidence: what a plugin hands in (`Item`) and what the host keeps (`Document`).

    bytes of a file or reply --(Raw: where)--> record --(Derivation: how)--> Item --admit--> Document

`Raw` says which bytes a record is; `Derivation` says how each field follows from them, in steps that the kernel and the stand-alone
checker repeat with the standard library alone: decode, take the atom at a pointer, project to visible text.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ._model import Count, Digest, LedgerText, Model

Grade = Literal["held", "wire", "attested"]
"""How the kernel knows a field: the host read the bytes itself; a recorded reply holds it; a plugin says so."""

DocumentField = Literal["text", "title"]
"""The fields of a document from which words may be quoted."""

RecordFormat = Literal["text", "json", "csv", "mime", "pdf", "sse", "html"]
"""How the bytes of one record are laid out. `sse` and `html` are layouts of recorded replies; a page that was read is `text`."""

Projection = Literal["plain", "markdown", "html"]
"""How markup becomes the visible text; `plain` is the identity."""

Precision = Literal["year", "month", "day", "second"]


class Locator(Model):
    """Where a person finds a record again.

    Attributes:
        container: the file's path as the operator gave it, or the URL of the reply.
        line: first line of the record, from 1.
        row: number of the data row, from 1, the header not counted.
        page: page of a paginated file, from 1.
        message: the Message-ID of a mail.
    """

    container: LedgerText
    line: int | None = Field(default=None, ge=1)
    row: int | None = Field(default=None, ge=1)
    page: int | None = Field(default=None, ge=1)
    message: LedgerText | None = None


class Raw(Model):
    """The bytes that a record is.

    Attributes:
        digest: SHA-256 of the record's own bytes.
        size: their number.
        container: SHA-256 of the whole file or reply, as it lay on disk or came over the wire.
        offset: first byte of the record in the container after decompression.
    """

    digest: Digest
    size: Count
    container: Digest
    offset: Count


class Derivation(Model):
    """How fields follow from the record's bytes.

    Attributes:
        format: layout of the record.
        encoding: Python name of the character encoding; with `mime` and `pdf` it is not used.
        delimiter: of a `csv` record, one character.
        projection: from the text atom to the visible text.
        pointers: field name (`text`, `url`, `title`, `author`, `author_name`, `published`) to the atom that holds it: an RFC 6901
            pointer in a `json` record, a column number from 0 in a `csv` record, a header name, `NAME/address` (of the header's first
            mailbox) or `part/N` (the N-th text part, from 1) in a `mime` record, a page number from 1 in a `pdf` record, the empty
            string (the whole) in a `text` record; in an `sse` record a pointer into the list of its events' data; in an `html` record
            `N` (what stands inside the N-th start tag's element, from 0) or `N@NAME` (an attribute of it). Only the URL of a recorded
            reply may also be a template with pointers in braces, or `?NAME={pointer}`, a parameter of the URL that stands there.
    """

    format: RecordFormat
    encoding: LedgerText = "utf-8"
    delimiter: LedgerText = ","
    projection: Projection = "plain"
    pointers: dict[LedgerText, LedgerText]


class Author(Model):
    """Who wrote a record: an account, not a person.

    Attributes:
        site: host of the document's URL, or `source:NAME` where there is none: the name space of `id`.
        id: the account's identifier on that site.
        name: the display name, when it differs.
    """

    site: LedgerText
    id: LedgerText
    name: LedgerText | None = None


class Moment(Model):
    """A point in time no more precise than it was given.

    Attributes:
        value: ISO 8601 to the precision (`2026`, `2026-06`, `2026-06-01`, `2026-06-01T12:00:00Z`).
        precision: of `value`.
        zone_known: whether `value` carries a zone; dates do not need one.
    """

    value: LedgerText
    precision: Precision
    zone_known: bool = True


class WirePlace(Model):
    """Where in a reply, which the host recorded during this call, a hit stands.

    Attributes:
        map: name of the plugin's wire map, where it has several.
        item: pointer to the hit; of an HTML reply its number among the elements that the map calls hits, from 0 (`/3`).
        text: pointer within the hit to its text; None for a link.
    """

    map: str = ""
    item: str
    text: str | None = None


class Item(Model):
    """One record as a source or search plugin hands it in.

    A field that `derivation.pointers` names is derived by the host from the record's bytes; where the plugin gives a value too,
    the two must be equal. An item that ends up without text is a link, which is never evidence.

    Attributes:
        text: the visible text.
        url: where the record can be opened, http or https.
        title: of the record.
        author: the account's identifier on the site of the URL.
        author_name: the display name.
        published: as the source wrote it: ISO 8601, or epoch seconds as an int.
        locator: where a person finds it again.
        raw: which bytes it is; None when the host did not read them.
        derivation: how the fields follow from `raw`; goes with it.
        place: where in a recorded reply it stands; the host derives every field that the wire map names. Instead of `raw`.
    """

    text: str | None = None
    url: str | None = None
    title: str | None = None
    author: str | None = None
    author_name: str | None = None
    published: str | int | None = None
    locator: Locator
    raw: Raw | None = None
    derivation: Derivation | None = None
    place: WirePlace | None = None


class Grades(Model):
    """The witness of each field that a document has; None where it has no such field.

    Attributes:
        text: witness of the text.
        url: of the URL.
        title: of the title.
        author: of the author.
        published: of the date.
    """

    text: Grade
    url: Grade | None = None
    title: Grade | None = None
    author: Grade | None = None
    published: Grade | None = None


class Document(Model):
    """One admitted record: immutable, named by the SHA-256 of the canonical bytes of every field.

    Attributes:
        text: the visible projection. U+001E is a hard boundary that no quote crosses; a line that starts with `> ` is quoted from
            somebody else. Offsets are code points.
        url: the admitted URL.
        title: of the record.
        author: the account.
        published: when it was published, no later than `retrieved`.
        retrieved: ISO 8601 in UTC to the second: when the host read it.
        locator: where a person finds it again.
        origin: the name of the source that the operator gave, or the plugin's name.
        plugin: the plugin that handed it in.
        extractor: `FORMAT/PROJECTION/N` of the host's reader, N its version; `plugin` when the plugin made the text.
        raw: which bytes it is.
        derivation: how the fields follow from `raw`.
        grades: the witness of each field.
    """

    text: LedgerText
    url: LedgerText | None = None
    title: LedgerText | None = None
    author: Author | None = None
    published: Moment | None = None
    retrieved: LedgerText
    locator: Locator
    origin: LedgerText
    plugin: LedgerText
    extractor: LedgerText
    raw: Raw | None = None
    derivation: Derivation | None = None
    grades: Grades


Unit = Literal["codepoint", "utf8", "utf16"]
Score = Annotated[float, Field(allow_inf_nan=False)]
