"""With the host's own context and recorder: what holds outside of a call, and of what a call costs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from veridical.context import HostContext
from veridical_contract import VeridicalError
from veridical_google import GoogleChat

from plugins.google.tests.kit import KEY, Api, api
from plugins.google.tests.test_ground import ANSWER, ASKED, grounded
from tests.providers.host import context


def host(server: Api, home: Path) -> HostContext:
    return context("google", home, environment={"GEMINI_API_KEY": f" {KEY}\n"}, base_url=server.url, retries=0)


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_outside_of_a_call_nothing_is_sent_and_the_hosts_own_error_is_raised(streamed: bool, tmp_path: Path) -> None:
    with api([ANSWER]) as server:
        given = host(server, tmp_path)
        with pytest.raises(VeridicalError) as raised:
            grounded(GoogleChat(given), streamed=streamed, request=ASKED)
        asyncio.run(given.close())
    assert server.served == []
    assert getattr(raised.value, "failure", None) is None


def test_the_model_that_is_asked_is_named_for_the_budget(tmp_path: Path) -> None:
    with api([ANSWER]) as server:
        given = host(server, tmp_path)
        assert GoogleChat(given).model == "gemini-3.8-flash"
        asyncio.run(given.close())
