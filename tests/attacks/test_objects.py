"""Attacks on a released report as an object, and on the bundle by a forger who keeps every digest consistent.

The walks change every leaf of a real report, one at a time. `pytest -s` prints how many leaves were attacked.
"""

from __future__ import annotations

import copy
import json
import pickle
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from veridical.bundle.checker import Bundle, DoesNotVerify
from veridical.kernel.canonical import canonical_bytes, digest
from veridical.kernel.exit import Published, publish
from veridical.kernel.report import Evidence
from veridical.workflows.release import Proposal, ProposedAnswer, ProposedClaim, ProposedQuote, ProposedTheme, release
from veridical_contract import InputRecord, NotPublishableError, PluginRecord, Reference, Report, Theme, Untrusted

from tests.properties.checks import SENTENCE, Stage, honest
from tests.properties.world import World, bundled

Path = tuple[str | int, ...]


def full(stage: Stage) -> Report:
    """A report in which every kind of part occurs: source, model and kernel wording, folds, answers, rejections, inputs, plugins."""
    stage.run.must_address = ("When does the battery fail?", "Who made it?")
    stage.run.inputs = (
        InputRecord(path="rows.jsonl", sha256=digest(b"rows"), size=4, status="read", documents=12),
        InputRecord(path="b.pdf", sha256=None, size=0, status="unreadable", reason=Untrusted(origin="files", text="it is damaged")),
    )
    stage.run.plugins = (
        PluginRecord(name="chat", kind="chat", distribution="d", version="1", status="failed", reason=Untrusted(origin="chat", text="x")),
    )
    euros = "A new battery costs 40 euros, which is more than half of the printer."
    folded = "a new battery costs 40 euros,  which is more than half of the printer."
    twice = "The printer shows an error of the battery each time."
    themes = (
        stage.theme(SENTENCE, SENTENCE),
        stage.theme(folded, euros, text="A new battery costs 40 euros, say {count:accounts}."),
        stage.theme("a fire hazard", SENTENCE),
        stage.theme(twice, twice, name="Error of the battery"),
    )
    themes = tuple(replace(theme, members=_few(theme)) for theme in themes)
    claim = stage.theme(SENTENCE, SENTENCE).claims[0]
    return release(Proposal("liar", "chat", themes, (ProposedAnswer(0, (claim,)),)), stage.evidence)


def _few(theme: ProposedTheme) -> tuple[Reference, ...]:
    """Three members and those that are quoted: the walks attack every leaf of each."""
    quoted = {quote.at.document for claim in theme.claims for quote in claim.quotes if quote.at is not None}
    return tuple(place for index, place in enumerate(theme.members) if index < 3 or place.document in quoted)


@pytest.fixture(scope="module")
def stage() -> Stage:
    return Stage()


@pytest.fixture(scope="module")
def report(stage: Stage) -> Report:
    return full(stage)


