{%- set sdk = cookiecutter.client == "sdk" -%}
"""As much of a host as tests of your own need: settings, a key, a client. What a real host adds is what the contract suite looks at."""

from __future__ import annotations

from collections.abc import Generator{{ "" if sdk else ", Mapping" }}
from contextlib import ExitStack, contextmanager
from typing import TypeVar, cast

import {{ "httpx2" if sdk else "httpx" }}
from veridical_contract import Model, PluginContext

KEY = "key-of-the-tests"

_Settings = TypeVar("_Settings", bound=Model)


class _Context:
    def __init__(self, base_url: str, stack: ExitStack) -> None:
        self._base_url = base_url
        self._stack = stack

    def settings(self, model: type[_Settings]) -> _Settings:
        return model.model_validate({"base_url": self._base_url})

    def secret(self, name: str) -> str:
        return KEY

    def cancelled(self) -> bool:
        return False
{% if sdk %}
    def httpx2_transport(self) -> httpx2.BaseTransport:
        return self._stack.enter_context(httpx2.HTTPTransport())
{%- else %}
    def http(self, *, base_url: str = "", headers: Mapping[str, str] | None = None) -> httpx.Client:
        return self._stack.enter_context(httpx.Client(base_url=base_url, headers=headers, trust_env=False))
{%- endif %}


@contextmanager
def connected(base_url: str) -> Generator[PluginContext]:
    """Yield a context whose plugin asks `base_url`; its clients are closed at the end of the block."""
    with ExitStack() as stack:
        yield cast("PluginContext", _Context(base_url, stack))
