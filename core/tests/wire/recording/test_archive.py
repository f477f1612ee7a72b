"""The replies of a run can be looked up by anyone, with any tool that reads WARC."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from veridical.wire.recording import Recorded
from veridical.wire.recording.archive import ArchivedReply, WireArchive
from veridical_contract import StoreCorruptError, StoreError, StoreFullError

warcio_iterator = pytest.importorskip("warcio.archiveiterator")

NOW = datetime(2026, 6, 1, 12, 30, 15, 250_000, tzinfo=UTC)
HITS = b'{"results": [{"url": "https://a.example/"}, {"url": "https://b.example/", "snippet": "Radium glows."}]}'


def _record(body: bytes = HITS, **changes: Any) -> Recorded:
    record = Recorded(
        method="POST",
        url="https://api.example/search?q=radium",
        asked=("search", "radium"),
        sent_type="application/json",
        sent=b'{"n": 2}',
        begun=NOW,
        status=200,
        reason="OK",
        headers=(("content-type", "application/json"), ("content-encoding", "gzip"), ("transfer-encoding", "chunked")),
        body=body,
        ended=True,
    )
    return replace(record, **changes)


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


@pytest.fixture
def archive(tmp_path: Path) -> WireArchive:
    return WireArchive(tmp_path / "wire", 1 << 20)


def _warc(tmp_path: Path, run: str = "run1") -> list[Any]:
    """Read a file with warcio alone: (type, headers, HTTP head, body)."""
    with (tmp_path / "wire" / f"{run}.warc.gz").open("rb") as file:
        return [
            (record.rec_type, dict(record.rec_headers.headers), record.http_headers, record.content_stream().read())
            for record in warcio_iterator.ArchiveIterator(file, check_digests="raise")
        ]


def test_a_pointer_is_looked_up_by_hand_in_the_file(archive: WireArchive, tmp_path: Path) -> None:
    archive.append("run1", [_record()])
    ((_, headers, _, body),) = [record for record in _warc(tmp_path) if record[0] == "response"]
    assert ("https://b.example/", "Radium glows.") == (json.loads(body)["results"][1]["url"], json.loads(body)["results"][1]["snippet"])
    assert (f"sha256:{_digest(HITS)}", "https://api.example/search?q=radium", "2026-06-01T12:30:15.250000Z") == (
        headers["WARC-Payload-Digest"],
        headers["WARC-Target-URI"],
        headers["WARC-Date"],
    )


def test_the_request_is_beside_the_reply(archive: WireArchive, tmp_path: Path) -> None:
    archive.append("run1", [_record()])
    (_, reply_headers, reply_head, _), (kind, headers, head, sent) = _warc(tmp_path)
    assert ("request", b'{"n": 2}', reply_headers["WARC-Record-ID"]) == (kind, sent, headers["WARC-Concurrent-To"])
    assert ("POST", "/search?q=radium HTTP/1.1", [("Host", "api.example"), ("Content-Type", "application/json")]) == (
        head.protocol,
        head.statusline,
        head.headers,
    )
    assert ("200 OK", "gzip", str(len(HITS))) == (
        reply_head.statusline,
        reply_head.get_header("X-Archive-Orig-content-encoding"),
        reply_head.get_header("content-length"),
    )


def test_a_body_that_the_file_has_already_is_not_written_again(archive: WireArchive, tmp_path: Path) -> None:
    """... in the same call, in a later one, and after another process wrote the first."""
    archive.append("run1", [_record(), _record(url="https://api.example/again")])
    WireArchive(tmp_path / "wire", 1 << 20).append("run1", [_record(url="https://api.example/third")])
    records = _warc(tmp_path)
    assert ["response", "request", "revisit", "request", "revisit", "request"] == [kind for kind, *_ in records]
    assert {"https://api.example/search?q=radium"} == {
        headers["WARC-Refers-To-Target-URI"] for kind, headers, *_ in records if kind == "revisit"
    }
    assert [HITS] * 3 == [reply.body for reply in archive.read("run1")]


def test_replies_are_read_back_in_their_order(archive: WireArchive) -> None:
    archive.append("run1", [_record(b"one"), _record(b"two", status=429, reason="")])
    archive.append("run1", [_record(b"", method="GET", sent=b"", sent_type="", url="https://api.example")])
    expected = [
        ArchivedReply("https://api.example/search?q=radium", NOW, 200, _digest(b"one"), b"one"),
        ArchivedReply("https://api.example/search?q=radium", NOW, 429, _digest(b"two"), b"two"),
        ArchivedReply("https://api.example", NOW, 200, _digest(b""), b""),
    ]
    assert expected == [*archive.read("run1")]


@pytest.mark.parametrize("body", [b"\x00\r\n\r\nWARC/1.1\r\n", gz := b"\x1f\x8b\x08\x00", "é…".encode("utf-16"), b"x" * 300_000])
def test_any_body_is_read_back(body: bytes, archive: WireArchive) -> None:
    archive.append("run1", [_record(body)])
    assert [body] == [reply.body for reply in archive.read("run1")]


def test_what_was_not_answered_or_refused_is_left_out(archive: WireArchive, tmp_path: Path) -> None:
    archive.append("run1", [_record(b"", status=None, error="ConnectError"), _record(b"", error="sent a secret back")])
    assert ([], False) == ([*archive.read("run1")], (tmp_path / "wire").exists())


def test_a_reply_that_is_not_whole_says_so(archive: WireArchive, tmp_path: Path) -> None:
    archive.append("run1", [_record(ended=False, error="ReadError"), _record(b"part", ended=False)])
    assert ["disconnect", "unspecified"] == [headers["WARC-Truncated"] for kind, headers, *_ in _warc(tmp_path) if kind == "response"]


def test_a_request_that_holds_a_secret_is_kept_without_its_body(archive: WireArchive, tmp_path: Path) -> None:
    archive.append("run1", [_record(sent=None)])
    assert [b""] == [body for kind, _, _, body in _warc(tmp_path) if kind == "request"]


def test_files_are_for_their_owner_alone(archive: WireArchive, tmp_path: Path) -> None:
    archive.append("run1", [_record()])
    folder = tmp_path / "wire"
    assert (0o700, {0o600}) == (stat.S_IMODE(folder.stat().st_mode), {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()})


@pytest.mark.parametrize("run", ["", "../run", "a/b", ".hidden", "a" * 200, "a\0"])
def test_a_run_names_a_file_and_no_other_place(run: str, archive: WireArchive) -> None:
    with pytest.raises(StoreError):
        archive.append(run, [_record()])


def test_a_run_without_replies_has_none(archive: WireArchive) -> None:
    assert [] == [*archive.read("run1")]


# Limits


def _sized(tmp_path: Path, limit: int) -> WireArchive:
    return WireArchive(tmp_path / "wire", limit)


def test_the_oldest_runs_make_room(tmp_path: Path) -> None:
    noise = [os.urandom(2000) for _ in range(3)]
    for age, (run, body) in enumerate(zip("abc", noise, strict=True)):
        _sized(tmp_path, 1 << 20).append(run, [_record(body)])
        os.utime(tmp_path / "wire" / f"{run}.warc.gz", (1000 + age, 1000 + age))
    taken = sum(file.stat().st_size for file in (tmp_path / "wire").glob("*.gz"))
    _sized(tmp_path, taken).append("d", [_record(b"new")])
    assert ["b", "c", "d"] == sorted(file.name.removesuffix(".warc.gz") for file in (tmp_path / "wire").glob("*.gz"))


def test_files_are_looked_at_only_when_they_may_take_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """... so that to keep the thousandth run costs what the first did."""
    looks: list[str] = []
    listed = Path.glob
    monkeypatch.setattr(Path, "glob", lambda self, pattern: looks.append(pattern) or listed(self, pattern))
    for number in range(50):
        _sized(tmp_path, 1 << 20).append(f"run{number}", [_record(os.urandom(500))])
    before = len(looks)
    _sized(tmp_path, 20_000).append("last", [_record()])
    after = len(looks)
    sizes = {file.name: file.stat().st_size for file in (tmp_path / "wire").glob("*.gz")}
    assert (1, 2, True, True) == (before, after, "last.warc.gz" in sizes, 15_000 < sum(sizes.values()) <= 20_000)


def test_room_is_made_for_many_runs_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str] = []
    listed = Path.glob
    monkeypatch.setattr(Path, "glob", lambda self, pattern: looks.append(pattern) or listed(self, pattern))
    for number in range(400):
        _sized(tmp_path, 100_000).append(f"run{number}", [_record(b"%d" % number)])
    taken = sum(file.stat().st_size for file in (tmp_path / "wire").iterdir())
    assert (True, True) == (90_000 < taken <= 100_100, len(looks) < 400 / 2)


def test_files_that_others_removed_or_a_lost_count_do_no_harm(tmp_path: Path) -> None:
    wire = tmp_path / "wire"
    _sized(tmp_path, 1 << 20).append("a", [_record(os.urandom(3000))])
    (wire / "a.warc.gz").unlink()
    _sized(tmp_path, 4000).append("b", [_record(b"kept")])
    for said in ("", "no number", "12", "9" * 30):
        (wire / ".lock").write_text(said)
        _sized(tmp_path, 4000).append("c" + str(len(said)), [_record(os.urandom(600))])
    assert sum(file.stat().st_size for file in wire.glob("*.gz")) <= 4000
    assert "b.warc.gz" not in {file.name for file in wire.iterdir()}


def test_one_run_never_takes_more_than_the_limit(tmp_path: Path) -> None:
    """... and neither it nor another loses what it has."""
    archive = _sized(tmp_path, 4000)
    archive.append("old", [_record(b"old")])
    archive.append("run1", [_record(b"kept")])
    with pytest.raises(StoreFullError, match=r"take more than the 4,000 bytes they may. Raise retention.wire_megabytes in the settings."):
        archive.append("run1", [_record(os.urandom(4000))])
    assert ([b"old"], [b"kept"]) == ([r.body for r in archive.read("old")], [r.body for r in archive.read("run1")])


def test_a_disk_that_is_full_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    archive = _sized(tmp_path, 1 << 20)
    archive.append("run1", [_record(b"kept")])
    code = (
        "import resource, signal, sys; from pathlib import Path; from core.tests.wire.recording.test_archive import _record;"
        "from veridical.wire.recording.archive import WireArchive; import os; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000));"
        f"WireArchive(Path({str(tmp_path / 'wire')!r}), 1 << 20).append('run1', [_record(os.urandom(9000))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=Path(__file__).parents[4])
    assert ("StoreFullError" in done.stderr, [b"kept"]) == (True, [reply.body for reply in archive.read("run1")])


def test_old_runs_are_tidied_away(archive: WireArchive, tmp_path: Path) -> None:
    for run, days in (("old", 31), ("new", 29)):
        archive.append(run, [_record()])
        at = (NOW - timedelta(days=days)).timestamp()
        os.utime(tmp_path / "wire" / f"{run}.warc.gz", (at, at))
    assert (1, 0) == (archive.tidy(timedelta(days=30), NOW), archive.tidy(timedelta(days=30), NOW))
    assert ([], 1) == ([*archive.read("old")], len([*archive.read("new")]))


def test_to_forget_a_body_removes_every_file_that_has_it(archive: WireArchive) -> None:
    archive.append("one", [_record(b"private")])
    archive.append("two", [_record(b"other"), _record(b"private"), _record(b"private")])
    archive.append("three", [_record(b"other")])
    assert (0, 2, 0) == (archive.forget([]), archive.forget([_digest(b"private")]), archive.forget([_digest(b"private")]))
    assert [0, 0, 1] == [len([*archive.read(run)]) for run in ("one", "two", "three")]


def test_to_forget_what_a_run_had_before_it_removes_its_file(archive: WireArchive) -> None:
    """A request to a model holds passages that no reply has."""
    for run in ("one", "two"):
        archive.append(run, [_record(sent=b"a private passage")])
    assert (1, 0, 1) == (archive.forget((), ["two", "none"]), len([*archive.read("two")]), len([*archive.read("one")]))


@pytest.mark.parametrize("damage", [lambda data: data[:-20], lambda data: b"no gzip" + data, lambda data: data[:60] + b"\0\0" + data[62:]])
def test_a_damaged_file_is_named_and_goes_when_anything_is_forgotten(damage: Any, archive: WireArchive, tmp_path: Path) -> None:
    archive.append("run1", [_record()])
    path = tmp_path / "wire" / "run1.warc.gz"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(StoreCorruptError, match=r"run1\.warc\.gz"):
        [*archive.read("run1")]
    assert (1, False) == (archive.forget([_digest(b"anything")]), path.exists())


def test_a_file_that_is_cut_anywhere_is_never_read_as_whole(archive: WireArchive, tmp_path: Path) -> None:
    archive.append("run1", [_record(), _record(b"0" * 3_000_000)])
    assert [HITS, b"0" * 3_000_000] == [reply.body for reply in archive.read("run1")]
    path = tmp_path / "wire" / "run1.warc.gz"
    data = path.read_bytes()
    for cut in {1, 9, 10, 11, 100, len(data) // 2, *range(len(data) - 30, len(data))}:
        path.write_bytes(data[:cut])
        with pytest.raises(StoreCorruptError):
            [*archive.read("run1")]


def test_an_empty_file_has_no_replies(archive: WireArchive, tmp_path: Path) -> None:
    archive.append("run1", [_record()])
    (tmp_path / "wire" / "run1.warc.gz").write_bytes(b"")
    assert [] == [*archive.read("run1")]


def test_a_body_that_was_changed_is_not_read(archive: WireArchive, tmp_path: Path) -> None:
    from warcio.warcwriter import WARCWriter

    archive.append("run1", [_record()])
    buffer = BytesIO()
    writer = WARCWriter(buffer, gzip=True, warc_version="1.1")
    told = {"WARC-Payload-Digest": f"sha256:{_digest(HITS)}"}
    from warcio.statusandheaders import StatusAndHeaders

    head = StatusAndHeaders("200 OK", [], protocol="HTTP/1.1")
    forged = HITS.replace(b"glows", b"sings")
    writer.write_record(
        writer.create_warc_record(
            "https://api.example/", "response", payload=BytesIO(forged), length=len(forged), http_headers=head, warc_headers_dict=told
        )
    )
    (tmp_path / "wire" / "run1.warc.gz").write_bytes(buffer.getvalue())
    with pytest.raises(StoreCorruptError, match="does not hash to its digest"):
        [*archive.read("run1")]
