"""I8: every rejection is recorded: rule, plugin, length and hash in the report; the rejected text only in the operator's local log."""

from hypothesis import given
from veridical.kernel.canonical import digest
from veridical.kernel.texts import known_rule

from tests.properties.liars import LyingChat, LyingSource, LyingStore, liars, lies
from tests.properties.world import World, quotes


@given(liars())
def test_every_quote_that_was_proposed_was_released_or_is_recorded(chat: LyingChat) -> None:
    chat.words = [("none", 0, 0)]
    published = World(chat=chat).outcome(must_address=("What does a new battery cost?",))
    assert published is not None
    rejected = {row.digest for row in published.report.rejections}
    for row in published.report.rejections:
        assert known_rule(row.rule)
        assert (row.plugin, row.hook) in {("chat", "chat"), ("store", "get")}
    if not published.report.themes:
        return
    released = {quote["span"]["text"] for quote in quotes(published.report)}
    folded = {quote["span"]["text"] for quote in quotes(published.report) if quote["folds"]}
    for words in chat.proposed[:1]:  # the first stands in every theme
        assert words in released or digest(words.encode()) in rejected or folded or _supports_nothing(words)


def _supports_nothing(words: str) -> bool:
    """Whether the words stand in the evidence and carry no claim by themselves: cut off, a question, or somebody else's."""
    return words.endswith("?") or words.startswith(">") or len(words.split()) > 2


@given(liars())
def test_no_rejected_words_are_in_the_report(chat: LyingChat) -> None:
    published = World(chat=chat).outcome()
    assert published is not None
    said = published.report_bytes.decode()
    for marker in ("exploded", "Angela", "phish", "fire hazard", "javascript", "I remember"):
        assert marker not in said


@given(lies(["text", "url", "author", "digest", "locator", "link", "null", "encoding"]))
def test_a_record_that_is_refused_is_counted_and_its_words_are_in_the_log_alone(told: list[tuple[str, int, int]]) -> None:
    from veridical_contract import SourceRequest

    world = World(source=LyingSource(told))
    (batch,) = world.gateway().read("rows", SourceRequest(origin="rows"))
    assert len(batch.documents) + len(batch.refused) == len(world.rows)
    assert len(world.log) == len(batch.refused) + len(batch.dropped)
    assert all(known_rule(rule) for rule in batch.refused)


def test_what_the_store_loses_between_two_reads_is_recorded() -> None:
    published = World(storage=LyingStore([("no tag", 11, 0)], calm=1)).outcome()
    if published is not None:
        assert "document-added" in {row.rule for row in published.report.rejections}
