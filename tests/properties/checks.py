"""One check for each invariant: an attack that the kernel stops, as a function that raises AssertionError when it does not.

`test_removed_rules.py` runs each of them with a rule of the kernel taken out, and sees it go red.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from veridical.bundle.checker import Bundle, DoesNotVerify
from veridical.gateway.verified import Gateway
from veridical.kernel.canonical import digest
from veridical.kernel.exit import Published, publish
from veridical.kernel.report import Evidence
from veridical.kernel.run import Run
from veridical.workflows.release import Proposal, ProposedClaim, ProposedQuote, ProposedTheme, release
from veridical_contract import NotPublishableError, PluginError, Reference, Report

from tests.properties.liars import Junk, LyingChat, LyingSource, LyingStore, Replaced
from tests.properties.world import ROWS, Row, RowSource, World, assert_true, bundled, quotes


def squashed(words: str) -> str:
    """What is left of words when everything is taken off that a fold may pass over."""
    return re.sub(r"[^0-9a-z\u00c0-\uffff]", "", words.lower())


class Stage:
    """A run up to its seal: everything that a release and an exit need."""

    def __init__(self, world: World | None = None) -> None:
        self.world = world or World()
        self.gateway: Gateway = self.world.gateway()
        self.world.ingest(self.gateway)
        self.run: Run = self.world.run()
        names: Sequence[str] = tuple(self.world.storage.documents)  # type: ignore[attr-defined]
        for name in names:
            self.run.admit(name)
        self.run.in_scope = self.run.retrieved = self.run.selected = len(names)
        self.run.shown = tuple(names)
        self.run.seal()
        self.evidence = Evidence(self.run, self.gateway.fetch(names).documents)

    def named(self, part: str) -> str:
        """The identifier of the document whose text holds `part`."""
        return next(name for name, document in self.evidence.documents.items() if part in document.text)

    def theme(
        self, words: str, part: str, *, text: str | None = None, name: str | None = None, at: tuple[int, int] | None = None
    ) -> ProposedTheme:
        """A theme with one claim on `words`, which are said to stand where `part` does."""
        document = self.named(part)
        whole = self.evidence.documents[document].text
        start, end = at or (whole.index(part), whole.index(part) + len(part))
        quote = ProposedQuote(words, Reference(document=document, start=start, end=end))
        members = tuple(Reference(document=one, start=0, end=len(each.text)) for one, each in self.evidence.documents.items())
        return ProposedTheme(name, None, (ProposedClaim(text, (quote,)),), members)

    def release(self, *themes: ProposedTheme) -> Report:
        """What the kernel leaves of `themes`."""
        return release(Proposal("liar", "chat", themes), self.evidence)

    def publish(self, report: Report) -> Published:
        """What leaves."""
        return publish(report, self.run, self.gateway.store())

    def forge(self, report: Report) -> Published | None:
        """What leaves of a report that the workflow itself minted wrongly."""
        try:
            return self.publish(self.run.release(report))
        except NotPublishableError:
            return None


SENTENCE = "The battery fails when the firmware of the printer is old."


def honest(stage: Stage) -> Report:
    """A report with one theme and nothing wrong."""
    return stage.release(stage.theme(SENTENCE, SENTENCE))


def edited(report: Report, change: Callable[[Any], None]) -> Report:
    """`report` with `change` made to its plain JSON."""
    plain = report.model_dump(mode="json")
    change(plain)
    return Report.model_validate_json(__import__("json").dumps(plain))


def refused_or_true(published: Published | None, rows: Sequence[Row] = ROWS) -> None:
    """Nothing left, or something true."""
    if published is not None:
        assert_true(published, rows)


def i1_words_that_do_not_stand_there() -> None:
    stage = Stage()
    report = stage.release(
        stage.theme("The battery never fails at all.", SENTENCE), stage.theme("attery fails when the fir", "attery fails when the fir")
    )
    for quote in quotes(report):
        assert squashed(quote["span"]["text"]) in (squashed("The battery never fails at all."), squashed("attery fails when the fir"))
    assert report.themes == ()


def i1_a_minted_report_with_other_words() -> None:
    stage = Stage()

    def change(plain: Any) -> None:
        claim = plain["themes"][0]["claims"][0]
        claim["text"] = claim["quotes"][0]["span"]["text"] = claim["quotes"][0]["sentence"]["text"] = SENTENCE.replace("old", "new")

    refused_or_true(stage.forge(edited(honest(stage), change)))


def i2_an_invented_url() -> None:
    told = [("no url", 0, 0), ("url", 2, 0), ("link", 4, 0)]
    refused_or_true(World(source=LyingSource(told)).outcome())


def i2_an_inadmissible_url() -> None:
    rows = [Row(row.text, f"http://user:word@10.0.0.{at}/", row.user) for at, row in enumerate(ROWS)]
    published = World(source=RowSource(rows), rows=rows).research()
    assert [row.url for row in published.report.citations] == [None] * len(published.report.citations)


def i2_a_url_in_prose() -> None:
    stage = Stage()
    text = "The battery fails when the firmware of the printer is old, see https://evil.example/phish."
    report = stage.release(stage.theme(SENTENCE, SENTENCE, text=text))
    assert "evil" not in report.model_dump_json()


def i3_only_somebody_elses_words() -> None:
    stage = Stage()
    words = "The battery fails all the time."
    report = stage.release(
        stage.theme(words, words),
        stage.theme("battery fails when the firmware of the printer is", "not say that the battery of the printer is bad"),
    )
    assert report.themes == ()


def i3_a_negation_cut_off() -> None:
    stage = Stage()
    words = "the battery of the printer is bad"
    assert stage.release(stage.theme(words, words)).themes == ()


def i4_a_count_is_a_set() -> None:
    published = World().research()
    cited = {one.document: one for one in published.report.citations}
    for theme in published.report.themes:
        members = [cited[place.document] for place in theme.members]
        assert theme.counts.sources == len({one.source_key for one in members})
        assert theme.counts.origins == len({one.origin_key for one in members})
    assert_true(published)
    assert any(theme.counts.accounts < theme.counts.mentions for theme in published.report.themes)


def i4_a_models_own_count() -> None:
    stage = Stage()
    report = stage.release(
        stage.theme(SENTENCE, SENTENCE, text="The battery fails when the firmware of the printer is old, say 812 accounts.")
    )
    assert "812 accounts" not in report.model_dump_json()


def i4_a_minted_count() -> None:
    stage = Stage()
    refused_or_true(stage.forge(edited(honest(stage), lambda plain: plain["themes"][0]["counts"].update(accounts=99))))


def i5_a_question_that_nothing_answers() -> None:
    published = World().research("Which capital city of Mongolia builds a battery for rockets and submarines?")
    assert published.report.outcome == "refused"
    assert published.report.refusal is not None
    assert published.report.refusal.tried
    assert published.report.refusal.help


def i5_an_empty_success() -> None:
    stage = Stage()
    refused = stage.release()
    published = stage.forge(edited(refused, lambda plain: plain.update(outcome="answered", refusal=None)))
    assert published is None


def i6_an_object_that_lies() -> None:
    stage = Stage()
    report = honest(stage)

    class Two(Report):
        def model_dump(self, **options: Any) -> Any:
            return report.model_dump(**options) | {"query": "What does the maker hide?"}

    two = Two.model_validate_json(report.model_dump_json())
    with pytest.raises(NotPublishableError):
        stage.publish(two)


def i6_a_label_is_taken_off() -> None:
    stage = Stage()
    report = edited(honest(stage), lambda plain: plain["themes"][0]["members"][0].update(end=plain["themes"][0]["members"][0]["end"] - 1))
    with pytest.raises(NotPublishableError):
        stage.publish(report)


def i7_an_altered_document() -> None:
    published = World(storage=LyingStore([("another's body", at, at + 1) for at in range(8)])).outcome()
    refused_or_true(published)
    assert published is not None
    assert len([row for row in published.report.rejections if row.rule == "document-altered"]) >= 8


def i7_an_added_document() -> None:
    refused_or_true(World(storage=LyingStore([("added", 0, 3)])).outcome())


def i7_altered_bytes() -> None:
    published = World(storage=LyingStore([("altered raw", at, 0) for at in range(12)])).outcome()
    assert published is None or not published.report.themes


def i8_a_rejection_is_recorded() -> None:
    stage = Stage()
    words = "The printer exploded in front of my children."
    report = stage.release(stage.theme(words, SENTENCE))
    found = [row for row in report.rejections if row.digest == digest(words.encode())]
    assert [(row.plugin, row.hook, row.length) for row in found] == [("liar", "chat", len(words))]
    assert "children" not in report.model_dump_json()


def i9_the_chain() -> None:
    published = World().research()
    try:
        Bundle(bundled(published), None)
    except DoesNotVerify as error:
        raise AssertionError("an honest bundle does not verify") from error


def i9_one_changed_byte() -> None:
    data = bytearray(bundled(World().research()))
    for at in range(0, len(data), 97):
        data[at] ^= 1
        with pytest.raises(DoesNotVerify):
            Bundle(bytes(data), None)
        data[at] ^= 1


def i10_junk_costs_its_own_results() -> None:
    for world in (World(chat=Junk(3)), World(embedding=Junk((1, 2))), World(chat=Junk("x", raises=True))):
        ended = _ended(world)
        assert isinstance(ended, Published), f"junk of one plugin ended the run: {ended!r}"
        assert_true(ended)
    for hook in ("candidates", "state", "get"):
        ended = _ended(World(storage=Replaced(hook, Junk([("x",)]))))
        assert isinstance(ended, PluginError), f"junk of a store gave {ended!r}"


def _ended(world: World) -> Published | Exception:
    """What a run published, or the error that it ended with."""
    try:
        return world.research()
    except Exception as error:  # noqa: BLE001 - whichever it is, the check says whether it may be
        return error


def i10_a_lying_composer_and_its_neighbours() -> None:
    chat = LyingChat([("invented", 1, 0), *(("whole", at, 0) for at in range(6))], [("none", 0, 0)])
    published = World(chat=chat).research()
    assert published.report.themes
    assert_true(published)


CHECKS: dict[str, list[Callable[[], None]]] = {
    "I1": [i1_words_that_do_not_stand_there, i1_a_minted_report_with_other_words],
    "I2": [i2_an_invented_url, i2_an_inadmissible_url, i2_a_url_in_prose],
    "I3": [i3_only_somebody_elses_words, i3_a_negation_cut_off],
    "I4": [i4_a_count_is_a_set, i4_a_models_own_count, i4_a_minted_count],
    "I5": [i5_a_question_that_nothing_answers, i5_an_empty_success],
    "I6": [i6_an_object_that_lies, i6_a_label_is_taken_off],
    "I7": [i7_an_altered_document, i7_an_added_document, i7_altered_bytes],
    "I8": [i8_a_rejection_is_recorded],
    "I9": [i9_the_chain, i9_one_changed_byte],
    "I10": [i10_junk_costs_its_own_results, i10_a_lying_composer_and_its_neighbours],
}
