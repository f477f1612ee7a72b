"""Google Search of Gemini's own: every place that is handed in is proved on the bytes that were served, as the host does it."""

from __future__ import annotations

from typing import Any

import pytest
from veridical.kernel.policy import load_policy
from veridical.kernel.spans import to_codepoints
from veridical_contract import ChatReply, ChatRequest, GroundingSpan, Message, SearchQuery, WirePlace
from veridical_google import GoogleChat

from plugins.google.tests.kit import Api, Http, api, assert_proved, encoded, plugin, proved, reply, text

REDIRECT = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQ=="
UEFA = {"web": {"uri": f"{REDIRECT}uefa", "title": "uefa.com"}}
PLAIN = {"web": {"uri": "https://example.org/café?a=1&b=2", "title": "example.org"}}
MAP = {"maps": {"uri": "https://maps.google.com/?cid=1", "title": "A place"}}
INTRO, NEWS = "Café \U0001f9ea intro. ", "Spain won 2\u20131 in 2024. See https://invented.example/x"
ASKED = ChatRequest(task="ground", messages=(Message(role="user", text="Who won?"),), question="Who won?")


def segment(part: str, words: str, number: int = 0) -> dict[str, Any]:
    """A segment as the API sends it: bytes, relative to its part, what is 0 left out."""
    start = len(part[: part.index(words)].encode())
    found = {"partIndex": number, "startIndex": start, "endIndex": start + len(words.encode())}
    return {name: value for name, value in found.items() if value} | {"text": words}


def support(found: dict[str, Any], *chunks: int) -> dict[str, Any]:
    return {"segment": found, "groundingChunkIndices": list(chunks), "confidenceScores": [0.9] * len(chunks)}


def rests_on(*chunks: dict[str, Any], supports: list[dict[str, Any]], queries: tuple[str, ...] = ("euro winner",)) -> dict[str, Any]:
    entry = {"renderedContent": '<a href="https://vertexaisearch.cloud.google.com/grounding-api-redirect/chip">chip</a>'}
    return {"groundingChunks": list(chunks), "groundingSupports": supports, "webSearchQueries": list(queries), "searchEntryPoint": entry}


SUPPORTS = [support(segment(INTRO, "Café \U0001f9ea"), 1), support(segment(NEWS, "Spain won 2\u20131 in 2024.", 1), 0, 1, 0)]
ANSWER = reply(INTRO, NEWS, grounding=rests_on(UEFA, PLAIN, supports=SUPPORTS))


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def streamed(request: pytest.FixtureRequest) -> bool:
    return request.param


def grounded(chat: GoogleChat, *, streamed: bool, request: ChatRequest = ASKED) -> ChatReply:
    if not streamed:
        return chat.chat(request=request)
    *_, last = chat.stream(request=request)
    assert last.reply is not None
    return last.reply


def sliced(found: ChatReply, span: GroundingSpan) -> str:
    """The words of a span, as the host slices them: exactly, or not at all."""
    start, end = to_codepoints(found.parts[span.part], span.start, span.end, span.unit, policy=load_policy(), expected=span.text)
    return found.parts[span.part][start:end]


def assert_all_proved(chat: GoogleChat, server: Api, found: ChatReply) -> None:
    assert found.grounding is not None
    for chunk in found.grounding.chunks:
        assert_proved(chat, server, chunk)
    for span in found.grounding.spans:
        assert sliced(found, span) == span.text
        assert all(0 <= number < len(found.grounding.chunks) for number in span.chunks)


def test_pages_are_chunks_and_segments_are_spans_in_bytes_of_their_part() -> None:
    with api([ANSWER]) as server:
        chat = plugin(server)
        found = grounded(chat, streamed=False)
        assert_all_proved(chat, server, found)
    grounding = found.grounding
    assert grounding is not None
    assert [(each.url, each.title, each.redirect) for each in grounding.chunks] == [
        (f"{REDIRECT}uefa", "uefa.com", True),
        ("https://example.org/café?a=1&b=2", "example.org", False),
    ]
    assert [(each.part, each.start, each.end, each.unit, each.text, each.chunks) for each in grounding.spans] == [
        (0, 0, 10, "utf8", "Café \U0001f9ea", (1,)),
        (1, 0, 24, "utf8", "Spain won 2\u20131 in 2024.", (0, 1)),
    ]
    assert (grounding.queries, found.usage.searches) == (("euro winner",), 1)
    assert found.text == INTRO + NEWS


