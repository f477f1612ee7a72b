"""A quote is found by its grams wherever it stands, however the store is put in order, and what was deleted leaves no trace."""

from __future__ import annotations

import gzip
import random
import sqlite3
import unicodedata
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical_contract import CancelledError, DeleteRequest, FingerprintCandidates, FingerprintQuery
from veridical_sqlite import SqliteStorage, bones, compaction
from veridical_sqlite.fingerprints import LOG, MAIN

from plugins.sqlite.tests.kit import Context, batch, compact_all, current, document, texts

LONG = "The battery of the printer fails after a week, and nobody at the shop wants to hear of it."
PART = "printer fails after a week, and nobody at the shop"
STORES = Path(__file__).parent / "stores"


def proposed(store: SqliteStorage, quote: str) -> list[str]:
    """The texts of the documents that are proposed for `quote`, page by page, two a page."""
    found: list[str] = []
    page = FingerprintCandidates(documents=(), guaranteed=True, more=True)
    while page.more:
        after = found[-1] if found else None
        page = store.candidates_by_fingerprint(FingerprintQuery(text=quote, limit=2, after=after))
        found += page.documents
    return [str(text) for text in texts(store, *found)]


def is_sure(store: SqliteStorage, quote: str) -> bool:
    return store.candidates_by_fingerprint(FingerprintQuery(text=quote)).guaranteed


def traces(file: Path) -> int:
    """How many postings there are, in the log and out of it."""
    with closing(sqlite3.connect(file)) as connection:
        return sum(connection.execute(f"SELECT coalesce(sum(length(documents)), 0) / 3 FROM {t.name}").fetchone()[0] for t in (LOG, MAIN))


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (LONG, PART),
        (LONG, "inter fails after a week, and nobody at the sh"),
        (LONG, PART.upper()),
        (LONG, PART.replace(" ", "\n")),
        (LONG.replace("nobody", "no-\nbody"), PART),
        (LONG.replace("nobody", "no\u00ad\nbody"), PART),
        (LONG.replace("nobody", "no\u00adbody"), PART.replace("nobody", "no\u200bbody")),
        (LONG.replace("a week", "the final of the year"), PART.replace("a week", "the \ufb01nal of the year")),
        (LONG.replace("nobody", "".join(chr(ord(letter) + 0xFEE0) for letter in "nobody")), PART),
        (LONG.replace("after", "apr\u00e8s"), unicodedata.normalize("NFD", PART.replace("after", "apr\u00e8s"))),
        (LONG.replace("week, and", "week \u2013 and"), PART.replace("week, and", "week -- and")),
        (LONG.replace("week, and", "week & and"), PART.replace("week, and", "week &amp; and")),
        ("電池は一週間で壊れてしまい、店の人は誰も聞いてくれません。", "一週間で壊れてしまい、店"),
        ("แบตเตอรี่ของเครื่องพิมพ์เสียหลังจากใช้งานหนึ่งสัปดาห์", "เครื่องพิมพ์\u200bเสียหลังจากใช้งาน"),
        ("배터리가 일주일 만에 고장 나서 가게에 다시 가져갔습니다.", "일주일 만에 고장 나서 가게에 다시"),
    ],
)
def test_a_long_quote_is_proposed_whatever_the_folds_pass_over(store: SqliteStorage, text: str, quote: str, ordered: bool) -> None:
    store.put(batch(document(text), document("Something else that is long enough to be indexed as well, of the shop.")))
    if ordered:
        compact_all(store)
    assert proposed(store, quote) == [text]
    assert is_sure(store, quote)


@given(st.text(st.sampled_from("abcdeéß ﬁİ漢字かな가ก\u0301\u00ad-\n"), min_size=60, max_size=300), st.data())
def test_every_part_of_a_text_that_is_long_enough_shares_a_gram_with_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    part = text[start : data.draw(st.integers(start, len(text)))]
    held = {hash_ for hashes in bones.grams(text) for hash_ in hashes}
    units = bones.readings(part)[0]
    if bones.windows(units) >= bones.STEP:
        assert not held.isdisjoint(bones.hash_at(units, at) for at in range(bones.STEP))


def test_a_text_that_is_indexed_in_parts_has_the_grams_of_the_whole() -> None:
    words = " ".join(str(number) for number in range(300_000))
    units = words.replace(" ", "")
    due = {bones.hash_at(units, at) for at in range(0, bones.windows(units), bones.STEP)}
    assert {hash_ for hashes in bones.grams(words) for hash_ in hashes} == due


def test_a_short_quote_is_not_sure(store: SqliteStorage) -> None:
    store.put(batch(document(LONG)))
    assert not is_sure(store, "after a week")
    assert not is_sure(store, "")
    assert not is_sure(store, "&amp;" * 12)
    assert is_sure(store, "x" * bones.SURE)
    assert not is_sure(store, "x" * (bones.SURE - 1))


