"""A search that the provider of a chat plugin makes by itself: what recorded replies hold of it, and what the model says about that."""

from __future__ import annotations

from collections.abc import Sequence

from veridical_contract import ChatRequest, ConfigurationError, Message, ProviderError, SearchQuery

from veridical.gateway.verified import Gateway

from .progress import Progress
from .web import Gathered, keep

__all__ = ["gather_grounded"]

_FIND = "Search the web and say, in short sentences, each with its sources, what it holds about this question:"


def gather_grounded(gateway: Gateway, queries: Sequence[SearchQuery], progress: Progress) -> Gathered:
    """Ask the chat plugin, whose provider searches the web by itself.

    Raises:
        ConfigurationError: the provider refuses the key.
        PluginError: the plugin failed.
        StoreError: the store cannot be written.
    """
    found = Gathered()
    for number, query in enumerate(queries):
        asked = ChatRequest(
            task="ground", messages=(Message(role="user", text=f"{_FIND}\n\n{query.text}"),), question=query.text, search=query
        )
        try:
            grounded = gateway.ground(asked)
        except ProviderError as error:
            if error.failure == "auth":
                raise ConfigurationError(error.message, hint=error.hint) from None
            raise
        keep(gateway, found, query, grounded.batch)
        found.findings.extend(grounded.findings)
        progress.step("searching", number + 1, len(queries))
    return found