def test_a_stream_says_the_same_as_a_document_at_other_places() -> None:
    words = INTRO + NEWS
    answer = reply(words, grounding=rests_on(UEFA, PLAIN, supports=[support(segment(words, "Spain won 2\u20131 in 2024."), 0)]))
    with api([answer]) as server:
        chat = plugin(server)
        whole, pieces = grounded(chat, streamed=False), grounded(chat, streamed=True)
        for found in (whole, pieces):
            assert_all_proved(chat, server, found)
    assert whole.grounding is not None
    assert pieces.grounding is not None
    assert whole.grounding.chunks[1].place == WirePlace(map="chunks", item="/candidates/0/groundingMetadata/groundingChunks/1/web")
    place = WirePlace(map="stream-chunks", item="/2/candidates/0/groundingMetadata/groundingChunks/1/web")
    assert pieces.grounding.chunks[1].place == place
    assert whole.grounding.spans == pieces.grounding.spans
    assert whole.model_copy(update={"grounding": None}) == pieces.model_copy(update={"grounding": None})


def test_an_invented_url_and_the_search_suggestions_have_no_place(streamed: bool) -> None:
    with api([ANSWER]) as server:
        chat = plugin(server)
        found = grounded(chat, streamed=streamed)
        assert "invented.example" not in str(found.grounding)
        assert "chip" not in str(found.grounding)
        prefix = "/candidates/0"
        for item in (
            f"{prefix}/content/parts/1",
            f"{prefix}/groundingMetadata/searchEntryPoint",
            f"{prefix}/groundingMetadata/groundingChunks/9/web",
        ):
            assert proved(chat, server, WirePlace(map="chunks", item=item)) == []


def test_what_is_no_web_page_is_no_chunk_and_the_numbers_of_the_others_stay_right(streamed: bool) -> None:
    words = "One. Two. Three. Four."
    supports = [
        support(segment(words, "One."), 0),
        support(segment(words, "Two."), 1, 2),
        support(segment(words, "Three."), 7, -1),
        support(segment(words, "Four.")),
        {"groundingChunkIndices": [1]},
    ]
    with api([reply(words, grounding=rests_on(MAP, UEFA, PLAIN, supports=supports))]) as server:
        chat = plugin(server)
        found = grounded(chat, streamed=streamed)
        assert_all_proved(chat, server, found)
    assert found.grounding is not None
    assert [each.title for each in found.grounding.chunks] == ["uefa.com", "example.org"]
    assert [(each.text, each.chunks) for each in found.grounding.spans] == [("Two.", (0, 1))]


@pytest.mark.parametrize("shift", [{"startIndex": 1}, {"endIndex": 9}, {"partIndex": 1}, {"partIndex": 5}, {"endIndex": 999}])
def test_offsets_that_are_off_are_handed_on_as_they_came_and_refused_by_the_host(shift: dict[str, int]) -> None:
    wrong = support({**segment(INTRO, "Café \U0001f9ea"), **shift}, 0)
    with api([reply(INTRO, NEWS, grounding=rests_on(UEFA, supports=[wrong]))]) as server:
        found = grounded(plugin(server), streamed=False)
    assert found.grounding is not None
    (span,) = found.grounding.spans
    assert {"startIndex": span.start, "endIndex": span.end, "partIndex": span.part} == {
        "startIndex": 0,
        "endIndex": 10,
        "partIndex": 0,
        **shift,
    }
    with pytest.raises((ValueError, IndexError)):
        sliced(found, span)


