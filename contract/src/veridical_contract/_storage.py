"""What a storage plugin keeps. It never judges: it gives back bytes, and the gateway checks that they hash to their name."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ._documents import Score
from ._model import Count, Digest, Model


class PutDocument(Model):
    """One document to keep.

    Attributes:
        id: SHA-256 of `body`.
        body: the canonical bytes of the document.
        tag: the host's admission tag, opaque; given back beside the body.
        text: its text, for the full-text index.
        title: its title, for the full-text index.
        passages: half-open code-point spans of `text` to index one by one; they cover what is to be found.
        raw: digest of the record's bytes, when they are kept.
        key: what the record is known by in its source, the same for all of its versions: once the container's last batch is written,
            documents of the same container and key that earlier readings brought stop being current. None: it replaces nothing.
    """

    id: Digest
    body: bytes
    tag: bytes
    text: str
    title: str | None = None
    passages: tuple[tuple[int, int], ...]
    raw: Digest | None = None
    key: Digest | None = None


class StoredDocument(Model):
    """A document as it was put.

    Attributes:
        body: the canonical bytes of the document.
        tag: the host's admission tag.
    """

    body: bytes
    tag: bytes


class PutRaw(Model):
    """Bytes of a record, named by their SHA-256.

    Attributes:
        digest: SHA-256 of `body`.
        body: the bytes.
    """

    digest: Digest
    body: bytes


class PutBatch(Model):
    """What one container holds, or a part of it; written in one transaction.

    Nothing that a container holds is current before its last batch is written, and then all of it is, at once.

    Attributes:
        origin: name of the source.
        container: path or name of the container.
        fingerprint: what the container and the way of reading it are known by; equal means nothing to read again.
        documents: in their order.
        raws: bytes that the documents name, unless the store has them.
        first: this is the container's first batch: what the container held before stops being current with the last one; without
            a first batch, what comes is added to it.
        last: this is its last batch: from now on `fingerprint` is known.
    """

    origin: str
    container: str
    fingerprint: str
    documents: tuple[PutDocument, ...] = ()
    raws: tuple[PutRaw, ...] = ()
    first: bool = False
    last: bool = False


class PutReceipt(Model):
    """How many documents were new, and how many were there already.

    Attributes:
        added: documents that were new.
        known: documents that were there already.
    """

    added: Count
    known: Count


class ContainerState(Model):
    """A container that was read to its end.

    Attributes:
        origin: name of the source.
        container: path or name of the container.
        fingerprint: as `PutBatch.fingerprint` gave it.
        documents: number that it holds.
    """

    origin: str
    container: str
    fingerprint: str
    documents: Count


class TextQuery(Model):
    """A full-text query over passages.

    Attributes:
        text: words to look for, any of them; no query syntax.
        limit: how many candidates at most.
        origins: only current documents of these sources; empty means all.
    """

    text: str
    limit: Annotated[int, Field(ge=1, le=10_000)] = 100
    origins: tuple[str, ...] = ()


class Candidate(Model):
    """A passage that may answer.

    Attributes:
        document: identifier of its document.
        start: first code point of the passage in the document's text.
        end: one past the last.
        score: higher is better; only the order means something.
    """

    document: Digest
    start: Count
    end: Count
    score: Score


class FingerprintQuery(Model):
    """Words of which nobody says in which document they stand.

    Attributes:
        text: the words, as they were quoted.
        limit: how many documents at most.
        after: the last identifier of the page before; None for the first page.
        origins: only current documents of these sources; empty means all.
    """

    text: str
    limit: Annotated[int, Field(ge=1, le=10_000)] = 100
    after: Digest | None = None
    origins: tuple[str, ...] = ()


class FingerprintCandidates(Model):
    """Documents in which the words may stand. The host looks into every one: a fingerprint decides nothing.

    Attributes:
        documents: identifiers of current documents, ascending.
        guaranteed: every document in which the words stand is on one of the pages, in any spelling that differs only by what the folds
            of the host's policy allow. False when they are too few to be sure of that.
        more: there is another page.
    """

    documents: tuple[Digest, ...]
    guaranteed: bool
    more: bool = False


class Compaction(Model):
    """What is left to do of putting the index in order.

    Attributes:
        pending: number of steps that are left; 0 when there is nothing to do.
    """

    pending: Count


class ScanRequest(Model):
    """A page of the identifiers of documents, in ascending order.

    Attributes:
        after: the last identifier of the page before; None for the first page.
        limit: how many at most.
        origins: only documents of these sources; empty means all.
        state: `current`, or `past`: documents that were current once and are not any more.
    """

    after: Digest | None = None
    limit: Annotated[int, Field(ge=1, le=10_000)] = 1000
    origins: tuple[str, ...] = ()
    state: Literal["current", "past"] = "current"


class DeleteRequest(Model):
    """What to delete for good; each deleted document leaves a tombstone.

    Attributes:
        documents: by identifier.
        origin: every document of this source that no other source holds.
        reason: why, for the tombstone.
        dependents: run to the documents whose words its report repeats. The bytes of the report go with the first of them that does.
        returns: whether the same record may come back when its source is read again.
    """

    documents: tuple[Digest, ...] = ()
    origin: str | None = None
    reason: str
    dependents: dict[str, tuple[Digest, ...]] = Field(default_factory=dict[str, tuple[Digest, ...]])
    returns: bool = True


class DeleteReceipt(Model):
    """How many documents were deleted.

    Attributes:
        deleted: number of documents that were there and now are not.
        withdrawn: number of runs whose report went with them.
    """

    deleted: Count
    withdrawn: Count = 0


class Tombstone(Model):
    """What is left of a document that was deleted.

    Attributes:
        document: its identifier.
        reason: why it was deleted.
        deleted: when, ISO 8601 in UTC.
        returns: whether its record may come back when its source is read again.
    """

    document: Digest
    reason: str
    deleted: str
    returns: bool


class Migration(Model):
    """What opening the store did to its schema: forward only.

    Attributes:
        before: version of the schema that was found; 0 when there was none.
        after: version of the schema now.
    """

    before: Count
    after: Count


class StoredRun(Model):
    """One step of a run, kept so that the run can be resumed and its report read again.

    Attributes:
        run: identifier of the run.
        step: number of the step in the run, from 0, without a gap.
        kind: what `body` is.
        body: canonical JSON bytes; none when it repeated words of a document that was deleted.
        previous: SHA-256 of the body of the step before; 64 zeros at step 0.
    """

    run: str
    step: Count
    kind: Literal["begin", "seal", "report"]
    body: bytes
    previous: Digest


class StoreProblem(Model):
    """Something in the store that is not as it should be.

    Attributes:
        what: kind of thing.
        name: its identifier.
        detail: in one line.
        raw: of a document: the digest of its record's bytes, where that is still known.
        near: of a document: others that were put around the same time, the nearest first.
        containers: of a document: the (source, container) pairs that hold it.
    """

    what: Literal["file", "document", "raw", "run", "index"]
    name: str
    detail: str
    raw: Digest | None = None
    near: tuple[Digest, ...] = ()
    containers: tuple[tuple[str, str], ...] = ()


StateDepth = Literal["counts", "whole"]
"""How much of a store is looked at: what it counts anyway, or all that it holds."""


class StoreState(Model):
    """What the store holds and what is wrong with it.

    Attributes:
        location: file or address, for a person.
        schema_version: of the store.
        documents: number of current documents.
        origins: name of each source to its number of current documents.
        problems: empty when all is well; filled only when a check was asked for.
    """

    location: str
    schema_version: Count
    documents: Count
    origins: dict[str, int]
    problems: tuple[StoreProblem, ...] = ()


class Backup(Model):
    """A copy of a store, read again after it was written.

    Attributes:
        documents: number of current documents in it.
        schema_version: of the store.
    """

    documents: Count
    schema_version: Count
