"""An honest store, which is veridical-sqlite under another name, and those that lose, mix up, keep for too long and break off."""

from __future__ import annotations

import textwrap

from . import Broken, Honest, broken

__all__ = ["BROKEN", "HONEST"]

_CLASS = 'class Acme(SqliteStorage):\n    """A store."""\n'

HONEST = Honest(
    "storage",
    f'''"""Acme storage."""

from __future__ import annotations

import os
import shutil
import unicodedata
import uuid
import weakref
from pathlib import Path

from veridical_contract import Backup, CancelledError, PutReceipt, ScanRequest, StoredDocument, StoreError, hookimpl
from veridical_sqlite import SqliteStorage


class Changed:
    """A context that says something else about some things."""

    def __init__(self, context, **changes):
        self.__dict__.update(changes, _context=context)

    def __getattr__(self, name):
        return getattr(self._context, name)


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


{_CLASS}''',
    options={"documents": 200},
    skipped=frozenset({"secret-missing", "no-secret-kept"}),
    requires=("veridical-contract>=0.1,<0.2", "veridical-sqlite"),
)


def _with(check: str, does: str, methods: str) -> Broken:
    """Return the store with other `methods`."""
    return broken(HONEST, check, does, (_CLASS, f"{_CLASS}\n{textwrap.indent(textwrap.dedent(methods).strip(), '    ')}\n"))


