"""A quote without a document: what is found stands there, and what is said to be absent is, whatever the text, the index or the store."""

from __future__ import annotations

import random
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from veridical.gateway.verified import Gateway
from veridical.kernel.policy import load_policy
from veridical.locate.find import Located, locate
from veridical.locate.passages import passages
from veridical.workflows import find
from veridical.workflows.find import Standing, find_quote
from veridical.workflows.ingest import compact
from veridical.workflows.progress import Silent
from veridical_contract import (
    DeleteRequest,
    Document,
    FingerprintQuery,
    PutBatch,
    PutDocument,
    PutRaw,
    ScanRequest,
    SourceRequest,
    VeridicalError,
)
from veridical_sqlite import SqliteStorage

from plugins.sqlite.tests.kit import Context
from tests.properties.liars import STORAGE, Junk, LyingStore, Replaced, junk, lies
from tests.properties.world import ROWS, MemoryStore, Row, RowSource, World

POLICY = load_policy()
VOCABULARY = (
    "the of a in is to it was and office final efficient well-known re-use state-of-the-art don't it\u2019s 3.5 1,000 20 "
    "caf\u00e9 na\u00efve Stra\u00dfe \u0130stanbul "
    "\u041c\u043e\u0441\u043a\u0432\u0430 \u0438 \u043d\u0435 \u1f41 \u03bb\u03cc\u03b3\u03bf\u03c2 "
    "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 \u0939\u093f\u0928\u094d\u0926\u0940 \ud55c\uad6d\uc5b4 "
    "printer battery example something internationalisation "
)
WORDS = VOCABULARY.split()
UNSPACED = "\u96fb\u6c60\u304c\u58ca\u308c\u305f\u306e\u3067\u65b0\u3057\u3044\u3082\u306e\u3092\u8cb7\u3063\u305f\u3002"
THAI = "\u0e41\u0e1a\u0e15\u0e40\u0e15\u0e2d\u0e23\u0e35\u0e48\u0e02\u0e2d\u0e07\u0e40\u0e04\u0e23\u0e37\u0e48\u0e2d\u0e07"


def bones(text: str) -> str:
    """The oracle's own: letters and digits, nothing else of a text."""
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if c.isalnum())


# Adversarial text

Change = Callable[[random.Random, str], str]
CHANGES: dict[str, Change] = {
    "none": lambda _, text: text,
    "lines": lambda rng, text: re.sub(" ", lambda _: rng.choice((" ", " ", "\n", "  ", "\u00a0", "\n> ")), text),
    "hyphenated": lambda rng, text: re.sub(r"(?<=[a-z]{3})(?=[a-z]{3})", lambda _: rng.choice(("", "", "-\n", "\u00ad\n", "\u00ad")), text),
    "decomposed": lambda _, text: unicodedata.normalize("NFD", text),
    "ligatures": lambda _, text: text.replace("ffi", "\ufb03").replace("fi", "\ufb01").replace("ff", "\ufb00"),
    "invisible": lambda rng, text: "".join(c + ("\u200b" if rng.random() < 0.1 else "") for c in text),
    "dashes": lambda rng, text: text.replace("-", rng.choice(("\u2010", "\u2011", "\u2013", "-\n"))),
    "wide": lambda rng, text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" and rng.random() < 0.2 else c for c in text),
    "quotes": lambda _, text: text.replace("'", "\u2019").replace("...", "\u2026"),
    "capital": lambda _, text: text[:1].upper() + text[1:],
}
MISSES: dict[str, Change] = {
    "other word": lambda rng, text: text.replace(rng.choice(text.split() or [text]), "elephant", 1),
    "left out": lambda rng, text: text.replace(rng.choice(text.split() or [text]), "", 1),
    "swapped": lambda _, text: " ".join(reversed(text.split())),
    "entities": lambda _, text: text.replace("'", "&#39;").replace(" and ", " &amp; "),
    "ellipses": lambda _, text: f"... {text} [\u2026]",
}


def sentence(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.15:
        return "".join(rng.choice(UNSPACED) for _ in range(rng.randint(5, 40)))
    if kind < 0.25:
        return THAI[rng.randrange(10) :] * rng.randint(1, 3)
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(3, 40))) + rng.choice(".?!")


