"""What was named is enumerated, hashed, and nothing else."""

from __future__ import annotations

import gzip
import hashlib
import os
import socket
import zipfile
from pathlib import Path

import pytest
from veridical.wire.inputs import Inputs, enumerate_inputs
from veridical_contract import MARKER, REPORT_FORMAT, InputFile, UsageError


def make(base: Path, *names: str) -> None:
    for name in names:
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"words of {name}", "utf-8")


def paths(inputs: Inputs) -> list[str]:
    return [file.path for file in inputs.files]


def test_a_file_is_hashed_and_measured(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"x" * 3_000_000)
    expected = InputFile(path="a.txt", sha256=hashlib.sha256(b"x" * 3_000_000).hexdigest(), size=3_000_000)
    assert enumerate_inputs(["a.txt"], base=tmp_path) == Inputs((expected,))


def test_a_folder_is_walked_in_the_order_of_names(tmp_path: Path) -> None:
    make(tmp_path, "notes/b.md", "notes/a/z.txt", "notes/a/y.txt", "notes/c.txt", "other.txt")
    assert paths(enumerate_inputs(["notes"], base=tmp_path)) == ["notes/a/y.txt", "notes/a/z.txt", "notes/b.md", "notes/c.txt"]


def test_paths_are_shown_as_they_were_given(tmp_path: Path) -> None:
    make(tmp_path, "notes/a.md")
    whole = (tmp_path / "notes" / "a.md").as_posix()
    assert paths(enumerate_inputs(["./notes/"], base=tmp_path)) == ["notes/a.md"]
    assert paths(enumerate_inputs([tmp_path / "notes"], base=Path("/"))) == [whole]
    assert paths(enumerate_inputs(["../notes"], base=tmp_path / "notes")) == ["../notes/a.md"]
    assert paths(enumerate_inputs(["."], base=tmp_path / "notes")) == ["a.md"]


def test_what_nobody_means_by_a_folder_is_passed_over(tmp_path: Path) -> None:
    make(tmp_path, "n/a.md", "n/.hidden.md", "n/.git/config", "n/node_modules/x.md", "n/__pycache__/x.md", "n/env/pyvenv.cfg", "n/env/x.md")
    assert paths(enumerate_inputs(["n"], base=tmp_path)) == ["n/a.md"]
    assert paths(enumerate_inputs(["n/.hidden.md", "n/.git"], base=tmp_path)) == ["n/.hidden.md", "n/.git/config"]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("n/*.md", ["n/a.md"]),
        ("n/**/*.md", ["n/a.md", "n/s/b.md", "n/s/t/c.md"]),
        ("**/c.*", ["n/s/t/c.md"]),
        ("n/s*", ["n/s/b.md", "n/s/t/c.md"]),
        ("n/**", ["n/[x].txt", "n/a.md", "n/s/b.md", "n/s/t/c.md"]),
        ("n/[a-b].md", ["n/a.md"]),
        ("n/[!b]?md", ["n/a.md"]),
        ("n/[x].txt", ["n/[x].txt"]),
        ("[mn]/s/*", ["n/s/b.md", "n/s/t/c.md"]),
    ],
)
def test_a_quoted_glob_is_expanded_and_a_file_of_that_name_comes_first(tmp_path: Path, pattern: str, found: list[str]) -> None:
    make(tmp_path, "n/a.md", "n/s/b.md", "n/s/t/c.md", "n/[x].txt", "n/.h/d.md")
    assert paths(enumerate_inputs([pattern], base=tmp_path)) == found


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    make(tmp_path, "n/a.md")
    (tmp_path / "n" / "link.md").symlink_to("a.md")
    assert paths(enumerate_inputs(["n/a.md", "n", "n/*.md"], base=tmp_path)) == ["n/a.md"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nots", "There is no nots. Did you mean notes?"),
        ("notes/B.MD", "There is no notes/B.MD. Did you mean notes/b.md?"),
        ("nots/b.md", "There is no nots/b.md. Did you mean notes?"),
        ("xyz", "There is no xyz. Nothing here has a name like it. Type: ls ."),
        ("notes/qqqq", "There is no notes/qqqq. Nothing in notes has a name like it. Type: ls notes"),
        ("notes/*.pdf", "Nothing matches notes/*.pdf. Expected files, folders or a glob such as 'notes/**/*.md'."),
        ("gone/*.pdf", "Nothing matches gone/*.pdf. Expected files, folders or a glob such as 'notes/**/*.md'."),
        ("", "'.' is not a path."),
        ("a\0b", "'a\\x00b' is not a path."),
    ],
)
def test_a_name_that_stands_for_nothing_is_one_clear_line(tmp_path: Path, name: str, message: str) -> None:
    make(tmp_path, "notes/b.md")
    with pytest.raises(UsageError) as caught:
        enumerate_inputs(["notes", name], base=tmp_path)
    assert str(caught.value) == message


