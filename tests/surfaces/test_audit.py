"""`veridical audit`: the file that is read, the pages and the store that it is held against, over the command line and in Python."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from veridical import AsyncVeridical, Veridical
from veridical.cli import main
from veridical_contract import Audit, ResearchOutcome, UsageError

from core.tests.wire.fetching.kit import Answer, Server
from tests.providers.service import Answer as Answered
from tests.providers.service import Asked
from tests.providers.several import several
from tests.providers.test_research import PROVIDERS, Hit

from .conftest import Ran
from .test_ground import CURIE, QUESTION

BRAVE = next(provider for provider in PROVIDERS if provider.name == "brave")

WORDS = "The bridge over the river was closed in March since a pillar had sunk."
PAGE = f"<h1>News</h1><p>{WORDS}</p>".encode()
LOCAL = "The frame of the door is bent, and the carpenter was called twice."


def row(url: str | None, snippet: str = WORDS, **fields: Any) -> dict[str, Any]:
    digest = hashlib.sha256(snippet.encode()).hexdigest()
    known = {"url": url, "title": "News", "snippet": snippet, "snippet_sha256": digest, "snippet_hash": digest[:16]}
    return known | {"retrieved_at": "2026-11-22T12:00:00Z", "rank": 1, "domain": "example.com", "witness": "held"} | fields


def answer(*rows: dict[str, Any]) -> dict[str, Any]:
    claims = [{"text": one["snippet"], "citation_index": index} for index, one in enumerate(rows)]
    return {"ok": True, "query": "What?", "sections": [{"heading": "example.com", "claims": claims}], "citations": list(rows)}


def written(folder: Path, outcome: Any) -> Path:
    path = folder / "outcome.json"
    path.write_text(outcome if isinstance(outcome, str) else json.dumps(outcome), "utf-8")
    return path


@pytest.fixture
def pages() -> dict[str, Answer]:
    return {"/page": Answer(PAGE)}


@pytest.fixture
def server(pages: dict[str, Answer]) -> Iterator[Server]:
    with Server(lambda path, _: pages.get(path, Answer(b"", 404))) as server:
        yield server


@pytest.fixture
def host(server: Server) -> str:
    return f"127.0.0.1:{server.port}"


@pytest.fixture
def facade(tmp_path: Path) -> Iterator[Veridical]:
    with Veridical(home=tmp_path / "home", base=tmp_path) as opened:
        yield opened


# The command


def test_an_outcome_that_stands_is_said_so(veridical: Callable[..., Ran], tmp_path: Path, host: str) -> None:
    written(tmp_path, answer(row(f"http://{host}/page")))
    ran = veridical("audit", "outcome.json", "--host", host)
    assert (0, "") == (ran.code, ran.err)
    assert [["state", "cited", "where"], ["same", "[1]", f"http://{host}/page"]] == [line.split() for line in ran.out.splitlines()]


def test_what_changed_is_gone_or_was_edited_is_told_apart(
    veridical: Callable[..., Ran], tmp_path: Path, host: str, pages: dict[str, Answer]
) -> None:
    pages["/page"] = Answer(PAGE.replace(b"March", b"April"))
    outcome = answer(row(f"http://{host}/page"), row(f"http://{host}/none"), row(f"http://{host}/page", snippet_hash="0" * 16))
    outcome["sections"][0]["claims"].append({"text": "The bridge was blown up.", "citation_index": 0})
    written(tmp_path, outcome)
    ran = veridical("audit", "outcome.json", "--allow-host", host)
    assert (4, ["changed", "gone", "altered"]) == (ran.code, [line.split()[0] for line in ran.out.splitlines()[1:]])
    assert f"nearest: {WORDS.replace('March', 'April')}" in ran.err
    assert "[2] " in ran.err
    assert "status 404" in ran.err
    assert "[3] its words and their digests do not agree" in ran.err
    assert "[1] claim not in its citation: The bridge was blown up." in ran.err


def test_the_result_is_json_when_asked_for(veridical: Callable[..., Ran], tmp_path: Path, host: str, server: Server) -> None:
    written(tmp_path, answer(row(f"http://{host}/page")))
    ran = veridical("audit", "outcome.json", "--json")
    found = Audit.model_validate_json(ran.out)
    assert (5, "incomplete", "unreadable", 0) == (ran.code, found.outcome, found.citations[0].state, server.connections)
    assert "private" in found.citations[0].reason


def test_a_refusal_is_said_to_be_one(veridical: Callable[..., Ran], tmp_path: Path) -> None:
    written(tmp_path, {"ok": False, "query": "Who?", "refusal_reason": "There is not enough evidence."})
    ran = veridical("audit", "outcome.json")
    assert (5, "") == (ran.code, ran.out)
    said = ["The outcome is a refusal: There is not enough evidence.", "It has no citations: there is nothing to audit."]
    assert said == ran.err.splitlines()


def test_words_of_the_file_and_of_the_page_do_not_move_the_cursor(
    tmp_path: Path, host: str, pages: dict[str, Answer], capfd: pytest.CaptureFixture[str]
) -> None:
    pages["/page"] = Answer(PAGE.replace(b"March", b"&#27;[2J\xc2\x9b April"))
    outcome = answer(row(f"http://{host}/page"))
    outcome["sections"][0]["claims"][0]["text"] = "\x1b[2J\u202eclaim"
    path = written(tmp_path, outcome)
    assert 4 == main(["--home", str(tmp_path / "home"), "audit", str(path), "--host", host])
    printed = "".join(capfd.readouterr())
    assert "\u27e6U+001B\u27e7" in printed
    assert not {"\x1b", "\x9b", "\u202e"} & set(printed)


# The file


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is empty or no file"),
        ("no json", "no JSON that can be relied on"),
        ("[]", "the whole"),
        ('{"format": "veridical.report/1"}', "ok: Field required"),
        ('{"ok": true, "ok": false, "query": "Who?", "refusal_reason": "No."}', "a key is given twice"),
        ('{"ok": false, "query": "Who?", "refusal_reason": "No.", "coverage_score": NaN}', "NaN is no number"),
        ('{"ok": false, "query": "Who?", "refusal_reason": "No.", "coverage_score": 1e999}', "coverage_score"),
        ('{"ok": false, "query": "\\ud800", "refusal_reason": "No."}', "surrogates"),
        ('{"ok": false, "query": "Who?", "refusal_reason": "No.", "answer": "42"}', "answer: Extra inputs"),
        ('{"ok": true, "query": "Who?"}', "an outcome has sections"),
        ("[" * 100_000, "nested too deeply"),
        ('{"ok": ' + "9" * 5000 + "}", "no JSON that can be relied on"),
    ],
)
def test_a_file_that_is_no_outcome_is_refused_in_one_line(text: str, said: str, tmp_path: Path, facade: Veridical) -> None:
    written(tmp_path, text)
    with pytest.raises(UsageError, match="is no research outcome: ") as raised:
        facade.audit("outcome.json")
    assert said in raised.value.message
    assert "\n" not in raised.value.message
    assert 'veridical ground "QUESTION" --json' in raised.value.hint


def test_the_command_says_it_in_one_line_too(veridical: Callable[..., Ran], tmp_path: Path) -> None:
    written(tmp_path, '{"\\u001b[2J": 1}')
    for name in ("outcome.json", "none.json", "."):
        ran = veridical("audit", name)
        assert (2, "") == (ran.code, ran.out)
        assert "is no research outcome" in ran.line()


def test_bytes_that_are_no_utf8_are_refused(tmp_path: Path, facade: Veridical) -> None:
    (tmp_path / "outcome.json").write_bytes(json.dumps({"ok": False}).encode("utf-16"))
    with pytest.raises(UsageError, match="no JSON that can be relied on"):
        facade.audit("outcome.json")


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, facade: Veridical) -> None:
    with (tmp_path / "outcome.json").open("wb") as file:
        file.truncate((64 << 20) + 1)
    with pytest.raises(UsageError, match="more than 64 MiB"):
        facade.audit(tmp_path / "outcome.json")


# Local evidence


@pytest.fixture
def notes(tmp_path: Path, facade: Veridical) -> Path:
    (tmp_path / "notes").mkdir()
    path = tmp_path / "notes" / "door.txt"
    path.write_text(f"It was cold.\n\n{LOCAL} Nobody came.\n")
    facade.add_source("notes", ["notes"])
    return path


def local(facade: Veridical, snippet: str = LOCAL, **fields: Any) -> tuple[str, str]:
    found = facade.audit(ResearchOutcome.model_validate_json(json.dumps(answer(row(None, snippet, **fields)))))
    return found.outcome, found.citations[0].state


@pytest.mark.usefixtures("notes")
def test_a_row_without_a_url_is_read_again_from_the_store(facade: Veridical) -> None:
    found = facade.audit(ResearchOutcome.model_validate_json(json.dumps(answer(row(None, LOCAL)))))
    (place,) = facade.find_quote(LOCAL).places
    assert ("same", "same", place.id) == (found.outcome, found.citations[0].state, found.citations[0].found)


@pytest.mark.usefixtures("notes")
def test_a_passage_that_crosses_a_blank_line_is_found(facade: Veridical) -> None:
    assert ("same", "same") == local(facade, f"It was cold.\n\n{LOCAL}")


def test_a_passage_that_holds_words_of_others_is_found_by_its_longest_line(facade: Veridical, notes: Path) -> None:
    notes.write_text(f"> Who said that?\n{LOCAL}\n")
    facade.sync_sources()
    outcome = answer(row(None, f"> Who said that?\n{LOCAL}"))
    outcome["sections"][0]["claims"][0]["text"] = LOCAL
    assert "same" == facade.audit(written(notes.parent.parent, outcome)).outcome


@pytest.mark.usefixtures("notes")
def test_words_that_the_store_does_not_have_are_gone(facade: Veridical) -> None:
    assert ("differs", "gone") == local(facade, LOCAL.replace("carpenter", "locksmith"))


def test_the_store_as_it_is_now_decides(facade: Veridical, notes: Path) -> None:
    notes.write_text(f"It is not true that {LOCAL[0].lower()}{LOCAL[1:]}\n")
    facade.sync_sources()
    assert ("differs", "changed") == local(facade)
    notes.write_text("Nothing.\n")
    facade.sync_sources()
    assert ("differs", "gone") == local(facade)


def test_an_empty_store_has_nothing(facade: Veridical) -> None:
    assert ("differs", "gone") == local(facade)


@pytest.mark.usefixtures("notes")
def test_of_too_few_words_nobody_says_that_they_are_gone(facade: Veridical) -> None:
    assert ("incomplete", "unreadable") == local(facade, "door is")


def test_a_document_with_a_url_is_not_the_local_one(facade: Veridical, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text(json.dumps({"text": LOCAL, "url": "https://shop.example/door"}) + "\n")
    facade.add_source("rows", ["rows.jsonl"])
    assert 1 == facade.find_quote(LOCAL).total
    assert ("differs", "gone") == local(facade)


@pytest.mark.usefixtures("notes")
@pytest.mark.parametrize("table", ["documents", "raws"])
def test_what_was_altered_in_the_store_is_never_the_same(table: str, facade: Veridical, tmp_path: Path) -> None:
    assert ("same", "same") == local(facade)
    with closing(sqlite3.connect(tmp_path / "home" / "store.sqlite3")) as database, database:
        database.execute(f"UPDATE {table} SET body = zeroblob(length(body))")
    assert ("incomplete", "unreadable") == local(facade)


# What `ground` prints


def pages_of(asked: Asked) -> Answered:
    """The pages of two hits, and Brave's reply that names them."""
    if asked.path == "/robots.txt":
        return Answered(status=404)
    texts = [CURIE[0].text.rpartition(" She was")[0], CURIE[2].text]
    if asked.path.startswith("/page/"):
        html = f"<title>Curie</title><main><p>It rained. {texts[int(asked.path[-1])]} Nobody knew.</p></main>"
        return Answered(html.encode(), headers={"Content-Type": "text/html; charset=utf-8"})
    urls = [f"http://{asked.headers['host']}/page/{number}" for number in range(len(texts))]
    return BRAVE.reply([Hit(url, "Curie", text) for url, text in zip(urls, texts, strict=True)], "")


