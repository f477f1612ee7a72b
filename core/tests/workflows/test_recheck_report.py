"""The pages that a report quotes are read again: what was quoted is there, or elsewhere, or not, or nobody can say."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from veridical.bundle import verify_bundle
from veridical.wire.fetching import Fetcher, Limits, Page
from veridical.wire.fetching.exchange import Reply
from veridical.wire.fetching.page import read_page
from veridical.workflows.recheck_report import PageState, Recheck, _stands, recheck_report
from veridical_contract import Grades, NotPublishableError, Quote, Span, UsageError

from core.tests.bundle.cases import answered
from core.tests.wire.conftest import make_pdf
from core.tests.wire.fetching.kit import PUBLIC, START, Answer, Server, Wires, fetcher, redirect
from core.tests.workflows.published_pages import write_pages

A = "http://a.example.com/"
SENTENCE = "The battery of the printer died after a week of use."
HTML = f"<title>Batteries</title><h1>Notes</h1><p>{SENTENCE} Nobody knows why.</p>".encode()


class Site:
    """Pages that may be changed after they were cited."""

    def __init__(self) -> None:
        self.pages: dict[str, Answer] = {"/": Answer(HTML)}

    def __call__(self, path: str, _headers: dict[str, str]) -> Answer:
        return self.pages.get(path, Answer(b"", 404))


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def web(site: Site) -> Iterator[Callable[[], Fetcher]]:
    with Server(site) as server:
        yield lambda: fetcher({PUBLIC: server})


@pytest.fixture
def bundle(tmp_path: Path, web: Callable[[], Fetcher]) -> Path:
    path = tmp_path / "report.zip"
    write_pages(path, web(), [(A, SENTENCE)], now=START)
    return path


def only(found: Recheck) -> PageState:
    (page,) = found.pages
    return page


def test_a_report_on_fetched_pages_leaves_and_verifies(tmp_path: Path, site: Site, web: Callable[[], Fetcher]) -> None:
    site.pages["/paper.pdf"] = Answer(
        make_pdf([(72, 700, 12, b"The radio keeps awake at night.")]), headers={"Content-Type": "application/pdf"}
    )
    site.pages["/old"] = redirect("/new", 301)
    site.pages["/new"] = Answer(
        "The firmware empties it \u2013 in hours.".encode("cp1252"), headers={"Content-Type": "text/plain; charset=cp1252"}
    )
    words = [(A, SENTENCE), (f"{A}paper.pdf", "The radio keeps awake at night."), (f"{A}old", "The firmware empties it \u2013 in hours.")]
    path = tmp_path / "report.zip"
    report = write_pages(path, web(), words, now=START)
    checked = verify_bundle(path)
    assert 0 == checked.code, checked.text
    assert [A, f"{A}paper.pdf", f"{A}new"] == [row.url for row in report.citations]
    assert {Grades(text="held", url="held")} == {row.grades for row in report.citations}
    assert ["Notes"] == [heading.text for heading in report.themes[0].claims[0].quotes[0].headings]


def test_nothing_has_happened(bundle: Path, web: Callable[[], Fetcher]) -> None:
    found = recheck_report(bundle, web())
    page = only(found)
    assert ("same", True, A, "", [(SENTENCE, True)]) == (
        page.state,
        page.identical,
        page.found,
        page.reason,
        [(quote.sentence, quote.stands) for quote in page.quotes],
    )
    assert ("stands", {"same": 1}, "run-1", 0) == (found.outcome, dict(found.counts), found.run, found.without_url)


@pytest.mark.parametrize(
    ("body", "state"),
    [
        (HTML.replace(b"Nobody knows why.", b"Now we know.") + b"<p>More.</p>", "same"),
        (HTML.replace(b"The battery of", b"The <b>battery</b>\n of"), "same"),
        (HTML.replace(b"died after", b"never died after"), "changed"),
        (HTML.replace(b"The battery of the", b"It is not true that the battery of the"), "changed"),
        (HTML.replace(b"week", b"month"), "changed"),
        (b"<p>Page not found.</p>", "changed"),
        (b"<script>render()</script>", "changed"),
    ],
)
def test_the_sentence_decides_and_not_the_bytes(body: bytes, state: str, bundle: Path, site: Site, web: Callable[[], Fetcher]) -> None:
    site.pages["/"] = Answer(body)
    found = recheck_report(bundle, web())
    assert (state, False) == (only(found).state, only(found).identical)
    assert ("differs" if state == "changed" else "stands") == found.outcome


def test_an_ellipsis_of_the_page_itself_hides_no_words(tmp_path: Path, site: Site, web: Callable[[], Fetcher]) -> None:
    words = "He was ... guilty of what they said."
    site.pages["/"] = Answer(f"<p>{words}</p>".encode())
    write_pages(tmp_path / "report.zip", web(), [(A, words)], now=START)
    assert "same" == only(recheck_report(tmp_path / "report.zip", web())).state
    site.pages["/"] = Answer(b"<p>He was not guilty of what they said.</p>")
    assert "changed" == only(recheck_report(tmp_path / "report.zip", web())).state


def test_a_page_that_moved_says_where_to(bundle: Path, site: Site, web: Callable[[], Fetcher]) -> None:
    site.pages = {"/": redirect("/archive/1", 301), "/archive/1": Answer(HTML)}
    page = only(found := recheck_report(bundle, web()))
    assert ("moved", f"{A}archive/1", f"it is at {A}archive/1 now", "stands") == (page.state, page.found, page.reason, found.outcome)


def test_a_page_that_moved_and_changed_has_changed(bundle: Path, site: Site, web: Callable[[], Fetcher]) -> None:
    site.pages = {"/": redirect("/home", 302), "/home": Answer(b"<p>Welcome to our new site.</p>")}
    assert ("changed", f"{A}home") == ((page := only(recheck_report(bundle, web()))).state, page.found)


@pytest.mark.parametrize("status", [404, 410])
def test_a_page_that_is_gone(status: int, bundle: Path, site: Site, web: Callable[[], Fetcher]) -> None:
    site.pages["/"] = Answer(b"", status)
    found = recheck_report(bundle, web())
    assert ("gone", None, (), "differs") == ((page := only(found)).state, page.found, page.quotes, found.outcome)


@pytest.mark.parametrize(
    "answer", [Answer(b"", 500), Answer(b"x", headers={"Content-Type": "image/png"}), Answer(b"", 503, {"Retry-After": "99"})]
)
def test_a_page_that_cannot_be_read_says_nothing_about_itself(answer: Answer, bundle: Path, site: Site, web: Callable[[], Fetcher]) -> None:
    site.pages["/"] = answer
    found = recheck_report(bundle, web())
    assert ("unknown", "nothing-checked") == (only(found).state, found.outcome)
    assert only(found).reason.startswith(A)


def test_without_a_network_nothing_is_known(bundle: Path) -> None:
    assert "nothing-checked" == recheck_report(bundle, fetcher(names={}, backend=Wires({}))).outcome


def test_a_page_is_read_once_however_often_it_is_quoted(tmp_path: Path, site: Site, web: Callable[[], Fetcher]) -> None:
    path = tmp_path / "report.zip"
    two = make_pdf([(72, 700, 12, b"The radio keeps awake at night.")], [(72, 700, 12, b"The firmware empties it in hours.")])
    site.pages["/p.pdf"] = Answer(two, headers={"Content-Type": "application/pdf"})
    url = f"{A}p.pdf"
    write_pages(path, web(), [(url, "The radio keeps awake at night."), (url, "The firmware empties it in hours.")], now=START)
    with Server(site) as server:
        found = recheck_report(path, fetcher({PUBLIC: server}))
        assert ["/p.pdf"] == server.paths
    assert ["same", "same"] == [page.state for page in found.pages]


def excerpt(words: str, field: str = "text") -> tuple[Quote, Page]:
    """A quote of a provider's excerpt, and the page that it is said to come from."""
    span = Span.model_validate({"document": "0" * 64, "field": field, "start": 0, "end": len(words), "text": words})
    page = fetcher_page(HTML)
    return Quote(span=span, verdict="exact", sentence=span), page