def changed(rng: random.Random, text: str, changes: dict[str, Change]) -> str:
    for name in rng.sample(sorted(changes), rng.randint(0, 2)):
        text = changes[name](rng, text)
    return text


def adversarial(rng: random.Random) -> list[str]:
    """Texts that repeat each other in parts, in other spellings."""
    pool = [sentence(rng) for _ in range(rng.randint(3, 12))]
    texts = (" ".join(changed(rng, rng.choice(pool), CHANGES) for _ in range(rng.randint(1, 6))) for _ in range(rng.randint(2, 25)))
    return list(dict.fromkeys(text for text in texts if text.strip()))


def a_quote(rng: random.Random, texts: list[str]) -> str:
    text = rng.choice(texts)
    start = rng.randrange(len(text))
    part = text[start : start + rng.choice((10, 30, 60, 120))]
    if rng.random() < 0.7 and " " in part.strip():
        part = part.partition(" ")[2].rpartition(" ")[0] or part
    return changed(rng, changed(rng, part, CHANGES), MISSES if rng.random() < 0.4 else CHANGES)


# A store that was written, replaced, deleted from and put in order in any sequence


class Shelf:
    """A real store behind a gateway, and what is current in it as the test knows."""

    def __init__(self, texts: list[str], folder: Path) -> None:
        rows = tuple(Row(text, f"https://a.example/{number}", None) for number, text in enumerate(texts))
        self.store = SqliteStorage(Context(folder))
        self.gateway: Gateway = World(source=RowSource(rows), storage=self.store, rows=rows).gateway()
        self.puts: list[tuple[PutDocument, PutRaw]] = []
        for read in self.gateway.read("rows", SourceRequest(origin="rows")):
            for one in read.documents:
                assert one.document.raw is not None
                raw = PutRaw(digest=one.document.raw.digest, body=read.raws[one.document.raw.digest])
                self.puts.append((self._put_document(one.id, one.body, one.document), raw))

    def _put_document(self, name: str, body: bytes, document: Document) -> PutDocument:
        spans = passages(document.text)
        tag = self.gateway.tag(name)
        return PutDocument(id=name, body=body, tag=tag, text=document.text, passages=spans, raw=None)

    def fill(self, rng: random.Random) -> None:
        for number in range(rng.randint(1, 5)):
            chosen = rng.sample(self.puts, rng.randint(1, len(self.puts)))
            container = f"c{number % 3}"
            documents = tuple(document for document, _ in chosen)
            self.gateway.put(PutBatch(origin="rows", container=container, fingerprint="f", documents=documents, first=True, last=True))
            if rng.random() < 0.3:
                gone = tuple(document.id for document, _ in rng.sample(self.puts, min(len(self.puts), rng.randint(1, 3))))
                self.gateway.delete(DeleteRequest(documents=gone, reason="test"))
            for _ in range(rng.choice((0, 0, 5, 400))):
                self.gateway.compact()

    def current(self) -> dict[str, Document]:
        return self.gateway.fetch(self.gateway.scan(ScanRequest())).documents


@pytest.fixture
def no_small_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """The index decides, though the store is small enough to be read whole."""
    monkeypatch.setattr(find, "_WHOLE", 0)


@pytest.mark.usefixtures("no_small_store")
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.integers(0, 2**32))
def test_find_quote_is_what_a_scan_of_every_document_finds(seed: int) -> None:
    rng = random.Random(seed)
    folder = Path(tempfile.mkdtemp(prefix="find"))
    try:
        texts = adversarial(rng)
        shelf = Shelf(texts, folder)
        shelf.fill(rng)
        documents = shelf.current()
        for _ in range(25):
            quote = a_quote(rng, texts)
            if quote.strip():
                check(shelf.gateway, documents, quote)
    finally:
        shutil.rmtree(folder)


