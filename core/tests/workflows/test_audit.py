"""The pages that an outcome cites are fetched again, over real servers on loopback: same, changed, gone, or nobody can say."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veridical.gateway.verified import Gateway
from veridical.kernel.policy import load_policy
from veridical.wire.fetching import Fetcher, Limits
from veridical.workflows.audit import audit_outcome
from veridical_contract import Audit, AuditedCitation, OutcomeCitation, OutcomeClaim, OutcomeSection, ResearchOutcome

from core.tests.wire.fetching.kit import OTHER, PUBLIC, Answer, Server, fetcher, redirect

A, B = "http://a.example.com", "http://b.example.com"
FIRST = "Marie Curie was born in Warsaw in 1867."
SECOND = "She won the Nobel Prize in Physics in 1903 \u2013 and another one in 1911."
SNIPPET = f"{FIRST} {SECOND}"
HTML = f"<title>Curie</title><h1>Her life</h1><p>{SNIPPET}</p><p>More of it.</p>"
POLICY = load_policy()


def page(html: str) -> Answer:
    return Answer(html.encode())


class Site:
    """Pages that may change after they were cited."""

    def __init__(self) -> None:
        self.pages = {"/": page(HTML)}
        self.released = threading.Event()

    def __call__(self, path: str, _headers: dict[str, str]) -> Answer:
        if path == "/hangs":
            self.released.wait(10)
        return self.pages.get(path.partition("?")[0], Answer(b"", 404))


@pytest.fixture
def site() -> Iterator[Site]:
    found = Site()
    yield found
    found.released.set()


@pytest.fixture
def server(site: Site) -> Iterator[Server]:
    with Server(site) as server:
        yield server


@pytest.fixture
def web(server: Server) -> Callable[[], Fetcher]:
    return lambda: fetcher({PUBLIC: server, OTHER: server}, limits=Limits(idle=0.2))


def cited(url: str | None = f"{A}/", snippet: str = SNIPPET, **fields: Any) -> OutcomeCitation:
    digest = hashlib.sha256(snippet.encode()).hexdigest()
    known: dict[str, Any] = {"url": url, "title": "Curie", "snippet": snippet, "snippet_sha256": digest, "snippet_hash": digest[:16]}
    known |= {"retrieved_at": "2026-11-22T12:00:00Z", "rank": 1, "domain": "example.com", "witness": "held"}
    return OutcomeCitation.model_validate(known | fields)


def answer(*rows: OutcomeCitation, claims: tuple[tuple[str, int], ...] = ((FIRST, 0),)) -> ResearchOutcome:
    said = tuple(OutcomeClaim(text=text, citation_index=index) for text, index in claims)
    return ResearchOutcome(ok=True, query="Who was she?", sections=(OutcomeSection(heading="example.com", claims=said),), citations=rows)


def no_store() -> Gateway:
    raise AssertionError("the store was opened")


class Watched:
    """Keeps what was said of the progress."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, int, int | None]] = []

    def step(self, name: str, done: int, total: int | None) -> None:
        self.steps.append((name, done, total))


def audited(outcome: ResearchOutcome, web: Callable[[], Fetcher]) -> Audit:
    return audit_outcome(outcome, fetcher=web, gateway=no_store, policy=POLICY, progress=Watched())


def only(outcome: ResearchOutcome, web: Callable[[], Fetcher]) -> AuditedCitation:
    (row,) = audited(outcome, web).citations
    return row


def test_words_that_stand_there_are_the_same(web: Callable[[], Fetcher]) -> None:
    found = audited(answer(cited()), web)
    assert (
        Audit(
            outcome="same", query="Who was she?", citations=(AuditedCitation(citation_index=0, url=f"{A}/", state="same", found=f"{A}/"),)
        )
        == found
    )


