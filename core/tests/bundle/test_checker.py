"""The checker: what it says of an honest bundle, how it is run, and that it is in step with the kernel."""

from __future__ import annotations

import io
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

from .cases import answered, canonical, refused, sha
from .changes import put

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
