"""Stores that lose, mix up or miscount what is put into them."""

from __future__ import annotations

from .honest import with_methods

__all__ = ["KEEPING"]

KEEPING = [
    with_methods(
        "deprecated-argument",
        "asks for an argument that is on its way out",
        """
        @hookimpl
        def state(self, check):
            return super().state("whole" if check else "counts")
        """,
    ),
    with_methods(
        "store-opens",
        "says of every store that it is new",
        """
        @hookimpl
        def migrate(self):
            return super().migrate().model_copy(update={"before": 0})
        """,
    ),
    with_methods(
        "document-kept",
        "leaves out what it does not have",
        """
        @hookimpl
        def get(self, ids):
            return tuple(one for one in super().get(ids) if one is not None)
        """,
    ),
    with_methods(
        "put-counts",
        "counts every document as new",
        """
        @hookimpl
        def put(self, batch):
            super().put(batch)
            return PutReceipt(added=len(batch.documents), known=0)
        """,
    ),
    with_methods(
        "raw-kept",
        "trims the bytes of records",
        """
        @hookimpl
        def raw(self, digests):
            return tuple(body and body.strip() for body in super().raw(digests))
        """,
    ),
    with_methods(
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
    with_methods(
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
    with_methods(
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
    with_methods(
        "container-at-once",
        "shows every batch as soon as it is there",
        """
        @hookimpl
        def put(self, batch):
            return super().put(batch.model_copy(update={"last": True}))
        """,
    ),
    with_methods(
        "container-replaced",
        "adds a new reading to the old one",
        """
        @hookimpl
        def put(self, batch):
            known = any(one.container == batch.container for one in super().containers(batch.origin))
            return super().put(batch.model_copy(update={"first": batch.first and not known}))
        """,
    ),
    with_methods(
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
    with_methods(
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
    with_methods(
        "version-replaced",
        "keeps no keys",
        """
        @hookimpl
        def put(self, batch):
            documents = tuple(one.model_copy(update={"key": None}) for one in batch.documents)
            return super().put(batch.model_copy(update={"documents": documents}))
        """,
    ),
    with_methods(
        "versions-named",
        "knows current versions alone",
        """
        @hookimpl
        def versions(self, names):
            current = super().scan(ScanRequest(limit=10_000))
            return tuple(name for name in super().versions(names) if name in current)
        """,
    ),
    with_methods(
        "container-listed",
        "does not count the documents of containers",
        """
        @hookimpl
        def containers(self, origin):
            return tuple(one.model_copy(update={"documents": 0}) for one in super().containers(origin))
        """,
    ),
    with_methods(
        "container-dropped",
        "drops nothing",
        """
        @hookimpl
        def drop_container(self, origin, container):
            return None
        """,
    ),
    with_methods(
        "state-counts",
        "counts a document once for each of its sources",
        """
        @hookimpl
        def state(self, depth):
            found = super().state(depth)
            return found.model_copy(update={"documents": sum(found.origins.values())})
        """,
    ),
]
