"""The checker at the edge of each rule: the last value that is still right beside the first that is not, and the words of its verdicts."""

from __future__ import annotations

import email
import email.policy
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from veridical.bundle import checker, new_key, read_signing_key, signature_path

from .cases import answered, archive, refused, sha
from .changes import put

SHOWN = """\

Question: What is hard?⟦U+202E⟧

Theme (source wording): learning rates
  accounts 3, attested accounts 1, mentions 5, origins 5, sources 3, unknown accounts 1
  c1 Neural networks ⟦need a lot of data⟧.
     [1] exact: container notes/a.txt, line 3, notes, witness held, read 2026-06-02T10:00:00Z
  c1 Deep ⟦layers forget⟧ what came before them.
     [2] clipped, clipped-context:unit: container notes/a.md, notes, witness held, read 2026-06-02T10:00:00Z
  c2 ⟦Beginners rarely tune & test⟧; they copy * settings.
     [3] located, case: container notes/b.jsonl, line 5, https://www.a.example/q/1?x=%20#top, witness held, read 2026-06-02T10:00:00Z
  c2 ⟦Nobody reads all⟧ of them.
     [1] exact, quoted-not-authored: container notes/a.txt, line 4, notes, witness held, read 2026-06-02T10:00:00Z
  c2 Nobody explains, ⟦why layers help⟧.
     [4] exact: container notes/c.csv, line 2, row 1, notes, witness held, read 2026-06-02T10:00:00Z

Theme (model wording): Training takes 3 days
  accounts 2, attested accounts 0, mentions 3, origins 3, sources 2, unknown accounts 1
  c3 in a model's words, quotes attached: Training took 3 days on 2000 images, say 2 accounts, see https://www.a.example/q/1?x=%20#top.
  c3 ⟦Training took 3 days⟧ on 2,000 images.
     [1] exact: container notes/a.txt, line 3, notes, witness held, read 2026-06-02T10:00:00Z
  c3 ⟦Beginners rarely tune & test⟧; they copy * settings.
     [3] located, case: container notes/b.jsonl, line 5, https://www.a.example/q/1?x=%20#top, witness held, read 2026-06-02T10:00:00Z
  c4 in a model's words, quotes attached: Ask Ann@a.example.
  c4 ⟦Ask ann@a.example first⟧.
     [1] exact: container notes/a.txt, line 3, notes, witness held, read 2026-06-02T10:00:00Z

Theme (kernel wording): Theme 3
  accounts 1, attested accounts 0, mentions 1, origins 1, sources 1, unknown accounts 0
  c5 ⟦On layers⟧
     [2] exact, field:title: container notes/a.md, notes, witness held, read 2026-06-02T10:00:00Z

To address: Who says so?
  c6 ⟦Attested words are only⟧ as good as who says them.
     [5] exact, snippet-only: container notes/a.md, http://b.example:8080/w, witness attested, read 2026-06-02T10:00:00Z

To address: Why? No sentence of the evidence could be verified as an answer to this.

"""
SHOWN_REFUSED = """\

Question: What is hard?⟦U+202E⟧

To address: Why? No sentence of the evidence could be verified as an answer to this.
No answer. The evidence that was named says too little about this to answer from it.

"""
ENDED = """\
{} documents: text recomputed from the raw bytes
{} documents: every visible character found in the raw bytes, in order
{} documents: raw bytes not enclosed, or not recomputable: text as recorded
Carried, not recomputed: bounds and context of cuts, a model's wording, rules of accounts, hosts and URLs, report.html and .md.
It does not prove that the words are true, independent, complete or fairly chosen.
"""


@pytest.mark.parametrize(("made", "shown", "states"), [(answered, SHOWN, (3, 1, 2)), (refused, SHOWN_REFUSED, (0, 0, 0))])
def test_all_that_is_released_is_shown_with_its_place_and_nothing_more(check, tmp_path, capsys, made, shown, states):
    data = made().build()
    assert check(data).code == 0
    name = tmp_path / "report.zip"
    assert checker.main([str(name), "--show"]) == 0
    root = sha(checker.read_archive(data)["MANIFEST.json"])
    verdict = f"{name} verifies: consistent, origin unproven\nroot digest {root}\n"
    assert f"{verdict}{shown}{ENDED.format(*states)}" == capsys.readouterr().out
    assert checker.main([str(name)]) == 0
    assert f"{verdict}{ENDED.format(*states)}" == capsys.readouterr().out


