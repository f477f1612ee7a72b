"""The checker reads only the canonical archive and the canonical spelling of JSON, and names the first byte that is not."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from veridical.bundle import checker

from .cases import answered, archive, refused
from .changes import drop, put, stop

HONEST = answered().build()
REFUSED = refused().build()


# ------------------------------------------------------------------------------------------------------------ archive


def test_every_single_byte_that_is_flipped_is_found_and_its_place_named():
    for index in range(len(REFUSED)):
        assert stop(REFUSED[:index] + bytes([REFUSED[index] ^ 1]) + REFUSED[index + 1 :]), index


def test_every_cut_and_every_addition_is_found(check):
    for index in range(len(REFUSED)):
        assert stop(REFUSED[:index]), index
    assert "byte" in check(REFUSED + b"\0").where
    assert check(b"\0" + REFUSED).where == "byte 0"


def _zip(change: Any) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        for name, body in sorted(_members(HONEST).items()):
            info = zipfile.ZipInfo(name)
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            change(info, file)
            file.writestr(info, body)
    return target.getvalue()


def _members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


ODD_ARCHIVES = {
    "compressed": lambda info, file: setattr(info, "compress_type", zipfile.ZIP_DEFLATED),
    "dated": lambda info, file: setattr(info, "date_time", (2026, 1, 1, 0, 0, 0)),
    "executable": lambda info, file: setattr(info, "external_attr", 0o100755 << 16),
    "from another system": lambda info, file: setattr(info, "create_system", 0),
    "extra field": lambda info, file: setattr(info, "extra", b"\xfe\xca\x00\x00"),
    "member comment": lambda info, file: setattr(info, "comment", b"hello"),
    "archive comment": lambda info, file: setattr(file, "comment", b"hello"),
}


@pytest.mark.parametrize("odd", ODD_ARCHIVES)
def test_only_the_canonical_archive_is_read(check, odd):
    found = check(_zip(ODD_ARCHIVES[odd]))
    assert found.code == 4
    assert found.where.startswith("byte ")


def test_the_tests_own_archive_is_the_canonical_one():
    assert _zip(lambda info, file: None) == HONEST


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "extra.txt", "raw/" + "A" * 64, "documents/x.json", "raw\\x", "MANIFEST.json/"])
def test_a_name_that_no_bundle_has_is_refused(check, name):
    found = check(archive({**_members(HONEST), name: b""}))
    assert (found.code, "is not the name of a member" in found.why) == (4, True)


def test_a_member_that_is_there_twice_or_out_of_order_is_refused(check):
    members = _members(REFUSED)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        for name in [*sorted(members), "chain.json"]:
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr = 3, 0o100644 << 16
            if name == "chain.json" and name in file.namelist():
                break
            file.writestr(info, members[name])
        file.filelist.append(file.filelist[1])
        file._didModify = True
    assert check(target.getvalue()).code == 4
    one = archive({"chain.json": b"{}"})
    local = one[: one.index(b"PK\1\2")]
    found = check(local + local)
    assert "chain.json is twice in the archive, or out of order" in found.why
    other = archive({"MANIFEST.json": b"{}"})
    found = check(local + other[: other.index(b"PK\1\2")])
    assert "MANIFEST.json is twice in the archive, or out of order" in found.why


def test_an_archive_that_is_larger_than_one_may_be_is_refused():
    large = b"PK\3\4" + b"\x14\0" + b"\0" * 12 + b"\xff\xff\xff\x7f" * 2 + b"\x0a\0\0\0" + b"chain.json"
    with pytest.raises(checker.DoesNotVerify, match="larger than a bundle may be"):
        checker.read_archive(large)


def test_a_member_that_is_not_listed_or_not_enclosed_is_named(check):
    assert check(answered().build(manifest=drop("members/0"))).where == "chain.json"
    assert check(answered().build(manifest=lambda listed: listed["members"].append(listed["members"][0]))).where.startswith(
        "MANIFEST.json byte"
    )
    assert check(answered().build(manifest=lambda listed: listed["members"].reverse())).where.startswith("MANIFEST.json byte")
    assert check(answered().build(manifest=put("members/0/size", 1))).where == "chain.json"
    assert check(answered().build(manifest=put("members/0/sha256", "0" * 64))).where == "chain.json"
    assert check(answered().build(manifest=put("format", "veridical.bundle/2"))).where.startswith("MANIFEST.json byte")
    assert check(answered().build(manifest=lambda listed: listed.update(more=1))).where.startswith("MANIFEST.json")


@pytest.mark.parametrize("name", ["chain.json", "report.html", "report.json", "report.md"])
def test_a_member_that_every_bundle_has_is_missed(check, name):
    found = check(answered().build(members=drop(name)))
    assert (found.where, found.why) == (name, "is missing")


def test_an_archive_without_a_manifest_is_no_bundle(check):
    assert check(archive({})).where == "MANIFEST.json"


def test_a_slim_bundle_holds_no_raw_bytes(check):
    found = check(answered().build(manifest=put("slim", True)))
    assert (found.where, found.why) == ("MANIFEST.json/slim", "stands beside raw bytes")


# ------------------------------------------------------------------------------------------------------------ JSON and shapes


@pytest.mark.parametrize("word", ["sandboxed", "unsandboxed"])
def test_a_plugin_that_ran_isolated_is_said_to_have_and_one_that_did_not_says_nothing(check, word):
    assert check(answered().build(report=put("plugins/0/isolated", word))).code == 0
    assert check(answered().build(report=put("plugins/0/isolated", "yes"))).where == "report.json/plugins/0/isolated"
    assert check(answered().build(report=put("plugins/0/isolated", None))).where == "report.json/plugins/0/isolated"


def test_no_other_object_has_a_member_that_may_be_left_out(check):
    assert check(answered().build(report=put("run/isolated", "sandboxed"))).where == "report.json/run/isolated"
    assert check(answered().build(report=drop("plugins/0/reason"))).where == "report.json/plugins/0/reason"
    assert [name for members in checker.SHAPES.values() for name, form in members.items() if form[0] == "~"] == ["isolated"]


def respell(name: str, change: Any):
    def members(found: dict[str, bytes]) -> None:
        found[name] = change(found[name])

    return members


SPELLINGS = {
    "a space": lambda body: body.replace(b'":', b'": ', 1),
    "a line feed at the end": lambda body: body + b"\n",
    "keys in another order": lambda body: json.dumps(dict(reversed(json.loads(body).items())), separators=(",", ":")).encode(),
    "a key twice": lambda body: body[:-1] + b',"themes":[]}',
    "a character outside ASCII": lambda body: body.replace(b"\\u202e", "\u202e".encode()),
    "an escape in capitals": lambda body: body.replace(b"\\u202e", b"\\u202E"),
    "a lone surrogate": lambda body: body.replace(b"\\u202e", b"\\ud800"),
    "NaN": lambda body: body.replace(b'"seed":-7', b'"seed":NaN'),
    "a float": lambda body: body.replace(b'"seed":-7', b'"seed":7.0'),
    "an exponent": lambda body: body.replace(b'"seed":-7', b'"seed":7e0'),
    "minus zero": lambda body: body.replace(b'"seed":-7', b'"seed":-0'),
    "a number too long to read": lambda body: body.replace(b'"seed":-7', b'"seed":' + b"9" * 5000),
    "deep nesting": lambda body: b"[" * 100_000 + b"]" * 100_000,
    "not JSON": lambda body: body[:-1],
    "nothing": lambda body: b"",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_only_the_canonical_spelling_of_json_is_read(check, spelling):
    found = check(answered().build(members=respell("report.json", SPELLINGS[spelling])))
    assert found.code == 4
    assert found.where.startswith("report.json")
