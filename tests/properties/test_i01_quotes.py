"""I1: a released quote is `document.text[start:end]` of an admitted document of this run, copied from the store."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.report import Evidence
from veridical.workflows.release import Proposal, ProposedClaim, ProposedQuote, ProposedTheme, release
from veridical_contract import Reference

from tests.properties.checks import squashed
from tests.properties.liars import LyingChat, LyingSource, liars, lies
from tests.properties.world import ROWS, World, assert_true, quotes


@given(liars())
def test_whatever_a_composer_quotes_only_slices_of_evidence_leave(chat: LyingChat) -> None:
    published = World(chat=chat).outcome(must_address=("What does a new battery cost?",))
    assert published is not None
    assert_true(published)


@given(liars())
def test_a_released_quote_is_one_that_was_proposed_up_to_folds(chat: LyingChat) -> None:
    published = World(chat=chat).outcome()
    assert published is not None
    proposed = {squashed(words) for words in chat.proposed} | {squashed(row.text) for row in ROWS}
    assert {squashed(quote["span"]["text"]) for quote in quotes(published.report)} <= proposed


@given(lies(["text", "negated text", "pointer gone", "null", "digest", "size", "encoding", "format", "projection"]))
def test_a_source_that_lies_of_its_text_costs_its_records_only(told: list[tuple[str, int, int]]) -> None:
    published = World(source=LyingSource(told)).outcome()
    assert published is not None
    assert_true(published)


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    world = World()
    gateway = world.gateway()
    world.ingest(gateway)
    run = world.run()
    names = tuple(world.storage.documents)  # type: ignore[attr-defined]
    for name in names:
        run.admit(name)
    run.shown = names
    run.seal()
    return Evidence(run, gateway.fetch(names).documents)


@given(st.data())
def test_a_lying_locator_proposes_spans_and_the_kernel_copies_or_refuses(evidence: Evidence, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(evidence.documents)))
    text = evidence.documents[name].text
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text) + 3))
    words = data.draw(st.sampled_from([text[start:end], "The battery never fails.", text[start:end].replace("not ", ""), text]))
    quote = ProposedQuote(words, Reference(document=name, start=start, end=end), occurrences=data.draw(st.integers(1, 2)))
    theme = ProposedTheme(None, None, (ProposedClaim(None, (quote,)),), (Reference(document=name, start=0, end=len(text)),))
    report = release(Proposal("liar", "chat", (theme,)), evidence)
    for found in quotes(report):
        assert found["span"]["text"] == text[start:end]
        assert squashed(words) == squashed(text[start:end])
        assert not any(0 < at < len(text) and text[at - 1 : at + 1].isalpha() for at in (start, end))