def test_a_name_below_a_folder_that_is_not_there_names_the_part_that_is_missing(tmp_path: Path) -> None:
    make(tmp_path, "notes/b.md")
    with pytest.raises(UsageError, match=r"There is no .*/note/b\.md\. Did you mean .*/notes\?"):
        enumerate_inputs(["b.md"], base=tmp_path / "note")


def test_a_name_that_is_too_long_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        enumerate_inputs(["x" * 5000], base=tmp_path)


def test_an_empty_folder_holds_nothing(tmp_path: Path) -> None:
    assert enumerate_inputs([tmp_path], base=tmp_path) == Inputs(())


def test_loops_of_links_end(tmp_path: Path) -> None:
    make(tmp_path, "n/a.md")
    (tmp_path / "n" / "again").symlink_to(tmp_path / "n", target_is_directory=True)
    (tmp_path / "n" / "self").symlink_to("self")
    found = enumerate_inputs(["n"], base=tmp_path)
    assert (paths(found), found.problems) == (["n/a.md"], (("n/self", "a symbolic link that leads nowhere"),))


def test_links_that_lead_out_of_a_folder_are_reported_and_not_followed(tmp_path: Path) -> None:
    make(tmp_path, "n/a.md", "private/diary.md", "n/sub/b.md")
    (tmp_path / "n" / "p").symlink_to(tmp_path / "private", target_is_directory=True)
    (tmp_path / "n" / "q.md").symlink_to(tmp_path / "private" / "diary.md")
    (tmp_path / "n" / "in.md").symlink_to("sub/b.md")
    why = "a symbolic link that leads out of the folder: name its target to read it"
    found = enumerate_inputs(["n"], base=tmp_path)
    assert (paths(found), found.problems) == (["n/a.md", "n/in.md"], (("n/p", why), ("n/q.md", why)))
    assert paths(enumerate_inputs(["n/p", "n/q.md"], base=tmp_path)) == ["n/p/diary.md"]


def test_a_link_that_leads_nowhere_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "a.md").symlink_to("gone.md")
    assert enumerate_inputs(["a.md"], base=tmp_path).problems == (("a.md", "a symbolic link that leads nowhere"),)


def test_special_files_are_refused_without_being_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket")
        found = enumerate_inputs(["."], base=tmp_path)
    device = enumerate_inputs(["/dev/null"], base=tmp_path)
    assert found == Inputs((), (("pipe", "a pipe, not a file"), ("socket", "a socket, not a file")))
    assert device == Inputs((), (("/dev/null", "a device, not a file"),))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_a_problem_and_costs_nothing_else(tmp_path: Path) -> None:
    make(tmp_path, "n/a.md", "n/b.md", "n/c/d.md")
    (tmp_path / "n" / "a.md").chmod(0)
    (tmp_path / "n" / "c").chmod(0)
    found = enumerate_inputs(["n"], base=tmp_path)
    (tmp_path / "n" / "c").chmod(0o700)
    assert (paths(found), found.problems) == (["n/b.md"], (("n/a.md", "permission denied"), ("n/c", "permission denied")))


