"""The gateway's verified half: one typed method per hook, and what comes out of it was checked by the kernel.

Nothing that a plugin returns is used as it is. Shapes are rebuilt from exact parts, documents are admitted or refused, stored bytes must
hash to their name and carry this installation's tag, vectors must be finite and of one width, a draft is data. A plugin that fails
costs only its own results, and its row says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Final, TypeVar, cast

from veridical_contract import (
    Backup,
    Candidate,
    ChatRequest,
    Compaction,
    ContainerState,
    DeleteReceipt,
    DeleteRequest,
    Document,
    EmbeddingReply,
    EmbeddingRequest,
    FingerprintCandidates,
    FingerprintQuery,
    Item,
    Kind,
    Migration,
    Model,
    PluginError,
    PutBatch,
    PutDocument,
    PutRaw,
    PutReceipt,
    Rejection,
    ScanRequest,
    SearchQuery,
    SourceBatch,
    SourceRequest,
    StoredDocument,
    StoredRun,
    StoreState,
    TextQuery,
    Tombstone,
    WireMap,
)

from veridical.kernel.admission import (
    Admission,
    AdmissionRefused,
    Bytes,
    Trust,
    admission_tag,
    admit,
    admit_link,
    admit_stored,
    admitted_url,
)
from veridical.kernel.canonical import digest
from veridical.kernel.exact import type_name
from veridical.kernel.exit import Reread, Store
from veridical.kernel.policy import Policy
from veridical.kernel.vectors import VectorsRefused, admit_vectors
from veridical.wire.recording import Recorded

from .chatting import Chatting
from .failures import MissingHookError
from .grounding import grounded
from .replies import on_the_wire
from .shapes import Fetched, Grounded, Host, Link, ReadBatch

__all__ = ["Gateway"]

_END: Final = object()
_FETCH = 500
_HELD_REPLIES = 4
"""Replies of one reading that are held at most: a page may come in several batches, and a source may have as many pages as it likes."""
_M = TypeVar("_M", bound=Model)


class Gateway(Chatting):
    """See the module."""

    def __init__(self, host: Host, policy: Policy) -> None:
        super().__init__(host, policy)
        self._embedded: tuple[str, int] | None = None

    # Sources

    def reading(self, plugin: str) -> str:
        """What the way of reading is known by: a new version of the plugin reads again."""
        return f"{self._host.plugins.version('source', plugin)}, {self._host.reader.identity()}"

    def read(self, plugin: str, request: SourceRequest) -> Iterator[ReadBatch]:
        """Yield what the source plugin hands in, admitted or refused.

        An item with a place has to stand in one of the newest replies of this call: older ones are let go of, however many there are.

        Raises:
            ProviderError: the service behind it failed, as the host recorded it.
            PluginError: it raised, hung, or yielded something that is no batch.
        """
        wire: list[Recorded] = []
        steps = self._host.plugins.iterate("source", plugin, "read", wire, request=request)
        while (value := self._step_of(plugin, steps)) is not _END:
            del wire[:-_HELD_REPLIES]
            yield self._admitted(plugin, "read", request, self._exact(plugin, "read", value, SourceBatch), wire)
            self._host.reader.release()

    def _step_of(self, plugin: str, steps: Iterator[object]) -> object:
        """One batch is to the limits of a provider what one search is."""
        with self._limited(plugin):
            return next(steps, _END)

    def _admitted(self, plugin: str, hook: str, request: SourceRequest, batch: SourceBatch, wire: Sequence[Recorded]) -> ReadBatch:
        container = {file.path: file.sha256 for file in request.inputs}.get(batch.container)
        maps: Mapping[str, WireMap] = {}
        if any(item.place is not None for item in batch.items):
            maps = self._host.plugins.wire_maps("source", plugin)
        documents: list[Admission] = []
        keys: list[str | None] = []
        raws: dict[str, bytes] = {}
        refused: list[tuple[str, str]] = []
        for number, item in enumerate(batch.items):
            try:
                _check_place(item, batch.container, container)
                if item.place is not None:
                    admission = self._on_the_wire(plugin, request.origin, item, maps, wire, raws)
                else:
                    admission, held = self._admit(plugin, request.origin, item)
                    if held is not None and item.raw is not None:
                        raws[item.raw.digest] = held.raw
            except AdmissionRefused as error:
                refused.append((error.rule, error.text))
                self._host.log(plugin, error.rule, error.text or _place(item))
                continue
            documents.append(admission)
            keys.append(batch.keys[number] if batch.keys else None)
        dropped = [pair for admission in documents for pair in admission.dropped]
        for rule, words in dropped:
            self._host.log(plugin, rule, words)
        return ReadBatch(
            batch.container,
            tuple(documents),
            raws,
            refused=tuple(rule for rule, _ in refused),
            dropped=tuple(rule for rule, _ in dropped),
            rejections=tuple(self._rejection(plugin, hook, rule, words) for rule, words in (*refused, *dropped) if rule != "no-text"),
            done=batch.done,
            problem=batch.problem,
            cursor=batch.cursor,
            keys=tuple(keys),
        )

    def _on_the_wire(
        self, plugin: str, origin: str, item: Item, maps: Mapping[str, WireMap], wire: Sequence[Recorded], raws: dict[str, bytes]
    ) -> Admission:
        """Admit a record of a source by its place in a reply; one without words is a link, and no evidence."""
        found = self._proved(plugin, origin, item, maps, wire, raws)
        if isinstance(found, Link):
            raise AdmissionRefused("no-text")
        return found

    def _admit(self, plugin: str, origin: str, item: Item) -> tuple[Admission, Bytes | None]:
        held: Bytes | None = None
        extractor = "plugin"
        if item.raw is not None and item.derivation is not None:
            if not self._host.reader.laid_out(item.raw.digest, item.derivation):
                # Other encodings of the same bytes are other words: how a record is laid out is the host's to say.
                raise AdmissionRefused("layout-differs")
            held = self._host.reader.derive(self._host.reader.held(item.raw.digest), item.derivation)
            extractor = f"{item.derivation.format}/{item.derivation.projection}/1"
        return self._admitted_as(item, plugin, origin, extractor, held), held

    def _admitted_as(self, item: Item, plugin: str, origin: str, extractor: str, held: Bytes | None) -> Admission:
        return admit(
            item,
            plugin=plugin,
            origin=origin,
            extractor=extractor,
            retrieved=self._host.now(),
            held=held,
            trust=self._host.trust.get(plugin, Trust()),
            policy=self._policy,
        )

    # Search

    def search(self, plugin: str, query: SearchQuery) -> ReadBatch:
        """Return what the search plugin found, admitted or refused, at most as many hits as were asked for.

        Raises:
            ProviderError: the service behind it failed, as the host recorded it.
            PluginError: it raised, hung, returned something that is no list of items, or asked behind the host's back.
        """
        wire: list[Recorded] = []
        found = self._over_the_wire("search", plugin, "search", wire, query=query)
        if type(found) is not list:
            raise self._junk(plugin, "search", f"expected a list, got {type(found).__name__}")
        items = [self._exact(plugin, "search", item, Item) for item in cast("list[object]", found)]
        hits = list(dict.fromkeys(_hit(number, item) for number, item in enumerate(items)))[: query.limit]
        kept = [item for number, item in enumerate(items) if _hit(number, item) in hits]
        batch, _ = self._found("search", plugin, "search", kept, wire)
        if kept and not batch.documents and not batch.links and all(rule == "wire-not-recorded" for rule in batch.refused):
            raise PluginError(
                f"{plugin} (search): none of its {len(kept)} results stands in a reply that was recorded.",
                plugin=plugin,
                hook="search",
                hint="It asked with a client or in a thread of its own: it has to use context.http(), and copy_context() for threads.",
            )
        return batch

    def _found(
        self, kind: Kind, plugin: str, hook: str, items: Sequence[Item], wire: Sequence[Recorded]
    ) -> tuple[ReadBatch, tuple[Admission | Link | None, ...]]:
        """Admit what a plugin found, by its place in a reply or on its word where the operator lets that count; say what became of each."""
        raws: dict[str, bytes] = {}
        refused: list[tuple[str, str]] = []
        maps = self._host.plugins.wire_maps(kind, plugin)
        outcomes: list[Admission | Link | None] = []
        for item in items:
            try:
                outcomes.append(self._proved(plugin, plugin, item, maps, wire, raws))
            except AdmissionRefused as error:
                outcomes.append(None)
                refused.append((error.rule, error.text))
                self._host.log(plugin, error.rule, error.text)
        documents = [found for found in outcomes if isinstance(found, Admission)]
        dropped = [pair for admission in documents for pair in admission.dropped]
        for rule, words in dropped:
            self._host.log(plugin, rule, words)
        batch = ReadBatch(
            plugin,
            tuple(documents),
            raws,
            refused=tuple(rule for rule, _ in refused),
            dropped=tuple(rule for rule, _ in dropped),
            rejections=tuple(self._rejection(plugin, hook, rule, words) for rule, words in (*refused, *dropped)),
            done=True,
            problem=None,
            links=tuple(dict.fromkeys(found for found in outcomes if isinstance(found, Link))),
        )
        return batch, tuple(outcomes)

    def _proved(
        self, plugin: str, origin: str, item: Item, maps: Mapping[str, WireMap], wire: Sequence[Recorded], raws: dict[str, bytes]
    ) -> Admission | Link:
        """Admit one item as one of the source `origin`; what it follows from is put into `raws`."""
        trust = self._host.trust.get(plugin, Trust())
        if item.place is None and item.text is None and item.url is not None and trust.attested:
            return Link(admitted_url(item.url, trust=trust, policy=self._policy), item.title or "")
        if item.place is None:
            return self._admitted_as(item, plugin, origin, "plugin", None)
        refused = AdmissionRefused("wire-not-recorded")
        for copy, held in on_the_wire(item, maps, wire, trust, self._host.reader.derive):
            try:
                if item.place.text is None:
                    return Link(*admit_link(copy, held, trust=trust, policy=self._policy))
                extractor = f"{copy.derivation.format}/{copy.derivation.projection}/1" if copy.derivation is not None else "plugin"
                admission = self._admitted_as(copy, plugin, origin, extractor, held)
            except AdmissionRefused as error:
                refused = error
            else:
                raws[digest(held.raw)] = held.raw
                return admission
        raise refused

    # Storage

    def tag(self, name: str) -> bytes:
        """The tag that is put beside a document: this installation admitted it."""
        return admission_tag(name, self._host.key)

    def migrate(self) -> Migration:
        """Open the store."""
        return self._stored("migrate", Migration)

    def put(self, batch: PutBatch) -> PutReceipt:
        """Write a batch, all of it or nothing."""
        return self._stored("put", PutReceipt, batch=batch)

    def containers(self, origin: str) -> tuple[ContainerState, ...]:
        """What was read of a source to its end."""
        return self._stored_rows("containers", ContainerState, origin=origin)

    def drop_container(self, origin: str, container: str) -> None:
        """A container is no longer part of a source."""
        self._call_storage("drop_container", origin=origin, container=container)

    def candidates(self, query: TextQuery) -> tuple[Candidate, ...]:
        """Passages that may answer: identifiers and places, nothing of which is believed yet."""
        found = self._stored_rows("candidates", Candidate, query=query)
        return tuple(candidate for candidate in found[: query.limit] if candidate.start < candidate.end)

    def candidates_by_fingerprint(self, query: FingerprintQuery) -> FingerprintCandidates:
        """A page of documents in which words may stand: identifiers, nothing of which is believed yet."""
        found = self._stored("candidates_by_fingerprint", FingerprintCandidates, query=query)
        last = query.after or ""
        if any(before >= name for before, name in pairwise((last, *found.documents))) or len(found.documents) > query.limit:
            raise self._junk(self._host.storage, "candidates_by_fingerprint", "identifiers that are not ascending, or too many")
        if found.more and not found.documents:
            raise self._junk(self._host.storage, "candidates_by_fingerprint", "an empty page before another one")
        return found

    def compact(self) -> Compaction:
        """One step of putting the store's index in order."""
        return self._stored("compact", Compaction)

    def scan(self, request: ScanRequest) -> tuple[str, ...]:
        """A page of identifiers of documents."""
        value = self._call_storage("scan", request=request)
        if type(value) is not tuple or any(type(name) is not str for name in cast("tuple[object, ...]", value)):
            raise self._junk(self._host.storage, "scan", "expected a tuple of identifiers")
        return cast("tuple[str, ...]", value)

    def versions(self, names: Sequence[str]) -> tuple[str, ...]:
        """Identifiers of all documents of the records that `names` name; none of a store that knows nothing of versions."""
        found: set[str] = set()
        for part in _pages(names):
            try:
                value = self._call_storage("versions", names=part)
            except MissingHookError:
                return ()
            if type(value) is not tuple or any(type(name) is not str for name in cast("tuple[object, ...]", value)):
                raise self._junk(self._host.storage, "versions", "expected a tuple of identifiers")
            found.update(cast("tuple[str, ...]", value))
        return tuple(sorted(found))

    def delete(self, request: DeleteRequest) -> DeleteReceipt:
        """Delete documents for good."""
        return self._stored("delete", DeleteReceipt, request=request)

    def tombstones(self, names: Sequence[str]) -> tuple[Tombstone | None, ...]:
        """What is left of deleted documents, by identifier or by the digest of their record; None where nothing was deleted."""
        found: list[Tombstone | None] = []
        for part in _pages(names):
            rows = self._stored_tuple("tombstones", len(part), names=part)
            found += [None if row is None else self._exact(self._host.storage, "tombstones", row, Tombstone) for row in rows]
        return tuple(found)

    def repair(self, documents: Sequence[PutDocument], raws: Sequence[PutRaw]) -> None:
        """Put these in the place of the damaged ones of the same names, and build the indexes anew."""
        self._call_storage("repair", documents=tuple(documents), raws=tuple(raws))

    def backup(self, path: Path) -> Backup:
        """Write a copy of the store to a file that is not there yet, and read it again."""
        return self._stored("backup", Backup, path=str(path))

    def restore(self, path: Path) -> Migration:
        """Make a copy the store, once it was read; what was the store stays beside it."""
        return self._stored("restore", Migration, path=str(path))

    def put_run(self, entry: StoredRun) -> None:
        """Append a step of a run."""
        self._call_storage("put_run", entry=entry)

    def runs(self, run: str | None = None, limit: int = 1_000_000) -> tuple[StoredRun, ...]:
        """The steps of `run`, or the newest step of each of the newest `limit` runs; not yet compared with the host's ledger."""
        value = self._call_storage("runs", run=run, limit=limit)
        if type(value) is not tuple:
            raise self._junk(self._host.storage, "runs", f"expected a tuple, got {type_name(value)}")
        return tuple(self._step(row) for row in cast("tuple[object, ...]", value))

    def _step(self, row: object) -> StoredRun:
        """A step holds bytes, which no other shape does: its fields are taken one by one."""
        fields = cast("dict[str, object]", object.__getattribute__(row, "__dict__")) if type(row) is StoredRun else {}
        types = {"run": str, "step": int, "kind": str, "body": bytes, "previous": str}
        if {name: type(value) for name, value in fields.items()} != types:
            raise self._junk(self._host.storage, "runs", "something that is no step of a run")
        return StoredRun.model_validate(fields)

    def state(self, *, check: bool = False) -> StoreState:
        """What the store holds; with `check`, what is wrong with it."""
        # `check` is deprecated, and passed until it is gone: the table of the contract says when.
        return self._stored("state", StoreState, depth="whole" if check else "counts", check=check)

    def in_scope(self, origins: Sequence[str]) -> int:
        """How many current documents the named sources hold, as the store says; all sources when none is named."""
        held = self.state().origins
        if any(count < 0 for count in held.values()):
            raise self._junk(self._host.storage, "state", "a negative number of documents")
        return sum(count for origin, count in held.items() if not origins or origin in origins)

    def readmitted(self, name: str, item: Item, raw: bytes, *, like: Document, retrieved: datetime) -> Admission | None:
        """Admit `item` again as it would have been at `retrieved`; None unless that is the document called `name`, to the last byte.

        Args:
            name: of a document that the store lost or altered.
            item: a guess of what the plugin handed in.
            raw: the bytes of its record; they must hash to what `item` says.
            like: another document of the same source and plugin.
            retrieved: a guess of when it was read.
        """
        if item.derivation is None:
            return None
        try:
            again = admit(
                item,
                plugin=like.plugin,
                origin=like.origin,
                extractor=f"{item.derivation.format}/{item.derivation.projection}/1",
                retrieved=retrieved,
                held=self._host.reader.derive(raw, item.derivation),
                trust=self._host.trust.get(like.plugin, Trust()),
                policy=self._policy,
            )
        except AdmissionRefused:
            return None
        return again if again.id == name else None

    def tagged(self, names: Sequence[str]) -> list[str]:
        """Return those of `names` beside which the store holds the tag of this installation, whatever became of the document."""
        return [name for name, (_, tag) in zip(names, self._bodies(names), strict=True) if type(tag) is bytes and tag == self.tag(name)]

    def record(self, name: str) -> bytes | None:
        """Return the bytes of a record; None when the store does not give back what hashes to `name`."""
        (raw,) = self._raws([name])
        return raw if type(raw) is bytes and digest(raw) == name else None

    def records_held(self, names: Sequence[str]) -> set[str]:
        """Return those of `names` that the store gives back bytes of a record for, which hash to it."""
        return {name for name, raw in zip(names, self._raws(names), strict=True) if type(raw) is bytes and digest(raw) == name}

    def fetch(self, names: Sequence[str], origins: Sequence[str] = ()) -> Fetched:
        """Return the documents called `names` as they were admitted; what the store altered, lost or added is named and left out.

        So is what is of none of `origins`, when any is named: a private note does not answer because a store proposes it.
        """
        documents: dict[str, Document] = {}
        rejections: list[Rejection] = []
        for name, (body, tag) in zip(names, self._bodies(names), strict=True):
            try:
                documents[name] = _in_scope(admit_stored(name, body, tag, self._host.key), origins)
            except AdmissionRefused as error:
                self._host.log(self._host.storage, error.rule, name)
                rejections.append(self._rejection(self._host.storage, "get", error.rule, name))
        return Fetched(documents, tuple(rejections))

    def store(self) -> Store:
        """The store as the exit reads it."""
        return Store(documents=self._bodies, raws=self._raws, reread=self._host.reader.reread, key=self._host.key)

    def reread(self, document: Document) -> Reread | None:
        """Read a document's record again; None when its bytes are not kept."""
        if document.raw is None:
            return None
        raw = self.record(document.raw.digest)
        return self._host.reader.reread(document, raw) if raw is not None else None

    def _bodies(self, names: Sequence[str]) -> list[tuple[object, object]]:
        found: list[tuple[object, object]] = []
        for part in _pages(names):
            for value in self._stored_tuple("get", len(part), ids=part):
                exact = type(value) is StoredDocument
                fields = cast("dict[str, object]", object.__getattribute__(value, "__dict__")) if exact else {}
                found.append((fields.get("body"), fields.get("tag")))
        return found

    def _raws(self, names: Sequence[str]) -> list[object]:
        return [value for part in _pages(names) for value in self._stored_tuple("raw", len(part), digests=part)]

    # Embedding, and what a chat plugin finds

    def embed(self, texts: Sequence[str], purpose: str) -> tuple[tuple[float, ...], ...]:
        """Return one vector per text, of length one, all of one width and one model for as long as this gateway lives.

        Raises:
            PluginError: the plugin returned anything else.
        """
        name = self._host.embedding
        request = EmbeddingRequest.model_validate({"texts": tuple(texts), "purpose": purpose})
        reply = self._exact(name, "embed", self._over_the_wire("embedding", name, "embed", [], request=request), EmbeddingReply)
        try:
            vectors = admit_vectors(reply.vectors, len(texts))
        except VectorsRefused as error:
            raise self._junk(name, "embed", str(error)) from None
        made = (reply.identity, len(vectors[0]) if vectors else 0)
        self._embedded = self._embedded or made
        if made != self._embedded:
            raise self._junk(name, "embed", "vectors of another model or width than before")
        return vectors

    def grounds(self) -> bool:
        """Whether the chat plugin searches the web by its provider's own means, and says where replies hold what it found."""
        return bool(self._host.plugins.wire_maps("chat", self._host.chat[0]))

    def ground(self, request: ChatRequest) -> Grounded:
        """Return what the chat plugin's provider found on the web: what recorded replies hold of it, and what the model says about that.

        Raises:
            PluginError: the plugin raised, hung, or returned something that is no reply.
        """
        name, wire = self._host.chat[0], list[Recorded]()
        reply = self._reply(name, request, wire)
        return grounded(reply, lambda items: self._found("chat", name, "chat", items, wire), policy=self._policy)

    # Shapes

    def _call_storage(self, hook: str, **arguments: object) -> object:
        return self._host.plugins.call("storage", self._host.storage, hook, **arguments)

    def _stored(self, hook: str, model: type[_M], **arguments: object) -> _M:
        return self._exact(self._host.storage, hook, self._call_storage(hook, **arguments), model)

    def _stored_rows(self, hook: str, model: type[_M], **arguments: object) -> tuple[_M, ...]:
        value = self._call_storage(hook, **arguments)
        if type(value) is not tuple:
            raise self._junk(self._host.storage, hook, f"expected a tuple, got {type_name(value)}")
        return tuple(self._exact(self._host.storage, hook, row, model) for row in cast("tuple[object, ...]", value))

    def _stored_tuple(self, hook: str, length: int, **arguments: object) -> tuple[object, ...]:
        value = self._call_storage(hook, **arguments)
        if type(value) is not tuple or len(cast("tuple[object, ...]", value)) != length:
            raise self._junk(self._host.storage, hook, f"expected a tuple of {length}")
        return cast("tuple[object, ...]", value)


def _pages(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for start in range(0, len(names), _FETCH):
        yield tuple(names[start : start + _FETCH])


def _in_scope(document: Document, origins: Sequence[str]) -> Document:
    if origins and document.origin not in origins:
        raise AdmissionRefused("out-of-scope")
    return document


def _hit(number: int, item: Item) -> tuple[str, str] | int:
    """What an item belongs to: the hit at its place, or itself."""
    return number if item.place is None else (item.place.map, item.place.item)


def _place(item: Item) -> str:
    """Where a record without words stands, for the operator's log."""
    return ", ".join(f"{name} {value}" for name, value in item.locator.model_dump().items() if value is not None)


def _check_place(item: Item, container: str, sha256: str | None) -> None:
    """A record is said to stand in the container that it was handed in with; `sha256` is of that input, when the host enumerated it."""
    if item.locator.container != container:
        raise AdmissionRefused("locator-differs", item.locator.container)
    if sha256 is not None and item.raw is not None and item.raw.container != sha256:
        raise AdmissionRefused("container-differs", item.raw.container)