@pytest.mark.parametrize(
    ("html", "state"),
    [
        (HTML.replace("More of it.", "Less of it."), "same"),
        (HTML.replace("was born", "was\n <b>born</b>").replace("\u2013", "-"), "same"),
        (HTML.replace("1867", "1868"), "changed"),
        (HTML.replace("She won", "She never won"), "changed"),
        (HTML.replace("Marie Curie was", "It is not true that Marie Curie was"), "changed"),
        (HTML.replace("1867. She", "1867. He did not. She"), "changed"),
        (HTML.replace(FIRST, f"<del>{FIRST}</del>"), "changed"),
        (f"<!-- {SNIPPET} --><p>Nothing here.</p>", "changed"),
        (f"<script>{SNIPPET}</script><p>Nothing here.</p>", "changed"),
        (f"<p hidden>{SNIPPET}</p><p>Nothing here.</p>", "changed"),
        ("<script>render()</script>", "changed"),
        ("<p>Not found</p>" * 3, "changed"),
        ("<" * 20_000, "changed"),
    ],
)
def test_what_a_reader_sees_decides(html: str, state: str, site: Site, web: Callable[[], Fetcher]) -> None:
    site.pages["/"] = page(html)
    found = audited(answer(cited()), web)
    assert (state, "same" if state == "same" else "differs") == (found.citations[0].state, found.outcome)


def test_a_page_that_changed_is_shown_where_it_is_nearest(site: Site, web: Callable[[], Fetcher]) -> None:
    site.pages["/"] = page(HTML.replace("Warsaw", "Paris"))
    row = only(answer(cited()), web)
    assert ("changed", f"{A}/", "its words are not there any more") == (row.state, row.found, row.reason)
    assert SNIPPET.replace("Warsaw", "Paris") == row.nearest


def test_a_sentence_that_now_says_something_else_is_shown(site: Site, web: Callable[[], Fetcher]) -> None:
    site.pages["/"] = page(HTML.replace("Marie Curie was", "It is not true that Marie Curie was"))
    row = only(answer(cited()), web)
    assert f"It is not true that {FIRST}" == row.nearest
    assert "says something else" in row.reason


def test_of_a_long_page_no_nearest_passage_is_looked_for(site: Site, web: Callable[[], Fetcher]) -> None:
    for length, nearest in ((1_000, SNIPPET.replace("Warsaw", "Paris")), (1_000_000, None)):
        text = SNIPPET.replace("Warsaw", "Paris") + "\n\n" + "_" * length
        site.pages["/"] = Answer(text.encode(), headers={"Content-Type": "text/plain; charset=utf-8"})
        assert ("changed", nearest) == ((row := only(answer(cited()), web)).state, row.nearest)


@pytest.mark.parametrize(
    ("excerpt", "state"),
    [
        ("\u2026rie Curie was born in Warsaw in 1867. She won the Nobel Prize...", "same"),
        ("Marie Curie was born in Warsaw [...] another one in 1911.", "same"),
        ("another one in 1911 ... Marie Curie was born in Warsaw", "changed"),
        ("Marie Curie was born in Paris in 1867 [...] another one in 1911.", "changed"),
    ],
)
def test_what_a_provider_cut_is_looked_for_piece_by_piece(excerpt: str, state: str, web: Callable[[], Fetcher]) -> None:
    assert state == only(answer(cited(snippet=excerpt, witness="wire"), claims=((excerpt, 0),)), web).state


def test_of_words_that_were_copied_an_ellipsis_hides_nothing(site: Site, web: Callable[[], Fetcher]) -> None:
    words = "He was ... guilty of what they said."
    outcome = answer(cited(f"{A}/life"), cited(snippet=words))
    site.pages |= {"/life": page(HTML), "/": page(f"<p>{words}</p>")}
    assert ["same", "same"] == [row.state for row in audited(outcome, web).citations]
    site.pages["/"] = page("<p>He was not guilty of what they said.</p>")
    assert ["same", "changed"] == [row.state for row in audited(outcome, web).citations]


@pytest.mark.parametrize("snippet", ["", " ", "...", "\x1e"])
def test_no_words_stand_nowhere(snippet: str, web: Callable[[], Fetcher]) -> None:
    for witness in ("held", "wire"):
        assert "changed" == only(answer(cited(snippet=snippet, witness=witness)), web).state


@pytest.mark.parametrize(
    ("reply", "state", "said"),
    [
        (Answer(HTML.encode(), 404), "gone", "404"),
        (Answer(HTML.encode(), 410), "gone", "410"),
        (Answer(HTML.encode(), 500), "unreadable", "500"),
        (Answer(HTML.encode(), 403), "unreadable", "403"),
        (Answer(HTML.encode(), 200, {"Content-Type": "image/png"}), "unreadable", "image/png"),
        (Answer(raw=b""), "unreadable", "not HTTP"),
        (redirect("http://10.0.0.1/"), "unreadable", "private"),
        (redirect("/"), "unreadable", "too many redirects"),
    ],
)
def test_what_cannot_be_read_is_never_the_same(reply: Answer, state: str, said: str, site: Site, web: Callable[[], Fetcher]) -> None:
    site.pages["/"] = reply
    found = audited(answer(cited()), web)
    assert (state, "differs" if state == "gone" else "incomplete") == (found.citations[0].state, found.outcome)
    assert said in found.citations[0].reason


