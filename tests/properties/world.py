"""A whole veridical in one process: real kernel, gateway, workflows, exit and checker; plugins that a test may replace one by one.

The honest plugins hold rows that the test knows, so that an oracle which shares nothing with the kernel can say of every released quote,
URL and count whether it is true.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from inspect import signature
from io import BytesIO
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import urlsplit

from veridical.bundle import write_bundle
from veridical.bundle.checker import Bundle
from veridical.gateway.shapes import Host
from veridical.gateway.verified import Gateway
from veridical.kernel.admission import Bytes, Trust
from veridical.kernel.canonical import digest
from veridical.kernel.derivation import atoms
from veridical.kernel.exit import Published, Reread
from veridical.kernel.policy import load_policy
from veridical.kernel.run import Run
from veridical.locate.passages import passages
from veridical.spending import Deadline
from veridical.wire.recording import Recorded
from veridical.workflows.progress import Silent
from veridical.workflows.research import Brief, research
from veridical_contract import (
    Candidate,
    Claim,
    Compaction,
    Derivation,
    Document,
    FingerprintCandidates,
    FingerprintQuery,
    Item,
    Locator,
    Migration,
    PluginError,
    PluginRecord,
    ProviderError,
    PutBatch,
    PutDocument,
    PutRaw,
    PutReceipt,
    Raw,
    Report,
    ScanRequest,
    SourceBatch,
    SourceRequest,
    StateDepth,
    StoredDocument,
    StoreState,
    TextQuery,
    Theme,
    VeridicalError,
    WireMap,
)
from veridical_extractive import ExtractiveChat
from veridical_hashing import HashingEmbedding

QUESTION = "Why does the battery of the printer fail?"
KEY = bytes(range(32))
CONTEXT = cast("Any", SimpleNamespace(cancelled=lambda: False))
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
POINTERS = {"text": "/text", "url": "/url", "author": "/user", "published": "/when"}


@dataclass(frozen=True)
class Row:
    """One honest record."""

    text: str
    url: str | None
    user: str | None
    when: str = "2026-01-02"

    def data(self) -> bytes:
        return json.dumps({"text": self.text, "url": self.url, "user": self.user, "when": self.when}).encode()


ROWS = tuple(
    Row(text, url, user)
    for text, url, user in [
        ("The battery of my printer fails after one week of daily use. I would buy another.", "https://a.example/1", "7"),
        ("My printer stops because the battery gets too hot in summer.", "https://a.example/2", "7"),
        ("The battery fails when the firmware of the printer is old. Update it first.", "https://a.example/3", "8"),
        ("I would not say that the battery of the printer is bad. It is the charger that fails.", "https://b.example/1", "9"),
        ("The battery fails in the cold; the printer then needs an hour to start again.", "https://b.example/2", "10"),
        ("Our printer has run for 3 years and the battery never fails.", "https://b.example/3", None),
        ("A new battery costs 40 euros, which is more than half of the printer.", "https://c.example/1", "11"),
        ("If the battery fails again I will send the printer back to the shop.", "https://c.example/2", "12"),
        ("The printer is loud but the battery is fine for a whole day of work.", None, "13"),
        ("> The battery fails all the time.\n\nMine does not, the printer is two years old.", "https://c.example/4", "14"),
        ("Does the battery of this printer fail for others too?", "https://c.example/5", "15"),
        ("Battery fails. Battery fails. The printer shows an error of the battery each time.", "https://d.example/1", "16"),
    ]
)


class MemoryStore:
    """An honest store."""

    def __init__(self) -> None:
        self.documents: dict[str, PutDocument] = {}
        self.raws: dict[str, bytes] = {}

    def migrate(self) -> Migration:
        return Migration(before=1, after=1)

    def put(self, batch: PutBatch) -> PutReceipt:
        new = [document for document in batch.documents if document.id not in self.documents]
        self.documents.update({document.id: document for document in new})
        self.raws.update({raw.digest: raw.body for raw in batch.raws})
        return PutReceipt(added=len(new), known=len(batch.documents) - len(new))

    def get(self, ids: tuple[str, ...]) -> tuple[StoredDocument | None, ...]:
        found = [self.documents.get(name) for name in ids]
        return tuple(StoredDocument(body=one.body, tag=one.tag) if one is not None else None for one in found)

    def raw(self, digests: tuple[str, ...]) -> tuple[bytes | None, ...]:
        return tuple(self.raws.get(name) for name in digests)

    def tombstones(self, names: tuple[str, ...]) -> tuple[None, ...]:
        return (None,) * len(names)

    def candidates(self, query: TextQuery) -> tuple[Candidate, ...]:
        wanted = set(query.text.lower().replace("?", "").split())
        found = [
            Candidate(document=name, start=start, end=end, score=float(len(wanted & set(one.text[start:end].lower().split()))))
            for name, one in self.documents.items()
            for start, end in one.passages
        ]
        return tuple(sorted((one for one in found if one.score), key=lambda one: (-one.score, one.document)))[: query.limit]

    def candidates_by_fingerprint(self, query: FingerprintQuery) -> FingerprintCandidates:
        found = sorted(name for name in self.documents if name > (query.after or ""))
        return FingerprintCandidates(documents=tuple(found[: query.limit]), guaranteed=True, more=len(found) > query.limit)

    def compact(self) -> Compaction:
        return Compaction(pending=0)

    def scan(self, request: ScanRequest) -> tuple[str, ...]:
        return tuple(sorted(name for name in self.documents if name > (request.after or ""))[: request.limit])

    def state(self, depth: StateDepth, **_: object) -> StoreState:
        return StoreState(location="memory", schema_version=1, documents=len(self.documents), origins={"rows": len(self.documents)})


class RowSource:
    """An honest source of rows."""

    def __init__(self, rows: Sequence[Row] = ROWS) -> None:
        self.rows = rows

    def read(self, request: SourceRequest) -> Iterator[SourceBatch]:
        yield SourceBatch(container="rows.jsonl", items=tuple(self.item(at, row) for at, row in enumerate(self.rows)), done=True)

    def item(self, at: int, row: Row) -> Item:
        data = row.data()
        return Item(
            locator=Locator(container="rows.jsonl", row=at + 1),
            raw=Raw(digest=digest(data), size=len(data), container=digest(b"rows"), offset=0),
            derivation=Derivation(format="json", pointers=POINTERS),
        )


class RowReader:
    """The host's reader of rows."""

    def __init__(self, rows: Sequence[Row] = ROWS) -> None:
        self._bytes = {digest(row.data()): row.data() for row in rows}

    def held(self, name: str) -> bytes:
        return self._bytes.get(name, b"")

    def laid_out(self, name: str, derivation: Derivation) -> bool:
        return (derivation.format, derivation.encoding, derivation.delimiter) == ("json", "utf-8", ",")

    def identity(self) -> str:
        return "rows"

    def release(self) -> None:
        return

    def derive(self, raw: bytes, derivation: Derivation) -> Bytes:
        try:
            return Bytes(raw, atoms(raw, derivation).get("text", ""), ())
        except ValueError:
            return Bytes(raw, "", ())

    def reread(self, document: Document, raw: bytes) -> Reread:
        return Reread(document.text, (), lambda _: None, lambda _: ())


