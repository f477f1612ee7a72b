"""The exit reads everything again, in one order, and names the first thing that does not hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import veridical.kernel.exit as exit_
from veridical.kernel.canonical import canonical_bytes, digest
from veridical.kernel.exit import Reread, Store, publish
from veridical_contract import Derivation, Document, Grades, Locator, NotPublishableError, Raw

from core.tests.kernel.lying import LyingBytes
from tests.properties.checks import Stage, honest


@pytest.fixture(scope="module")
def stage() -> Stage:
    return Stage()


def refused(stage: Stage, **changes: Any) -> str:
    with pytest.raises(NotPublishableError) as caught:
        publish(honest(stage), stage.run, replace(stage.gateway.store(), **changes))
    return str(caught.value)


def test_what_leaves_is_the_canonical_spelling_of_what_was_released(stage: Stage) -> None:
    report = honest(stage)
    published = stage.publish(report)
    assert published.report_bytes == canonical_bytes(report.model_dump(mode="json"))
    assert published.report == report
    assert published.report is not report
    assert published.documents.keys() == {row.document for row in report.citations}
    assert all(digest(body) == name for name, body in published.documents.items())
    assert published.maps == {}


def reread(one: Document, runs: Any = (), line: int | None = None, headings: Any = ()) -> Reread:
    return Reread(one.text, runs, lambda _: line, lambda _: headings)


STORES: dict[str, tuple[str, Callable[[Store], dict[str, Any]]]] = {
    "document missing": ("document-missing", lambda store: {"documents": lambda names: [(None, None) for _ in names]}),
    "document altered": (
        "document-altered",
        lambda store: {"documents": lambda names: [(body + b" ", tag) for body, tag in store.documents(names)]},
    ),  # type: ignore[operator]
    "no tag": ("document-added", lambda store: {"documents": lambda names: [(body, b"") for body, _ in store.documents(names)]}),
    "another key": ("document-added", lambda store: {"key": b"another"}),
    "bytes missing": ("no longer gives the bytes", lambda store: {"raws": lambda names: [None for _ in names]}),
    "bytes altered": ("no longer gives the bytes", lambda store: {"raws": lambda names: [b"{}" for _ in names]}),
    "bytes of another record": (
        "no longer gives the bytes",
        lambda store: {"raws": lambda names: [*store.raws(names)[1:], *store.raws(names)[:1]]},
    ),
    "something that says it is bytes": (
        "no longer gives the bytes",
        lambda store: {"raws": lambda names: [LyingBytes(body) for body in store.raws(names)]},  # type: ignore[arg-type]
    ),
    "no text": ("differs-from-bytes", lambda store: {"reread": lambda *_: Reread("", (), lambda _: None, lambda _: ())}),
    "other text": ("differs-from-bytes", lambda store: {"reread": lambda *_: Reread("x", (), lambda _: None, lambda _: ())}),
    "a map of plain text": (
        "map-not-plain",
        lambda store: {"reread": lambda one, _: Reread(one.text, ((0, 1, 0, 1, "copy"),), lambda _: None, lambda _: ())},
    ),
    "another line": ("stands in 7", lambda store: {"reread": lambda one, _: reread(one, line=7)}),
    "another heading": (
        "other headings",
        lambda store: {"reread": lambda one, _: reread(one, headings=((0, 3),))},
    ),
}


@pytest.mark.parametrize("name", STORES)
def test_a_store_that_is_not_as_it_was_lets_nothing_out(stage: Stage, name: str) -> None:
    why, change = STORES[name]
    assert why in refused(stage, **change(stage.gateway.store()))


@pytest.mark.parametrize("higher", [False, True])
def test_bytes_of_any_other_digest_let_nothing_out(stage: Stage, higher: bool) -> None:
    store = stage.gateway.store()

    def altered(names: Any) -> Any:
        bodies = [*store.raws(names)]
        assert type(bodies[0]) is bytes
        spaces = next(count for count in range(1, 99) if (digest(bodies[0] + b" " * count) > names[0]) is higher)
        return [bodies[0] + b" " * spaces, *bodies[1:]]

    assert "no longer gives the bytes" in refused(stage, raws=altered)


def document(**changes: Any) -> Document:
    fields: dict[str, Any] = {
        "text": "a b",
        "retrieved": "2026-11-21T12:00:00Z",
        "locator": Locator(container="x"),
        "origin": "o",
        "plugin": "p",
        "extractor": "e",
        "grades": Grades(text="held"),
    }
    return Document(**(fields | changes))


HTML = b"<p>a b</p>"


def again(shown: Document, runs: tuple[Any, ...] = ()) -> Any:
    """What `_raws` gives of one document whose bytes are kept."""
    store = Store(
        documents=lambda _: [],
        raws=lambda names: [HTML for _ in names],
        reread=lambda one, _: Reread(one.text, runs, lambda _: None, lambda _: ()),
        key=b"",
    )
    return exit_._raws({"d": shown}, store)


RAW = Raw(digest=digest(HTML), size=len(HTML), container=digest(HTML), offset=0)


def test_the_map_of_a_projected_text_goes_with_it() -> None:
    shown = document(raw=RAW, derivation=Derivation(format="text", projection="html", pointers={"text": ""}))
    _, maps, _ = again(shown, ((0, 3, 3, 6, "copy"),))
    assert maps == {"d": b'[[0,3,3,6,"copy"]]'}


def test_a_map_that_does_not_fit_lets_nothing_out() -> None:
    shown = document(raw=RAW, derivation=Derivation(format="text", projection="html", pointers={"text": ""}))
    with pytest.raises(NotPublishableError, match="map-differs"):
        again(shown, ((0, 3, 4, 7, "copy"),))


@pytest.mark.parametrize("part", ["documents", "raws"])
def test_a_store_that_gives_less_than_it_was_asked_for_lets_nothing_out(stage: Stage, part: str) -> None:
    store = stage.gateway.store()
    with pytest.raises(ValueError, match="shorter"):
        publish(honest(stage), stage.run, replace(store, **{part: lambda names: getattr(store, part)(names)[:-1]}))


def test_the_line_and_headings_of_a_title_are_none() -> None:
    stage = Stage()
    quote = honest(stage).themes[0].claims[0].quotes[0]
    of_title = quote.model_copy(update={"span": quote.span.model_copy(update={"field": "title"}), "line": None})
    exit_._place(of_title, {quote.span.document: Reread("", (), lambda _: 7, lambda _: ((0, 1),))})


def test_a_heading_that_is_not_there_lets_nothing_out() -> None:
    quote = honest(Stage()).themes[0].claims[0].quotes[0]
    under = quote.model_copy(update={"headings": (quote.span,), "line": None})
    for headings in ((), ((10**6, 10**7),)):
        with pytest.raises(NotPublishableError, match="other headings"):
            exit_._place(under, {quote.span.document: reread(document(), headings=headings)})


def test_a_page_of_a_pdf_is_held_on_the_word_of_the_hosts_reader() -> None:
    raws, maps, rereads = again(document(raw=RAW, derivation=Derivation(format="pdf", pointers={"text": "1"})))
    assert (raws, maps, list(rereads)) == ({RAW.digest: HTML}, {}, ["d"])


def test_bytes_without_the_way_from_them_do_not_leave() -> None:
    with pytest.raises(NotPublishableError, match="not how it follows"):
        again(document(raw=RAW))


def test_what_is_no_report_does_not_leave(stage: Stage) -> None:
    with pytest.raises(NotPublishableError, match="is not one"):
        publish(None, stage.run, stage.gateway.store())  # type: ignore[arg-type]


def test_a_report_of_another_run_does_not_leave(stage: Stage) -> None:
    report = honest(Stage())
    with pytest.raises(NotPublishableError, match="as it was released"):
        publish(report, Stage().run, stage.gateway.store())