def test_a_page_that_hangs_is_not_waited_for(web: Callable[[], Fetcher]) -> None:
    row = only(answer(cited(f"{A}/hangs")), web)
    assert ("unreadable", True) == (row.state, "took too long" in row.reason)


def test_what_robots_txt_does_not_allow_is_not_read(site: Site, server: Server, web: Callable[[], Fetcher]) -> None:
    site.pages["/robots.txt"] = Answer(b"User-agent: *\nDisallow: /\n", headers={"Content-Type": "text/plain"})
    assert ("unreadable", []) == (only(answer(cited()), web).state, server.paths)


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "file:///etc/passwd", "javascript:alert(1)", "http://[::1", "no address", ""])
def test_what_is_no_public_address_is_not_asked(url: str, server: Server, web: Callable[[], Fetcher]) -> None:
    assert ("unreadable", 0) == (only(answer(cited(url)), web).state, server.connections)


def test_a_page_that_moved_is_followed_and_said_so(site: Site, web: Callable[[], Fetcher]) -> None:
    site.pages |= {"/old": redirect("/", 301)}
    row = only(answer(cited(f"{A}/old")), web)
    assert ("same", f"{A}/", f"it is at {A}/ now") == (row.state, row.found, row.reason)
    site.pages["/"] = page("<p>Welcome to our new site.</p>")
    row = only(answer(cited(f"{A}/old")), web)
    assert ("changed", f"{A}/", "its words are not there any more") == (row.state, row.found, row.reason)


def test_a_page_that_repeats_its_address_proves_nothing(site: Site, web: Callable[[], Fetcher]) -> None:
    site.pages["/search"] = page(HTML)
    row = only(answer(cited(f"{A}/search?q={quote(SNIPPET)}")), web)
    assert ("unreadable", True) == (row.state, "repeats its address" in row.reason)
    assert "same" == only(answer(cited(f"{A}/search?q=curie&page=2")), web).state


def test_rows_of_one_page_read_it_once(server: Server, web: Callable[[], Fetcher]) -> None:
    rows = (cited(), cited(f"{B}/"), cited(f"{A}/#life", FIRST), cited(f"{A}/", "Nobody ever wrote these words."))
    found = audited(answer(*rows), web)
    assert ["same", "same", "same", "changed"] == [row.state for row in found.citations]
    assert [0, 1, 2, 3] == [row.citation_index for row in found.citations]
    assert ["/", "/"] == server.paths


@pytest.mark.parametrize(
    "edit",
    [
        {"snippet": SNIPPET.replace("Warsaw", "Paris")},
        {"snippet_sha256": "0" * 64},
        {"snippet_hash": "0" * 16},
        {"snippet_sha256": hashlib.sha256(b"else").hexdigest(), "snippet_hash": hashlib.sha256(b"else").hexdigest()[:16]},
    ],
)
def test_a_row_that_was_edited_is_altered_and_not_fetched(edit: dict[str, str], server: Server, web: Callable[[], Fetcher]) -> None:
    found = audited(answer(cited().model_copy(update=edit)), web)
    assert ("altered", "differs", 0) == (found.citations[0].state, found.outcome, server.connections)


@given(data=st.data())
@settings(max_examples=60)
def test_any_edit_of_a_snippet_is_found(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(SNIPPET)))
    end = data.draw(st.integers(at, len(SNIPPET)))
    edited = SNIPPET[:at] + data.draw(st.text(max_size=8)) + SNIPPET[end:]
    row = cited().model_copy(update={"snippet": edited})
    state = audited(answer(row), lambda: fetcher({})).citations[0].state
    assert ("unreadable" if edited == SNIPPET else "altered") == state


BEGINNINGS = ["", "http://", "https://a.example.com/", "//", "http://[", "HTTP://b.example.com:"]
ODD_URLS = st.builds("{}{}".format, st.sampled_from(BEGINNINGS), st.text())