def test_the_result_as_json_names_the_state_of_each_document(tmp_path, capsys):
    case = answered()
    path = tmp_path / "report.zip"
    path.write_bytes(case.build())
    assert checker.main([str(path), "--json"]) == 0
    states = {"b": checker.FOUND, "p": checker.RECORDED, "w": checker.RECORDED}
    said = json.loads(capsys.readouterr().out)
    assert {
        "ok": True,
        "origin": "consistent, origin unproven",
        "root": sha(checker.read_archive(case.build())["MANIFEST.json"]),
        "documents": {name: states.get(letter, checker.RECOMPUTED) for letter, name in case.ids().items()},
        "limits": checker.LIMITS,
    } == said


SHAPE_WORDS: list[tuple[str, Any, str]] = [
    ("themes", {}, "is not a list"),
    ("run", [], "is not an object"),
    ("run", None, "is not an object"),
    ("outcome", None, "is not a string of the form answered|refused"),
    ("run/zz", 1, "is missing, or is not a member of this object"),
    ("themes/0/claims/0/quotes/0/line", 0, "is too small"),
    ("themes/0/claims/0/quotes/0/line", True, "is not of type int1"),
    ("citations/0/number", 0, "is too small"),
    ("run/sealed", -1, "is too small"),
    ("run/sealed", True, "is not of type int"),
    ("citations/2/published/zone_known", 1, "is not of type bool"),
]


@pytest.mark.parametrize(("path", "wrong", "why"), SHAPE_WORDS)
def test_a_value_of_another_shape_is_told_by_what_it_should_be(check, path, wrong, why):
    found = check(answered().build(report=put(path, wrong)))
    assert (4, f"report.json/{path}", why) == (found.code, found.where, found.why)


def test_pointers_are_an_object(check):
    found = check(answered(lambda case: put("derivation/pointers", [])(case.documents["a"])).build())
    assert found.why == "is not an object"


FREE: list[tuple[str, Any]] = [("run/seed", -1), ("run/seed", 0), ("inputs/0/size", 0), ("inputs/0/documents", 0), ("inputs/0/size", 2**70)]


@pytest.mark.parametrize(("path", "right"), FREE)
def test_a_number_that_may_be_as_small_is_read(check, path, right):
    assert check(answered().build(report=put(path, right))).code == 0


# ------------------------------------------------------------------------------------------------------------ bytes


def stopped(data: bytes) -> tuple[str, str]:
    """Return where the archive alone stops, and why."""
    with pytest.raises(checker.DoesNotVerify) as caught:
        checker.read_archive(data)
    return caught.value.args[0], caught.value.args[1]


def test_the_first_byte_that_is_not_canonical_is_the_one_that_is_named():
    data = archive({"MANIFEST.json": b"{}", "chain.json": b"[]"})
    second, directory = data.index(b"PK\3\4", 4), data.index(b"PK\1\2")
    assert checker.read_archive(data) == {"MANIFEST.json": b"{}", "chain.json": b"[]"}
    for index in (
        4,
        6,
        8,
        10,
        12,
        14,
        17,
        second + 5,
        second + 11,
        directory,
        directory + 4,
        directory + 38,
        len(data) - 22,
        len(data) - 1,
    ):
        changed = bytearray(data)
        changed[index] ^= 1
        assert f"byte {index}" == stopped(bytes(changed))[0], index
    for index in (directory, directory + 9, len(data) - 1):
        assert (f"byte {index}", "not the directory and end of a canonical archive") == stopped(data[:index])
    assert f"byte {len(data)}" == stopped(data + b"PK\3\4")[0]


def test_the_byte_after_the_header_is_where_a_wrong_name_stands():
    assert ("byte 30", f"{'x' * 80!r} is not the name of a member of a bundle") == stopped(archive({"x" * 90: b""}))
    first = archive({"chain.json": b"{}"})
    local = first[: first.index(b"PK\1\2")]
    assert (f"byte {len(local) + 30}", "chain.json is twice in the archive, or out of order") == stopped(local + local)
    assert ("byte 4", "the header of chain.json does not fit its content") == stopped(b"PK\3\4\0" + first[5:])


