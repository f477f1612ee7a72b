"""Documents of one record: found by its key, or by any of them."""

from __future__ import annotations

from veridical_contract import PutDocument
from veridical_sqlite import SqliteStorage

from .kit import batch, digest, document


def keyed(text: str) -> PutDocument:
    """A document whose key is its first word."""
    return document(text).model_copy(update={"key": digest(text.split()[0].encode())})


def ids(*texts: str) -> tuple[str, ...]:
    return tuple(sorted(keyed(text).id for text in texts))


def test_all_versions_of_a_record_are_found_by_its_key_and_by_each_of_them(store: SqliteStorage) -> None:
    store.put(batch(keyed("7 is open"), keyed("8 is open")))
    store.put(batch(keyed("7 is closed"), first=False))
    store.put(batch(keyed("7 is gone"), keyed("9 is open")))
    every = ids("7 is open", "7 is closed", "7 is gone")
    assert every == store.versions((digest(b"7"),))
    assert every == store.versions((keyed("7 is closed").id,))
    assert tuple(sorted((*every, *ids("9 is open")))) == store.versions((keyed("9 is open").id, digest(b"7"), digest(b"none")))


def test_what_has_no_key_has_no_versions(store: SqliteStorage) -> None:
    store.put(batch(document("7 is open"), keyed("8 is open")))
    assert () == store.versions((document("7 is open").id,))
    assert () == store.versions(())


def test_what_is_not_read_to_its_end_is_no_version_yet(store: SqliteStorage) -> None:
    store.put(batch(keyed("7 is open"), last=False))
    assert () == store.versions((digest(b"7"),))
