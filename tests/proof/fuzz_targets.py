"""What parses bytes from outside, as functions from bytes to nothing: each reads, or refuses by a declared error; all else is a finding.

Beside "no other exception" each target holds what must be true of whatever was read: that it can be read again, that the kernel
confirms it, that one spelling stays one spelling. A target says with which small inputs the fuzzer begins.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from pathlib import Path

from veridical.bundle import checker, write_bundle
from veridical.bundle.checker import Bundle, DoesNotVerify
from veridical.drafts import read_draft
from veridical.kernel.canonical import canonical_bytes, parse
from veridical.kernel.derivation import DerivationRefused, atoms, confirm_projection
from veridical.kernel.folds import compare
from veridical.kernel.policy import load_policy
from veridical.kernel.prose import EvidenceSentence, ProseRefused, check_prose
from veridical.kernel.quotes import Confirmed, confirm
from veridical.kernel.times import TimeRefused, admit_time
from veridical.kernel.urls import UrlRefused, admit_url, resolve, same_url, url_host
from veridical.locate.find import Located, locate
from veridical.locate.projection import project
from veridical.settings import SettingsFile
from veridical.wire.markers import MarkerSearch, holds_export
from veridical.wire.reading import Reader
from veridical.wire.reading.encodings import find_encoding, survey
from veridical_contract import ConfigurationError, Derivation, InputFile, Projection, Record, RecordFormat, UnreadableError

__all__ = ["TARGETS", "Target", "seeds"]

_RECORDS = 20
_MOMENT = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Target:
    """Something that reads bytes.

    Attributes:
        run: reads them; whatever it raises is a finding.
        seeds: the inputs that the fuzzer begins with.
    """

    run: Callable[[bytes], None]
    seeds: tuple[bytes, ...]


def _reader(suffix: str, format: RecordFormat, projection: Projection) -> Callable[[bytes], None]:  # noqa: A002 - the field's name
    def run(data: bytes) -> None:
        with _folder() as folder:
            (folder / f"file{suffix}").write_bytes(data)
            file = InputFile(path=f"file{suffix}", sha256=hashlib.sha256(data).hexdigest(), size=len(data))
            reader = Reader(folder)
            found: list[Record] = []
            with suppress(UnreadableError):
                for record in reader.records(file, format=format):
                    found.append(record)
                    if len(found) == _RECORDS:
                        break
            for record in found:
                _holds(reader, record, projection)
                if format != "pdf" and not suffix.endswith(".gz"):
                    raw = reader.held(record.raw.digest)
                    offset = record.raw.offset or 0
                    assert format == "text" or raw in (data[offset : offset + len(raw)], b""), "a record is no stretch of its file"

    return run


def _holds(reader: Reader, record: Record, projection: Projection) -> None:
    """Whatever the reader shows of a record, the kernel confirms, or refuses by name."""
    for pointer in list(record.names.values())[:4]:
        with suppress(UnreadableError):
            reader.atoms(record, {"text": pointer})
        layout = Derivation(
            format=record.format, encoding=record.encoding, delimiter=record.delimiter, pointers={"text": pointer}, projection=projection
        )
        held = reader.derive(reader.held(record.raw.digest), layout)
        if held.text and record.format != "pdf":
            try:
                atom = atoms(held.raw, layout).get("text", "")
                confirm_projection(atom, held.text, held.runs, projection)
            except DerivationRefused as error:
                raise AssertionError(f"the kernel does not confirm what the reader shows: {error.rule}") from error


def _encodings(data: bytes) -> None:
    for markup in (False, True):
        with suppress(UnreadableError):
            found = find_encoding(data, markup=markup)
            assert data[found.mark :].decode(found.part) is not None
            data.decode(found.whole)
    with suppress(UnreadableError):
        whole = survey([data])
        assert whole.is_wide or len(data) < 3 or survey([data[:3], data[3:]]) == whole or not _is_utf8(data)


def _is_utf8(data: bytes) -> bool:
    with suppress(UnicodeDecodeError):
        data.decode("utf-8")
        return True
    return False


def _markers(data: bytes) -> None:
    for name in ("a.md", "a.html", "a.json", "a.txt.gz"):
        whole, parts = MarkerSearch(name), MarkerSearch(name)
        whole.feed(data)
        parts.feed(data[: len(data) // 2])
        parts.feed(data[len(data) // 2 :])
        # A piece that ends inside the white space of a marker may end it too early, never hide it.
        assert parts.found or not whole.found, "a marker is missed between two pieces"
    with _folder() as folder:
        for name in ("a.zip", "a.md.gz", "a.json.gz"):
            (folder / name).write_bytes(data)
            holds_export(folder / name)


def _projected(kind: Projection) -> Callable[[bytes], None]:
    def run(data: bytes) -> None:
        source = data.decode("utf-8", "replace")
        found = project(source, kind)
        confirm_projection(source, found.text, found.runs, kind)
        for start, end, level in found.headings:
            assert 0 <= start <= end <= len(found.text)
            assert 1 <= level <= 6
        edges = [edge for block in found.blocks for edge in block]
        assert edges == sorted(edges)

    return run


def _archive(data: bytes) -> None:
    with suppress(DoesNotVerify):
        members = Bundle(data, None).members
        assert _spelled(members) == data, "two archives are one bundle"


def _members(data: bytes) -> None:
    """The members of a true bundle, one of them changed, under a manifest that fits."""
    members = dict(_true_members())
    number, at, size = data[0] if data else 0, int.from_bytes(data[1:4], "little"), data[4] if len(data) > 4 else 0
    name = sorted(members)[number % len(members)]
    body = members[name]
    at = at % (len(body) + 1)
    members[name] = body[:at] + data[5:] + body[at + size :]
    with suppress(DoesNotVerify):
        found = Bundle(_spelled(members), None)
        list(found.released())


@cache
def _true_members() -> dict[str, bytes]:
    from tests.properties.world import World

    archive = BytesIO()
    write_bundle(World().research(), archive)
    return Bundle(archive.getvalue(), None).members


def _spelled(members: dict[str, bytes]) -> bytes:
    """An archive and its manifest, written by `zipfile` as the format asks for."""
    import zipfile

    rows = [{"name": name, "sha256": hashlib.sha256(body).hexdigest(), "size": len(body)} for name, body in sorted(members.items())]
    slim = members["MANIFEST.json"].endswith(b'"slim":true}')
    rows = [row for row in rows if row["name"] != "MANIFEST.json"]
    members = members | {"MANIFEST.json": canonical_bytes({"format": "veridical.bundle/1", "members": rows, "slim": slim})}
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as file:
        for name in sorted(members):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr, entry.create_system = 0o100644 << 16, 3
            file.writestr(entry, members[name])
    return archive.getvalue()


def _canonical(data: bytes) -> None:
    with suppress(ValueError):
        value = parse(data)
        spelled = canonical_bytes(value)
        assert parse(spelled) == value
        assert canonical_bytes(parse(spelled)) == spelled


def _urls(data: bytes) -> None:
    one, _, other = _text(data).partition("\0")
    policy = load_policy()
    for url in (one, other):
        with suppress(UrlRefused):
            assert admit_url(url, policy=policy) == url
            assert same_url(url, url, policy) == frozenset()
            assert url_host(url, policy) == url_host(url, policy).lower()
            assert url_host(url, policy).isascii()
            assert resolve(url, [url], policy).url == url
    assert (same_url(one.strip(" "), other.strip(" "), policy) is None) == (same_url(other.strip(" "), one.strip(" "), policy) is None)


def _settings(data: bytes) -> None:
    with _folder() as folder:
        file = SettingsFile(folder / "settings.toml")
        file.path.write_bytes(data)
        with suppress(ConfigurationError):
            before = file.read()
            assert "made" in file.enable("made").plugins.enabled
            after = file.disable("made")
            assert "made" not in after.plugins.enabled
            assert before.sources == after.sources


def _drafts(data: bytes) -> None:
    for name in ("a.md", "a.html", "a.txt", "-"):
        with suppress(UnreadableError):
            found = read_draft(data, name=name)
            for part in (*found.pieces, *found.sentences):
                assert 0 <= part.start <= part.end <= len(found.text)
            for piece in found.pieces:
                found.place(piece.start)
                assert piece.sentence is None or 0 <= piece.sentence < len(found.sentences)
            assert [piece.start for piece in found.pieces] == sorted(piece.start for piece in found.pieces)


def _signature(data: bytes) -> None:
    with suppress(DoesNotVerify):
        checker.check_signature(data[64:], data[:64], b"message", "where")
        raise AssertionError("a signature that nobody made holds")


def _quotes(data: bytes) -> None:
    text, _, quote = _text(data).partition("\0")
    policy = load_policy()
    for illustration in (False, True):
        confirm(text, len(text) // 3, len(text), quote, policy=policy, illustration=illustration)
        locate(text, quote, policy=policy, snippet=illustration, illustration=illustration)
    assert compare(text, text, policy) == frozenset()
    found = locate(text, quote, policy=policy)
    if isinstance(found, Located):
        assert isinstance(confirm(text, found.start, found.end, text[found.start : found.end], policy=policy), Confirmed)
    at = text.find(quote) if quote else -1
    if at >= 0 and isinstance(confirm(text, at, at + len(quote), quote, policy=policy), Confirmed):
        assert isinstance(found, Located), "a quote that stands there is not found"


def _values(data: bytes) -> None:
    text, _, rest = _text(data).partition("\0")
    with suppress(TimeRefused):
        found = admit_time(text, retrieved=_MOMENT)
        assert admit_time(found.value, retrieved=_MOMENT).value == found.value
    evidence = [EvidenceSentence("d", rest, None, "https://example.com/a")]
    with suppress(ProseRefused):
        check_prose(text, evidence, {"accounts": 3}, load_policy())


def _mail(data: bytes) -> None:
    """A record of mail at pointers that a plugin chose."""
    pointer, _, raw = data.partition(b"\0")
    layout = Derivation(format="mime", encoding="utf-8", delimiter=",", pointers={"text": pointer.decode("latin-1")}, projection="plain")
    with suppress(DerivationRefused):
        atoms(raw, layout)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass" if data[:1] == b"\xff" else "replace") if data[:1] != b"\xff" else _wide(data[1:])


def _wide(data: bytes) -> str:
    """Any code points, lone surrogates too."""
    return data.decode("utf-16-le", "surrogatepass") if len(data) % 2 == 0 and _decodes(data) else data.decode("latin-1")


def _decodes(data: bytes) -> bool:
    with suppress(UnicodeDecodeError):
        data.decode("utf-16-le", "surrogatepass")
        return True
    return False


class _folder:  # noqa: N801 - it is used as a function
    """A folder in memory where there is one."""

    def __enter__(self) -> Path:
        self._path = tempfile.mkdtemp(prefix="fuzz-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        return Path(self._path)

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._path, ignore_errors=True)


_JSON = b'{"text": "It is \\u00e9 slow.", "n": 1, "list": [null, true]}'
_HTML = (
    b"<!doctype html><meta charset=utf-8><title>T</title><h1>Head</h1><p>A &amp; b <s>no</s> <b>bold</b><script>x</script><blockquote>q</p>"
)
_MARKDOWN = (
    b'# Head\n\nA *word*, a [link](https://example.com/a "t"), `code`.\n\n> quoted &amp; so\n\n- one\n- two\n\n'
    b"| a | b |\n|---|---|\n| 1 | 2 |\n"
)
_MESSAGE = (
    b"From: =?utf-8?q?Ann?= <ann@example.com>\r\nMessage-ID: <1@example.com>\r\nSubject: x\r\nMIME-Version: 1.0\r\n"
    b"Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=iso-8859-1\r\n"
    b"Content-Transfer-Encoding: quoted-printable\r\n\r\nIt is =E9 slow.\r\n--b--\r\n"
)
_PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj\n"
    b"4 0 obj<</Length 44>>stream\nBT /F1 12 Tf 20 100 Td (It is slow here.) Tj ET\nendstream endobj\n"
    b"5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
)
_EMPTY = b"PK\5\6" + b"\0" * 18  # an archive without members
_PEM = b"-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n"
_SETTINGS = (
    b'[plugins]\nenabled = ["files"]\n\n[plugins.pins.files]\ndistribution = "veridical-files"\n\n[sources.notes]\nplugin = "files"\n'
    b'[sources.notes.settings]\npaths = ["notes"]\n'
)
_DRAFT = (
    _MARKDOWN + "\u201cIt is slow\u201d, said Ann (Smith 2024) [1]. Sold 3.5 million units.[^n]\n\n[^n]: https://example.com/b\n".encode()
)


TARGETS: dict[str, Target] = {
    "json": Target(_reader(".json", "json", "plain"), (_JSON, b"[" + _JSON + b"," + _JSON + b"]", b"1 2 3")),
    "jsonl": Target(_reader(".jsonl", "json", "markdown"), (_JSON + b"\n" + _JSON, b"\xff\xfe{\0}\0\n\0")),
    "csv": Target(_reader(".csv", "csv", "html"), (b'a,b\n1,"x\ny"\n', b"a;b\r\n1;2\r\n", "\u00e9\t\u00e8\n1\t2".encode("utf-16"))),
    "tsv": Target(_reader(".tsv", "csv", "plain"), (b"a\tb\n1\t2\n",)),
    "gzip": Target(_reader(".jsonl.gz", "json", "plain"), (gzip.compress(_JSON, mtime=0),)),
    "mbox": Target(_reader(".mbox", "mime", "plain"), (b"From a\n" + _MESSAGE + b"\nFrom b\n" + _MESSAGE,)),
    "eml": Target(_reader(".eml", "mime", "html"), (_MESSAGE,)),
    "mail": Target(_mail, (b"part/1\0" + _MESSAGE, b"From/address\0" + _MESSAGE, b"Subject\0" + _MESSAGE)),
    "html": Target(_reader(".html", "text", "html"), (_HTML,)),
    "markdown": Target(_reader(".md", "text", "markdown"), (_MARKDOWN,)),
    "text": Target(_reader(".txt", "text", "plain"), (b"It is slow.", "\u00e9t\u00e9".encode("latin-1"), b"\xff\xfea\0b\0")),
    "pdf": Target(_reader(".pdf", "pdf", "plain"), (_PDF,)),
    "encodings": Target(_encodings, (b"<?xml encoding='gbk'?>", b"<meta charset=koi8-r>", "\u65e5\u672c".encode("euc_jp"), b"a\0b\0c\0")),
    "markers": Target(_markers, (b'"marker": "veridical-export"', b"<!-- veridical-export -->", gzip.compress(b"x", mtime=0), _EMPTY)),
    "project-html": Target(_projected("html"), (_HTML,)),
    "project-markdown": Target(_projected("markdown"), (_MARKDOWN,)),
    "archive": Target(_archive, ()),
    "members": Target(_members, ()),
    "canonical": Target(_canonical, (_JSON, b'{"a":[1,-2,"\\ud83d\\ude00",null,true]}', b"1e5", b'{"a":1,"a":2}')),
    "urls": Target(
        _urls, (b"https://example.com/a?utm_source=x#f\0http://EXAMPLE.com:80/%7Ea", b"http://[::1]/\0http://xn--80ak6aa92e.com/")
    ),
    "settings": Target(_settings, (_SETTINGS,)),
    "drafts": Target(_drafts, (_DRAFT, _HTML)),
    "signature": Target(_signature, (b"\1" * 64 + _PEM,)),
    "quotes": Target(
        _quotes, ("It isn\u2019t \u201cslow\u201d.\n> Not at all, 3.5 ms.\0isn't slow".encode(), b"informa-\ntion of it\0information of it")
    ),
    "values": Target(
        _values,
        (b"2025-01-02T03:04:05Z\0x", b"The battery fails in {count:accounts}.\0The battery fails.", b"Mon, 3 Feb 2025 10:00 +0100\0"),
    ),
}


def seeds(name: str) -> list[bytes]:
    """Return the inputs that the fuzzer of a target begins with; a bundle is made only where it is needed."""
    made = {
        "archive": lambda: [_spelled(dict(_true_members()))],
        "members": lambda: [_one_changed(at) for at in range(len(_true_members()))],
    }
    return [*TARGETS[name].seeds, *(made[name]() if name in made else [])]


def _one_changed(number: int) -> bytes:
    return bytes([number, 10, 0, 0, 1]) + b'"'
