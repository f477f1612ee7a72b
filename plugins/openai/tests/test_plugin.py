"""How the plugin is made: from its settings and the context, and from nothing else."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import openai
import pytest
from pydantic import ValidationError
from veridical_contract import ChatRequest, IncompatibleError, Message, MissingExtraError
from veridical_openai._settings import OpenAISettings

from plugins.openai.tests.kit import KEY, Context, answering, completion, made, plugin, serving

ASK = ChatRequest(task="complete", messages=(Message(role="user", text="Who found radium?"),))
GOOD = answering(completion({"content": "Marie Curie."}))


def test_the_environment_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, f"from-{name}")
    with serving(GOOD) as server, plugin(server.base) as chat:
        chat.chat(ASK)
    (asked,) = server.asked
    assert f"Bearer {KEY}" == asked.headers["authorization"]
    assert [] == [value for value in asked.headers.values() if "from-" in value]
    assert set() == {"openai-organization", "openai-project"} & asked.headers.keys()


def test_organization_and_project_are_settings() -> None:
    with serving(GOOD) as server, plugin(server.base, organization="org-1", project="proj-1") as chat:
        chat.chat(ASK)
    (asked,) = server.asked
    assert ("org-1", "proj-1") == (asked.headers["openai-organization"], asked.headers["openai-project"])


def test_it_says_which_model_it_asks_so_that_a_budget_knows_the_price() -> None:
    with serving(GOOD) as server, plugin(server.base, model="m") as chat:
        chat.chat(ASK)
        assert ("m", "m") == (chat.model, server.asked[0].body["model"])


def test_a_server_that_needs_no_key_is_sent_none() -> None:
    with serving(GOOD) as server, made(Context({"base_url": server.base, "key": ""}, secrets={})) as chat:
        assert "Marie Curie." == chat.chat(ASK).text
    assert "authorization" not in server.asked[0].headers


def test_another_variable_may_hold_the_key() -> None:
    context = {"key": "OPENROUTER_API_KEY"}
    with serving(GOOD) as server, made(Context({"base_url": server.base, **context}, secrets={"OPENROUTER_API_KEY": "sk-or-1"})) as chat:
        chat.chat(ASK)
    assert "Bearer sk-or-1" == server.asked[0].headers["authorization"]


def test_a_missing_sdk_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingExtraError) as caught, made(Context({})):
        pass
    assert 'Type: pip install "veridical[openai]"' == caught.value.hint


def test_an_sdk_of_another_major_version_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai, "__version__", "2.8.1")
    with pytest.raises(IncompatibleError, match=r"openai 2\.8\.1 is installed"), made(Context({})):
        pass


def test_importing_the_plugin_imports_no_sdk() -> None:
    code = "import sys, veridical_openai; sys.exit(bool({'openai', 'httpx2', 'httpx'} & sys.modules.keys()))"
    assert 0 == subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode


@pytest.mark.parametrize(
    "table",
    [
        {"base_url": "api.openai.com/v1"},
        {"base_url": "https://user:pass@api.openai.com/v1"},
        {"base_url": "https://api.openai.com/v1?key=1"},
        {"key": "sk-proj-1"},
        {"retries": -1},
        {"timeout": 0.0},
        {"parameters": {"messages": []}},
        {"parameters": {"n": 2}},
        {"modle": "gpt"},
    ],
)
def test_a_setting_that_cannot_be_is_refused(table: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        OpenAISettings.model_validate(table)