def leaves(value: Any, at: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every leaf and every list of plain JSON, with its path."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*at, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*at, index))
        if value:
            yield at, value
    else:
        yield at, value


def others(value: Any) -> list[Any]:
    """Other values that a field of this kind might hold."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, max(0, value - 1)]
    if isinstance(value, list):
        return [value[1:], [*value, value[-1]], value[::-1]]
    if value is None:
        return ["x", 3]
    if len(value) == 64 and not set(value) - set("0123456789abcdef"):
        return [value[:-1] + ("0" if value[-1] != "0" else "1")]
    return [value + "x", value[:-1], *(_WORDS if value in _WORDS else [value.upper(), value.replace(" ", "  ")])]


_WORDS = (
    "exact", "located", "clipped", "illustration", "answered", "refused", "unaddressed", "source", "model", "kernel", "verbatim",
    "attached", "held", "attested", "known", "unknown", "excluded", "text", "title", "case", "nfc", "ok", "failed", "omitted", "year",
    "ambiguous-occurrence",
)  # fmt: skip


def changed(plain: Any, at: Path, value: Any) -> Any:
    """A copy of `plain` with another value at `at`."""
    made = copy.deepcopy(plain)
    place = made
    for key in at[:-1]:
        place = place[key]
    place[at[-1]] = value
    return made


def variants(plain: Any) -> Iterator[tuple[Path, Any]]:
    for at, value in leaves(plain):
        for other in others(value):
            if other != value or type(other) is not type(value):
                yield at, changed(plain, at, other)


def parsed(plain: Any) -> Report | None:
    try:
        return Report.model_validate_json(json.dumps(plain))
    except ValueError:
        return None


def test_the_report_that_is_attacked_has_every_kind_of_part(stage: Stage, report: Report) -> None:
    plain = report.model_dump(mode="json")
    assert {theme["name"]["wording"] for theme in plain["themes"]} == {"model", "kernel"}
    assert {claim["wording"] for theme in plain["themes"] for claim in theme["claims"]} == {"model", "source"}
    assert any(quote["folds"] for theme in plain["themes"] for claim in theme["claims"] for quote in claim["quotes"])
    assert [answer["status"] for answer in plain["answers"]] == ["answered", "unaddressed"]
    assert plain["rejections"]
    assert stage.publish(report).report == report


def test_no_leaf_of_a_released_report_can_be_changed(stage: Stage, report: Report) -> None:
    plain, tried, places = report.model_dump(mode="json"), 0, set[Path]()
    for at, made in variants(plain):
        forged = parsed(made)
        places.add(at)
        tried += 1
        if forged is None:  # not even a report: built without validation, it still is none at the exit
            forged = Report.model_construct(**made)
        with pytest.raises(NotPublishableError):
            stage.publish(forged)
    print(f"\nleaves and lists of a released report: {len(places)}; changes that were refused: {tried}")
    assert len(places) > 250


CARRIED_BY_THE_RUN = {
    "folds": "which differences were passed over was in the proposed words, which are gone",
    "verdict": "`located` or `exact` goes with the folds",
    "labels": "how often the proposed words stood there is known to whoever looked for them",
    "members": "which passages belong together is a judgement; their places are in the text and their documents are counted",
    "name": "a model's words under the claim rule; the rule is what is checked",
    "text": "a model's words under the claim rule; the rule is what is checked",
}


def test_what_a_workflow_mints_wrongly_is_derived_again(report: Report) -> None:
    """Without the run's own memory of what it released, all but what cannot be derived again is found, leaf by leaf."""
    stage = Stage()
    base = full(stage)
    passed, tried = set[str](), 0
    for at, made in variants(base.model_dump(mode="json")):
        forged = parsed(made)
        if forged is None:
            continue
        tried += 1
        if stage.forge(forged) is not None:
            passed.add("/".join(map(str, at)))
    print(f"\nminted reports: {tried}; leaves that only the run's memory holds: {sorted(passed)}")
    assert {at for at in passed if not CARRIED_BY_THE_RUN.keys() & {*at.split("/")}} == set()


EDITS: dict[str, Callable[[Report], Report]] = {
    "setattr": lambda report: _set(report, query="What does the maker hide?"),
    "deep setattr": lambda report: _deep(report),
    "model_copy": lambda report: report.model_copy(update={"query": "x"}),
    "model_copy of a theme": lambda report: report.model_copy(update={"themes": report.themes[:1]}),
    "model_construct": lambda report: Report.model_construct(**(dict(report) | {"outcome": "refused"})),
    "dictionary": lambda report: _set(report, extra="words beside the fields"),
    "subclass": lambda report: _Other.model_validate_json(report.model_dump_json()),
    "theme of a subclass": lambda report: report.model_copy(update={"themes": (_Theme(**dict(report.themes[0])), *report.themes[1:])}),
    "list for tuple": lambda report: report.model_copy(update={"themes": [*report.themes[:1]]}),
    "string of a subclass": lambda report: report.model_copy(update={"query": _Words(report.query)}),
    "another run": lambda report: honest(Stage()),
    "not a report": lambda report: report.model_dump(),  # type: ignore[return-value]
    "none": lambda report: None,  # type: ignore[return-value]
}


class _Words(str):
    __slots__ = ()


class _Other(Report):
    @property
    def query(self) -> str:  # type: ignore[override]
        return "What does the maker hide?"


class _Theme(Theme):
    def model_dump(self, **_: Any) -> Any:
        return {}


def _set(report: Report, **changes: object) -> Report:
    made = pickle.loads(pickle.dumps(report))
    for name, value in changes.items():
        made.__dict__[name] = value
    return made


def _deep(report: Report) -> Report:
    made = pickle.loads(pickle.dumps(report))
    span = made.themes[0].claims[0].quotes[0].span
    object.__setattr__(span, "text", "The printer exploded in front of my children.")
    return made


@pytest.mark.parametrize("name", EDITS)
def test_an_edited_object_does_not_pass_the_exit(stage: Stage, report: Report, name: str) -> None:
    with pytest.raises(NotPublishableError):
        stage.publish(EDITS[name](report))


@pytest.mark.parametrize(
    "again", [lambda report: pickle.loads(pickle.dumps(report)), copy.deepcopy, lambda report: report.model_copy(deep=True)]
)
def test_an_equal_object_publishes_the_same_bytes(stage: Stage, report: Report, again: Callable[[Report], Report]) -> None:
    assert stage.publish(again(report)).report_bytes == stage.publish(report).report_bytes


def test_a_report_that_is_changed_after_it_was_handed_to_the_exit_changes_nothing_that_left(stage: Stage) -> None:
    made = honest(stage)
    published = stage.publish(made)
    before = published.report_bytes
    object.__setattr__(made, "query", "x")
    made.themes[0].__dict__["id"] = "t9"
    assert (published.report_bytes, published.report.query) == (before, stage.run.query)
    assert published.report.themes[0].id == "t1"


def test_a_hand_built_report_does_not_pass_the_exit(report: Report) -> None:
    """Equal to the kernel's own in every field, but not released in this run."""
    stage = Stage()
    quote = ProposedQuote(SENTENCE, Reference(document=stage.named(SENTENCE), start=0, end=len(SENTENCE)))
    evidence = Evidence(stage.run, stage.evidence.documents)
    minted = release(Proposal("liar", "chat", (ProposedTheme(None, None, (ProposedClaim(None, (quote,)),), ()),)), evidence)
    assert minted.refusal is not None
    run = stage.world.run()
    run.seal()
    with pytest.raises(NotPublishableError):
        publish(minted, run, stage.gateway.store())


# Bundles

CARRIED_BY_A_BUNDLE: dict[str, str] = {
    "query": "the operator's own words",
    "answers/question": "the operator's own words",
    "answers": "leaving a question out is omission, which no bundle disproves",
    "run/seed": "chance of the selection",
    "run/veridical": "the program's version",
    "inputs": "files that were enumerated are not enclosed",
    "plugins": "what took part",
    "rejections": "rejected words never leave",
    "funnel/in_scope": "the store's size",
    "funnel/retrieved": "what the store proposed and was not admitted",
    "not_cited": "the order in which passages were shown",
    "themes/folds": "the proposed words are gone",
    "themes/members": "which passages belong together is a judgement; they are counted as enclosed",
    "themes/name": "a model's words: only their numbers, addresses and URLs are recomputed",
}


def forge(archive: bytes, report: bytes) -> bytes:
    """The archive with another report.json and a manifest that fits."""
    with zipfile.ZipFile(BytesIO(archive)) as opened:
        content = {name: opened.read(name) for name in opened.namelist()}
    content["report.json"] = report
    rows = [{"name": name, "sha256": digest(body), "size": len(body)} for name, body in content.items() if name != "MANIFEST.json"]
    content["MANIFEST.json"] = canonical_bytes({"format": "veridical.bundle/1", "members": rows, "slim": False})  # type: ignore[arg-type]
    written = BytesIO()
    with zipfile.ZipFile(written, "w") as archive_:
        for name, body in sorted(content.items()):
            member = zipfile.ZipInfo(name)
            member.create_system = 3
            member.external_attr = 0o100644 << 16
            archive_.writestr(member, body)
    return written.getvalue()


def verifies(archive: bytes) -> bool:
    try:
        Bundle(archive, None)
    except DoesNotVerify:
        return False
    return True


def carried(at: Path) -> str | None:
    """The entry of the list that covers a leaf."""
    names = [str(key) for key in at if not isinstance(key, int)]
    whole = names[0] in ("query", "inputs", "plugins", "rejections", "not_cited") or len(names) == 1
    entries = [names[0]] if whole else [f"{names[0]}/{name}" for name in reversed(names[1:])]
    return next((entry for entry in entries if entry in CARRIED_BY_A_BUNDLE), None)


def test_a_competent_forger_can_change_no_leaf_that_is_not_carried(stage: Stage, report: Report) -> None:
    published: Published = stage.publish(report)
    archive = bundled(published)
    assert verifies(forge(archive, published.report_bytes))
    passed, tried, used = set[str](), 0, set[str | None]()
    for at, made in variants(json.loads(published.report_bytes)):
        tried += 1
        if verifies(forge(archive, canonical_bytes(made))):
            entry = carried(at)
            used.add(entry)
            if entry is None:
                passed.add("/".join(map(str, at)))
    print(f"\nforged bundles: {tried}; carried: {sorted(map(str, used))}")
    assert passed == set()
    assert CARRIED_BY_A_BUNDLE.keys() - used == set(), "the list names what the checker recomputes"


def test_a_refusal_cannot_be_turned_into_an_answer(stage: Stage) -> None:
    refused = World().research("What is the capital city of Mongolia and who founded it?")
    answered = World().research()
    archive = bundled(refused)
    plain = json.loads(refused.report_bytes) | {"themes": json.loads(answered.report_bytes)["themes"]}
    assert verifies(archive)
    assert not verifies(forge(archive, canonical_bytes(plain)))
    assert not verifies(forge(archive, canonical_bytes(plain | {"outcome": "answered", "refusal": None})))
