"""Which program runs: found, asked for its version and its login, and named by its bytes."""

import hashlib
import importlib.metadata
import logging
import os
import subprocess
import sys

import pytest
import veridical_claude_code._program as program_module
from veridical_claude_code import ClaudeCodeChat, ClaudeCodeSearch
from veridical_claude_code._program import locate, sha256
from veridical_contract import ConfigurationError, IncompatibleError, MissingExtraError, SearchQuery

QUERY = SearchQuery(text="x")


def test_importing_the_plugin_imports_neither_the_sdk_nor_a_client():
    code = "import sys, veridical_claude_code; print({'claude_agent_sdk', 'mcp', 'httpx'} & set(sys.modules))"
    assert "set()" == subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("plugin", [ClaudeCodeSearch, ClaudeCodeChat])
def test_without_a_login_the_plugin_says_how_to_log_in(context, program, plugin):
    program.play("not logged in")
    with pytest.raises(ConfigurationError) as caught:
        plugin(context())
    assert f"Claude Code is not logged in. Log in: {program.path} auth login (or set ANTHROPIC_API_KEY)" == str(caught.value)


@pytest.mark.parametrize(
    ("plan", "error", "said"),
    [
        ({"version": "2.1.247 (Claude Code)"}, IncompatibleError, "is Claude Code 2.1.247, expected 2.1.248 or later"),
        ({"version": "Python 3.11"}, ConfigurationError, "is not Claude Code: it says 'Python 3.11'"),
        ({"version": ""}, ConfigurationError, "is not Claude Code: it says ''"),
        ({"scenario": "babble"}, ConfigurationError, "does not say whether it is logged in"),
        ({"scenario": "mute"}, ConfigurationError, "does not answer 'auth status' within 0.5 s"),
    ],
)
def test_a_program_that_does_not_answer_as_claude_code_does_is_refused(context, program, monkeypatch, plan, error, said):
    monkeypatch.setattr(program_module, "_ANSWER", 0.5 if plan.get("scenario") == "mute" else 15.0)
    program.play(**{"scenario": "ok", **plan})
    with pytest.raises(error, match=said):
        ClaudeCodeSearch(context())


def test_a_file_that_is_no_program_is_refused(context, tmp_path):
    (tmp_path / "text").write_text("hello")
    with pytest.raises(ConfigurationError, match=r"does not run: Permission denied. Correct cli_path"):
        ClaudeCodeSearch(context(cli_path=str(tmp_path / "text")))


def test_a_program_that_is_not_there_is_named(context, tmp_path):
    with pytest.raises(ConfigurationError, match=r"There is no program .*/nowhere. Correct cli_path under"):
        ClaudeCodeSearch(context(cli_path=str(tmp_path / "nowhere")))


def test_a_missing_sdk_is_named_with_the_command_that_installs_it(context, monkeypatch):
    def missing(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(program_module, "version", missing)
    with pytest.raises(MissingExtraError) as caught:
        ClaudeCodeSearch(context())
    assert 'pip install "veridical[claude-code]"' == caught.value.hint


def test_an_sdk_that_is_too_old_is_named_with_its_version(context, monkeypatch):
    monkeypatch.setattr(program_module, "version", lambda name: "0.2.186")
    with pytest.raises(IncompatibleError, match=r"0.2.187 or later, and 0.2.186 is installed"):
        ClaudeCodeSearch(context())


def test_the_program_of_the_sdk_comes_before_that_on_the_path(monkeypatch, tmp_path):
    bundled = tmp_path / "sdk" / "_bundled" / "claude"
    bundled.parent.mkdir(parents=True)
    on_path = tmp_path / "claude"
    for file in (bundled, on_path):
        file.touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(
        program_module, "find_spec", lambda name: importlib.machinery.ModuleSpec(name, None, origin=str(tmp_path / "sdk" / "x.py"))
    )
    assert bundled == locate(None)
    bundled.unlink()
    assert on_path == locate(None)
    on_path.unlink()
    with pytest.raises(ConfigurationError, match="Claude Code is not installed"):
        locate(None)


def test_the_digest_is_that_of_the_file_and_is_kept_until_the_file_changes(tmp_path):
    file, cache = tmp_path / "file", tmp_path / "cache.json"
    file.write_bytes(b"one")
    first = sha256(file, cache)
    assert hashlib.sha256(b"one").hexdigest() == first
    cache.write_text(cache.read_text().replace(first, "kept"))
    assert "kept" == sha256(file, cache)
    os.utime(file, ns=(1, 1))
    assert first == sha256(file, cache)


@pytest.mark.parametrize("content", ["", "no json", "[]", '{"x": 1}'])
def test_a_damaged_cache_counts_as_none(tmp_path, content):
    file, cache = tmp_path / "file", tmp_path / "cache.json"
    file.write_bytes(b"one")
    cache.write_text(content)
    assert hashlib.sha256(b"one").hexdigest() == sha256(file, cache)


def test_path_version_and_digest_of_the_program_are_logged(context, program, caplog):
    with caplog.at_level(logging.INFO):
        made = context()
        made.call(ClaudeCodeSearch(made).search, query=QUERY)
    digest = hashlib.sha256(program.path.read_bytes()).hexdigest()
    assert f"Claude Code 2.1.330 at {program.path}, SHA-256 {digest}" in caplog.messages


@pytest.mark.parametrize("base", ["https://gateway.example", "https://gateway.example/"])
def test_calls_that_go_to_another_api_are_not_recorded_unless_it_is_base_url(context, program, monkeypatch, caplog, base):
    monkeypatch.setenv("ANTHROPIC_BASE_URL", base)
    made = context(base_url="https://api.example")
    ClaudeCodeSearch(made)
    assert [
        "The calls of Claude Code are not recorded, and its hits are its own word: ANTHROPIC_BASE_URL leads elsewhere than base_url."
    ] == caplog.messages
    caplog.clear()
    ClaudeCodeSearch(context(base_url="https://gateway.example"))
    assert [] == caplog.messages


def test_a_proxy_that_was_asked_for_and_cannot_be_is_an_error(context, program, monkeypatch):
    program.play("ok", provider="bedrock")
    with pytest.raises(ConfigurationError, match=r"cannot go through the proxy: it calls the API of bedrock. Set base_url or proxy"):
        ClaudeCodeSearch(context(proxy=True))


@pytest.mark.parametrize("table", [{"proxy": "yes"}, {"max_turns": 2}, {"base_url": "https://x/"}, {"timeout": 0.0}, {"unknown": 1}])
def test_settings_that_cannot_be_are_refused(context, table):
    with pytest.raises(ValueError):
        ClaudeCodeSearch(context(**table))