@given(url=ODD_URLS, snippet=st.text(), claim=st.text(), witness=st.sampled_from(["held", "wire", "attested"]))
@settings(max_examples=100, deadline=None)
def test_whatever_a_file_names_that_nobody_answers_for_is_unreadable(url: str, snippet: str, claim: str, witness: str) -> None:
    found = audited(answer(cited(url, snippet, witness=witness), claims=((claim, 0),)), lambda: fetcher({}))
    assert "unreadable" == found.citations[0].state


@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_an_edit_with_its_digests_made_anew_is_found_on_the_page(data: st.DataObject) -> None:
    letters = [at for at, char in enumerate(SNIPPET) if char.isalnum()]
    at = data.draw(st.sampled_from(letters))
    char = data.draw(st.sampled_from("0123456789abcxyzABCXYZ\u00e9\u4e00").filter(lambda one: one.casefold() != SNIPPET[at].casefold()))
    edited = SNIPPET[:at] + char + SNIPPET[at + 1 :]
    with Server(Site()) as server:
        row = only(answer(cited(snippet=edited), claims=((edited, 0),)), lambda: fetcher({PUBLIC: server}))
    assert "changed" == row.state


@pytest.mark.parametrize(
    ("claim", "stands"),
    [
        (FIRST, True),
        (SECOND, True),
        (SNIPPET, True),
        (FIRST.replace("Warsaw", "Paris"), False),
        (FIRST.replace("Marie Curie", "marie curie"), False),
        (SECOND.replace("\u2013", "-"), False),
        ("arie Curie was born in Warsaw in 186", False),
        ("In Warsaw.", False),
        ("", False),
    ],
)
def test_a_claim_stands_in_its_citation(claim: str, stands: bool, web: Callable[[], Fetcher]) -> None:
    found = audited(answer(cited(), claims=((claim, 0),)), web)
    assert ("same", "same" if stands else "differs") == (found.citations[0].state, found.outcome)
    assert ([] if stands else [(claim, 0)]) == [(one.text, one.citation_index) for one in found.misplaced]


def test_a_claim_that_leaves_out_a_not_does_not_stand_in_its_citation(site: Site, web: Callable[[], Fetcher]) -> None:
    words = "It is not true that the reactor was ever switched on."
    site.pages["/"] = page(f"<p>{words}</p>")
    found = audited(answer(cited(snippet=words), claims=(("the reactor was ever switched on", 0),)), web)
    assert ("differs", 1, "same") == (found.outcome, len(found.misplaced), found.citations[0].state)


def test_a_claim_of_another_row_is_misplaced(web: Callable[[], Fetcher]) -> None:
    found = audited(answer(cited(snippet=FIRST), cited(snippet=SECOND), claims=((FIRST, 1), (FIRST, 0))), web)
    assert [(FIRST, 1)] == [(one.text, one.citation_index) for one in found.misplaced]


def test_candidates_are_audited_as_claims_are(web: Callable[[], Fetcher]) -> None:
    candidate: dict[str, Any] = {"title": None, "url": f"{A}/", "domain": "example.com", "citation_index": 0}
    candidates = tuple({**candidate, "passage": words} for words in (FIRST, "An actress."))
    told = {
        "ok": False,
        "query": "Who?",
        "refusal_reason": "Several people.",
        "citations": (cited(),),
        "disambiguation_candidates": candidates,
    }
    found = audited(ResearchOutcome.model_validate(told), web)
    assert ("differs", "Several people.", ["An actress."]) == (found.outcome, found.refusal_reason, [one.text for one in found.misplaced])


def test_a_refusal_without_citations_is_nothing_to_audit(server: Server, web: Callable[[], Fetcher]) -> None:
    found = audited(ResearchOutcome(ok=False, query="Who?", refusal_reason="There is not enough evidence."), web)
    assert Audit(outcome="nothing", query="Who?", refusal_reason="There is not enough evidence.") == found
    assert 0 == server.connections


def test_each_row_is_told_to_who_watches(web: Callable[[], Fetcher]) -> None:
    watched = Watched()
    audit_outcome(answer(cited(), cited()), fetcher=web, gateway=no_store, policy=POLICY, progress=watched)
    assert [("auditing", 1, 2), ("auditing", 2, 2)] == watched.steps