def test_letters_that_another_python_may_not_know_are_not_sure(store: SqliteStorage) -> None:
    store.put(batch(document(LONG)))
    assert not is_sure(store, PART + "\U000323af")  # CJK extension H, of Unicode 15
    assert is_sure(store, PART + "é漢")


def test_postings_of_documents_beyond_the_low_bits_of_a_row_keep_apart(store: SqliteStorage, file: Path, tables) -> None:
    store.put(batch(document(LONG + " early")))
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT INTO documents (row, id, size, body, tag) VALUES (?, ?, 0, x'', x'')", ((1 << 24) - 1, b"\1" * 32))
    late = document(LONG + " late")
    store.put(batch(late, container="b.txt"))
    assert tables("SELECT row >> 24 FROM documents WHERE id = ?", bytes.fromhex(late.id)) == [(1,)]
    assert sorted(proposed(store, PART)) == [LONG + " early", LONG + " late"]
    compact_all(store)
    assert sorted(proposed(store, PART)) == [LONG + " early", LONG + " late"]
    store.delete(DeleteRequest(documents=(late.id,), reason="test"))
    assert proposed(store, PART) == [LONG + " early"]


@pytest.mark.parametrize("steps", [0, 3, 1_000])
def test_a_deleted_document_leaves_no_posting(store: SqliteStorage, file: Path, steps: int) -> None:
    kept, gone = document(LONG + " kept"), document(LONG + " gone, with words of its own")
    store.put(batch(kept))
    before = traces(file)
    store.put(batch(gone, container="b.txt"))
    for _ in range(steps):
        store.compact()
    assert traces(file) > before
    store.delete(DeleteRequest(documents=(gone.id,), reason="test"))
    assert traces(file) == before
    assert proposed(store, PART) == [LONG + " kept"]


def test_a_document_whose_body_is_damaged_or_says_other_words_leaves_no_posting_either(store: SqliteStorage, file: Path, tables) -> None:
    damaged, odd = (
        document(LONG + " damaged"),
        document(LONG + " odd", body=b'{"text": "These are other words that are long enough for grams."}'),
    )
    none = document(LONG + " none", body=b"no JSON")
    store.put(batch(damaged, odd, none))
    compact_all(store)
    tables("UPDATE documents SET body = x'00' WHERE id = ?", bytes.fromhex(damaged.id))
    for one in (odd, none, damaged):
        store.delete(DeleteRequest(documents=(one.id,), reason="test"))
    assert traces(file) == 0


def test_what_an_abandoned_reading_left_is_taken_out_of_the_index(store: SqliteStorage, file: Path) -> None:
    store.put(batch(document(LONG), last=False))
    store.put(batch(document("another"), last=True))
    assert traces(file) == 0


def test_compaction_moves_every_posting_once(store: SqliteStorage, file: Path, tables) -> None:
    rng = random.Random(1)
    words = [f"{rng.getrandbits(40):x}" for _ in range(400)]
    for container in range(20):
        store.put(batch(*(document(" ".join(rng.choices(words, k=40))) for _ in range(10)), container=str(container)))
    before = traces(file)
    left = [store.compact().pending for _ in range(300)]
    assert left == sorted(left, reverse=True)
    assert left[-1] == 0
    assert traces(file) == before
    assert tables("SELECT count(*) FROM fingerprint_log") == [(0,)]


def test_rows_of_a_bucket_are_filled_before_new_ones_begin(store: SqliteStorage, tables) -> None:
    for number in range(3):
        store.put(batch(*(document(f"{LONG} {number} {other}") for other in range(300)), container=str(number)))
        compact_all(store)
    sizes = [size for (size,) in tables("SELECT length(documents) / 3 FROM fingerprints ORDER BY row")]
    assert max(sizes) == 398
    assert len(proposed(store, PART)) == 900


def test_pages_that_hold_nothing_any_more_are_given_back(store: SqliteStorage, file: Path, tables) -> None:
    chance = random.Random(2)
    documents = [document(chance.randbytes(2_000).hex()) for _ in range(1_000)]
    store.put(batch(documents[0]))
    store.put(batch(*documents[1:], container="b", last=False))
    store._database.truncate_log()
    before = file.stat().st_size
    store.drop_container(origin="notes", container="b")
    assert tables("PRAGMA freelist_count")[0][0] > 200
    compact_all(store)
    store._database.truncate_log()
    assert file.stat().st_size < before / 2
    assert store.state(depth="whole").problems == ()
    assert current(store) == [documents[0].text]


def test_a_store_that_cannot_give_pages_back_has_nothing_pending(tmp_path: Path, file: Path, tables) -> None:
    file.write_bytes(gzip.decompress((STORES / "version-1.sqlite3.gz").read_bytes()))
    store = SqliteStorage(Context(tmp_path))
    compact_all(store)
    store.delete(DeleteRequest(documents=tuple(n for (n,) in tables("SELECT lower(hex(id)) FROM documents")), reason="test"))
    assert tables("PRAGMA auto_vacuum") == [(0,)]
    assert store.compact().pending == 0


