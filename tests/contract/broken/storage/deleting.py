"""Stores that keep for too long what was deleted, and runs that are not as they were written."""

from __future__ import annotations

from .honest import with_methods

__all__ = ["DELETING"]

DELETING = [
    with_methods(
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
    with_methods(
        "runs-read",
        "returns all runs, however many it is asked for",
        """
        @hookimpl
        def runs(self, run, limit):
            return super().runs(run, 1000)
        """,
    ),
    with_methods(
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
    with_methods(
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
    with_methods(
        "delete-counts",
        "counts what it was asked to delete",
        """
        @hookimpl
        def delete(self, request):
            return super().delete(request).model_copy(update={"deleted": len(request.documents)})
        """,
    ),
    with_methods(
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
    with_methods(
        "tombstone",
        "forgets whether a record may come back",
        """
        @hookimpl
        def tombstones(self, names):
            return tuple(one and one.model_copy(update={"returns": True}) for one in super().tombstones(names))
        """,
    ),
    with_methods(
        "tombstone-named",
        "knows tombstones by documents alone",
        """
        @hookimpl
        def tombstones(self, names):
            return tuple(one if one and one.document == name else None for name, one in zip(names, super().tombstones(names), strict=True))
        """,
    ),
    with_methods(
        "delete-withdraws",
        "keeps reports that repeat what was deleted",
        """
        @hookimpl
        def delete(self, request):
            return super().delete(request.model_copy(update={"dependents": {}}))
        """,
    ),
    with_methods(
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
    with_methods(
        "many-names",
        "answers for the first thousand names alone",
        """
        @hookimpl
        def tombstones(self, names):
            return super().tombstones(names[:1000])
        """,
    ),
]