def _called(hook: Callable[..., object], arguments: Mapping[str, object]) -> object:
    """Call `hook` with those of `arguments` that it declares, as pluggy does."""
    declared = signature(hook).parameters.values()
    everything = any(each.kind is each.VAR_KEYWORD for each in declared)
    return hook(**{name: value for name, value in arguments.items() if everything or name in {each.name for each in declared}})


@dataclass
class World:
    """One installation whose plugins can be replaced."""

    source: object = field(default_factory=RowSource)
    storage: object = field(default_factory=MemoryStore)
    embedding: object = field(default_factory=lambda: HashingEmbedding(CONTEXT))
    chat: object = field(default_factory=lambda: ExtractiveChat(CONTEXT))
    search: object = None
    trust: Mapping[str, Trust] = field(default_factory=dict[str, Trust])
    rows: Sequence[Row] = ROWS
    log: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])

    def gateway(self) -> Gateway:
        host = Host(
            plugins=_Plugins(
                {
                    "source": self.source,
                    "storage": self.storage,
                    "embedding": self.embedding,
                    "chat": self.chat,
                    "search": self.search,
                }
            ),
            reader=RowReader(self.rows),
            storage="store",
            embedding="embed",
            chat=("chat",),
            trust=self.trust,
            key=KEY,
            now=lambda: NOW,
            log=lambda *row: self.log.append(row),
        )
        return Gateway(host, load_policy())

    def ingest(self, gateway: Gateway) -> None:
        """Put what the source hands in and the gateway admits."""
        for batch in gateway.read("rows", SourceRequest(origin="rows")):
            documents = tuple(
                PutDocument(
                    id=one.id,
                    body=one.body,
                    tag=gateway.tag(one.id),
                    text=one.document.text,
                    passages=passages(one.document.text),
                    raw=one.document.raw.digest if one.document.raw is not None else None,
                )
                for one in batch.documents
            )
            raws = tuple(PutRaw(digest=name, body=body) for name, body in batch.raws.items())
            gateway.put(PutBatch(origin="rows", container="c", fingerprint="f", documents=documents, raws=raws, first=True, last=True))

    def run(self, question: str = QUESTION, must_address: tuple[str, ...] = ()) -> Run:
        return Run(
            run="r1",
            created_at="2026-11-21T12:00:00Z",
            query=question,
            must_address=must_address,
            policy=load_policy(),
            seed=1,
            version="0",
        )

    def research(self, question: str = QUESTION, must_address: tuple[str, ...] = ()) -> Published:
        """Read, ask, publish."""
        gateway = self.gateway()
        self.ingest(gateway)
        return research(gateway, self.run(question, must_address), Brief(question, must_address), Silent())

    def outcome(self, **changes: object) -> Published | None:
        """What `research` publishes; None when it fails with an error of ours, which is the other allowed end."""
        try:
            return self.research(**changes)  # pyright: ignore[reportArgumentType]
        except VeridicalError:
            return None


