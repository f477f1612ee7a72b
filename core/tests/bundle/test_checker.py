"""The checker: what it says of an honest bundle, and that it names the first lie in one whose digests are all right."""

from __future__ import annotations

import io
import itertools
import json
import re
import runpy
import subprocess
import sys
import zipfile
from typing import Any

import pytest
import veridical_contract
from pydantic import TypeAdapter
from veridical.bundle import CHECKER, checker
from veridical.kernel import texts
from veridical.kernel.policy import POLICIES, load_policy
from veridical.kernel.prose import ProseTable
from veridical.kernel.texts import UNADDRESSED, known_label, refusal

from .cases import MAIL, MARKDOWN, NOTES, POINTERS, ROW, SHOWN, Case, answered, archive, canonical, counts, refused, sha
from .changes import at, drop, put, stop

HONEST = answered().build()
REFUSED = refused().build()


# ------------------------------------------------------------------------------------------------------------ honest


def test_an_honest_bundle_verifies_and_its_origin_is_unproven(check, tmp_path, capsys):
    assert check(HONEST).code == 0
    assert checker.main([str(tmp_path / "report.zip")]) == 0
    shown = capsys.readouterr().out
    assert "verifies: consistent, origin unproven" in shown
    assert "3 documents: text recomputed from the raw bytes" in shown
    assert "1 documents: every visible character found in the raw bytes, in order" in shown
    assert "2 documents: raw bytes not enclosed, or not recomputable: text as recorded" in shown
    assert "It does not prove that the words are true, independent, complete or fairly chosen." in shown


def test_with_its_root_digest_the_origin_is_proven_and_with_another_it_does_not_verify(check, tmp_path, capsys):
    root = sha(zipfile.ZipFile(io.BytesIO(HONEST)).read("MANIFEST.json"))
    assert check(HONEST, "--root", root).code == 0
    checker.main([str(tmp_path / "report.zip"), "--root", root])
    assert "verifies: root digest as given" in capsys.readouterr().out
    assert check(HONEST, "--root", "0" * 64).where == "MANIFEST.json"


def test_the_released_items_are_rendered_by_the_checker_itself(check, tmp_path, capsys):
    check(HONEST)
    checker.main([str(tmp_path / "report.zip"), "--show"])
    shown = capsys.readouterr().out
    assert "Question: What is hard?⟦U+202E⟧" in shown
    assert "c1 Neural networks ⟦need a lot of data⟧." in shown
    assert "c3 in a model's words, quotes attached: Training took 3 days" in shown
    assert "accounts 3, attested accounts 1" in shown
    assert "[3] located, case: container notes/b.jsonl, line 5, https://www.a.example/q/1?x=%20#top, witness held" in shown
    check(REFUSED)
    checker.main([str(tmp_path / "report.zip"), "--show"])
    assert "No answer. The evidence that was named says too little" in capsys.readouterr().out


def test_a_slim_bundle_verifies_with_its_texts_as_recorded(check):
    case = answered()
    case.slim = True
    assert check(case.build()).code == 0


def test_a_failure_is_told_to_a_person_with_its_place(tmp_path, capsys):
    path = tmp_path / "report.zip"
    path.write_bytes(answered().build(report=put("query", 1)))
    assert checker.main([str(path)]) == 4
    assert capsys.readouterr().out.endswith("does not verify.\nreport.json/query: is not a string of the form [\\s\\S]*\n")


@pytest.mark.parametrize("arguments", [[], ["--rot", "x"], ["/no/such/file"], ["a", "b"]])
def test_wrong_usage_exits_2_and_says_so_on_stderr(arguments, capsys):
    try:
        code = checker.main(arguments)
    except SystemExit as exit_:
        code = exit_.code
    assert code == 2
    assert capsys.readouterr().err


def test_the_one_file_runs_alone_without_site_packages_and_environment(tmp_path):
    alone = tmp_path / "elsewhere" / "checker.py"
    alone.parent.mkdir()
    alone.write_bytes(CHECKER.read_bytes())
    bundle = tmp_path / "report.zip"
    bundle.write_bytes(HONEST)
    done = subprocess.run([sys.executable, "-I", "-S", str(alone), str(bundle)], capture_output=True, encoding="utf-8", env={}, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_run_as_a_program_it_exits_with_its_verdict(tmp_path, monkeypatch, capsys):
    path = tmp_path / "report.zip"
    path.write_bytes(HONEST[:-1])
    monkeypatch.setattr(sys, "argv", ["checker.py", str(path)])
    with pytest.raises(SystemExit, match="4"):
        runpy.run_path(str(CHECKER), run_name="__main__")
    assert "does not verify" in capsys.readouterr().out


def test_the_checker_is_one_small_file_that_imports_the_standard_library_alone():
    source = CHECKER.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 600
    loaded = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            f"import runpy, sys; runpy.run_path({str(CHECKER)!r}); print(*{{m.split('.')[0] for m in sys.modules}})",
        ],
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout.split()
    assert set(loaded) - sys.stdlib_module_names - {"__main__", "__mp_main__"} == set()


# ------------------------------------------------------------------------------------------------------------ in step with the kernel


def _shape_of(schema: dict[str, Any], models: dict[str, Any]) -> dict[str, str]:
    return {name: _kind(each, models) for name, each in schema["properties"].items()}


