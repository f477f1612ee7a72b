"""What is put comes back exactly, under its name, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical_contract import PutReceipt, StoredDocument, StoreError
from veridical_sqlite import SqliteStorage

from plugins.sqlite.tests.kit import Context, batch, current, digest, document, raw


def test_the_constructor_touches_nothing(tmp_path: Path) -> None:
    SqliteStorage(Context(tmp_path / "not-made"))
    assert list(tmp_path.iterdir()) == []


def test_documents_come_back_as_they_were_put_in_the_order_asked_for(store: SqliteStorage) -> None:
    one, two = document("one"), document("two", tag=b"another tag")
    store.put(batch(one, two))
    assert store.get((two.id, "0" * 64, one.id, "not a digest")) == (
        StoredDocument(body=two.body, tag=b"another tag"),
        None,
        StoredDocument(body=one.body, tag=b"tag"),
        None,
    )


@given(bodies=st.lists(st.binary(max_size=6000) | st.text(max_size=3000).map(str.encode), max_size=80), words=st.text(max_size=200))
def test_any_bytes_come_back(tmp_path_factory: pytest.TempPathFactory, bodies: list[bytes], words: str) -> None:
    store = SqliteStorage(Context(tmp_path_factory.mktemp("store")))
    raws = {body: raw(body) for body in bodies}
    documents = [document(words, body=body, raw=raws[body], title=words) for body in bodies]
    receipt = store.put(batch(*documents, raws=tuple(raws.values())))
    assert receipt == PutReceipt(added=len(raws), known=len(bodies) - len(raws))
    assert [found and found.body for found in store.get(tuple(d.id for d in documents))] == bodies
    assert list(store.raw(tuple(digest(body) for body in bodies))) == bodies
    assert store.state(depth="whole").problems == ()


def test_a_document_that_is_known_is_not_stored_again_but_gets_the_newest_tag(store: SqliteStorage) -> None:
    assert store.put(batch(document("one"))) == PutReceipt(added=1, known=0)
    again = document("one", tag=b"new key")
    assert store.put(batch(again, document("two"), container="b.txt")) == PutReceipt(added=1, known=1)
    assert store.get((again.id,)) == (StoredDocument(body=again.body, tag=b"new key"),)
    assert current(store) == ["one", "two"]


def test_a_known_document_gets_its_raw_bytes_when_they_come_later(store: SqliteStorage) -> None:
    record = raw(b"record")
    store.put(batch(document("one")))
    store.put(batch(document("one", raw=record), raws=(record,), container="b.txt"))
    assert store.raw((record.digest,)) == (b"record",)
    assert store.state(depth="whole").problems == ()


def test_records_are_kept_once_however_many_documents_name_them(store: SqliteStorage, size_of_table) -> None:
    record = raw(b"the same record")
    store.put(batch(document("one", raw=record), document("two", raw=record), raws=(record, record)))
    store.put(batch(document("three", raw=record), raws=(record,), container="b.txt"))
    store.put(batch(document("four", raw=record), container="c.txt"))
    assert size_of_table("raws") == 1
    assert store.raw((record.digest, "1" * 64)) == (b"the same record", None)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda d: d.model_copy(update={"body": b"other"}), f"its bytes hash to {digest(b'other')}"),
        (lambda d: d.model_copy(update={"passages": ((0, 4),)}), "passage 0 to 4 is outside its text"),
        (lambda d: d.model_copy(update={"passages": ((-1, 2),)}), "passage -1 to 2 is outside its text"),
        (lambda d: d.model_copy(update={"passages": ((2, 1),)}), "passage 2 to 1 is outside its text"),
        (lambda d: d.model_copy(update={"raw": "5" * 64}), "neither in the batch nor in the store"),
    ],
)
def test_what_is_not_what_it_says_is_refused_and_nothing_of_its_batch_is_kept(store: SqliteStorage, damage, message: str) -> None:
    good, bad = document("good"), document("bad")
    with pytest.raises(StoreError, match=message) as refused:
        store.put(batch(good, damage(bad), container="b.txt"))
    assert bad.id in str(refused.value)
    assert "\n" not in str(refused.value)
    assert store.get((good.id, bad.id)) == (None, None)
    assert store.containers(origin="notes") == ()


def test_a_raw_body_that_does_not_hash_to_its_digest_is_refused(store: SqliteStorage) -> None:
    with pytest.raises(StoreError, match=f"The raw {digest(b'record')} was not stored"):
        store.put(batch(raws=(raw(b"record").model_copy(update={"body": b"other"}),)))


def test_the_path_may_be_set_and_is_below_the_data_folder_when_it_is_relative(tmp_path: Path) -> None:
    for path in ("deep/er/my.db", str(tmp_path / "elsewhere" / "my.db")):
        SqliteStorage(Context(tmp_path / "data", {"path": path})).migrate()
        assert (tmp_path / "data" / path).is_file()