class _Plugins:
    """Calls plugins in this thread; whatever one raises is an error of ours, as the real gateway's caller makes it."""

    def __init__(self, plugins: Mapping[str, object]) -> None:
        self._plugins = plugins

    def call(self, kind: str, name: str, hook: str, /, **arguments: object) -> object:
        return self._guarded(name, hook, lambda: _called(getattr(self._plugins[kind], hook), arguments))

    def recorded(self, kind: str, name: str, hook: str, wire: list[Recorded], /, **arguments: object) -> object:
        wire.extend(cast("list[Recorded]", getattr(self._plugins[kind], "replies", [])))
        return self.call(kind, name, hook, **arguments)

    def model(self, kind: str, name: str) -> str:
        return str(getattr(self._plugins[kind], "model", ""))

    def note(self, kind: str, name: str, error: VeridicalError) -> None:
        """Nobody looks at the rows."""

    def end_by(self, deadline: Deadline) -> None:
        """Nothing here takes long."""

    def wire_maps(self, kind: str, name: str) -> Mapping[str, WireMap]:
        return cast("Mapping[str, WireMap]", getattr(self._plugins[kind], "wire", {}))

    def iterate(self, kind: str, name: str, hook: str, _wire: list[Recorded], /, **arguments: object) -> Iterator[object]:
        iterator = self._guarded(name, hook, lambda: iter(self.call(kind, name, hook, **arguments)))  # pyright: ignore[reportUnknownLambdaType]
        end = object()
        while (value := self._guarded(name, hook, lambda: next(cast("Iterator[object]", iterator), end))) is not end:
            yield value

    def records(self) -> tuple[PluginRecord, ...]:
        return ()

    def version(self, kind: str, name: str) -> str:
        return "1"

    def _guarded(self, name: str, hook: str, function: Callable[[], object]) -> object:
        try:
            return function()
        except ProviderError:
            raise  # as the gateway does
        except (Exception, SystemExit, GeneratorExit) as error:
            raise PluginError(f"{name} ({hook}): {type(error).__name__}", plugin=name, hook=hook) from error