def test_a_name_that_is_not_utf_8_is_a_problem(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.md")).write_text("x")
    assert enumerate_inputs(["."], base=tmp_path).problems == (("caf\\udce9.md", "its name is not UTF-8: rename it"),)


MARKED = {
    "report.md": f"<!-- {MARKER} {REPORT_FORMAT} -->\n\n# Q\n",
    "late.md": "words\n" * 300_000 + f"\n  <!-- {MARKER} -->\n",
    "report.html": f'<html><head>\n<meta name="{MARKER}" content="{REPORT_FORMAT}">\n',
    "report.txt": f"words\n\n{MARKER} {REPORT_FORMAT}\n",
    "bare": f"{MARKER}",
    "report.json": f'{{"format":"{REPORT_FORMAT}","inputs":[{"1," * 2_000_000}1],"marker":"{MARKER}"}}\n',
    "pretty.json": f'{{\n  "marker" : "{MARKER}"\n}}\n',
    "reports.jsonl": f'{{"a": 1}}\n{{"marker":"{MARKER}"}}\n',
}
UNMARKED = {
    "docs.md": f"Exports carry the comment `{MARKER}` and more.\n",
    "words.txt": f"{MARKER}s are nice, and {MARKER} is a word.\n",
    "table.csv": f"text\n\n<!-- {MARKER} -->\n{MARKER}\n",
    "comments.jsonl": '{"text": "\\n<!-- ' + MARKER + ' -->\\"marker\\":\\"' + MARKER + '\\""}\n',
    "mail.mbox": f"From x\n\n<!-- {MARKER} -->\n",
}


@pytest.mark.parametrize("name", MARKED)
@pytest.mark.parametrize("zipped", [False, True])
def test_exports_are_listed_apart(tmp_path: Path, name: str, zipped: bool) -> None:
    data = MARKED[name].encode()
    (tmp_path / (f"{name}.gz" if zipped else name)).write_bytes(gzip.compress(data) if zipped else data)
    found = enumerate_inputs(["."], base=tmp_path)
    assert (len(found.derived), found.files) == (1, ())


@pytest.mark.parametrize("name", UNMARKED)
def test_who_speaks_of_the_marker_is_no_export(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(UNMARKED[name], "utf-8")
    found = enumerate_inputs(["."], base=tmp_path)
    assert (paths(found), found.derived) == ([name], ())


@pytest.mark.parametrize(
    ("members", "derived"),
    [
        ({"MANIFEST.json": '{"format":"veridical.bundle/1"}'}, True),
        ({"report.json": MARKED["pretty.json"]}, True),
        ({"MANIFEST.json": "{}", "report.json": "{}"}, False),
        ({"a.txt": MARKED["report.txt"]}, False),
    ],
)
def test_bundles_are_known_by_their_manifest_or_report(tmp_path: Path, members: dict[str, str], derived: bool) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    found = enumerate_inputs(["x.zip"], base=tmp_path)
    assert (bool(found.derived), bool(found.files)) == (derived, not derived)


@pytest.mark.parametrize("name", ["x.zip", "x.json.gz"])
def test_a_broken_archive_is_a_file_like_any_other(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"PK\x03\x04\x1f\x8b broken")
    assert paths(enumerate_inputs([name], base=tmp_path)) == [name]


def test_a_marker_across_two_pieces_is_found(tmp_path: Path) -> None:
    mark = f"\n{MARKER}\n".encode()
    for shift in range(1, len(mark)):
        (tmp_path / "a.txt").write_bytes(b"x" * ((1 << 20) - shift) + mark)
        assert len(enumerate_inputs(["a.txt"], base=tmp_path).derived) == 1
