"""Admitted documents on their way into the store: what every workflow that reads something puts there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from veridical_contract import PutBatch, PutDocument, PutRaw, PutReceipt

from veridical.gateway.verified import Gateway
from veridical.kernel.admission import Admission
from veridical.kernel.spans import overlap
from veridical.locate.passages import passages
from veridical.locate.seams import between_seams

__all__ = ["Keyed", "put", "record_of"]


class Keyed(NamedTuple):
    """An admitted document, and what its record is known by, a digest; None where nobody says."""

    admission: Admission
    key: str | None = None


def put(
    gateway: Gateway,
    documents: Sequence[Admission | Keyed],
    raws: Mapping[str, bytes],
    *,
    origin: str,
    container: str,
    fingerprint: str,
    first: bool = True,
    last: bool = True,
    within: Mapping[str, Sequence[tuple[int, int]]] = MappingProxyType({}),
) -> PutReceipt:
    """Write documents, with the bytes that they follow from, as a part of `container`.

    Args:
        gateway: to the store.
        documents: admitted; with a key they take the place of what came under it before.
        raws: bytes of records by digest; those that no document follows from are left out.
        origin: name of the source.
        container: file, query or page.
        fingerprint: of what was read, and how.
        first: they begin the container anew.
        last: they end it.
        within: identifier to the spans of a document that its passages have to touch; of one that is not here they may be anywhere.

    Raises:
        StoreError: it cannot be written; what was there before is whole.
    """
    keyed = [found if isinstance(found, Keyed) else Keyed(found) for found in documents]
    needed = {record_of(found) for found, _ in keyed}
    rows = tuple(
        PutDocument(
            id=found.id,
            body=found.body,
            tag=gateway.tag(found.id),
            text=found.document.text,
            title=found.document.title,
            passages=_passages(found, within),
            raw=record_of(found),
            key=key,
        )
        for found, key in keyed
    )
    records = tuple(PutRaw(digest=name, body=body) for name, body in raws.items() if name in needed)
    batch = PutBatch(origin=origin, container=container, fingerprint=fingerprint, documents=rows, raws=records, first=first, last=last)
    return gateway.put(batch)


def _passages(found: Admission, within: Mapping[str, Sequence[tuple[int, int]]]) -> tuple[tuple[int, int], ...]:
    text = found.document.text
    every = passages(text)
    if found.document.grades.text == "wire":
        # What is shown to a composer is what it may quote: no seam, and no word that one may have cut.
        every = tuple(piece for start, end in every for piece in between_seams(text, start, end))
    if (spans := within.get(found.id)) is None:
        return every
    return tuple(one for one in every if any(overlap(one, span) for span in spans))


def record_of(found: Admission) -> str | None:
    """Return the digest of the bytes that a document follows from; None when the host did not read them."""
    return found.document.raw.digest if found.document.raw is not None else None