def assert_true(published: Published, rows: Sequence[Row] = ROWS) -> None:
    """The oracle: everything in the report is true of `rows`, by rules that share nothing with the kernel."""
    report = Report.model_validate_json(published.report_bytes)
    assert report == published.report
    cited = {one.document: one for one in report.citations}
    assert len(cited) == len(report.citations)
    documents = {name: json.loads(body) for name, body in published.documents.items()}
    held = {name: _record(document, rows) for name, document in documents.items()}
    for one in report.citations:
        document, fields = documents[one.document], held[one.document]
        assert document["text"] == fields["text"]
        assert one.url in (None, fields["url"])
        assert (one.author.id if one.author is not None else None) == fields["author"]
        assert one.published is None or one.published.value == fields["published"]
        assert one.locator.container == "rows.jsonl"
        assert one.title is None
    for quote in quotes(report):
        text = documents[quote["span"]["document"]]["text"]
        for part in ("span", "sentence", "before", "after"):
            if quote[part] is not None:
                assert quote[part]["text"] == text[quote[part]["start"] : quote[part]["end"]]
                assert quote[part]["document"] == quote["span"]["document"]
        assert whole_words(text, quote["span"]["start"], quote["span"]["end"])
        assert quote["headings"] == []
    for theme in report.themes:
        _assert_theme(theme, documents, held)
    for answer in report.answers:
        for claim in answer.claims:
            _assert_claim(claim, documents, {})
    assert (report.outcome == "answered") == bool(report.themes) == (report.refusal is None)
    assert not (report.refusal and any(answer.claims for answer in report.answers))
    assert_checked(published)


def _record(document: dict[str, Any], rows: Sequence[Row]) -> dict[str, Any]:
    """The fields of the row that a document says it is, at the pointers that it says it used."""
    known = {digest(row.data()): row.data() for row in rows}
    assert document["raw"] is not None, "a document that follows from no bytes of a row"
    assert document["raw"]["digest"] in known
    data = known[document["raw"]["digest"]]
    pointers = document["derivation"]["pointers"]
    return {field: json.loads(data).get(pointers.get(field, "/-")[1:]) for field in ("text", "url", "author", "published")}


def whole_words(text: str, start: int, end: int) -> bool:
    """Whether a cut goes through no word."""
    return not any(text[max(0, at - 1) : at + 1].isalnum() and 0 < at < len(text) for at in (start, end))


def _assert_theme(theme: Theme, documents: Mapping[str, Any], held: Mapping[str, Any]) -> None:
    members = [place.document for place in theme.members]
    assert theme.counts.mentions == len(set(members)) == len(members)
    known = {(urlsplit(documents[name]["url"] or "").hostname, held[name]["author"]) for name in members if held[name]["author"]}
    assert theme.counts.accounts == len(known)
    assert theme.counts.unknown_accounts == sum(not held[name]["author"] for name in members)
    assert theme.claims
    if theme.name.wording == "source":
        assert theme.name.span is not None
        text = documents[theme.name.span.document]["text"]
        assert theme.name.text == text[theme.name.span.start : theme.name.span.end]
    for claim in theme.claims:
        _assert_claim(claim, documents, theme.counts.model_dump())
        assert {quote.span.document for quote in claim.quotes} <= set(members)


def _assert_claim(claim: Claim, documents: Mapping[str, Any], sizes: Mapping[str, int]) -> None:
    """A claim says what its quotes say: verbatim, or with numbers and URLs that they hold."""
    sound = [quote for quote in claim.quotes if quote.verdict in ("exact", "located") and "quoted-not-authored" not in quote.labels]
    assert sound
    for quote in sound:
        text = documents[quote.span.document]["text"]
        line = text[text.rfind("\n", 0, quote.span.start) + 1 :]
        assert not line.startswith(">")
    if claim.wording == "source":
        assert claim.text == claim.quotes[0].sentence.text
        return
    said = claim.text
    for url in re.findall(r"https?://\S+", said):
        assert any(url.rstrip(".,;:!?)") == documents[quote.span.document]["url"] for quote in sound)
    numbers = set(re.findall(r"\d+", re.sub(r"https?://\S+", "", said)))
    counted = {str(sizes[name]) for name in re.findall(r"\{count:(\w+)\}", claim.template or "")}
    assert any(numbers - counted <= set(re.findall(r"\d+", quote.sentence.text)) for quote in sound)


def quotes(report: Report) -> Iterator[dict[str, Any]]:
    """Every quote of the report, as plain JSON."""
    for part in (*report.themes, *report.answers):
        for claim in part.claims:
            for quote in claim.quotes:
                yield quote.model_dump(mode="json")


def assert_checked(published: Published) -> None:
    """The stand-alone checker agrees."""
    Bundle(bundled(published), None)


def bundled(published: Published) -> bytes:
    """The bytes of the bundle."""
    archive = BytesIO()
    write_bundle(published, archive)
    return archive.getvalue()
