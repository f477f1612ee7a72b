"""What is damaged is put back where it was, from what the host proved; the indexes are built from what is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from veridical_contract import FingerprintQuery, ScanRequest, StoreError
from veridical_sqlite import SqliteStorage

from plugins.sqlite.tests.kit import Context, batch, current, document, found, raw, texts

RECORD = raw(b"the record of the damaged one")
DAMAGED = document("the words of the damaged one are eight or more", title="Title", raw=RECORD)
HEALTHY = document("the words of the healthy one are eight or more")


@pytest.fixture
def filled(store: SqliteStorage) -> SqliteStorage:
    store.put(batch(DAMAGED, HEALTHY, raws=(RECORD,)))
    store.put(batch(DAMAGED, raws=(RECORD,), origin="mail", container="b.txt"))
    return store


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE documents SET body = zeroblob(9) WHERE row = 1",
        "UPDATE documents SET size = size + 1",
        "UPDATE documents SET tag = x'', body = x''",
        "UPDATE raws SET body = zeroblob(9)",
        "DELETE FROM raws",
        "UPDATE passages SET words = zeroblob(9)",
        "UPDATE passages SET words = zeroblob(4)",
        "UPDATE passages SET start = start + 1",
        "DELETE FROM passages",
        "DELETE FROM passage_index_docsize",
        "UPDATE passage_index_data SET block = zeroblob(20)",
        "DELETE FROM passage_index_data",
        "DROP TABLE passage_index",
    ],
)
def test_whatever_is_damaged_is_whole_again_and_held_as_it_was(filled: SqliteStorage, tables, damage: str) -> None:
    tables(damage)
    assert filled.state(depth="whole").problems != ()
    filled.repair((DAMAGED, HEALTHY), (RECORD,))
    assert filled.state(depth="whole").problems == ()
    assert texts(filled, DAMAGED.id, HEALTHY.id) == [DAMAGED.text, HEALTHY.text]
    assert filled.raw((RECORD.digest,)) == (RECORD.body,)
    assert filled.scan(ScanRequest(origins=("mail",))) == (DAMAGED.id,)
    assert sorted(found(filled, "damaged healthy title")) == sorted([DAMAGED.text, HEALTHY.text])
    while filled.compact().pending:
        pass
    assert filled.candidates_by_fingerprint(FingerprintQuery(text=DAMAGED.text)).documents == (DAMAGED.id,)


def test_the_indexes_alone_are_built_from_the_bodies(filled: SqliteStorage, tables) -> None:
    tables("DELETE FROM passage_index_idx")
    filled.repair((), ())
    assert filled.state(depth="whole").problems == ()
    assert found(filled, "healthy") == [HEALTHY.text]


def test_an_index_of_a_table_that_is_out_of_step_is_sorted_again(filled: SqliteStorage, tables, file: Path) -> None:
    filled._database.truncate_log()
    (page,) = tables("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_documents_1'")[0]
    content = bytearray(file.read_bytes())
    at = content.index(bytes.fromhex(HEALTHY.id), (page - 1) * 4096, page * 4096)
    content[at] ^= 1
    file.write_bytes(content)
    again = SqliteStorage(Context(file.parent))
    assert {problem.what for problem in again.state(depth="whole").problems} == {"file"}
    again.repair((), ())
    assert again.state(depth="whole").problems == ()
    assert texts(again, HEALTHY.id) == [HEALTHY.text]


def test_what_nothing_holds_is_not_put_back(filled: SqliteStorage) -> None:
    filled.repair((document("never there"),), ())
    assert texts(filled, document("never there").id) == [None]
    assert current(filled) == sorted([DAMAGED.text, HEALTHY.text])


def test_what_does_not_hash_to_its_name_is_not_put_back(filled: SqliteStorage) -> None:
    with pytest.raises(StoreError, match="was not stored"):
        filled.repair((DAMAGED.model_copy(update={"body": b"other"}),), ())
    with pytest.raises(StoreError, match="was not stored"):
        filled.repair((), (RECORD.model_copy(update={"body": b"other"}),))
    assert filled.state(depth="whole").problems == ()