def test_events_that_each_say_what_they_rest_on_are_put_together() -> None:
    first, second = "One. ", "Two."
    events = [
        reply(first, finish=None, grounding=rests_on(UEFA, supports=[support(segment(first, "One."), 0)], queries=("a",))),
        reply(second, grounding=rests_on(PLAIN, supports=[support(segment(first + second, "Two."), 0)], queries=("b",))),
    ]
    body = b"".join(b"data: " + encoded(each) + b"\n\n" for each in events)
    with api([Http(body, type="text/event-stream")]) as server:
        chat = plugin(server)
        found = grounded(chat, streamed=True)
        assert_all_proved(chat, server, found)
    assert found.grounding is not None
    assert [(each.text, each.chunks) for each in found.grounding.spans] == [("One.", (0,)), ("Two.", (1,))]
    assert found.grounding.queries == ("a", "b")


def test_the_spans_of_a_continued_reply_count_its_own_parts_and_pages(streamed: bool) -> None:
    first = reply(
        "One. ", finish="CONTINUATION", continuationToken="AQ==", grounding=rests_on(UEFA, supports=[support(segment("One. ", "One."), 0)])
    )
    second = reply("Two.", grounding=rests_on(PLAIN, supports=[support(segment("Two.", "Two."), 0)]))
    with api([first, second]) as server:
        chat = plugin(server)
        found = grounded(chat, streamed=streamed)
        assert found.grounding is not None
        for chunk in found.grounding.chunks:
            assert (chunk.url, chunk.title) in [(each["url"], each["title"]) for each in proved(chat, server, chunk.place)]
    assert [(each.part, each.text, each.chunks) for each in found.grounding.spans] == [(0, "One.", (0,)), (1, "Two.", (1,))]
    assert [sliced(found, span) for span in found.grounding.spans] == ["One.", "Two."]


def test_a_reply_that_did_not_search_rests_on_nothing(streamed: bool) -> None:
    with api([reply("I know it.")]) as server:
        found = grounded(plugin(server), streamed=streamed)
    assert found.grounding is not None
    assert (found.grounding.chunks, found.grounding.spans, found.usage.searches) == ((), (), 0)


@pytest.mark.parametrize(
    ("search", "range_"),
    [
        (SearchQuery(text="q"), None),
        (SearchQuery(text="q", since="2024-02-28", until="2024-02-29"), ("2024-02-28T00:00:00+00:00", "2024-03-01T00:00:00+00:00")),
        (SearchQuery(text="q", since="2024-02-28"), ("2024-02-28T00:00:00+00:00", "2026-11-22T06:00:00+00:00")),
        (SearchQuery(text="q", until="2024-02-29"), ("1970-01-01T00:00:00+00:00", "2024-03-01T00:00:00+00:00")),
    ],
)
def test_the_search_carries_its_range_of_time(search: SearchQuery, range_: tuple[str, str] | None) -> None:
    with api([ANSWER]) as server:
        plugin(server).chat(request=ASKED.model_copy(update={"search": search}))
    # The SDK writes these two names as protocol buffers spell them, which JSON of such takes as well.
    told = {"timeRangeFilter": {"start_time": range_[0], "end_time": range_[1]}} if range_ else {}
    assert server.served[0].body["tools"] == [{"googleSearch": told}]


def test_a_language_is_asked_for_in_words() -> None:
    with api([ANSWER]) as server:
        plugin(server).chat(request=ASKED.model_copy(update={"search": SearchQuery(text="q", language="fr")}))
    assert server.served[0].body["contents"][-1]["parts"] == [text("Use only pages in the language fr.")]


@pytest.mark.parametrize(
    "url",
    [
        "https://vertexaisearch.cloud.google.com/other/x",
        "https://vertexaisearch.cloud.google.com.evil.example/grounding-api-redirect/x",
        "https://[bad",
        "mailto:a@b.example",
    ],
)
def test_only_googles_own_redirects_are_called_redirects(url: str) -> None:
    with api([reply("One.", grounding=rests_on({"web": {"uri": url}}, supports=[]))]) as server:
        found = grounded(plugin(server), streamed=False)
    assert found.grounding is not None
    assert [(each.url, each.title, each.redirect) for each in found.grounding.chunks] == [(url, None, False)]
