"""A check shows no false words as standing in the evidence, whatever a store or a source says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from veridical.drafts import read_draft
from veridical.kernel.policy import load_policy
from veridical.workflows.check import Checked, DraftFile, check
from veridical.workflows.progress import Silent
from veridical_contract import EvidencePassage, FingerprintCandidates, FingerprintQuery, ScanRequest, VeridicalError

from tests.properties.checks import squashed
from tests.properties.liars import STORAGE, Junk, LyingSource, LyingStore, junk, lies
from tests.properties.world import ROWS, MemoryStore, World

TRUE = (
    "The battery of my printer fails after one week of daily use.",
    "the printer then needs an hour to start again",
    "A new battery costs 40 euros, which is more than half of the printer.",
)
FALSE = (
    "I would say that the battery of the printer is bad.",
    "My printer stops because the battery gets too cold in summer.",
    "The battery exploded and burned the whole shop down to the ground.",
    "My printer stops because the battery gets too hot for a whole day of work.",
)
URLS = ("https://a.example/1", "https://a.example/9", "https://evil.example/1")
DRAFT = "\n\n".join(
    [
        *(f'Somebody wrote "{words}" about it.' for words in (*TRUE, *FALSE)),
        *(f"See <{url}>." for url in URLS),
        "A new battery costs 90 euros.",
    ]
)
STANDS = ("exact", "located", "clipped", "illustration")


class Looked:
    """What a store needs for looking up words that nobody names a document for."""

    documents: dict[str, Any]

    def scan(self, request: ScanRequest) -> tuple[str, ...]:
        return tuple(name for name in sorted(self.documents) if name > (request.after or ""))[: request.limit]

    def candidates_by_fingerprint(self, query: FingerprintQuery) -> FingerprintCandidates:
        return FingerprintCandidates(documents=self.scan(ScanRequest(after=query.after, limit=query.limit)), guaranteed=True)


class Store(Looked, MemoryStore):
    """An honest store."""


class Liar(Looked, LyingStore):
    """A store that lies."""


def checked(world: World, draft: str = DRAFT) -> Checked:
    gateway = world.gateway()
    world.ingest(gateway)
    data = draft.encode()
    file = DraftFile(read_draft(data, name="draft.md"), data)
    return check(gateway, [file], policy=load_policy(), origins=(), progress=Silent())


def attempted(world: World) -> Checked | None:
    """What a check says; None when it fails with an error of ours, which is the other allowed end."""
    try:
        return checked(world)
    except VeridicalError:
        return None


def shown(result: Checked) -> Iterator[EvidencePassage]:
    for finding in result.report.findings:
        yield from (part for part in (finding.passage, *finding.parts) if part is not None)


def assert_nothing_false_stands(result: Checked | None) -> None:
    if result is None:
        return
    texts = {row.text for row in ROWS}
    for passage in shown(result):
        for span in (passage.span, passage.sentence):
            assert span is None or any(text[span.start : span.end] == span.text for text in texts)
        assert passage.url in {row.url for row in ROWS} | {None}
    for finding in result.report.findings:
        if finding.kind == "quote" and finding.verdict in STANDS:
            assert finding.words not in FALSE
            assert finding.passage is not None
            assert finding.passage.span is not None
            assert squashed(finding.words) == squashed(finding.passage.span.text)
        if finding.kind == "url" and finding.verdict in STANDS:
            assert finding.words in {row.url for row in ROWS}
        if finding.kind == "number" and finding.verdict in STANDS:
            assert "90" not in finding.words


def test_an_honest_store_has_what_is_true_and_nothing_else() -> None:
    result = checked(World(storage=Store()))
    assert_nothing_false_stands(result)
    verdicts = {squashed(finding.words): finding.verdict for finding in result.report.findings if finding.kind == "quote"}
    assert {"exact"} == {verdicts[squashed(words)] for words in TRUE}
    assert {"altered", "not-found", "stitched"} == {verdicts[squashed(words)] for words in FALSE}
    verdicts = {finding.words: finding.verdict for finding in result.report.findings if finding.kind == "url"}
    assert {"exact"} == {verdicts[url] for url in URLS[:1]}
    assert {"not-found"} == {verdicts[url] for url in URLS[1:]}


@given(lies(STORAGE), st.integers(0, 6))
def test_whatever_a_store_gives_back_no_false_words_stand(told: list[tuple[str, int, int]], calm: int) -> None:
    assert_nothing_false_stands(attempted(World(storage=Liar(told, calm))))


@given(junk, st.sampled_from(["get", "raw", "candidates", "candidates_by_fingerprint", "scan", "state"]), st.booleans())
def test_junk_from_a_store_is_an_error_of_ours_or_no_evidence(value: object, hook: str, raises: bool) -> None:
    assert_nothing_false_stands(attempted(World(storage=Junked(hook, Junk(value, raises=raises)))))


class Junked:
    """An honest store of which one hook gives back junk."""

    def __init__(self, hook: str, by: Junk) -> None:
        self._store = Store()
        self._hook = hook
        self._by = by

    def __getattr__(self, name: str) -> Any:
        return self._by.get if name == self._hook else getattr(self._store, name)


@given(lies(["text", "negated text", "pointer gone", "null", "digest", "size", "encoding", "format", "projection"]))
def test_a_source_that_lies_makes_no_false_words_stand(told: list[tuple[str, int, int]]) -> None:
    assert_nothing_false_stands(attempted(World(source=LyingSource(told), storage=Store())))
