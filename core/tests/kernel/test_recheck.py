"""Each place of a report is derived again: one edit for every way to fail, and the place that is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from veridical.kernel.recheck import recheck
from veridical.kernel.report import QuoteRefused
from veridical_contract import NotPublishableError, Reference, Report

from tests.attacks.test_objects import full
from tests.properties.checks import Stage, honest

STAGE = Stage()
FULL = full(STAGE).model_dump(mode="json")


def refused(plain: Any, stage: Stage = STAGE) -> str:
    with pytest.raises(NotPublishableError) as caught:
        recheck(Report.model_validate_json(json.dumps(plain)), stage.evidence)
    return str(caught.value)


def edit(change: Callable[[Any], object]) -> Any:
    plain = json.loads(json.dumps(FULL))
    change(plain)
    return plain


def quote(plain: Any) -> Any:
    return plain["themes"][0]["claims"][0]["quotes"][0]


SPAN = {"document": "0" * 64, "field": "text", "start": 0, "end": 5, "text": "The b"}
EDITS: list[tuple[str, Callable[[Any], object]]] = [
    ("run", lambda plain: plain["run"].update(seed=9)),
    ("query", lambda plain: plain.update(query="x")),
    ("inputs", lambda plain: plain.update(inputs=[])),
    ("plugins", lambda plain: plain.update(plugins=[])),
    ("rejections", lambda plain: plain.update(rejections=[])),
    ("themes/0/members: a document is counted twice", lambda plain: plain["themes"][0]["members"].append(plain["themes"][0]["members"][0])),
    ("is quoted and not counted", lambda plain: plain["themes"][0].update(members=plain["themes"][0]["members"][:2])),
    ("themes/0/members: out-of-range", lambda plain: plain["themes"][0]["members"][0].update(end=10**6)),
    ("themes/0/members: not-shown", lambda plain: plain["themes"][0]["members"][0].update(document="0" * 64)),
    ("themes/0/counts", lambda plain: plain["themes"][0]["counts"].update(mentions=99)),
    ("themes/0/name", lambda plain: plain["themes"][0]["name"].update(wording="kernel", text="Theme 2")),
    ("themes/0/name: words of a source", lambda plain: plain["themes"][0]["name"].update(wording="source", text="a b")),
    ("themes/0/name: not-shown", lambda plain: plain["themes"][0]["name"].update(wording="source", text="The b", span=SPAN)),
    ("themes/0/name", lambda plain: plain["themes"][0]["name"].update(wording="model", text="x", span=SPAN)),
    ("themes/0/name: ", lambda plain: plain["themes"][0]["name"].update(wording="model", text="Angela Merkel")),
    ("answers", lambda plain: plain["answers"][0].update(question="x")),
    ("answers/1", lambda plain: plain["answers"][1].update(reason=None)),
    (
        "answers/0/claims/0/quotes/0: not-shown",
        lambda plain: plain["answers"][0]["claims"][0]["quotes"][0]["span"].update(document="0" * 64),
    ),
    ("quotes/0: out-of-range", lambda plain: quote(plain)["span"].update(end=10**6)),
    ("quotes/0", lambda plain: quote(plain)["span"].update(text="other words")),
    ("quotes/0", lambda plain: quote(plain).update(verdict="located")),
    ("quotes/0", lambda plain: quote(plain).update(labels=["ambiguous-occurrence", "case"])),
    ("a heading that does not stand above", lambda plain: quote(plain).update(headings=[SPAN])),
    ("a heading that does not stand above", lambda plain: quote(plain).update(headings=[SPAN | {"document": "f" * 64, "end": 0}])),
    ("a heading that does not stand above", lambda plain: quote(plain).update(headings=[SPAN | {"end": 0}])),
    ("a heading that does not stand above", lambda plain: quote(plain).update(headings=[quote(plain)["span"]])),
    (
        "a heading that does not stand above",
        lambda plain: quote(plain).update(headings=[quote(plain)["span"] | {"field": "title", "end": 0}]),
    ),
    ("name: words of a source", lambda plain: plain["themes"][0]["name"].update(wording="source", text="~", span=quote(plain)["span"])),
    ("name: words of a source", lambda plain: plain["themes"][0]["name"].update(wording="source", text="!", span=quote(plain)["span"])),
    ("folds that are twice there", lambda plain: quote(plain).update(folds=["case", "case"], verdict="located")),
    ("unknown label 'words of a liar'", lambda plain: quote(plain).update(folds=["words of a liar"], verdict="located")),
    ("a place is quoted twice", lambda plain: plain["themes"][0]["claims"][0]["quotes"].append(quote(plain))),
    ("claims/0", lambda plain: plain["themes"][0]["claims"][0].update(text="x")),
    ("claims/0", lambda plain: plain["themes"][0]["claims"][0].update(wording="model", template="The battery fails.")),
    ("claims/0: wording 'kernel' makes no claims", lambda plain: plain["themes"][0]["claims"][0].update(wording="kernel")),
    ("themes", lambda plain: plain["themes"][0].update(id="t7")),
    ("claims", lambda plain: plain["themes"][0]["claims"][0].update(id="c7")),
    ("citations", lambda plain: plain.update(citations=plain["citations"][::-1])),
    ("funnel", lambda plain: plain["funnel"].update(selected=99)),
    ("not_cited", lambda plain: plain.update(not_cited=[])),
    ("outcome", lambda plain: plain.update(outcome="refused")),
]


@pytest.mark.parametrize(("place", "change"), EDITS, ids=[f"{number}-{place[:30]}" for number, (place, _) in enumerate(EDITS)])
def test_an_edit_is_refused_and_its_place_named(place: str, change: Callable[[Any], object]) -> None:
    assert place in refused(edit(change))


def test_the_report_that_is_edited_passes() -> None:
    recheck(Report.model_validate_json(json.dumps(FULL)), STAGE.evidence)


def test_that_words_stand_in_several_places_is_not_derived_again() -> None:
    recheck(
        Report.model_validate_json(json.dumps(edit(lambda plain: quote(plain).update(labels=["ambiguous-occurrence"])))), STAGE.evidence
    )


def test_a_run_that_is_not_sealed_has_no_report() -> None:
    stage = Stage()
    report = honest(stage)
    stage.run._seal = None
    assert "not sealed" in refused(report.model_dump(mode="json"), stage)


def test_a_refusal_says_the_kernels_words_and_claims_nothing() -> None:
    stage = Stage()
    plain = stage.release().model_dump(mode="json")
    recheck(Report.model_validate_json(json.dumps(plain)), stage.evidence)
    assert "must refuse" in refused(plain | {"refusal": None}, stage)
    assert "must refuse" in refused(plain | {"refusal": plain["refusal"] | {"code": "no-backend"}}, stage)
    assert "refusal" in refused(plain | {"refusal": plain["refusal"] | {"text": "Trust me."}}, stage)


@pytest.mark.parametrize("step", ["retrieved", "selected"])
def test_a_funnel_never_widens(step: str) -> None:
    """Whatever a workflow counts: what was taken is part of what there was to take."""
    stage = Stage()
    report = honest(stage).model_dump(mode="json")
    narrowed = len(stage.run.shown) - 1
    setattr(stage.run, step, narrowed)
    assert "funnel: a later step has more documents" in refused(report | {"funnel": report["funnel"] | {step: narrowed}}, stage)


def test_an_answer_without_themes_is_no_answer() -> None:
    stage = Stage()
    answered = full(stage).model_dump(mode="json")
    stage.run.rejections.clear()
    refused_ = stage.release().model_dump(mode="json")
    claim = answered["answers"][0]["claims"][0] | {"id": "c1"}
    name = claim["quotes"][0]["span"]["document"]
    row = next(one for one in answered["citations"] if one["document"] == name) | {"number": 1}
    answers = [refused_["answers"][0] | {"status": "answered", "reason": None, "claims": [claim]}, refused_["answers"][1]]
    rest = [one for one in stage.run.shown if one != name]
    made = refused_ | {"answers": answers, "citations": [row], "funnel": refused_["funnel"] | {"cited": 1}, "not_cited": rest}
    assert "a refusal makes no claim" in refused(made, stage)


def test_a_claim_whose_quotes_support_nothing_is_none() -> None:
    stage = Stage()
    clipped = "the battery of the printer is bad"
    sound = stage.release(stage.theme("It is the charger that fails.", "It is the charger that fails.")).model_dump(mode="json")
    both = (
        stage.theme(clipped, clipped).claims[0].quotes
        + stage.theme("It is the charger that fails.", "It is the charger that fails.").claims[0].quotes
    )
    theme = stage.theme(clipped, clipped)
    from dataclasses import replace

    mixed = stage.release(replace(theme, claims=(replace(theme.claims[0], quotes=both),))).model_dump(mode="json")
    quotes = mixed["themes"][0]["claims"][0]["quotes"]
    assert [one["verdict"] for one in quotes] == ["exact", "clipped"]
    folded = json.loads(json.dumps(mixed))
    folded["themes"][0]["claims"][0]["quotes"][1]["folds"] = ["whitespace"]
    recheck(Report.model_validate_json(json.dumps(folded)), stage.evidence)
    mixed["rejections"] = [*(one.model_dump(mode="json") for one in stage.run.rejections)]
    claim = mixed["themes"][0]["claims"][0]
    assert "no quote supports it" in refused(mixed | {"themes": [mixed["themes"][0] | {"claims": [claim | {"quotes": quotes[1:]}]}]}, stage)
    turned = claim | {"quotes": quotes[::-1], "text": quotes[1]["sentence"]["text"]}
    assert "its own words do not support it" in refused(mixed | {"themes": [mixed["themes"][0] | {"claims": [turned]}]}, stage)
    assert sound["themes"]


def test_a_rule_that_is_no_rules_name_is_refused() -> None:
    stage = Stage()
    report = stage.release(stage.theme("The printer exploded again.", "Update it first."))
    said = stage.run.rejections[0].model_copy(update={"rule": "The maker said: buy another!"})
    stage.run.rejections[:] = [said]
    assert "not the name of a rule" in refused(report.model_dump(mode="json") | {"rejections": [said.model_dump(mode="json")]}, stage)


def test_a_document_that_is_lost_between_two_looks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: object) -> None:
        raise QuoteRefused("not-shown")

    monkeypatch.setattr("veridical.kernel.recheck.citations", lost)
    assert "citations: not-shown" in refused(FULL)


def test_a_name_in_the_words_of_a_source_is_where_it_stands() -> None:
    stage = Stage()
    words = "Update it first."
    whole = "The printer is loud but the battery is fine for a whole day of work."
    name = stage.theme(words, words).claims[0].quotes[0]
    report = stage.release(replace(stage.theme(whole, whole), name_quote=name))
    assert (report.themes[0].name.wording, report.themes[0].name.text) == ("source", words)
    recheck(report, stage.evidence)
    plain = report.model_dump(mode="json")
    plain["themes"][0]["name"]["span"]["field"] = "title"
    assert "themes/0/name" in refused(plain, stage)


def test_a_name_in_the_words_of_a_source_may_be_short() -> None:
    stage = Stage()
    theme = stage.theme("Update it first.", "Update it first.")
    report = stage.release(replace(theme, name_quote=stage.theme("charger", "charger").claims[0].quotes[0]))
    assert (report.themes[0].name.wording, report.themes[0].name.text) == ("source", "charger")
    recheck(report, stage.evidence)


def test_a_heading_may_end_where_the_quote_begins() -> None:
    stage = Stage()
    theme = stage.theme("shows an error of the battery each time.", "shows an error of the battery each time.")
    found = theme.claims[0].quotes[0]
    assert found.at is not None
    above = replace(found, headings=(Reference(document=found.at.document, start=0, end=found.at.start),))
    recheck(stage.release(replace(theme, claims=(replace(theme.claims[0], quotes=(above,)),))), stage.evidence)


def test_a_heading_that_stands_above_the_quote_goes_with_it() -> None:
    stage = Stage()
    theme = stage.theme("The printer shows an error of the battery each time.", "The printer shows an error of the battery each time.")
    found = theme.claims[0].quotes[0]
    assert found.at is not None
    above = replace(found, headings=(Reference(document=found.at.document, start=0, end=13),))
    report = stage.release(replace(theme, claims=(replace(theme.claims[0], quotes=(above,)),)))
    recheck(report, stage.evidence)
    assert report.themes[0].claims[0].quotes[0].headings[0].text == "Battery fails"
