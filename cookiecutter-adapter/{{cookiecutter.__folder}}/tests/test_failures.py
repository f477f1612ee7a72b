{%- set kinds = cookiecutter.kinds.replace(" ", "").split(",") | reject("equalto", "storage") | sort -%}
"""What becomes of each way in which the provider fails: one line, of which kind it is, and never the key."""

from __future__ import annotations

from collections.abc import Callable
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from veridical_contract import (
{%- if "chat" in kinds %}
    ChatRequest,
{%- endif %}
{%- if "embedding" in kinds %}
    EmbeddingRequest,
{%- endif %}
{%- if "chat" in kinds %}
    Message,
{%- endif %}
    PluginContext,
    ProviderError,
    ProviderFailure,
{%- if "search" in kinds %}
    SearchQuery,
{%- endif %}
{%- if "source" in kinds %}
    SourceRequest,
{%- endif %}
)

from {{ cookiecutter.package }} import {{ kinds | map("capitalize") | join(", ") }}

from connecting import KEY, connected
from fake_server import Answer, fails_with, running

ASK: dict[str, Callable[[PluginContext], object]] = {
{%- if "chat" in kinds %}
    "chat": lambda context: Chat(context).chat(ChatRequest(task="complete", messages=(Message(role="user", text="When?"),))),
{%- endif %}
{%- if "embedding" in kinds %}
    "embedding": lambda context: Embedding(context).embed(EmbeddingRequest(texts=("When?",))),
{%- endif %}
{%- if "search" in kinds %}
    "search": lambda context: Search(context).search(SearchQuery(text="When?")),
{%- endif %}
{%- if "source" in kinds %}
    "source": lambda context: list(Source(context).read(SourceRequest(origin="records"))),
{%- endif %}
}
FAILURES: dict[str, tuple[Answer, ProviderFailure]] = {
    "401": (fails_with(401), "auth"),
    "429": (fails_with(429, retry_after="7"), "rate-limit"),
    "500": (fails_with(500), "server"),
    "no JSON": (Answer(200, b"{"), "malformed"),
    "other JSON": (Answer(200, b'["rows", "data", "records", "text"]'), "malformed"),
}


@pytest.mark.parametrize("ask", ASK.values(), ids=ASK)
@pytest.mark.parametrize(("answer", "failure"), FAILURES.values(), ids=FAILURES)
def test_a_failure_is_told_by_its_kind_in_one_line_without_the_key(
    ask: Callable[[PluginContext], object], answer: Answer, failure: ProviderFailure
) -> None:
    with running(answer) as url, connected(url) as context, pytest.raises(ProviderError) as raised:
        ask(context)
    assert failure == raised.value.failure
    assert "\n" not in str(raised.value)
    assert KEY not in str(raised.value)


@pytest.mark.parametrize("ask", ASK.values(), ids=ASK)
def test_the_wait_that_the_provider_asks_for_is_passed_on(ask: Callable[[PluginContext], object]) -> None:
    with running(fails_with(429, retry_after="7")) as url, connected(url) as context, pytest.raises(ProviderError) as raised:
        ask(context)
    assert raised.value.retry_after == 7.0


@pytest.mark.parametrize("ask", ASK.values(), ids=ASK)
def test_a_provider_that_works_is_answered_for(ask: Callable[[PluginContext], object]) -> None:
    with running() as url, connected(url) as context:
        assert ask(context)


def test_the_fake_server_wants_a_key() -> None:
    with running() as url, pytest.raises(HTTPError, match="401") as raised:
        urlopen(f"{url}/v1/search")
    raised.value.close()
