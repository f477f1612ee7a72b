"""A chat plugin that quotes each passage whole: the one that docs/how-to/enable-a-plugin.md enables."""

from __future__ import annotations

from typing import Literal

from veridical_contract import ChatReply, ChatRequest, Draft, DraftClaim, DraftQuote, DraftTheme, Model, PluginContext, hookimpl


class Settings(Model):
    """Its table.

    Attributes:
        region: where it is asked.
    """

    region: Literal["eu", "us"] = "eu"


class Acme:
    """Quotes each passage whole."""

    def __init__(self, context: PluginContext) -> None:
        context.settings(Settings)

    @hookimpl
    def chat(self, request: ChatRequest) -> ChatReply:
        texts = {passage.id: passage.text for passage in request.passages}
        themes = [
            DraftTheme(
                group=group.id,
                claims=tuple(DraftClaim(quotes=(DraftQuote(passage=each, quote=texts[each]),)) for each in group.passages),
            )
            for group in request.groups
        ]
        return ChatReply(draft=Draft(themes=tuple(themes)), model="acme 1.0")