def test_a_name_is_as_long_as_both_bytes_of_its_length_say():
    data = bytearray(archive({"chain.json": b"{}"}) + b"x" * 256)
    data[27] = 1
    assert ("byte 30", "is not the name of a member of a bundle") == (stopped(bytes(data))[0], stopped(bytes(data))[1][-39:])


def test_an_archive_may_be_two_gigabytes_less_a_byte():
    def claimed(size: int) -> bytes:
        return b"PK\3\4" + b"\x14\0" + b"\0" * 12 + size.to_bytes(4, "little") * 2 + b"\x0a\0\0\0" + b"chain.json"

    assert "the header of chain.json does not fit its content" == stopped(claimed(2**31 - 41))[1]
    assert "the archive is larger than a bundle may be" == stopped(claimed(2**31 - 40))[1]


def test_more_members_than_a_plain_archive_counts_are_refused():
    header = b"PK\3\4" + b"\x14\0" + b"\0" * 6 + b"\x21\0" + b"\0" * 12 + b"\x44\0" + b"\0\0"
    data = b"".join(header + f"raw/{number:064x}".encode() for number in range(65535))
    assert (f"byte {65534 * 98}", "the archive is larger than a bundle may be") == stopped(data)
    assert (f"byte {65534 * 98}", "not the directory and end of a canonical archive") == stopped(data[:-98])


def test_the_first_byte_that_the_manifest_says_otherwise_is_named(check):
    data = answered().build(manifest=put("format", "veridical.bundle/2"))
    manifest = checker.read_archive(data)["MANIFEST.json"]
    found = check(data)
    assert (f"MANIFEST.json byte {manifest.index(b'bundle/2') + 7}", "is not the list of the enclosed members") == (found.where, found.why)
    spelled = checker.read_archive(answered().build())["report.json"].replace(b'":', b'": ', 1)
    found = check(answered().build(members=lambda members: members.update({"report.json": spelled})))
    assert f"report.json byte {spelled.index(b': ') + 1}" == found.where


def test_what_cannot_be_read_is_told_in_few_visible_words(check):
    found = check(answered().build(members=lambda members: members.update({"report.json": b"{"})))
    why = "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"
    assert ("report.json", f"is missing, or is not JSON that has one spelling ({why})") == (found.where, found.why)
    found = check(answered(lambda case: put("derivation/encoding", "n" * 100)(case.documents["a"])).build())
    assert found.why == f"cannot be read as its document says (LookupError: unknown encoding: {'n' * 62})"


# ------------------------------------------------------------------------------------------------------------ whole sentences

LEAD = answered().documents["w"]["text"]


def stretched(text: str, at: int, start: int, end: int) -> bytes:
    """Return a bundle that quotes seven characters at `at`, in a sentence that is said to reach from `start` to `end`."""
    case = answered(lambda case: put("text", text)(case.documents["w"]))
    claim = case.report["answers"][0]["claims"][0]
    claim["quotes"][0]["span"] |= {"start": at, "end": at + 7, "text": text[at : at + 7]}
    claim["quotes"][0]["sentence"] |= {"start": start, "end": end, "text": text[start:end]}
    claim["text"] = text[start:end]
    return case.build()


def long(at: int, last: str, first: str, rest: int) -> str:
    """Return words without an end, the key at `at`, and `rest` characters of words behind it."""
    return LEAD + (" ab" * 400 + last)[len(LEAD) - at :] + "the key" + (first + " ab" * 400)[:rest]


@pytest.mark.parametrize("last", [" ", " ab ", " abc ", " abcd "])
@pytest.mark.parametrize("at", [601, 602, 700, 900])
def test_a_sentence_begins_at_most_600_characters_before_its_quote(check, at, last):
    text = long(at, last, " ab", 30)
    start = text.index(" ", at - 600) + 1
    assert 0 == check(stretched(text, at, start, len(text))).code
    where = "report.json/answers/0/claims/0/quotes/0/sentence"
    assert where == check(stretched(text, at, text.index(" ", start + len(LEAD)) + 1, len(text))).where
    if at == 900:
        assert where == check(stretched(text, at, text.rindex(" ", 0, start - 1) + 1, len(text))).where