def test_compaction_that_stops_half_way_loses_nothing(store: SqliteStorage, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = document(LONG)
    store.put(batch(one))
    before = traces(file)

    step = compaction.step

    def stops(connection: sqlite3.Connection) -> None:
        step(connection)
        raise KeyboardInterrupt

    for _ in range(5):
        store.compact()
        with monkeypatch.context() as patch:
            patch.setattr(compaction, "step", stops)
            with pytest.raises(KeyboardInterrupt):
                store.compact()
        assert traces(file) == before
        assert proposed(store, PART) == [LONG]
    compact_all(store)
    assert proposed(store, PART) == [LONG]


def test_a_step_that_is_cancelled_is_not_done(context: Context, store: SqliteStorage, file: Path, tables) -> None:
    store.put(batch(document(LONG)))
    rows = tables("SELECT count(*) FROM fingerprint_log")
    context.unwanted = True
    with pytest.raises(CancelledError):
        store.compact()
    context.unwanted = False
    assert tables("SELECT count(*) FROM fingerprint_log") == rows


def test_two_processes_compact_while_a_third_writes(tmp_path: Path) -> None:
    store = SqliteStorage(Context(tmp_path))
    store.put(batch(*(document(f"{LONG} {number}") for number in range(200))))
    spawn = get_context("spawn")
    others = [spawn.Process(target=_compacts, args=(str(tmp_path),)) for _ in range(2)]
    others.append(spawn.Process(target=_writes, args=(str(tmp_path),)))
    for other in others:
        other.start()
    while any(other.is_alive() for other in others):
        assert set(proposed(store, PART)) >= {f"{LONG} {number}" for number in range(200)}
    assert [other.exitcode for other in others] == [0, 0, 0]
    compact_all(store)
    assert sorted(proposed(store, PART)) == sorted([f"{LONG} {number}" for number in range(200)] + [f"{LONG} new {n}" for n in range(30)])


def _compacts(folder: str) -> None:
    store = SqliteStorage(Context(Path(folder)))
    for _ in range(100):
        store.compact()


def _writes(folder: str) -> None:
    store = SqliteStorage(Context(Path(folder)))
    for number in range(30):
        store.put(batch(document(f"{LONG} new {number}"), container=f"new {number}"))


def test_documents_of_an_older_store_are_indexed_step_by_step(tmp_path: Path, file: Path) -> None:
    file.write_bytes(gzip.decompress((STORES / "version-1.sqlite3.gz").read_bytes()))
    store = SqliteStorage(Context(tmp_path))
    assert store.migrate().before == 1
    assert not is_sure(store, "x" * 40)
    new = document(LONG)
    store.put(batch(new, container="new.txt"))
    assert proposed(store, PART) == [LONG]
    store.compact()
    assert not is_sure(store, "x" * 40)
    store = SqliteStorage(Context(tmp_path))
    compact_all(store)
    assert is_sure(store, "x" * 40)
    long = [text for text in current(store) if len(bones.readings(text)[0]) >= bones.SURE]
    assert len(long) > 1
    assert all(text in proposed(store, text) for text in long)


def test_a_document_of_an_older_store_can_be_deleted_before_it_is_indexed(tmp_path: Path, file: Path, tables) -> None:
    file.write_bytes(gzip.decompress((STORES / "version-1.sqlite3.gz").read_bytes()))
    store = SqliteStorage(Context(tmp_path))
    store.migrate()
    names = tuple(name for (name,) in tables("SELECT lower(hex(id)) FROM documents ORDER BY row LIMIT 400"))
    store.compact()
    assert traces(file) > 0
    store.delete(DeleteRequest(documents=names, reason="test"))
    compact_all(store)
    store.delete(DeleteRequest(documents=tuple(n for (n,) in tables("SELECT lower(hex(id)) FROM documents")), reason="test"))
    assert traces(file) == 0


def test_a_check_of_the_store_names_documents_whose_fingerprints_are_not_theirs(store: SqliteStorage, tables) -> None:
    documents = [document(f"{LONG} Number {number}.") for number in range(3)]
    store.put(batch(*documents))
    assert store.state(depth="whole").problems == ()
    compact_all(store)
    assert store.state(depth="whole").problems == ()
    ((key, hashes, of),) = tables("SELECT row, hashes, documents FROM fingerprints LIMIT 1")
    tables("UPDATE fingerprints SET hashes = ? WHERE row = ?", bytes([hashes[0] ^ 1]) + hashes[1:], key)
    row = int.from_bytes(of[:3], "big")
    ((name,),) = tables("SELECT lower(hex(id)) FROM documents WHERE row = ?", row)
    assert [(one.what, one.name) for one in store.state(depth="whole").problems] == [("index", name)]
    tables("DELETE FROM fingerprints")
    assert sorted(one.name for one in store.state(depth="whole").problems) == sorted(one.id for one in documents)