def check(gateway: Gateway, documents: dict[str, Document], quote: str) -> None:
    found = find_quote(gateway, quote, policy=POLICY)
    scanned = {name: locate(document.text, quote, policy=POLICY) for name, document in documents.items()}
    due = {name: (one.start, one.end, one.occurrences) for name, one in scanned.items() if isinstance(one, Located)}
    got = {place.id: (place.start, place.end, place.occurrences) for place in found.places}
    assert got.items() <= due.items()
    assert found.total == len(found.places)
    page = gateway.candidates_by_fingerprint(FingerprintQuery(text=quote, limit=10_000))
    if found.complete or page.guaranteed:
        assert got == due
    if page.guaranteed:
        assert found.complete
    if found.absent:
        assert not any(quote in document.text for document in documents.values())
    for place in found.places:
        words = bones(place.document.text[place.start : place.end])
        assert words in (bones(quote), bones(re.sub("&(amp|#39);", "", quote)))


# Lies


@given(lies(STORAGE), st.integers(0, 3), st.integers(0, len(ROWS) - 1), st.booleans())
@settings(max_examples=60, deadline=None)
def test_whatever_a_store_proposes_no_false_place_comes_out(told: list[tuple[str, int, int]], calm: int, row: int, altered: bool) -> None:
    store = LyingStore(told, calm)
    world = World(storage=store)
    gateway = world.gateway()
    world.ingest(gateway)
    quote = ROWS[row].text.replace("\n\n", " ")
    quote = quote.replace("battery", "hamster") if altered else quote
    try:
        found = find_quote(gateway, quote, policy=POLICY)
    except VeridicalError:
        return
    texts = {one.text for one in ROWS}
    for place in found.places:
        assert place.document.text in texts
        assert bones(place.document.text[place.start : place.end]) == bones(quote)
    assert not (altered and found.places)
    assert found.total <= 1


@given(junk, st.sampled_from(["candidates_by_fingerprint", "scan", "candidates", "get", "compact"]), st.booleans())
@settings(deadline=None)
def test_junk_from_a_hook_is_an_error_of_ours_or_no_place(value: object, hook: str, raises: bool) -> None:
    world = World(storage=Replaced(hook, Junk(value, raises=raises)))
    gateway = world.gateway()
    world.ingest(gateway)
    try:
        compact(gateway, Silent())
        found = find_quote(gateway, ROWS[0].text, policy=POLICY)
    except VeridicalError:
        return
    assert {place.document.text for place in found.places} <= {ROWS[0].text}


def test_a_store_that_never_ends_its_compaction_is_left_alone() -> None:
    compact(World(storage=LyingStore([("endless", 0, 0)])).gateway(), Silent())


# What is said of few words


def standing(quote: str, store: MemoryStore | None = None, limit: int = 100) -> Standing:
    world = World(storage=store or MemoryStore())
    gateway = world.gateway()
    world.ingest(gateway)
    return find_quote(gateway, quote, policy=POLICY, limit=limit)


def test_a_quote_in_several_documents_has_all_of_them_in_a_stable_order_and_its_count() -> None:
    found = standing("of the printer")
    assert found.total == len(found.places) > 2
    assert found.complete
    ranks = [(place.verdict.verdict == "clipped", bool(place.verdict.folds), place.id) for place in found.places]
    assert ranks == sorted(ranks)
    first = standing("of the printer", limit=1)
    assert (first.total, first.places) == (found.total, found.places[:1])


def test_words_that_are_too_few_to_be_quoted_are_not_said_to_be_absent() -> None:
    found = standing("the battery")
    assert found.places == ()
    assert "too-short" in found.refusals
    assert not found.absent


def test_words_that_stand_nowhere_are_absent() -> None:
    assert standing("the battery of the printer exploded in my hands").absent


def test_a_document_that_the_store_lost_leaves_the_answer_open() -> None:
    class Loses(MemoryStore):
        def get(self, ids: tuple[str, ...]) -> tuple[None, ...]:
            return tuple(None for _ in ids)

    found = standing("the battery of the printer exploded in my hands", Loses())
    assert not found.complete
    assert {one.rule for one in found.rejections} == {"document-missing"}


@given(st.text(max_size=60), st.sampled_from(["", "\ud800", "\0", "\x1b", '"', "&amp;"]))
@settings(max_examples=40, deadline=None)
def test_any_words_can_be_looked_for(noise: str, odd: str) -> None:
    found = standing(f"{noise}{odd} battery of the printer fails when {noise}")
    assert all(place.document.text in {row.text for row in ROWS} for place in found.places)


def test_an_empty_quote_is_nowhere_and_nothing_is_proven() -> None:
    assert standing(" \n") == Standing((), 0, complete=False)