@pytest.mark.parametrize("at", [60, 600])
def test_a_sentence_before_which_no_600_characters_stand_begins_with_the_text(check, at):
    text = long(at, " ", " ab", 30)
    assert 0 == check(stretched(text, at, 0, len(text))).code
    assert "is not a whole sentence" == check(stretched(text, at, text.index(" ") + 1, len(text))).why
    assert check(stretched(f"A the key. {LEAD}", 2, 1, 10)).why == "is not a whole sentence"


@pytest.mark.parametrize("first", [" ab", " abc", " abcd"])
@pytest.mark.parametrize("rest", [601, 602, 700, 900])
def test_a_sentence_ends_at_most_600_characters_behind_its_quote(check, first, rest):
    at = len(LEAD) + 1
    text = f"{LEAD} the key" + (first + " ab" * 400)[:rest]
    end = text.rindex(" ", 0, at + 607)
    assert 0 == check(stretched(text, at, at, end)).code
    assert check(stretched(text, at, at, text.rindex(" ", 0, end))).why == "is not a whole sentence"
    if rest == 900:
        assert check(stretched(text, at, at, text.index(" ", end + 1))).why == "is not a whole sentence"


@pytest.mark.parametrize("rest", [3, 597, 600])
def test_a_sentence_behind_which_no_600_characters_stand_ends_with_the_text(check, rest):
    at = len(LEAD) + 1
    text = f"{LEAD} the key" + " ab" * (rest // 3)
    assert 0 == check(stretched(text, at, at, len(text))).code
    assert 0 == check(stretched(text + "\n" * (600 - rest), at, at, len(text))).code
    assert "is not a whole sentence" == check(stretched(text, at, at, len(text) - 3)).why


@pytest.mark.parametrize(
    ("between", "whole"), [(" ", False), (", ", False), ("\t", False), ("\n", True), (". ", True), (" - ", True), ("; ", True)]
)
def test_a_sentence_is_whole_unless_nothing_but_a_comma_parts_it_from_the_next_word(check, between, whole):
    at = len(LEAD) + 1 + len("one") + len(between)
    text = f"{LEAD} one{between}the key"
    assert (0 if whole else 4) == check(stretched(text, at, at, len(text))).code
    text, at = f"{LEAD} the key{between}one", len(LEAD) + 1
    assert (0 if whole else 4) == check(stretched(text, at, at, at + 7)).code


# ------------------------------------------------------------------------------------------------------------ rules by themselves


SAYS: list[tuple[str, str, bool]] = [
    ("1767225600", "2026-01-01T00:00:00Z", True),
    ("1767225600999", "2026-01-01T00:00:00Z", True),
    ("1767225601", "2026-01-01T00:00:00Z", False),
    ("176722560", "2026-01-01T00:00:00Z", False),
    ("2 Jan 2026", "2026-01-02", True),
    ("2 jan 2026", "2026-01-02", True),
    ("2 Feb 2026", "2026-01-02", False),
    ("1 Feb 2026", "2026-01-02", False),
    ("01 02 Feb 2026", "2026-01-02", False),
    ("2 Dec 2026", "2026-12-02", True),
    ("12 Nov 2026", "2026-12-11", False),
    ("Mon 02 2026", "2026-02", True),
    ("2026-01-02T10:11:12.5+01:00", "2026-01-02T10:11:12+01:00", True),
    ("2026-01-02 10:11:12", "2026-01-02T10:11:12", True),
    ("2026-01-02 10:11:13", "2026-01-02T10:11:12", False),
    ("2026-01-02 10:11:12", "2026-01-02T10:11:12.987Z", True),
    ("2026-01-02 10:11:12", "2026-01-02T10:11:12+05:30", True),
    ("Jan 2026", "2026", True),
    ("2026", "2026-01", False),
    ("", "2026", False),
]


@pytest.mark.parametrize(("atom", "value", "same"), SAYS)
def test_a_date_is_that_of_the_bytes_when_all_its_numbers_stand_there(atom, value, same):
    assert same is checker._says(atom, value)


FACTS: list[tuple[str, set[str]]] = [
    ("It took 3 days, 2,000 images and 1.5.2 tries", {"3", "2000", "1.5.2"}),
    ("1,2 or 1,0000 or 12,345,678", {"1", "2", "0000", "12345678"}),
    ("Ask Ann@A.Example. Or «bob+x@b-c.example», at 5.", {"ann@a.example", "bob+x@b-c.example", "5"}),
    ("@a and a@ are none", set()),
]


@pytest.mark.parametrize(("text", "facts"), FACTS)
def test_the_facts_of_a_text_are_its_numbers_and_addresses(text, facts):
    assert facts == checker._facts(text)


HOSTS: list[tuple[str, set[str]]] = [
    ("https://WWW.A.example:80/x?y#z", {"www.a.example"}),
    ("http://[2001:DB8::1]:8/", {"2001:db8::1"}),
    ("https://bücher.b.example?x", {"bücher.b.example", "xn--bcher-kva.b.example"}),
]


@pytest.mark.parametrize(("url", "hosts"), HOSTS)
def test_a_host_is_spelled_as_it_is_and_in_ascii(url, hosts):
    assert hosts == checker._hosts(url)


EARLIEST: list[tuple[str, str, bool, str]] = [
    ("2026", "year", False, "2025-12-31T10:00:00"),
    ("2026-06", "month", False, "2026-05-31T10:00:00"),
    ("2026-06-02", "day", False, "2026-06-01T10:00:00"),
    ("2026-06-02T10:00:00.25+02:00", "second", True, "2026-06-02T08:00:00"),
    ("2026-06-02T10:00:00", "second", False, "2026-06-01T20:00:00"),
]


@pytest.mark.parametrize(("value", "precision", "zone_known", "first"), EARLIEST)
def test_a_time_means_at_the_earliest_what_it_means_in_the_farthest_east(value, precision, zone_known, first):
    moment = {"value": value, "precision": precision, "zone_known": zone_known}
    assert datetime.fromisoformat(first).replace(tzinfo=UTC) == checker._earliest("here", moment)


VALUE: Any = {"a": {"b": ["x", 7, None]}, "a/b": "y", "~": "z", "0": "k", "t": True, "f": 1.5, "~1": "w", "l": [*"0123456789AB"]}
JSON_PLACES: list[tuple[str, str | None]] = [
    ("/a/b/0", "x"), ("/a/b/1", "7"), ("/a/b/2", None), ("/a/b/3", None), ("/a~1b", "y"), ("/~0", "z"), ("/0", "k"),
    ("/~01", "w"), ("/none", None), ("/none/more", None), ("/a~1b/0", None), ("/a/b/00", None), ("/l/10", "A"), ("/l/-1", None),
]  # fmt: skip


@pytest.mark.parametrize(("pointer", "due"), JSON_PLACES)
def test_a_pointer_leads_to_one_string_or_integer_or_to_nothing(pointer, due):
    """RFC 6901, sections 3 and 4."""
    assert due == checker._in_json(VALUE, pointer.split("/")[1:])


@pytest.mark.parametrize("pointer", ["/a", "/a/b", "/t", "/f", ""])
def test_what_is_neither_a_string_nor_an_integer_is_no_atom(pointer):
    with pytest.raises(checker.DoesNotVerify) as caught:
        checker._in_json(VALUE, pointer.split("/")[1:])
    assert ("a pointer", "leads to neither a string nor an integer") == caught.value.args


def test_a_character_that_cannot_be_seen_is_written_out():
    assert "a b  c⟦U+0000⟧⟦U+202E⟧⟦U+00AD⟧⟦U+E000⟧⟦U+2028⟧⟦U+2029⟧⟦U+27E6⟧⟦U+E0041⟧é" == checker.visible(
        "a\tb\r\nc\0\u202e\u00ad\ue000\u2028\u2029⟦\U000e0041é"
    )
    assert "⟦U+D800⟧" == checker.visible("\ud800")


# ------------------------------------------------------------------------------------------------------------ the command


@pytest.fixture
def signed(tmp_path: Path) -> tuple[Path, Path, str]:
    """A bundle with its signature, the public key, and the fingerprint of that."""
    pytest.importorskip("cryptography")
    made = new_key(tmp_path / "ann.pem")
    bundle = tmp_path / "report.zip"
    bundle.write_bytes(answered().build())
    root = sha(checker.read_archive(bundle.read_bytes())["MANIFEST.json"])
    signature_path(bundle).write_bytes(read_signing_key(made.private).sign(root))
    return bundle, made.public, made.fingerprint


def test_who_signed_is_named_and_a_signature_that_is_missing_too(signed, capsys):
    bundle, key, fingerprint = signed
    root = sha(checker.read_archive(bundle.read_bytes())["MANIFEST.json"])
    assert 0 == checker.main([str(bundle), "--key", str(key), "--json", "--root", root.upper()])
    origin = f"root digest as given; signed by KEY {fingerprint}: names who asserts the recording, no more"
    assert origin == json.loads(capsys.readouterr().out)["origin"]
    signature_path(bundle).unlink()
    assert 4 == checker.main([str(bundle), "--key", str(key)])
    why = f"{bundle}.sig: is missing, or is not a signature of 64 bytes"
    assert f"{bundle} does not verify.\n{why}\n" == capsys.readouterr().out


def test_what_is_no_key_is_wrong_usage_and_not_a_bundle_that_fails(signed, capsys):
    bundle, _, _ = signed
    assert 2 == checker.main([str(bundle), "--key", str(bundle), "--json"])
    said = json.loads(capsys.readouterr().out)
    assert (False, "--key") == (said["ok"], said["where"])


def test_a_signature_that_is_missing_is_no_wrong_usage_whatever_the_bundle_is_called(signed, capsys, monkeypatch):
    bundle, key, _ = signed
    monkeypatch.chdir(bundle.parent)
    for name in ("(1).zip", "z.zip"):
        Path(name).write_bytes(bundle.read_bytes())
        assert 4 == checker.main([name, "--key", str(key)])
        assert f"{name}.sig: is missing" in capsys.readouterr().out


def test_an_option_is_not_known_by_its_first_letters(tmp_path, capsys):
    path = tmp_path / "report.zip"
    path.write_bytes(answered().build())
    with pytest.raises(SystemExit, match="2"):
        checker.main([str(path), "--js"])
    assert "unrecognized arguments: --js" in capsys.readouterr().err


PARTS = b"""MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: application/pdf

one
--x
Content-Type: text/plain; charset=latin-1

two \xe9
--x
Content-Type: video/mp4

three
--x
Content-Type: text/html

<p>four</p>
--x--
"""


def test_the_parts_of_a_mail_are_its_texts_from_1_on():
    mail = email.message_from_bytes(PARTS, policy=email.policy.default)
    assert [None, "two é", "<p>four</p>", None] == [checker._in_mail(mail, "part", number) for number in "0123"]


@pytest.mark.parametrize("index", range(5))
def test_citations_stand_in_the_order_in_which_they_are_first_quoted_or_counted(check, index):
    def change(report: Any) -> None:
        rows = report["citations"]
        rows[index], rows[index + 1] = {**rows[index + 1], "number": index + 1}, {**rows[index], "number": index + 2}

    assert check(answered().build(report=change)).where == f"report.json/citations/{index}"


def test_the_sentence_before_may_be_the_first_of_the_text_and_ends_where_the_quoted_one_begins(check):
    def change(start: int, end: int) -> bytes:
        case = answered(lambda case: put("text", f"One. {LEAD}")(case.documents["w"]))
        quote = case.report["answers"][0]["claims"][0]["quotes"][0]
        quote["before"] = quote["span"] | {"start": start, "end": end, "text": f"One. {LEAD}"[start:end]}
        return case.build()

    assert [check(change(0, end)).code for end in (4, 5)] == [0, 0]
    assert check(change(0, 14)).why == "does not stand where it should"


def test_a_fold_that_the_place_itself_does_not_show_need_not_be_a_label(check):
    assert check(answered().build(report=put("themes/0/claims/1/quotes/0/labels", []))).code == 0


def test_a_repeated_line_is_known_where_a_text_begins_and_after_a_hard_boundary(check):
    words = "The one says so."
    for before in ("> ", ">", " > ", "x\n> ", "x\x1e>", "\n>"):
        text = f"{before}{words}\n{LEAD}"
        found = check(stretched(text, len(before), len(before), len(before + words)))
        assert found.why == "are not those of the place: ['quoted-not-authored']", before
    for before in ("x > ", "x\n\nx> "):
        text = f"{before}{words}\n{LEAD} 5>"
        assert check(stretched(text, len(before), len(before), len(before + words))).code == 0, before


def prose(text: str, template: str, sizes: dict[str, int], *sentences: tuple[str, str | None]) -> str:
    """Return what is wrong with a model's words on the evidence of sentences, each with the URL of its document."""
    bundle = object.__new__(checker.Bundle)
    bundle.documents = {str(number): {"url": url} for number, (_, url) in enumerate(sentences)}
    quotes = [{"span": {"document": str(number)}, "sentence": {"text": said}} for number, (said, _) in enumerate(sentences)]
    try:
        bundle._prose("here", text, template, quotes, sizes)
    except checker.DoesNotVerify as error:
        return error.args[1]
    return ""


COUNTED = [
    ("mentions", "0 mentions", "1 mention", "2 mentions"),
    ("accounts", "0 accounts", "1 account", "2 accounts"),
    ("unknown_accounts", "0 mentions by unknown authors", "1 mention by an unknown author", "2 mentions by unknown authors"),
    ("sources", "0 sources", "1 source", "2 sources"),
    ("origins", "0 distinct texts", "1 distinct text", "2 distinct texts"),
]


@pytest.mark.parametrize(("name", "none", "one", "two"), COUNTED)
def test_a_count_in_prose_is_written_with_its_noun_in_the_number_that_it_takes(name, none, one, two):
    for size, words in enumerate((none, one, two)):
        assert prose(f"Of {words}.", f"Of {{count:{name}}}.", {name: size}, ("", None)) == ""
    assert prose(f"Of {two}.", f"Of {{count:{name}}}.", {name: 1}, ("", None)) == "is not what the template and the counts give"


def test_prose_is_its_template_and_no_less_and_no_more():
    for text in ("", "A", "Words.", "words", "zzz", "Words {count:accounts}", "Words {count:nobody}"):
        assert prose(text, text if "{" in text else "Words", {"accounts": 1}, ("", None)) == "is not what the template and the counts give"


def test_the_facts_of_prose_stand_in_one_sentence():
    why = "no one sentence has its numbers and addresses"
    assert prose("3 of 4", "3 of 4", {}, ("3 of 4 and 5", None)) == ""
    assert prose("3 of 4", "3 of 4", {}, ("only 3", None), ("only 4", None)) == why
    assert prose("3 of 4", "3 of 4", {}) == why


def test_a_link_in_prose_is_that_of_a_document_that_is_cited():
    url = "https://a.example/x"
    assert prose(f"See ({url}).", f"See ({url}).", {}, ("", None), ("", url)) == ""
    why = "https://a.example/xy is not the URL of a document that the claim cites"
    assert prose(f"See {url}y", f"See {url}", {}, ("", None), ("", url)) == why
    assert prose("See https://a.example/", "See x", {}, ("", url)) == "is not what the template and the counts give"


def test_a_sentence_stands_in_the_field_of_its_quote(check):
    def text_in_title(report: Any) -> None:
        quote, title = report["themes"][0]["claims"][0]["quotes"][1], report["themes"][2]["claims"][0]["quotes"][0]["sentence"]
        quote["span"] |= {"start": 0, "end": 4, "text": "Deep"}
        quote["sentence"] = title

    def title_in_text(report: Any) -> None:
        quote = report["themes"][2]["claims"][0]["quotes"][0]
        quote["sentence"] = report["themes"][0]["claims"][0]["quotes"][1]["sentence"]

    for change, where in ((text_in_title, "0/claims/0/quotes/1"), (title_in_text, "2/claims/0/quotes/0")):
        found = check(answered().build(report=change))
        assert (f"report.json/themes/{where}/sentence", "does not stand where it should") == (found.where, found.why)


@pytest.mark.parametrize(("quoting", "quoted"), [((0, 0), (1, 2)), ((1, 2), (0, 0))])
def test_a_heading_stands_in_the_document_of_its_quote(check, quoting, quoted):
    def change(report: Any) -> None:
        quote, other = (report["themes"][0]["claims"][claim]["quotes"][index] for claim, index in (quoting, quoted))
        words = ("Getting started", "Nobody explains")[other["line"] == 2]
        quote["headings"] = [other["span"] | {"start": 0, "end": 15, "text": words}]

    found = check(answered().build(report=change))
    where = f"report.json/themes/0/claims/{quoting[0]}/quotes/{quoting[1]}/headings/0"
    assert (where, "does not stand where it should") == (found.where, found.why)


def test_evidence_may_be_read_in_the_second_of_the_report(check):
    assert check(answered().build(report=put("run/created_at", "2026-06-02T10:00:00Z"))).code == 0
    assert check(answered().build(report=put("run/created_at", "2026-06-02T09:59:59Z"))).why == "lies after the time of the report"