@pytest.mark.parametrize(("pages", "witness"), [(0, "wire"), (2, "held")])
def test_what_ground_says_of_the_web_is_found_again(pages: int, witness: str, tmp_path: Path) -> None:
    with several(tmp_path, {"brave": pages_of}) as home:
        hosts = [home.services["brave"].url.removeprefix("http://")]
        settings = home.home / "settings.toml"
        settings.write_text(settings.read_text().replace("[plugins.hosts]\n", f"[plugins.hosts]\nfetch = {json.dumps(hosts)}\n"))
        with home.open() as opened:
            written(tmp_path, opened.ground(QUESTION, pages=pages).model_dump_json())
            found = opened.audit("outcome.json")
    told = json.loads((tmp_path / "outcome.json").read_text())
    assert [witness] * 2 == [one["witness"] for one in told["citations"]]
    assert ("same", ["same", "same"], ()) == (found.outcome, [one.state for one in found.citations], found.misplaced)


def test_what_ground_says_of_local_files_is_found_again(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "curie.md").write_text(f"# Curie\n\n{CURIE[2].text} It was cold.\n\n> {CURIE[0].text}\n")
    home = ["--home", str(tmp_path / "home")]
    assert 0 == main([*home, "ground", QUESTION, "--from", str(tmp_path / "notes"), "--json"])
    printed = capfd.readouterr().out
    assert [None] == [one["url"] for one in json.loads(printed)["citations"]]
    written(tmp_path, printed)
    assert 0 == main([*home, "audit", str(tmp_path / "outcome.json")])
    assert ["same", "[1]"] == capfd.readouterr().out.splitlines()[1].split()[:2]


# In Python


def test_a_page_is_read_by_the_facade_as_by_the_command(facade: Veridical, tmp_path: Path, host: str) -> None:
    path = written(tmp_path, answer(row(f"http://{host}/page")))
    outcome = ResearchOutcome.model_validate_json(path.read_bytes())
    assert facade.audit(outcome, hosts=[host]) == facade.audit("outcome.json", hosts=[host])


def test_it_is_a_coroutine_too(tmp_path: Path) -> None:
    async def run() -> Audit:
        async with AsyncVeridical(Veridical(home=tmp_path / "home", base=tmp_path)) as veridical:
            return await veridical.audit("outcome.json")

    written(tmp_path, {"ok": False, "query": "Who?", "refusal_reason": "No."})
    assert "nothing" == asyncio.run(run()).outcome
