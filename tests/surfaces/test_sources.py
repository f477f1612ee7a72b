"""Named sources: added once, kept up to date, counted right."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from .conftest import Ran

FILES = ("ai", "coffee", "3dprinting")
MAP = "text=text,author=author_id,url=url,published=created,title=title"


def test_three_exports_become_themes_whose_accounts_equal_a_count_in_sql(
    veridical: Callable[..., Ran], shared_data: Callable[[str], Path]
) -> None:
    paths = [shared_data(f"comments/stackexchange.{name}.stackexchange.com.jsonl.gz") for name in FILES]
    added = veridical("sources", "add", "exchange", *map(str, paths), "--map", MAP)
    assert added.code == 0, added.err
    ran = veridical("research", "What do beginners find hard about neural networks?", "--json")
    assert ran.code == 0, ran.err
    report = json.loads(ran.out)
    assert len(report["themes"]) >= 3
    database = _database(paths)
    rows = {row["document"]: row for row in report["citations"]}
    for theme in report["themes"]:
        urls = [rows[member["document"]]["url"] for member in theme["members"]]
        marks = ",".join("?" * len(urls))
        count = database.execute(
            f"SELECT count(DISTINCT site || '/' || author_id) FROM posts WHERE author_id IS NOT NULL AND url IN ({marks})", urls
        )
        assert theme["counts"]["accounts"] == count.fetchone()[0]
        assert theme["counts"]["mentions"] == len(set(urls))
        for claim in theme["claims"]:
            for quote in claim["quotes"]:
                document = json.loads(veridical("evidence", "show", quote["span"]["document"], "--json").out)["document"]
                assert document["text"][quote["span"]["start"] : quote["span"]["end"]] == quote["span"]["text"]


def _database(paths: list[Path]) -> sqlite3.Connection:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE posts (site, author_id, url)")
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            posts = [json.loads(line) for line in lines]
        database.executemany("INSERT INTO posts VALUES (?, ?, ?)", [(urlsplit(p["url"]).hostname, p["author_id"], p["url"]) for p in posts])
    return database


def test_a_source_is_added_listed_synced_and_removed(veridical: Callable[..., Ran], tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text("The printer of the office is broken since Monday.")
    assert veridical("sources", "add", "notes", "notes").code == 0
    assert json.loads(veridical("sources", "list", "--json").out)[0]["documents"] == 1
    (folder / "b.txt").write_text("The printer of the office was repaired on Tuesday.")
    assert "1 file (1 new documents); 1 file unchanged" in veridical("sources", "sync").err
    assert json.loads(veridical("sources", "list", "--json").out)[0]["documents"] == 2
    assert veridical("evidence", "search", "repaired", "--json").code == 0
    assert veridical("sources", "remove", "notes").code == 0
    assert json.loads(veridical("sources", "list", "--json").out) == []
    assert veridical("evidence", "search", "repaired").code == 4


def test_a_table_whose_text_column_cannot_be_guessed_names_the_option_to_type(veridical: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("colour,said\nred,The door of the shop does not close.\n")
    ran = veridical("research", "Which door does not close?", "--from", "t.csv")
    assert "--map text=" in ran.err
    ran = veridical("research", "Which door does not close?", "--from", "t.csv", "--map", "text=said")
    assert "The door of the shop does not close." in ran.out


def test_a_map_that_is_no_map_is_refused(veridical: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("said\nThe door does not close.\n")
    for wrong in ("said", "colour=said", "text="):
        assert veridical("research", "door", "--from", "t.csv", "--map", wrong).code == 2


def test_what_was_refused_on_reading_is_in_the_report_without_its_words(veridical: Callable[..., Ran], tmp_path: Path) -> None:
    rows = [{"text": "The door of the shop does not close.", "url": "javascript:alert(1)", "created": "2999-01-01"}]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = veridical("research", "Which door of the shop does not close?", "--from", "t.jsonl", "--json")
    report = json.loads(ran.out)
    assert len(report["rejections"]) == 2
    assert {(one["plugin"], one["hook"]) for one in report["rejections"]} == {("files", "read")}
    assert "javascript" not in ran.out
    assert report["citations"][0]["url"] is None
    log = (tmp_path / "home" / "logs" / "rejected.jsonl").read_text()
    assert "javascript:alert(1)" in log
