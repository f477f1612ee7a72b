"""What is put into a store under test: documents, ordinary and odd, records, runs, and the work of several writers."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, Literal, TypeVar

from veridical.kernel.canonical import canonical_bytes

from veridical_contract import PutBatch, PutDocument, PutRaw, StoredRun

__all__ = ["chain", "container", "digest", "document", "odd_documents", "parts", "record", "work"]

_T = TypeVar("_T")


def parts(things: Sequence[_T], many: int) -> Iterator[Sequence[_T]]:
    """Yield `things`, `many` at a time."""
    return (things[start : start + many] for start in range(0, len(things), many))


def digest(data: bytes) -> str:
    """Return the SHA-256 of `data`."""
    return sha256(data).hexdigest()


def record(body: bytes) -> PutRaw:
    """Return bytes of a record."""
    return PutRaw(digest=digest(body), body=body)


def document(
    text: str,
    *,
    title: str | None = None,
    raw: PutRaw | None = None,
    key: str | None = None,
    tag: bytes = b"\x00tag\xff",
    passages: tuple[tuple[int, int], ...] | None = None,
    author: str | None = None,
    ascii_only: bool = True,
) -> PutDocument:
    """Return a document as the host puts one; its one passage is its whole text unless said otherwise."""
    fields: dict[str, Any] = {
        "text": text,
        "title": title,
        "author": None if author is None else {"id": author, "name": None, "site": "kit.example"},
        "published": None,
        "retrieved": "2026-03-01T12:00:00Z",
        "origin": "notes",
        "plugin": "kit",
        "extractor": "plugin",
        "url": None,
        "raw": None,
        "derivation": None,
        "grades": {"author": None, "published": None, "text": "attested", "title": None, "url": None},
        "locator": {"container": "a.txt", "line": None, "message": None, "page": None, "row": None},
    }
    body = canonical_bytes(fields) if ascii_only else json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    return PutDocument(
        id=digest(body),
        body=body,
        tag=tag,
        text=text,
        title=title,
        passages=(((0, len(text)),) if text else ()) if passages is None else passages,
        raw=None if raw is None else raw.digest,
        key=None if key is None else digest(key.encode()),
    )


def container(
    *documents: PutDocument,
    name: str = "a.txt",
    origin: str = "notes",
    fingerprint: str = "f1",
    raws: tuple[PutRaw, ...] = (),
    first: bool = True,
    last: bool = True,
) -> PutBatch:
    """Return a whole container in one batch, unless said otherwise."""
    return PutBatch(origin=origin, container=name, fingerprint=fingerprint, documents=documents, raws=raws, first=first, last=last)


def chain(run: str, length: int = 3) -> list[StoredRun]:
    """Return the steps of a run, each of which names the one before."""
    kinds: tuple[Literal["begin", "seal", "report"], ...] = ("begin", "seal", "report")
    steps: list[StoredRun] = []
    previous = "0" * 64
    for step in range(length):
        body = canonical_bytes({"run": run, "step": step})
        steps.append(StoredRun(run=run, step=step, kind=kinds[min(step, 2)], body=body, previous=previous))
        previous = digest(body)
    return steps


_ODD = (
    *("", " ", "\n", "\t", "\r\n", "\x00", "a\x00b", "\x1b[31m", "\x7f", "\x85", "\u2028", "\u2029", "\ufeff", "\ufffd", "\uffff"),
    *("\U0010ffff", "\ue000", "\U000f0000", "\u0600", "\u3000", "\u00a0", "...", "…", "-\n", "-1e309", "0x00", "NULL", "../../etc/passwd"),
    *(
        "é",
        "e\u0301",
        "\u00c5",
        "\u212b",
        "A\u030a",
        "\ufb01",
        "\ufb00",
        "\uff46\uff55\uff4c\uff4c",
        "½",
        "ß",
        "ẞ",
        "İ",
        "\u0131",
        "ǆ",
        "Σας",
    ),
    *(
        "a\u0323\u0307",
        "a\u0307\u0323",
        "Z\u0351\u036b\u0343\u032a\u0302\u0353A",
        "שָׁלוֹם",
        "\u202eabc\u202c",
        "\u2066x\u2069",
        "مرحبا",
        "اَلْعَرَبِيَّةُ",
    ),
    *(
        "\u0640\u0640",
        "a\u200bb",
        "a\u00adb",
        "a\u200db",
        "👩\u200d👩\u200d👧\u200d👦",
        "🏳\ufe0f\u200d🌈",
        "🇩🇪",
        "👍🏽",
        "\U0001d518\U0001d52b\U0001d526",
    ),
    *(
        "\U00020000\U0002a736",
        "銅の屋根",
        "\uff76\uff9e",
        "한글",
        "\u1112\u1161\u11ab\u1100\u1173\u11af",
        "ภาษาไทย",
        "हिन्दी",
        "क्ष",
        "မြန်မာ",
        "བོད་ཡིག",
    ),
    *("'; DROP TABLE documents; --", '"quoted" \\ back\\slash', "%s %d {0} ${x}", "<b>&amp;</b>", "* NEAR( OR )", "col:umn^2"),
)


def odd_documents(many: int) -> Iterator[tuple[PutDocument, PutRaw | None]]:
    """Yield documents with odd texts, titles, tags and records, the same ones in every run."""
    chance = random.Random(20260301)  # noqa: S311 - no secret
    for number in range(many):
        text = "".join(chance.choices(_ODD, k=chance.randrange(9)))
        if number in (900, 901):
            text = ("a" if number == 900 else "x\u0301\U0001d518 ") * (1 << 18 + 2 * (number == 900))
        raw = record(_ENDS[number % len(_ENDS)] + chance.randbytes(chance.randrange(40)) + _ENDS[number % 7]) if number % 3 == 0 else None
        yield (
            document(
                text,
                title=chance.choice((None, *_ODD)),
                raw=raw,
                tag=chance.randbytes(number % 48),
                author=str(number),  # so that equal texts have several names
                ascii_only=number % 2 == 0,
            ),
            raw,
        )


_ENDS = (b"", b"\n", b"\x00", b" ", b"\r\n", b"\xff\xfe", b"\xef\xbb\xbf")


def work(writer: str, number: int) -> tuple[PutBatch, PutBatch, StoredRun]:
    """Return what `writer` puts as its container `number`, in two batches, and the step of a run after it."""
    name = f"{writer}-{number}"
    raw = record(f"the record of {name}\n".encode() * 8)
    documents = [document(f"{name} part {part} of the words that all writers share", raw=raw) for part in range(12)]
    begun = container(*documents[:8], name=name, fingerprint=name, raws=(raw,), last=False)
    ended = container(*documents[8:], name=name, fingerprint=name, first=False)
    return begun, ended, chain(name, 1)[0]
