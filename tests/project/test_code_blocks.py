"""Every code block of the documentation is run, or says why it is not. How a block is marked: see code_blocks.py beside this file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from veridical_contract import ConfigurationError

from tests.distributions.installing import on_path
from tests.project.code_blocks import DOCS, PAGES, ROOT, Block, Runner, blocks, differences, folder_of, generated, like, typed
from tools.settings_tables import settings_model

BLOCKS = [block for page in PAGES for block in blocks(page)]
WRITTEN = [block for block in BLOCKS if not generated(block.page)]
NOT_RUN = [block for block in WRITTEN if "not run" in block.marks]
RUN_ELSEWHERE = [block for block in WRITTEN if "run by" in block.marks]
RUN = [block for block in WRITTEN if block not in NOT_RUN and block not in RUN_ELSEWHERE]
TOOLS = {
    "python -m tests.benchmarks",
    "python -m tools.cli_reference",
    "python -m tools.http_reference",
    "python -m tools.reference",
    "python -m tools.wire_maps",
}

a_page = DOCS / "page.md"


@pytest.fixture
def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Iterator[Runner]:
    with on_path(tmp_path / "page" / "src"):
        yield Runner(tmp_path / "page", tmp_path / "home", monkeypatch, lambda: "".join(capfd.readouterr()))


@pytest.mark.parametrize("page", sorted({block.page for block in RUN}), ids=lambda page: str(page.relative_to(ROOT)))
def test_the_blocks_of_a_page_do_what_they_show(page: Path, runner: Runner) -> None:
    assert sum(block.page == page for block in RUN) == runner.run(page)


@pytest.mark.parametrize("block", NOT_RUN, ids=lambda block: block.place)
def test_a_block_that_is_not_run_says_why(block: Block) -> None:
    reason = block.marks["not run"]
    assert len(reason) > 8, block.place
    pytest.skip(reason)


def test_a_test_that_runs_a_block_is_there_and_names_its_page() -> None:
    assert [] == [block.place for block in RUN_ELSEWHERE if block.page.name not in (ROOT / block.marks["run by"]).read_text("utf-8")]


def test_no_block_has_a_comment_that_is_no_mark() -> None:
    assert [] == [(block.place, block.comments) for block in WRITTEN if block.comments]


def test_the_pages_that_are_written_by_a_program_are_written_by_one_that_is_tested() -> None:
    assert set() == {generated(block.page) for block in BLOCKS} - TOOLS - {""}


def test_no_samples_are_left_of_a_page_that_is_gone() -> None:
    used = {path for page in PAGES for path in (folder_of(page), *folder_of(page).parents)}
    samples = folder_of(DOCS / "page.md").parent
    assert [] == [path for path in samples.glob("*") if path not in used]


def test_what_is_run_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(BLOCKS) == len(RUN) + len(RUN_ELSEWHERE) + len(NOT_RUN) + len(BLOCKS) - len(WRITTEN)
    reasons = Counter(block.marks["not run"] for block in NOT_RUN)
    with capsys.disabled():
        print(
            f"\n{len(BLOCKS)} code blocks: {len(RUN)} are run, {len(RUN_ELSEWHERE)} by tests of their own, "
            f"{len(BLOCKS) - len(WRITTEN)} are written by the program, {len(NOT_RUN)} are not run:"
        )
        for reason, count in reasons.most_common():
            print(f"{count:4} {reason}")


def fails(runner: Runner, text: str, error: type[BaseException] = AssertionError) -> str:
    """Return what is said of a page that holds `text`."""
    with pytest.raises(error) as raised:
        runner.run(a_page, text)
    return str(raised.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("```console\n$ veridical reserach x\n```\n", "ended with 2, and not with 0"),
        ("<!-- exit code: 3 -->\n```console\n$ veridical config path\n```\n", "ended with 0, and not with 3"),
        ("```console\n$ echo one\ntwo\n```\n", "does not print 'two'"),
        ("```console\n$ echo one\n```\n\n```text\ntwo\n```\n", "do not print 'two'"),
        ("```console\n$ veridical evidence show IDENTIFIER\n```\n", "no command before printed IDENTIFIER"),
        ("```console\nveridical doctor\n```\n", "no line begins with"),
        ("```ruby\nputs 1\n```\n", "a block of 'ruby' cannot be run"),
        ("```yaml\non: push\njobs: {check: {steps: []}}\n```\n", "has no machine"),
        ("```yaml\non: push\njobs: {check: {runs-on: x, steps: [{name: y}]}}\n```\n", "either uses or runs"),
        ("```json\n{}\n```\n", "which of our schemas"),
        (
            '```console\n$ echo \'{"a": 1}\'\n```\n\n<!-- schema: none, x -->\n```json\n{"a": 2}\n```\n',
            "print something else",
        ),
        ("<!-- schema: none -->\n```json\n{}\n```\n", "no reason why"),
        ("```yaml\njobs: {}\n```\n", "nothing says when it runs"),
    ],
)
def test_a_block_that_lies_is_found(runner: Runner, text: str, said: str) -> None:
    assert said in fails(runner, text)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("```python\n1 / 0\n```\n", ZeroDivisionError),
        ("```toml\n[plugns]\nenabled = []\n```\n", ConfigurationError),
        ("```toml\n[plugin.tavily]\ndeep = true\n```\n", ConfigurationError),
        ("```json\n{,}\n```\n", ValueError),
        ('<!-- schema: Candidate -->\n```json\n{"id": 1}\n```\n', jsonschema.ValidationError),
        ('<!-- schema: Report#Span -->\n```json\n{"id": 1}\n```\n', jsonschema.ValidationError),
    ],
)
def test_a_block_that_is_not_what_it_should_be_is_found(runner: Runner, text: str, error: type[BaseException]) -> None:
    fails(runner, text, error)


def test_a_program_that_is_not_installed_skips_the_rest_and_is_named(runner: Runner) -> None:
    with pytest.raises(pytest.skip.Exception, match="no-such-program"):
        runner.run(a_page, "<!-- needs: no-such-program -->\n```console\n$ no-such-program\n```\n")


def test_a_page_runs_from_its_first_block_to_its_last(runner: Runner) -> None:
    text = (
        "<!-- file: notes/a.txt -->\n```text\nThe grinder is loud every day.\n```\n\n"
        "<!-- first: veridical sources add a notes -->\n```console\n$ veridical sources list\na ...\n$ echo 'x\ty' | cut -f 2\ny\n```\n\n"
        "<!-- settings -->\n```toml\n[limits]\nchat = 7.0\n```\n\n"
        "```console\n$ veridical config show\n```\n\n```text\nchat = 7.0\n```\n\n"
        "```python\nfrom pathlib import Path\nprint(Path('notes/a.txt').read_text())\n```\n\n```text\nThe grinder ... day.\n```\n"
    )
    assert 7 == runner.run(a_page, text)


def test_a_package_that_a_page_shows_is_installed(runner: Runner) -> None:
    text = (
        "<!-- file: src/veridical_acme.py -->\n```python\nclass Acme:\n    def __init__(self, context): ...\n```\n\n"
        "<!-- file: pyproject.toml -->\n```toml\n[project]\nname = 'veridical-acme'\nversion = '1.0'\n\n"
        "[project.entry-points.'veridical.v1.source']\nacme = 'veridical_acme:Acme'\n```\n\n"
        "```console\n$ veridical plugins list\nacme ... veridical-acme ...\n```\n"
    )
    assert 3 == runner.run(a_page, text)


def test_marks_are_read_from_the_comments_right_above_a_block() -> None:
    text = "<!-- not run: far -->\n\nwords\n\n<!-- exit code: 3 -->\n<!-- first: a -->\n<!-- first: b -->\n\n```console\n$ c\n```\n"
    (block,) = blocks(a_page, text)
    assert ({"exit code": "3", "first": "a\nb"}, 9) == (block.marks, block.line)


def test_a_comment_that_is_no_mark_is_told_apart() -> None:
    (block,) = blocks(a_page, "<!-- nor run: no key -->\n```console\n$ c\n```\n")
    assert ({}, ("nor run: no key",)) == (block.marks, block.comments)


def test_commands_and_what_is_shown_below_them_are_told_apart() -> None:
    text = "$ cat > a <<'END'\nb\nEND\n$ c \\\n    d\ne\n"
    assert [("cat > a <<'END'\nb\nEND", ""), ("c \\\n    d", "e\n")] == list(typed(text))


@pytest.mark.parametrize("printed", ['{"a": [1, 2]}', '{"a": []}', '{"a": [1], "b": 1}', "{}", "[1]", '{"a": 1}', '{"a": [2]}'])
def test_json_that_is_shown_is_all_that_was_printed(printed: str) -> None:
    assert like({"a": [1]}, json.loads('{"a": [1]}'))
    assert not like({"a": [1]}, json.loads(printed))


def test_dots_in_json_stand_for_anything() -> None:
    assert like({"a": ["...", 2]}, {"a": [{"b": 1}, 2]})


def test_lines_that_are_shown_must_come_in_their_order() -> None:
    assert [] == differences("a\n\nb ... d\n", "x\n a\ny\nb c d\n")
    assert ["a"] == differences("b\na\n", "a\nb\n")


def test_the_settings_of_a_plugin_are_those_that_it_asks_for() -> None:
    model = settings_model("tavily")
    assert model is not None
    assert "full_text" in model.model_fields
    assert settings_model("hashing") is None