def fetcher_page(body: bytes) -> Page:
    return read_page(A, (), A, Reply(200, {"content-type": ["text/html"]}, body), retrieved=START, limits=Limits())


def test_an_excerpt_may_be_cut_and_a_title_stands_where_titles_do() -> None:
    assert _stands(*excerpt("... printer died after a we..."), whole=False)
    assert not _stands(*excerpt("... printer died after a we..."), whole=True)
    assert _stands(*excerpt("Batteries", "title"), whole=True)
    assert not _stands(*excerpt("Batteries", "text"), whole=True)


def test_documents_without_a_url_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "report.zip"
    path.write_bytes(answered().build())
    found = recheck_report(path, fetcher(names={}))
    assert (3, ["unknown", "unknown"]) == (found.without_url, [page.state for page in found.pages])


def test_what_is_no_bundle_is_said_so(tmp_path: Path, web: Callable[[], Fetcher]) -> None:
    (tmp_path / "x.zip").write_bytes(b"no archive")
    with zipfile.ZipFile(tmp_path / "y.zip", "w") as archive:
        archive.writestr("other", b"")
    for name, said in (("x.zip", "no bundle"), ("y.zip", "no bundle"), ("none.zip", "cannot be read")):
        with pytest.raises(UsageError, match=said):
            recheck_report(tmp_path / name, web())


def test_a_document_that_is_not_what_it_is_called_is_not_believed(bundle: Path, tmp_path: Path, web: Callable[[], Fetcher]) -> None:
    forged = tmp_path / "forged.zip"
    with zipfile.ZipFile(bundle) as source, zipfile.ZipFile(forged, "w") as target:
        for name in source.namelist():
            body = source.read(name)
            target.writestr(name, body.replace(b"a.example.com", b"b.example.com") if name.startswith("documents/") else body)
    with pytest.raises(NotPublishableError, match="not what it is called"):
        recheck_report(forged, web())
