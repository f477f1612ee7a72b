"""I2: a released URL is an admitted document's URL; one in prose is that of evidence the same claim cites, or the claim drops."""

import re

from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.admission import Trust
from veridical_contract import Item, Locator

from tests.properties.liars import PROSE, LyingChat, LyingSource, lies
from tests.properties.world import ROWS, World, assert_true

URLS = [row.url for row in ROWS if row.url is not None]
BAD = [
    "javascript:alert(1)", "ftp://a.example/1", "https://user:pw@a.example/1", "http://10.0.0.1/", "http://0x7f.1/", "http://[::1]/",
    "http://2130706433/", "https://a.example\\@evil.example/", "https://xn--80ak6aa92e.com/", "https://\u0430pple.com/", "https://a.example/\u202e1",
    "https://a.example/\x00", "https://a.example/ 1", "//a.example/1", "https:///1", "", " ", "https://localhost/", "http://169.254.169.254/",
]  # fmt: skip


def admitted(item: Item, **trust: object) -> list[str | None]:
    """The URLs that are admitted of `item` and of nothing else."""

    class One:
        def read(self, request: object) -> object:
            from veridical_contract import SourceBatch

            yield SourceBatch(container=item.locator.container, items=(item,), done=True)

    world = World(source=One(), trust={"rows": Trust(**trust)})  # type: ignore[arg-type]
    from veridical_contract import SourceRequest

    return [one.document.url for batch in world.gateway().read("rows", SourceRequest(origin="rows")) for one in batch.documents]


@given(lies(["url", "no url", "link", "locator", "message", "pointer", "null"]))
def test_no_url_leaves_that_no_row_holds(told: list[tuple[str, int, int]]) -> None:
    published = World(source=LyingSource(told)).outcome()
    assert published is not None
    assert_true(published)
    assert "evil" not in published.report_bytes.decode()


@given(
    st.sampled_from(["whole", "first sentence"]),
    st.lists(st.tuples(st.sampled_from(sorted(PROSE)), st.integers(0, 30), st.integers(0, 30)), min_size=1),
)
def test_a_url_in_prose_is_that_of_cited_evidence_or_the_claim_drops(kind: str, words: list[tuple[str, int, int]]) -> None:
    quotes = [(kind, at, at) for at in range(6)]
    published = World(chat=LyingChat(quotes, [("invented URL", 0, 0), ("URL of evidence", 1, 2), *words])).outcome()
    assert published is not None
    assert_true(published)
    assert set(re.findall(r"https?://[^\s\"]+", published.report_bytes.decode())) <= set(URLS)


@given(st.sampled_from(BAD), st.booleans())
def test_an_inadmissible_url_goes_and_the_record_stays(url: str, attested: bool) -> None:
    item = Item(text="Some words of a search result.", url=url, locator=Locator(container="reply"))
    assert admitted(item, attested=attested) == ([None] if attested else [])


@given(st.sampled_from(URLS))
def test_an_attested_url_counts_only_where_the_operator_named_the_plugin(url: str) -> None:
    item = Item(text="Some words of a search result.", url=url, locator=Locator(container="reply"))
    assert admitted(item) == []
    assert admitted(item, attested=True) == [url]


def test_a_link_without_text_is_no_evidence() -> None:
    assert admitted(Item(url=URLS[0], locator=Locator(container="reply")), attested=True) == []
