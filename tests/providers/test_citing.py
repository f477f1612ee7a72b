"""Own evidence cited by a provider's own means: what a citation points at is compared with what was sent, and confirmed like any quote."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .service import Answer, Asked, as_json
from .test_grounded import asking, claims

QUESTION = "why does the printer jam"
WORDS = "The printer jams since the rollers are worn, says the log of the workshop."
CLAIM = "The rollers are worn."


def reply(content: list[dict[str, Any]]) -> Answer:
    usage = {"input_tokens": 10, "output_tokens": 5}
    head: dict[str, Any] = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test", "usage": usage}
    return as_json(head | {"content": content, "stop_reason": "end_turn", "stop_sequence": None})


def passages(asked: Asked) -> list[tuple[str, str]]:
    """The identifier of each passage that was sent, and the text of its first block."""
    sent = [part for message in asked.json["messages"] if isinstance(message["content"], list) for part in message["content"]]
    return [(part["source"], part["content"][0]["text"]) for part in sent if part["type"] == "search_result"]


def answering(text: str = CLAIM, **changes: Any) -> Callable[[Asked], Answer]:
    def answer(asked: Asked) -> Answer:
        where, (source, words) = next((number, one) for number, one in enumerate(passages(asked)) if "rollers" in one[1])
        place = {"search_result_index": where, "start_block_index": 0, "end_block_index": 1, "source": source, "title": None}
        citation = {"type": "search_result_location", "cited_text": words, **place, **changes}
        return reply([{"type": "text", "text": text, "citations": [citation]}, {"type": "text", "text": "It was Otto Hahn in 1906."}])

    return answer


def ask(folder: Path, answer: Callable[[Asked], Answer]) -> list[tuple[str, list[str]]]:
    (folder / "notes").mkdir()
    (folder / "notes" / "log.txt").write_text(WORDS, "utf-8")
    (folder / "notes" / "more.txt").write_text("The printer is in the cold room, and the paper of the printer is damp there.", "utf-8")
    with asking("anthropic", "ANTHROPIC_API_KEY", folder, answer) as (veridical, _):
        published = veridical.research(QUESTION, paths=["notes"], cite=True)
    assert b"Hahn" not in published.report_bytes
    return claims(published)


_PLACES: list[dict[str, Any]] = [
    {},
    {"search_result_index": 99},
    {"start_block_index": 7, "end_block_index": 8},
    {"start_block_index": 1, "end_block_index": 1},
]


@pytest.mark.parametrize("place", _PLACES, ids=["right", "another passage", "outside of it", "nothing"])
def test_a_citation_of_words_that_were_not_sent_makes_none_wherever_it_points(tmp_path: Path, place: dict[str, Any]) -> None:
    assert ask(tmp_path, answering(cited_text="The rollers are as good as new.", **place)) == []


@pytest.mark.parametrize("place", _PLACES, ids=["right", "another passage", "outside of it", "nothing"])
def test_words_that_were_sent_are_found_where_they_stand_wherever_the_citation_points(tmp_path: Path, place: dict[str, Any]) -> None:
    assert ask(tmp_path, answering(**place)) == [(CLAIM, [WORDS])]


def test_a_number_that_the_cited_words_do_not_have_is_not_released(tmp_path: Path) -> None:
    assert "since 1906" not in str(ask(tmp_path, answering("The rollers are worn since 1906.")))