BROKEN = [
    _with(
        "deprecated-argument",
        "asks for an argument that is on its way out",
        """
        @hookimpl
        def state(self, check):
            return super().state("whole" if check else "counts")
        """,
    ),
    _with(
        "store-opens",
        "says of every store that it is new",
        """
        @hookimpl
        def migrate(self):
            return super().migrate().model_copy(update={"before": 0})
        """,
    ),
    _with(
        "document-kept",
        "leaves out what it does not have",
        """
        @hookimpl
        def get(self, ids):
            return tuple(one for one in super().get(ids) if one is not None)
        """,
    ),
    _with(
        "put-counts",
        "counts every document as new",
        """
        @hookimpl
        def put(self, batch):
            super().put(batch)
            return PutReceipt(added=len(batch.documents), known=0)
        """,
    ),
    _with(
        "raw-kept",
        "trims the bytes of records",
        """
        @hookimpl
        def raw(self, digests):
            return tuple(body and body.strip() for body in super().raw(digests))
        """,
    ),
    _with(
        "odd-documents",
        "keeps documents as text, in one normal form",
        """
        @hookimpl
        def get(self, ids):
            return tuple(one and StoredDocument(body=self._text(one.body).encode(), tag=one.tag) for one in super().get(ids))

        def _text(self, body):
            return unicodedata.normalize("NFC", body.decode())
        """,
    ),
    _with(
        "put-whole",
        "writes all documents but the first in a transaction of their own",
        """
        @hookimpl
        def put(self, batch):
            known = sum(one is not None for one in super().get(tuple(one.id for one in batch.documents)))
            changes = {"container": batch.container + " ahead", "documents": batch.documents[1:], "first": True, "last": False}
            super().put(batch.model_copy(update=changes))
            super().put(batch)
            super().drop_container(batch.origin, changes["container"])
            return PutReceipt(added=len(batch.documents) - known, known=known)
        """,
    ),
    _with(
        "put-cancelled",
        "writes many documents in two transactions, and goes home between them",
        """
        def __init__(self, context):
            super().__init__(Changed(context, cancelled=lambda: False))
            self._told = context

        @hookimpl
        def put(self, batch):
            half = len(batch.documents) // 2
            if half < 20:
                return super().put(batch)
            one = super().put(batch.model_copy(update={"documents": batch.documents[:half], "last": False}))
            if self._told.cancelled():
                raise CancelledError("Nobody waits.")
            two = super().put(batch.model_copy(update={"documents": batch.documents[half:], "first": False}))
            return PutReceipt(added=one.added + two.added, known=one.known + two.known)
        """,
    ),
    _with(
        "container-at-once",
        "shows every batch as soon as it is there",
        """
        @hookimpl
        def put(self, batch):
            return super().put(batch.model_copy(update={"last": True}))
        """,
    ),
    _with(
        "container-replaced",
        "adds a new reading to the old one",
        """
        @hookimpl
        def put(self, batch):
            known = any(one.container == batch.container for one in super().containers(batch.origin))
            return super().put(batch.model_copy(update={"first": batch.first and not known}))
        """,
    ),
    _with(
        "reading-begun-anew",
        "goes on with a reading that was broken off",
        """
        def __init__(self, context):
            super().__init__(context)
            self._begun = set()

        @hookimpl
        def put(self, batch):
            place = (batch.origin, batch.container)
            goes_on = place in self._begun
            (self._begun.discard if batch.last else self._begun.add)(place)
            return super().put(batch.model_copy(update={"first": batch.first and not goes_on}))
        """,
    ),
    _with(
        "container-grows",
        "replaces with every reading",
        """
        def __init__(self, context):
            super().__init__(context)
            self._begun = set()

        @hookimpl
        def put(self, batch):
            place = (batch.origin, batch.container)
            begins = batch.first or place not in self._begun
            (self._begun.discard if batch.last else self._begun.add)(place)
            return super().put(batch.model_copy(update={"first": begins}))
        """,
    ),
    _with(
        "version-replaced",
        "keeps no keys",
        """
        @hookimpl
        def put(self, batch):
            documents = tuple(one.model_copy(update={"key": None}) for one in batch.documents)
            return super().put(batch.model_copy(update={"documents": documents}))
        """,
    ),
    _with(
        "versions-named",
        "knows current versions alone",
        """
        @hookimpl
        def versions(self, names):
            current = super().scan(ScanRequest(limit=10_000))
            return tuple(name for name in super().versions(names) if name in current)
        """,
    ),
    _with(
        "container-listed",
        "does not count the documents of containers",
        """
        @hookimpl
        def containers(self, origin):
            return tuple(one.model_copy(update={"documents": 0}) for one in super().containers(origin))
        """,
    ),
    _with(
        "container-dropped",
        "drops nothing",
        """
        @hookimpl
        def drop_container(self, origin, container):
            return None
        """,
    ),
    _with(
        "state-counts",
        "counts a document once for each of its sources",
        """
        @hookimpl
        def state(self, depth):
            found = super().state(depth)
            return found.model_copy(update={"documents": sum(found.origins.values())})
        """,
    ),
    _with(
        "words-found",
        "looks for ASCII alone",
        """
        @hookimpl
        def candidates(self, query):
            return super().candidates(query.model_copy(update={"text": query.text.encode("ascii", "ignore").decode()}))
        """,
    ),
    _with(
        "words-plain",
        "stumbles over a quotation mark",
        """
        @hookimpl
        def candidates(self, query):
            if query.text.count('"') % 2:
                raise StoreError("unterminated string")
            return super().candidates(query)
        """,
    ),
    _with(
        "passage-spans",
        "counts in UTF-16",
        """
        def __init__(self, context):
            super().__init__(context)
            self._texts = {}

        @hookimpl
        def put(self, batch):
            self._texts.update((one.id, one.text) for one in batch.documents)
            return super().put(batch)

        @hookimpl
        def candidates(self, query):
            return tuple(
                one.model_copy(update={"start": self._units(one, one.start), "end": self._units(one, one.end)})
                for one in super().candidates(query)
            )

        def _units(self, one, place):
            return len(self._texts.get(one.document, "")[:place].encode("utf-16-le")) // 2 if one.document in self._texts else place
        """,
    ),
    _with(
        "candidates-ordered",
        "does not sort what is equally good",
        """
        @hookimpl
        def candidates(self, query):
            found = sorted(super().candidates(query), key=lambda one: one.document, reverse=True)
            return tuple(sorted(found, key=lambda one: -one.score))
        """,
    ),
    _with(
        "candidates-limit",
        "returns one candidate more than it may",
        """
        @hookimpl
        def candidates(self, query):
            return super().candidates(query.model_copy(update={"limit": min(query.limit + 1, 10_000)}))
        """,
    ),
    _with(
        "candidates-origins",
        "finds in all sources, whichever it is asked for",
        """
        @hookimpl
        def candidates(self, query):
            return super().candidates(query.model_copy(update={"origins": ()}))
        """,
    ),
    _with(
        "candidates-current",
        "answers a query that it had before from memory",
        """
        def __init__(self, context):
            super().__init__(context)
            self._had = {}

        @hookimpl
        def candidates(self, query):
            if not self._had.get(query):
                self._had[query] = super().candidates(query)
            return self._had[query]
        """,
    ),
    _with(
        "fingerprint-sure",
        "is always sure",
        """
        @hookimpl
        def candidates_by_fingerprint(self, query):
            return super().candidates_by_fingerprint(query).model_copy(update={"guaranteed": True})
        """,
    ),
    _with(
        "fingerprint-pages",
        "says of every page that it is the last",
        """
        @hookimpl
        def candidates_by_fingerprint(self, query):
            return super().candidates_by_fingerprint(query).model_copy(update={"more": False})
        """,
    ),
    _with(
        "compact",
        "never comes to an end",
        """
        @hookimpl
        def compact(self):
            return super().compact().model_copy(update={"pending": 1})
        """,
    ),
    _with(
        "scan-pages",
        "knows the first thousand rows alone",
        """
        @hookimpl
        def scan(self, request):
            rows = super().scan(request.model_copy(update={"after": None, "limit": 1000}))
            return tuple(name for name in rows if name > (request.after or ""))[: request.limit]
        """,
    ),
    _with(
        "scan-past",
        "forgets what is not current any more",
        """
        @hookimpl
        def scan(self, request):
            return super().scan(request) if request.state == "current" else ()
        """,
    ),
    _with(
        "scan-origins",
        "returns documents of all sources, whichever it is asked for",
        """
        @hookimpl
        def scan(self, request):
            return super().scan(request.model_copy(update={"origins": ()}))
        """,
    ),
    _with(
        "run-chain",
        "says nothing when a step of a run does not follow",
        """
        @hookimpl
        def put_run(self, entry):
            try:
                super().put_run(entry)
            except StoreError:
                pass
        """,
    ),
    _with(
        "runs-read",
        "returns all runs, however many it is asked for",
        """
        @hookimpl
        def runs(self, run, limit):
            return super().runs(run, 1000)
        """,
    ),
    _with(
        "delete-gone",
        "keeps the bytes of records in memory",
        """
        def __init__(self, context):
            super().__init__(context)
            self._had = {}

        @hookimpl
        def raw(self, digests):
            self._had.update((name, body) for name, body in zip(digests, super().raw(digests), strict=True) if body is not None)
            return tuple(self._had.get(name) for name in digests)
        """,
    ),
    _with(
        "delete-again",
        "never takes back what was deleted",
        """
        @hookimpl
        def put(self, batch):
            if any(super().tombstones(tuple(one.id for one in batch.documents))):
                raise StoreError("It was deleted.")
            return super().put(batch)
        """,
    ),
    _with(
        "delete-counts",
        "counts what it was asked to delete",
        """
        @hookimpl
        def delete(self, request):
            return super().delete(request).model_copy(update={"deleted": len(request.documents)})
        """,
    ),
    _with(
        "delete-origin",
        "deletes with a source what other sources hold, too",
        """
        @hookimpl
        def delete(self, request):
            if request.origin is not None:
                held = super().scan(ScanRequest(origins=(request.origin,), limit=10_000))
                request = request.model_copy(update={"documents": held})
            return super().delete(request)
        """,
    ),
    _with(
        "tombstone",
        "forgets whether a record may come back",
        """
        @hookimpl
        def tombstones(self, names):
            return tuple(one and one.model_copy(update={"returns": True}) for one in super().tombstones(names))
        """,
    ),
    _with(
        "tombstone-named",
        "knows tombstones by documents alone",
        """
        @hookimpl
        def tombstones(self, names):
            return tuple(one if one and one.document == name else None for name, one in zip(names, super().tombstones(names), strict=True))
        """,
    ),
    _with(
        "delete-withdraws",
        "keeps reports that repeat what was deleted",
        """
        @hookimpl
        def delete(self, request):
            return super().delete(request.model_copy(update={"dependents": {}}))
        """,
    ),
    _with(
        "delete-bytes",
        "writes what it is given to a log",
        """
        @hookimpl
        def put(self, batch):
            with (self._context.data_dir / "acme.log").open("a", encoding="utf-8", errors="replace") as log:
                log.writelines(one.text[:200] for one in batch.documents)
            return super().put(batch)
        """,
    ),
    _with(
        "many-names",
        "answers for the first thousand names alone",
        """
        @hookimpl
        def tombstones(self, names):
            return super().tombstones(names[:1000])
        """,
    ),
    _with(
        "durable",
        "keeps its file where files may be lost, a new one each time",
        """
        def __init__(self, context):
            super().__init__(Changed(context, data_dir=context.cache_dir / uuid.uuid4().hex))
        """,
    ),
    _with(
        "several-at-once",
        "raises when another process has the store open",
        """
        @hookimpl
        def put(self, batch):
            folder = self._context.data_dir
            (folder / f"open-{os.getpid()}").touch()
            others = {int(path.name.partition("-")[2]) for path in folder.glob("open-*")} - {os.getpid()}
            if any(is_alive(pid) for pid in others):
                raise RuntimeError("locked")
            return super().put(batch)
        """,
    ),
    _with(
        "killed",
        "opens no store that a process left without closing it",
        """
        def __init__(self, context):
            super().__init__(context)
            self._mark = None

        @hookimpl
        def put(self, batch):
            self._marked()
            return super().put(batch)

        @hookimpl
        def migrate(self):
            self._marked()
            return super().migrate()

        def _marked(self):
            if self._mark is None:
                folder = self._context.data_dir
                if any(not is_alive(int(path.name.split("-")[1])) for path in folder.glob("open-*")):
                    raise StoreError("The store was not closed.")
                self._mark = folder / f"open-{os.getpid()}-{id(self)}"
                self._mark.touch()
                weakref.finalize(self, self._mark.unlink, missing_ok=True)
        """,
    ),
    _with(
        "backup-whole",
        "copies its file without what is still in the log",
        """
        @hookimpl
        def backup(self, path):
            if os.path.lexists(path):
                raise StoreError("There is something already.")
            shutil.copyfile(self._context.data_dir / "store.sqlite3", path)
            held = super().state("counts")
            return Backup(documents=held.documents, schema_version=held.schema_version)
        """,
    ),
    _with(
        "backup-refuses",
        "replaces what is where the backup is to be",
        """
        @hookimpl
        def backup(self, path):
            Path(path).unlink(missing_ok=True)
            return super().backup(path)
        """,
    ),
    _with(
        "restore-keeps",
        "removes what was the store",
        """
        @hookimpl
        def restore(self, path):
            found = super().restore(path)
            for before in self._context.data_dir.glob("*.before-*"):
                before.unlink()
            return found
        """,
    ),
    _with(
        "restore-refuses",
        "says nothing when there is nothing to restore",
        """
        @hookimpl
        def restore(self, path):
            try:
                return super().restore(path)
            except StoreError:
                return super().migrate()
        """,
    ),
    _with(
        "damage-told",
        "finds nothing wrong with itself",
        """
        @hookimpl
        def state(self, depth):
            return super().state(depth).model_copy(update={"problems": ()})
        """,
    ),
    _with(
        "repair",
        "repairs nothing",
        """
        @hookimpl
        def repair(self, documents, raws):
            return None
        """,
    ),
    _with(
        "store-errors",
        "raises what the system raises",
        """
        @hookimpl
        def migrate(self):
            try:
                return super().migrate()
            except StoreError as error:
                raise OSError(str(error)) from error
        """,
    ),
]