def _kind(schema: dict[str, Any], models: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return "?" + next(_kind(each, models) for each in schema["anyOf"] if each.get("type") != "null")
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[1]
    if schema.get("type") == "array":
        return "[" + _kind(schema["items"], models)
    if "enum" in schema or "const" in schema:
        return "=" + "|".join(str(each) for each in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "object":
        return "{str"
    if schema.get("type") == "integer":
        return {0: "int", 1: "int1", None: "num"}[schema.get("minimum")]
    return {"boolean": "bool", "string": "str"}[schema["type"]]


SPELLED = {"Run": "RunRecord", "Name": "ThemeName", "Input": "InputRecord", "Plugin": "PluginRecord"}
NARROWER = {"hex", "utc", "time", "slug", "label"}


def test_the_shapes_are_those_of_the_contract_or_narrower():
    for kind, members in checker.SHAPES.items():
        if kind == "Chain":
            continue
        model = getattr(veridical_contract, SPELLED.get(kind, kind))
        schema = TypeAdapter(model).json_schema()
        due = _shape_of(schema, schema.get("$defs", {}))
        assert list(due) == list(members), kind
        for name, mine in members.items():
            theirs = due[name]
            for long, short in {one: other for other, one in SPELLED.items()}.items():
                theirs = theirs.replace(long, short)
            mine = mine.replace("\\", "").replace("grade", "=held|wire|attested")
            if mine.lstrip("?[") in NARROWER:
                assert theirs.lstrip("?[") == "str", (kind, name)
            elif name == "policy":
                assert (mine, theirs) == ("=" + "|".join(POLICIES), "str")
            elif mine.startswith("=") and name == "policy_fingerprint":
                pinned = "=" + "|".join(load_policy(each).fingerprint for each in POLICIES)
                assert (mine, theirs) == (pinned, "str"), "a table of the policy has changed: python -m tools.pin_policy"
            elif name == "message":
                assert (mine, theirs) == ("?=<[!-~]{1,990}>", "?str")  # RFC 5322, 3.6.4
            elif (kind, name) == ("Refusal", "code") or (kind, name) == ("Claim", "wording"):
                assert set(mine[1:].split("|")) < set(theirs[1:].split("|"))
            else:
                assert theirs == mine.replace("~", "?"), (kind, name)  # null and left out are one to pydantic


def test_the_constants_are_those_of_the_kernel():
    said = [refusal(code, (1, 2, 3, 4)) for code in ("no-evidence", "insufficient-evidence", "nothing-verified")]
    words = [canonical([each.code, each.text, [step.what for step in each.tried], list(each.help)]) for each in said]
    assert tuple(sha(each)[:24] for each in words) == checker.REFUSALS
    assert checker.UNADDRESSED == UNADDRESSED
    assert [label for label in texts._LABELS if not re.fullmatch(checker.PATTERNS["label"], label)] == []
    spelled = re.findall(
        r"[a-z:-]+(?=\||$)", re.sub(r"clipped-context:\([^)]*\)\|", "", checker.PATTERNS["label"]).replace("(:block)?", "")
    )
    assert [label for label in spelled if not known_label(label)] == []
    nouns = load_policy().table("prose", ProseTable).languages["en"].nouns
    assert {name: checker.NOUNS.get(name, (name[:-1], name)) for name in nouns} == nouns


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


# ------------------------------------------------------------------------------------------------------------ lies in a report


def _cut(path: str, front: int, back: int):
    """Return a change that takes characters away from the front and the back of a span."""

    def change(report: Any) -> None:
        holder, last = at(report, path)
        span = holder[last]
        text = span["text"][front : len(span["text"]) - back]
        holder[last] = span | {"start": span["start"] + front, "end": span["end"] - back, "text": text}

    return change


def _move(path: str, source: str, target: str):
    """Return a change that puts what stands at one place below `path` at another too."""

    def change(report: Any) -> None:
        holder, last = at(report, f"{path}/{source}")
        put(f"{path}/{target}", holder[last])(report)

    return change


def _hard(report: Any) -> Any:
    """Return a span of the notes that begins with the hard boundary in them."""
    start = NOTES.index("\x1e")
    span = report["themes"][1]["claims"][1]["quotes"][0]["span"]
    return span | {"start": start, "end": start + 12, "text": NOTES[start : start + 12]}


LIES: dict[str, tuple[Any, str]] = {
    "another format": (put("format", "veridical.report/2"), "format"),
    "no marker": (put("marker", "x"), "marker"),
    "an unknown policy": (put("run/policy", "veridical-policy-2"), "run/policy"),
    "another run": (put("run/id", "run-2"), "chain.json/run"),
    "another fingerprint": (put("run/policy_fingerprint", "0" * 64), "run/policy_fingerprint"),
    "another seal": (put("run/seal", "0" * 64), "chain.json/seal"),
    "more evidence than was sealed": (put("run/sealed", 9), "run/sealed"),
    "a report older than its evidence": (put("run/created_at", "2026-06-01T00:00:00Z"), "citations/0/retrieved"),
    "a quote that is not there": (put("themes/0/claims/0/quotes/0/span/text", "need no data"), "themes/0/claims/0/quotes/0/span/text"),
    "less evidence than was sealed": (put("run/sealed", 7), "run/sealed"),
    "a theme before the first": (put("themes/0/id", "t0"), "themes/0/id"),
    "a known author as attested": (put("citations/3/account", "attested"), "citations/3/account"),
    "a quote that ends sooner than its place": (
        put("themes/0/claims/0/quotes/0/span/text", "need"),
        "themes/0/claims/0/quotes/0/span/text",
    ),
    "a model's name with a place": (
        lambda report: put("themes/1/name/span", report["themes"][0]["name"]["span"])(report),
        "themes/1/name/span",
    ),
    "a quote at another place": (put("themes/0/claims/0/quotes/0/span/start", 1), "themes/0/claims/0/quotes/0/span"),
    "an empty quote": (put("themes/0/claims/0/quotes/0/span/end", 0), "themes/0/claims/0/quotes/0/span"),
    "a quote past the end": (put("themes/0/claims/0/quotes/0/sentence/end", 999), "themes/0/claims/0/quotes/0/sentence"),
    "a quote of an uncited document": (
        put("themes/0/claims/0/quotes/0/sentence/document", sha(b"x")),
        "themes/0/claims/0/quotes/0/sentence",
    ),
    "a quote of a field that is not there": (
        put("themes/0/claims/0/quotes/0/sentence/field", "title"),
        "themes/0/claims/0/quotes/0/sentence",
    ),
    "a sentence that begins later": (_cut("themes/0/claims/0/quotes/0/sentence", 7, 0), "themes/0/claims/0/quotes/0/sentence"),
    "a sentence that ends earlier": (_cut("themes/1/claims/0/quotes/0/sentence", 0, 8), "themes/1/claims/0/quotes/0/sentence"),
    "a sentence without its quote": (_cut("themes/1/claims/0/quotes/0/sentence", 14, 0), "themes/1/claims/0/quotes/0/span"),
    "a quote cut within a word": (_cut("themes/1/claims/0/quotes/0/span", 1, 0), "themes/1/claims/0/quotes/0/span"),
    "a quote cut at the end within a word": (_cut("themes/1/claims/0/quotes/0/span", 0, 1), "themes/1/claims/0/quotes/0/span"),
    "a neighbour after, before": (_move("themes/1/claims/0/quotes/0", "after", "before"), "themes/1/claims/0/quotes/0/before"),
    "a neighbour before, after": (_move("themes/1/claims/0/quotes/0", "before", "after"), "themes/1/claims/0/quotes/0/after"),
    "a neighbour behind a hard boundary": (
        lambda report: put("themes/1/claims/1/quotes/0/after", _hard(report))(report),
        "themes/1/claims/1/quotes/0/after/text",
    ),
    "a heading below": (_move("themes/1/claims/0/quotes/0", "after", "headings/0"), "themes/1/claims/0/quotes/0/headings/0"),
    "a sentence of another document": (
        _move("themes/0/claims", "1/quotes/0/sentence", "0/quotes/0/sentence"),
        "themes/0/claims/0/quotes/0/sentence",
    ),
    "a neighbour in another field": (
        _move("themes", "2/claims/0/quotes/0/span", "0/claims/0/quotes/1/after"),
        "themes/0/claims/0/quotes/1/after",
    ),
    "another line": (put("themes/1/claims/0/quotes/0/line", 4), "themes/1/claims/0/quotes/0/line"),
    "another line of JSON": (put("themes/1/claims/0/quotes/1/line", 4), "themes/1/claims/0/quotes/1/line"),
    "a line of mail": (put("themes/0/claims/0/quotes/1/line", 1), "themes/0/claims/0/quotes/1/line"),
    "a line of a title": (put("themes/2/claims/0/quotes/0/line", 1), "themes/2/claims/0/quotes/0/line"),
    "an unknown verdict": (put("themes/0/claims/0/quotes/0/verdict", "true"), "themes/0/claims/0/quotes/0/verdict"),
    "an unknown label": (put("themes/0/claims/0/quotes/0/labels", ["proven"]), "themes/0/claims/0/quotes/0/labels/0"),
    "an unknown fold": (put("themes/0/claims/0/quotes/0/folds", ["synonym"]), "themes/0/claims/0/quotes/0/folds/0"),
    "a clipped quote alone": (put("themes/0/claims/0/quotes/0/verdict", "clipped"), "themes/0/claims/0/quotes"),
    "an illustration alone": (put("themes/0/claims/0/quotes/0/verdict", "illustration"), "themes/0/claims/0/quotes"),
    "somebody else's words alone": (put("themes/0/claims/1/quotes", lambda quotes: quotes[1:2]), "themes/0/claims/1/quotes"),
    "somebody else's words as the author's": (put("themes/0/claims/1/quotes/1/labels", []), "themes/0/claims/1/quotes/1/labels"),
    "the author's words as somebody else's": (
        put("themes/0/claims/0/quotes/0/labels", ["quoted-not-authored"]),
        "themes/0/claims/0/quotes/0/labels",
    ),
    "folds of an exact quote": (put("themes/0/claims/0/quotes/0/folds", ["case"]), "themes/0/claims/0/quotes/0/folds"),
    "a located quote without folds": (put("themes/0/claims/0/quotes/0/verdict", "located"), "themes/0/claims/0/quotes/0/folds"),
    "a claim in words that support nothing": (put("themes/0/claims/0/quotes", lambda quotes: quotes[::-1]), "themes/0/claims/0/quotes/0"),
    "a claim that is not its sentence": (put("themes/0/claims/0/text", "Networks need no data."), "themes/0/claims/0/text"),
    "a claim without quotes": (put("themes/0/claims/0/quotes", []), "themes/0/claims/0/quotes"),
    "a source claim that is attached": (put("themes/0/claims/0/support", "attached"), "themes/0/claims/0/support"),
    "a source claim with a template": (put("themes/0/claims/0/template", "x"), "themes/0/claims/0/template"),
    "a model's claim that is verbatim": (put("themes/1/claims/0/support", "verbatim"), "themes/1/claims/0/support"),
    "a model's claim without a template": (put("themes/1/claims/0/template", None), "themes/1/claims/0/text"),
    "a kernel's claim": (put("themes/1/claims/0/wording", "kernel"), "themes/1/claims/0/wording"),
    "another count in prose": (
        put("themes/1/claims/0/text", lambda text: text.replace("2 accounts", "200 accounts")),
        "themes/1/claims/0/text",
    ),
    "another noun in prose": (
        put("themes/1/claims/0/text", lambda text: text.replace("2 accounts", "2 experts")),
        "themes/1/claims/0/text",
    ),
    "words that the template has not": (put("themes/1/claims/0/text", lambda text: text + " Surely."), "themes/1/claims/0/text"),
    "a URL of nobody": (put("themes/1/claims/0/text", lambda text: text.replace("www.a", "evil.a")), "themes/1/claims/0/text"),
    "a longer URL": (put("themes/1/claims/0/text", lambda text: text.replace("#top", "#top/x")), "themes/1/claims/0/text"),
    "themes in another order": (put("themes", lambda themes: themes[::-1]), "themes/0/id"),
    "claims in another order": (put("themes/0/claims", lambda claims: claims[::-1]), "themes/0/claims/0/id"),
    "a theme without a claim": (put("themes/0/claims", []), "themes/0/claims"),
    "a name that is not there": (put("themes/0/name/text", "learning rats"), "themes/0/name/text"),
    "a name without its place": (put("themes/0/name/span", None), "themes/0/name/span"),
    "a kernel's name of somebody else": (put("themes/2/name/text", "The truth"), "themes/2/name/text"),
    "a model's name with a number": (put("themes/1/name/text", "Training takes 9 days"), "themes/1/name/text"),
    "a count in a name": (put("themes/1/name/text", "{count:accounts}"), "themes/1/name/text"),
    "a member twice": (put("themes/0/members", lambda members: [*members, members[0]]), "themes/0/members"),
    "a member that nobody knows": (put("themes/0/members/0/document", sha(b"x")), "themes/0/members/0"),
    "a member past the end": (put("themes/0/members/0/end", 999), "themes/0/members/0"),
    "an empty member": (put("themes/0/members/0/start", lambda _: len(NOTES)), "themes/0/members/0"),
    "a quoted document that is not counted": (
        lambda report: (put("themes/2/members", [])(report), put("themes/2/counts", counts(0, 0, 0, 0, 0, 0))(report)),
        "themes/2/members",
    ),
    "mentions": (put("themes/0/counts/mentions", 6), "themes/0/counts/mentions"),
    "accounts": (put("themes/0/counts/accounts", 4), "themes/0/counts/accounts"),
    "attested accounts": (put("themes/0/counts/attested_accounts", 0), "themes/0/counts/attested_accounts"),
    "unknown accounts": (put("themes/0/counts/unknown_accounts", 0), "themes/0/counts/unknown_accounts"),
    "sources": (put("themes/0/counts/sources", 5), "themes/0/counts/sources"),
    "origins": (put("themes/0/counts/origins", 1), "themes/0/counts/origins"),
    "an answer without claims": (put("answers/0/claims", []), "answers/0/status"),
    "an unaddressed question that is answered": (put("answers/0/status", "unaddressed"), "answers/0/status"),
    "an excuse of somebody else": (put("answers/1/reason", "There is no answer."), "answers/1/reason"),
    "numbers of citations": (put("citations/0/number", 2), "citations/0/number"),
    "a document cited twice": (lambda report: report["citations"].append(report["citations"][0] | {"number": 7}), "citations/6/document"),
    "a document that was not sealed": (put("citations/0/document", sha(b"z")), "citations/0/document"),
    "a document for nothing": (put("themes/0/name", {"wording": "kernel", "text": "Theme 1", "span": None}), "citations/5"),
    "another URL": (put("citations/2/url", "https://www.a.example/q/2"), "citations/2/url"),
    "another title": (put("citations/2/title", "T"), "citations/2/title"),
    "another author": (put("citations/2/author/name", "Bob"), "citations/2/author"),
    "another date": (put("citations/2/published/value", "2020-01-01T00:00:00Z"), "citations/2/published"),
    "another time of reading": (put("citations/2/retrieved", "2026-06-02T10:00:01Z"), "citations/2/retrieved"),
    "another place": (put("citations/2/locator/container", "x"), "citations/2/locator"),
    "another origin": (put("citations/2/origin", "x"), "citations/2/origin"),
    "another witness": (put("citations/4/witness", "held"), "citations/4/witness"),
    "other grades": (put("citations/4/grades/url", "held"), "citations/4/grades"),
    "another snippet hash": (put("citations/0/snippet_hash", "0" * 16), "citations/0/snippet_hash"),
    "another text hash": (put("citations/0/text_sha256", "0" * 64), "citations/0/text_sha256"),
    "a known author who is attested": (put("citations/4/account", "known"), "citations/4/account"),
    "an author hidden as unknown": (put("citations/3/account", "unknown"), "citations/3/account"),
    "an author made up": (put("citations/0/account", "known"), "citations/0/account"),
    "a bot without an author": (put("citations/0/account", "excluded"), "citations/0/account"),
    "a bot with a key": (put("citations/3/account", "excluded"), "citations/3/account_key"),
    "a key of nobody": (put("citations/0/account_key", "source:notes/x"), "citations/0/account_key"),
    "no key": (put("citations/3/account_key", None), "citations/3/account_key"),
    "a key of somebody else": (put("citations/3/account_key", "source:notes/ann"), "citations/3/account_key"),
    "a key on another site": (put("citations/3/account_key", "elsewhere/bob"), "citations/3/account_key"),
    "a domain of somebody else": (put("citations/2/source_key", "b.example"), "citations/2/source_key"),
    "a domain cut within a label": (put("citations/2/source_key", "xample"), "citations/2/source_key"),
    "a source of somebody else": (put("citations/0/source_key", "source:other"), "citations/0/source_key"),
    "a local source under a domain": (put("citations/0/source_key", "notes"), "citations/0/source_key"),
    "cited": (put("funnel/cited", 4), "funnel/cited"),
    "admitted": (put("funnel/admitted", 9), "funnel/admitted"),
    "shown beyond selected": (put("funnel/shown", 9), "funnel"),
    "selected beyond admitted": (put("funnel/selected", 9), "funnel"),
    "retrieved below admitted": (put("funnel/retrieved", 7), "funnel"),
    "left out of what was not cited": (put("not_cited", []), "not_cited"),
    "counted and not among what was shown": (put("not_cited", [sha(b"x")]), "not_cited"),
    "not cited twice": (lambda report: (put("not_cited", lambda rest: rest * 2)(report), put("funnel/shown", 7)(report)), "not_cited"),
    "cited and not cited": (lambda report: report["not_cited"].__setitem__(0, report["citations"][0]["document"]), "not_cited"),
    "not cited and not sealed": (put("not_cited", [sha(b"z")]), "not_cited"),
    "refused with themes": (put("outcome", "refused"), "outcome"),
    "a refusal beside themes": (
        put("refusal", refusal("no-evidence", (40, 30, 8, 6)).model_dump(mode="json")),
        "outcome",
    ),
    "a place that is quoted twice": (
        put("themes/1/claims/1/quotes", lambda quotes: [*quotes, quotes[0]]),
        "themes/1/claims/1/quotes",
    ),
    "labels out of order": (
        put("themes/0/claims/0/quotes/1/labels", ["invisible", "clipped-context:unit"]),
        "themes/0/claims/0/quotes/1/folds",
    ),
    "a fold twice": (put("themes/0/claims/1/quotes/0/folds", ["case", "case"]), "themes/0/claims/1/quotes/0/folds"),
    "a fold twice before another": (put("themes/0/claims/1/quotes/0/folds", ["case", "case", "width"]), "themes/0/claims/1/quotes/0/folds"),
    "less that is not cited than was shown": (put("funnel/shown", 7), "not_cited"),
    "more that is not cited than was shown": (put("not_cited", lambda rest: [*rest, sha(b"x")]), "not_cited"),
    "a label of a fold that was not used": (
        put("themes/0/claims/1/quotes/0/labels", ["case", "typography"]),
        "themes/0/claims/1/quotes/0/labels",
    ),
    "a soft hyphen that is not there": (put("themes/1/claims/0/quotes/0/labels", ["soft-hyphen"]), "themes/1/claims/0/quotes/0/labels"),
    "a title that is not said to be one": (put("themes/2/claims/0/quotes/0/labels", []), "themes/2/claims/0/quotes/0/labels"),
    "a text that is said to be a title": (put("themes/1/claims/0/quotes/0/labels", ["field:title"]), "themes/1/claims/0/quotes/0/labels"),
    "a line of a document without bytes": (put("answers/0/claims/0/quotes/0/line", 1), "answers/0/claims/0/quotes/0/line"),
    "a snippet as a whole text": (put("answers/0/claims/0/quotes/0/labels", []), "answers/0/claims/0/quotes/0/labels"),
    "a name that is cut within a word": (
        put("themes/0/name/span", lambda span: span | {"end": span["end"] - 1, "text": span["text"][:-1]}),
        "themes/0/name/span",
    ),
    "citations in another order": (
        lambda report: report["citations"].__setitem__(
            slice(0, 2), [{**row, "number": at} for at, row in enumerate(report["citations"][1::-1], 1)]
        ),
        "citations/0",
    ),
    "a rule in words": (put("rejections/0/rule", "The author lied"), "rejections/0/rule"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_in_a_report_is_named(check, lie):
    change, where = LIES[lie]
    found = check(answered().build(report=change))
    assert (found.code, found.where) == (4, where if where.startswith("chain.json") else f"report.json/{where}"), found


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (put("refusal/text", "The company went bankrupt."), "refusal"),
        (put("refusal/help/0", "Send money."), "refusal"),
        (put("refusal/tried/0/what", "documents read"), "refusal"),
        (put("refusal/code", "no-evidence"), "refusal"),
        (put("refusal/tried/0/count", 41), "refusal/tried"),
        (put("refusal/tried/0/count", 39), "refusal/tried"),
        (put("refusal", None), "outcome"),
        (put("outcome", "answered"), "outcome"),
        (put("answers/0/status", "answered"), "answers/0/status"),
        (put("funnel/cited", 1), "funnel/cited"),
    ],
)
def test_a_lie_in_a_refusal_is_named(check, change, where):
    assert check(REFUSED).code == 0
    found = check(refused().build(report=change))
    assert (found.code, found.where) == (4, f"report.json/{where}")


def test_a_refusal_that_claims_something_is_refused(check):
    def claims(report: Any) -> None:
        report["themes"] = []
        report["outcome"] = "refused"
        report["refusal"] = refusal("no-evidence", (40, 30, 8, 6)).model_dump(mode="json")
        report["answers"] = report["answers"][:1]
        report["answers"][0]["claims"][0]["id"] = "c1"
        report["citations"] = [report["citations"][4] | {"number": 1}]
        report["funnel"]["cited"], report["funnel"]["shown"] = 1, 2

    def members(found: dict[str, bytes]) -> None:
        cited = json.loads(found["report.json"])["citations"][0]["document"]
        for name in [name for name in found if "/" in name and name != f"documents/{cited}.json"]:
            del found[name]

    found = check(answered().build(report=claims, members=members))
    assert (found.code, found.where) == (4, "report.json/answers")


# ------------------------------------------------------------------------------------------------------------ the chain

CHAIN_LIES: dict[str, tuple[Any, str]] = {
    "another format": (put("format", "veridical.chain/2"), "chain.json/format"),
    "another run": (put("run", "run-2"), "chain.json/run"),
    "another seal": (put("seal", "0" * 64), "chain.json/seal"),
    "documents in another order": (put("documents", lambda documents: documents[::-1]), "chain.json/seal"),
    "a document less": (put("documents", lambda documents: documents[1:]), "chain.json/seal"),
}


@pytest.mark.parametrize("lie", CHAIN_LIES)
def test_a_lie_in_the_chain_is_named(check, lie):
    change, where = CHAIN_LIES[lie]
    found = check(answered().build(chain=change))
    assert (found.code, found.where) == (4, where)


def test_a_chain_that_was_sealed_otherwise_is_named(check):
    def twice(case: Case) -> None:
        case.sealed_only = ["x", "y", "y"]

    case = answered()
    twice(case)
    found = check(case.build())
    assert (found.code, found.where) == (4, "report.json/run/sealed")
    case.sealed_only = ["y"]
    assert check(case.build()).where == "report.json/funnel/admitted"


# ------------------------------------------------------------------------------------------------------------ lies in a document


def doc(letter: str, path: str, new: Any):
    return lambda case: put(path, new)(case.documents[letter])


def raw(letter: str, body: bytes, **derivation: Any):
    """Return a change of a record's bytes, and of what its document says of them."""

    def change(case: Case) -> None:
        case.raws[letter] = body
        case.documents[letter]["raw"] |= {"digest": sha(body), "size": len(body)}
        case.documents[letter]["derivation"] |= derivation

    return change


def pointer(letter: str, name: str, to: str):
    return doc(letter, f"derivation/pointers/{name}", to)


def run_of(index: int, *run: Any):
    return lambda case: case.maps["b"].__setitem__(index, list(run))


def published(letter: str, value: str, precision: str, zone_known: bool):
    return doc(letter, "published", {"value": value, "precision": precision, "zone_known": zone_known})


def url(new: str, site: str = "b.example"):
    """Give the attested document another URL."""

    def change(case: Case) -> None:
        case.documents["w"] |= {"url": new, "author": {"site": site, "id": "Dee", "name": None}}

    return change


DOCUMENT_LIES: dict[str, tuple[Any, str]] = {
    "words that the bytes have not": (doc("a", "text", lambda text: text + "More."), "documents/a/text/0"),
    "words that the bytes have and the text has not": (doc("a", "text", lambda text: text[:-1]), "documents/a/text/0"),
    "no words at a pointer": (pointer("c", "text", "9"), "documents/c/text/0"),
    "no words at all": (pointer("a", "text", "x"), "raw/a"),
    "another size": (doc("a", "raw/size", 1), "documents/a/raw/size"),
    "a larger size": (doc("a", "raw/size", 10**6), "documents/a/raw/size"),
    "another URL than the bytes": (doc("b", "url", "https://www.a.example/q/2"), "documents/b/url"),
    "another title": (raw("m", MAIL.replace(b"On layers", b"On power")), "documents/m/title"),
    "another author": (doc("m", "author/id", "eve@b.example"), "documents/m/author"),
    "another name": (doc("b", "author/name", "Eve"), "documents/b/author_name"),
    "another day": (published("c", "2026-01-03", "day", zone_known=False), "documents/c/published"),
    "another month": (published("c", "2026-02-02", "day", zone_known=False), "documents/c/published"),
    "another second": (published("b", "2026-01-01T00:00:01Z", "second", zone_known=True), "documents/b/published"),
    "a date where the bytes have none": (pointer("c", "published", "7"), "documents/c/published"),
    "held without a pointer": (lambda case: case.documents["m"]["derivation"]["pointers"].pop("title"), "documents/m/grades/title"),
    "a grade without a field": (doc("a", "grades/url", "held"), "documents/a/grades/url"),
    "a weaker grade without a field": (doc("a", "grades/url", "wire"), "documents/a/grades/url"),
    "a field without a grade": (doc("m", "grades/title", None), "documents/m/grades/title"),
    "bytes without a derivation": (
        lambda case: case.documents["a"].update(derivation=None, grades=case.documents["a"]["grades"] | {"text": "wire"}),
        "documents/a/derivation",
    ),
    "a derivation without bytes": (doc("a", "raw", None), "documents/a/derivation"),
    "read at no real time": (doc("a", "retrieved", "2026-02-30T00:00:00Z"), "documents/a/retrieved"),
    "published after it was read": (published("w", "2026-06-02T10:00:01Z", "second", zone_known=True), "documents/w/published"),
    "published after it was read, in the farthest east": (published("w", "2026-06-04", "day", zone_known=False), "documents/w/published"),
    "a date with another precision": (published("w", "2026-06", "year", zone_known=False), "documents/w/published"),
    "a date without its zone": (published("w", "2026-01-01T00:00:00Z", "second", zone_known=False), "documents/w/published"),
    "a date with a zone made up": (published("w", "2026-01-01T00:00:00", "second", zone_known=True), "documents/w/published"),
    "no such day": (published("w", "2026-02-30", "day", zone_known=False), "documents/w/published"),
    "no such zone": (published("w", "2026-01-01T00:00:00+99:00", "second", zone_known=True), "documents/w/published"),
    "a script for a URL": (url("javascript:alert(1)"), "documents/w/url"),
    "a file for a URL": (url("file:///etc/passwd"), "documents/w/url"),
    "a URL with user information": (url("https://b.example@evil.example/"), "documents/w/url"),
    "a URL with a space": (url("https://b.example/a b"), "documents/w/url"),
    "a URL with a control character": (url("https://b.example/\x1f"), "documents/w/url"),
    "a URL that reads backwards": (url("https://b.example/\u202e"), "documents/w/url"),
    "a URL without a host": (url("https:///w"), "documents/w/url"),
    "an author of another site": (url("https://c.example/w"), "documents/w/author/site"),
    "an author of another source": (doc("c", "author/site", "source:others"), "documents/c/author/site"),
    "bytes in an encoding that hides": (raw("a", NOTES.encode("utf-7"), encoding="utf-7"), "raw/a"),
    "bytes in an encoding that nobody knows": (raw("a", NOTES.encode(), encoding="nonsense"), "raw/a"),
    "bytes that are not in the encoding": (raw("a", b"\xff" + NOTES.encode()), "raw/a"),
    "JSON with a key twice": (raw("b", b'{"body":"x","body":"y"}'), "raw/b"),
    "JSON with NaN": (raw("b", b'{"body":"x","n":NaN}'), "raw/b"),
    "JSON that is none": (raw("b", b"{"), "raw/b"),
    "JSON that is nested too deeply": (raw("b", b"[" * 100_000), "raw/b"),
    "a pointer to an object": (pointer("b", "text", ""), "raw/b"),
    "a pointer into a list by name": (pointer("b", "text", "/tags/x"), "maps/b/0"),
    "a pointer past a list": (pointer("b", "text", "/tags/7"), "maps/b/0"),
    "a pointer into a string": (pointer("b", "text", "/body/x"), "maps/b/0"),
    "two rows": (raw("c", b"a,b\nc,d"), "raw/c"),
    "no row": (raw("c", b""), "raw/c"),
    "an open quotation mark": (raw("c", b'"a,b'), "raw/c"),
    "two characters for a delimiter": (doc("c", "derivation/delimiter", ";;"), "raw/c"),
    "no number for a column": (pointer("c", "text", "first"), "raw/c"),
    "a part that is not there": (pointer("m", "text", "part/2"), "documents/m/text/0"),
    "a part before the first": (pointer("m", "text", "part/0"), "documents/m/text/0"),
    "an address of what is none": (pointer("m", "title", "Subject/address"), "raw/m"),
    "a copy that is none": (run_of(1, 10, 16, 13, 19, "copy"), "maps/b/1"),
    "a copy of another length": (run_of(1, 10, 16, 12, 19, "copy"), "maps/b/1"),
    "a reference that is none": (run_of(3, 22, 23, 27, 31, "entity"), "maps/b/3"),
    "a reference to something else": (raw("b", json.dumps({"body": MARKDOWN.replace("&amp;", "&lt; ")}).encode()), "documents/b/url"),
    "a reference of plain characters": (run_of(0, 0, 10, 0, 10, "entity"), "maps/b/0"),
    "a reference to another character": (raw("b", json.dumps({**ROW, "body": MARKDOWN.replace("&amp;", "&#60;")}).encode()), "maps/b/3"),
    "an escape of another character": (raw("b", json.dumps({**ROW, "body": MARKDOWN.replace("\\*", "\\+")}).encode()), "maps/b/5"),
    "an escape that is none": (run_of(5, 40, 41, 49, 50, "escape"), "maps/b/5"),
    "words that were inserted": (run_of(1, 10, 16, 12, 12, "inserted"), "maps/b/1"),
    "an unknown kind": (run_of(1, 10, 16, 12, 18, "invented"), "maps/b/1"),
    "a run that goes back": (run_of(1, 10, 16, 9, 15, "copy"), "maps/b/1"),
    "a run that leaves text out": (run_of(1, 11, 16, 13, 18, "copy"), "maps/b/1"),
    "a map that ends behind the text": (run_of(6, 41, 52, 50, 60, "copy"), "maps/b"),
    "a run past the bytes": (run_of(6, 41, 51, 50, 61, "copy"), "maps/b/6"),
    "an empty run": (run_of(0, 0, 0, 0, 0, "copy"), "maps/b/0"),
    "a run of other types": (run_of(0, 0, 10, 0, True, "copy"), "maps/b/0"),
    "a run that is no list": (lambda case: case.maps.update(b=[{}]), "maps/b/0"),
    "a map that is no list": (lambda case: case.maps.update(b={}), "maps/b"),
    "a map that ends early": (lambda case: case.maps["b"].pop(), "maps/b"),
    "a map that is missing": (lambda case: case.maps.clear(), "maps/b"),
    "a map of what is not projected": (lambda case: case.maps.update(a=[]), "maps/a"),
    "a column before the first": (pointer("c", "url", "-1"), "raw/c"),
    "a column in another spelling": (pointer("c", "author", "01"), "raw/c"),
    "a place in a list from its end": (pointer("b", "title", "/tags/-1"), "documents/b/title"),
    "a pointer with a wrong escape": (pointer("b", "title", "/~2"), "raw/b"),
    "a name of a mailbox": (pointer("m", "author", "From/name"), "raw/m"),
    "a pointer of an unknown field": (pointer("a", "words", ""), "raw/a"),
    "a title that was left out": (
        lambda case: (put("title", None)(case.documents["b"]), put("grades/title", None)(case.documents["b"])),
        "documents/b/title",
    ),
    "a Message-ID that is not in the bytes": (doc("m", "locator/message", "<9@x.example>"), "documents/m/locator/message"),
    "pointers that are no strings": (pointer("a", "text", 0), "documents/a/derivation/pointers/text"),
}


@pytest.mark.parametrize("lie", DOCUMENT_LIES)
def test_a_lie_in_a_document_is_named(check, lie):
    change, where = DOCUMENT_LIES[lie]
    case = answered(change)
    folder, letter, *rest = where.split("/")
    name = sha(case.raws[letter]) if folder == "raw" else case.ids()[letter] + ".json"
    found = check(case.build())
    assert (found.code, found.where.split(" byte")[0]) == (4, "/".join([folder, name, *rest])), found


HONEST_VARIANTS: dict[str, Any] = {
    "a spaced date": published("w", "2026-06-02", "day", zone_known=False),
    "today in the farthest east": published("w", "2026-06-03", "day", zone_known=False),
    "a month": published("w", "2026-06", "month", zone_known=False),
    "a date in the bytes that was left out": lambda case: (
        put("published", None)(case.documents["b"]),
        put("grades/published", None)(case.documents["b"]),
    ),
    "a date that is not from the bytes": lambda case: (
        published("a", "2026-01-02", "day", zone_known=False)(case),
        put("grades/published", "attested")(case.documents["a"]),
    ),
    "fractions of a second": published("w", "2026-06-01T10:00:00.123456789Z", "second", zone_known=True),
    "white brackets in a URL": url("http://b.example/\u27e6x\u27e7"),
    "a port and a query": url("http://b.example:80?x"),
    "an international host": url("https://bücher.b.example/", "xn--bcher-kva.b.example"),
    "an international host as it is": url("https://bücher.b.example/", "bücher.b.example"),
    "milliseconds": raw("b", json.dumps({**ROW, "at": 1767225600123}).encode()),
    "a name of a header in small letters": pointer("m", "title", "subject"),
    "a URL in the bytes that is none": raw("m", b"X-Url: nowhere\r\n" + MAIL),
    "an integer as a title": lambda case: (
        raw("b", json.dumps({**ROW, "tags": [7]}).encode())(case),
        put("title", "7")(case.documents["b"]),
    ),
    "a name with a slash and a tilde": raw("b", json.dumps({**ROW, "b~/": MARKDOWN}).encode(), pointers={**POINTERS, "text": "/b~0~1"}),
    "tabs": raw("c", b"Nobody explains, why layers help.\tbob\t2 Jan 2026", delimiter="\t"),
    "no name": lambda case: put("author/name", None)(case.documents["b"]),
    "a mark of inserted space": lambda case: (
        put("text", SHOWN + "\n")(case.documents["b"]),
        case.maps["b"].append([51, 52, 60, 60, "inserted"]),
    ),
}


@pytest.mark.parametrize("variant", HONEST_VARIANTS)
def test_honest_evidence_of_every_kind_verifies(check, variant):
    found = check(answered(HONEST_VARIANTS[variant]).build())
    assert found.code == 0, found


def test_a_bundle_that_is_not_slim_holds_all_raw_bytes_and_a_slim_one_says_that_its_texts_are_as_recorded(check, tmp_path, capsys):
    case = answered()
    name = f"raw/{sha(case.raws['a'])}"
    found = check(case.build(members=lambda found: found.pop(name)))
    assert (found.code, found.where, found.why) == (4, name, "is missing")
    case.slim = True
    path = tmp_path / "report.zip"
    path.write_bytes(case.build())
    assert checker.main([str(path)]) == 0
    assert "6 documents: raw bytes not enclosed, or not recomputable: text as recorded" in capsys.readouterr().out


def test_raw_bytes_and_documents_that_were_exchanged_are_named(check):
    case = answered()
    name = f"raw/{sha(case.raws['a'])}"
    for body in (b"%d" % number for number in range(9)):
        found = check(case.build(members=put_member(name, body)))
        assert (found.where, found.why) == (name, "does not hash to its name")
    for letter, origin in itertools.product(case.documents, "0123"):
        name = f"documents/{case.ids()[letter]}.json"
        found = check(case.build(members=put_member(name, canonical({**case.documents[letter], "origin": origin}))))
        assert (found.where, found.why) == (name, "does not hash to its name")


def put_member(name: str, body: bytes):
    return lambda found: found.__setitem__(name, body)


@pytest.mark.parametrize("name", ["raw/" + "0" * 64, "maps/" + "0" * 64 + ".json", "documents/" + "0" * 64 + ".json"])
def test_what_belongs_to_nothing_is_refused(check, name):
    found = check(answered().build(members=put_member(name, b"{}")))
    assert (found.where, found.why) == (name, "belongs to nothing that is cited")


# ------------------------------------------------------------------------------------------------------------ equal things, equal keys


def test_one_account_under_two_keys_is_refused(check):
    def same(case: Case) -> None:
        case.documents["w"] |= {"url": "http://www.a.example/w", "author": {"site": "www.a.example", "id": "Ann", "name": None}}

    found = check(answered(same).build(report=put("citations/4/account_key", "www.a.example/Ann")))
    assert found.where == "report.json/citations/4/account_key"


def test_one_host_under_two_domains_is_refused(check):
    found = check(answered(url("http://www.a.example/w", "www.a.example")).build(report=put("citations/4/source_key", "www.a.example")))
    assert found.where == "report.json/citations/4/source_key"


def test_the_key_of_a_text_in_ascii_is_recomputed_and_that_of_another_is_carried(check):
    change = put("citations/5/origin_key", "x")
    assert check(answered().build(report=change)).where == "report.json/citations/5/origin_key"
    assert check(answered(doc("p", "text", "learning rates are für alle.")).build(report=change)).code == 0


def test_one_text_under_two_keys_is_refused(check):
    def same(case: Case) -> None:
        words = "Attested words are only as good as who says them."
        case.documents["w"]["text"] = case.documents["p"]["text"] = words + " learning rätes learning rates"

    assert check(answered(same).build()).code == 0
    assert check(answered(same).build(report=put("citations/5/origin_key", "x"))).where == "report.json/citations/5/origin_key"


def test_a_declared_bot_is_counted_as_no_account(check):
    def bot(report: Any) -> None:
        put("citations/3/account", "excluded")(report)
        put("citations/3/account_key", None)(report)
        put("themes/0/counts/accounts", 2)(report)

    assert check(answered().build(report=bot)).code == 0
