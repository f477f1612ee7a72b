"""With the host's own context and recorder: what holds outside of a call, and of what a call costs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from veridical.context import HostContext
from veridical_anthropic import AnthropicChat
from veridical_contract import VeridicalError

from plugins.anthropic.tests.kit import KEY, Api, api, message
from plugins.anthropic.tests.test_ground import ANSWER, ASKED, grounded
from tests.providers.host import context


def host(server: Api, home: Path) -> HostContext:
    return context("anthropic", home, environment={"ANTHROPIC_API_KEY": f" {KEY}\n"}, base_url=server.url, retries=0)


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_outside_of_a_call_nothing_is_sent_and_the_hosts_own_error_is_raised(streamed: bool, tmp_path: Path) -> None:
    with api([message(*ANSWER)]) as server:
        given = host(server, tmp_path)
        with pytest.raises(VeridicalError) as raised:
            grounded(AnthropicChat(given), streamed=streamed, request=ASKED)
        asyncio.run(given.close())
    assert server.served == []
    assert getattr(raised.value, "failure", None) is None


def test_the_model_that_is_asked_is_named_for_the_budget(tmp_path: Path) -> None:
    with api([message(*ANSWER)]) as server:
        given = host(server, tmp_path)
        assert AnthropicChat(given).model == "claude-sonnet-5-5"
        asyncio.run(given.close())
