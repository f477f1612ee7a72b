"""Stores that find too little, too much, or in another order."""

from __future__ import annotations

from .honest import with_methods

__all__ = ["FINDING"]

FINDING = [
    with_methods(
        "words-found",
        "looks for ASCII alone",
        """
        @hookimpl
        def candidates(self, query):
            return super().candidates(query.model_copy(update={"text": query.text.encode("ascii", "ignore").decode()}))
        """,
    ),
    with_methods(
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
    with_methods(
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
    with_methods(
        "candidates-ordered",
        "does not sort what is equally good",
        """
        @hookimpl
        def candidates(self, query):
            found = sorted(super().candidates(query), key=lambda one: one.document, reverse=True)
            return tuple(sorted(found, key=lambda one: -one.score))
        """,
    ),
    with_methods(
        "candidates-limit",
        "returns one candidate more than it may",
        """
        @hookimpl
        def candidates(self, query):
            return super().candidates(query.model_copy(update={"limit": min(query.limit + 1, 10_000)}))
        """,
    ),
    with_methods(
        "candidates-origins",
        "finds in all sources, whichever it is asked for",
        """
        @hookimpl
        def candidates(self, query):
            return super().candidates(query.model_copy(update={"origins": ()}))
        """,
    ),
    with_methods(
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
    with_methods(
        "fingerprint-sure",
        "is always sure",
        """
        @hookimpl
        def candidates_by_fingerprint(self, query):
            return super().candidates_by_fingerprint(query).model_copy(update={"guaranteed": True})
        """,
    ),
    with_methods(
        "fingerprint-pages",
        "says of every page that it is the last",
        """
        @hookimpl
        def candidates_by_fingerprint(self, query):
            return super().candidates_by_fingerprint(query).model_copy(update={"more": False})
        """,
    ),
    with_methods(
        "compact",
        "never comes to an end",
        """
        @hookimpl
        def compact(self):
            return super().compact().model_copy(update={"pending": 1})
        """,
    ),
    with_methods(
        "scan-pages",
        "knows the first thousand rows alone",
        """
        @hookimpl
        def scan(self, request):
            rows = super().scan(request.model_copy(update={"after": None, "limit": 1000}))
            return tuple(name for name in rows if name > (request.after or ""))[: request.limit]
        """,
    ),
    with_methods(
        "scan-past",
        "forgets what is not current any more",
        """
        @hookimpl
        def scan(self, request):
            return super().scan(request) if request.state == "current" else ()
        """,
    ),
    with_methods(
        "scan-origins",
        "returns documents of all sources, whichever it is asked for",
        """
        @hookimpl
        def scan(self, request):
            return super().scan(request.model_copy(update={"origins": ()}))
        """,
    ),
]
