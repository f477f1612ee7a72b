"""Versions of a record: what came under one key, in one reading after the other.

A reading has a time of its own, so that the same record is another document each time it is read. What says the same as a version that
is there is that version: it stays, with the time when it was first read so. A record without a key is known by what it says.
"""

from __future__ import annotations

from collections.abc import Sequence

from veridical_contract import Document

from veridical.gateway.verified import Gateway
from veridical.kernel.admission import Admission
from veridical.kernel.canonical import canonical_bytes, digest

from .storing import Keyed

__all__ = ["key_of", "unchanged"]


def key_of(found: Admission, key: str | None, *, origin: str, container: str) -> str:
    """Return the digest that a record is known by in the store, from its key in its container; without one, from its words."""
    return digest(canonical_bytes([origin, container, key] if key is not None else [origin, container, None, _words(found.document)]))


def unchanged(gateway: Gateway, origin: str, found: Sequence[Keyed]) -> list[Keyed]:
    """Return `found` with the version of each record that says the same already, to the last field but the time of reading."""
    keys = list(dict.fromkeys(one.key for one in found if one.key is not None))
    before = gateway.fetch(gateway.versions(keys), (origin,)).documents if keys else {}
    known = {_but_the_time(document): (name, document) for name, document in before.items()}
    return [_same(one, known.get(_but_the_time(one.admission.document))) for one in found]


def _same(new: Keyed, known: tuple[str, Document] | None) -> Keyed:
    if known is None:
        return new
    name, document = known
    body = canonical_bytes(document.model_dump(mode="json"))
    return new if digest(body) != name else new._replace(admission=Admission(name, body, document, new.admission.dropped))


def _but_the_time(document: Document) -> bytes:
    return canonical_bytes(document.model_dump(mode="json", exclude={"retrieved"}))


def _words(document: Document) -> str:
    said = document.model_dump(mode="json", include={"text", "url", "title", "author", "published"})
    return digest(canonical_bytes(said))
