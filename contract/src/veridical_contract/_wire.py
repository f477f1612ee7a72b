"""Where a provider's reply holds what a hit is made of: declared by the plugin, approved by the operator, proved by the kernel.

    reply (recorded by the host) --item--> one hit --url, title, text--> atoms, each at its own pointer

A plugin names places (`WirePlace`), and the values that it read there. The host reads the same places in the bytes that it recorded, and
what is not there, or stands anywhere else, is no evidence. A field that a model wrote, or that repeats the request, has no place here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, JsonValue, model_validator

from ._documents import Item, Locator, Projection, WirePlace
from ._model import Model
from ._search import SearchQuery

WireLayout = Literal["json", "sse", "html"]
"""How a reply is laid out: JSON; server-sent events whose data is JSON, read as the list of it; HTML, read as its start tags."""

_RELATIVE = re.compile(r"(?:[^{}?/*][^{}?]*)?")
# No slot in the host: which host a template leads to is the operator's to see.
_TEMPLATE = re.compile(r"https?://[^{}\s/?#]+[/?#][^{}\s]*(?:\{[^{}]+\}[^{}\s]*)+")
_SLOT = re.compile(r"\{([^{}]+)\}")
_UNWRAPPED = re.compile(r"\?[A-Za-z0-9_.-]+=\{[^{}]+\}")
_SELECTOR = re.compile(r"[a-z][a-z0-9]*(?:\.[A-Za-z0-9_-]+)*")
_ITEM = re.compile(r"(?:/(?:[^~/]|~[01])+)*")


def _is_url(value: str) -> str:
    if _RELATIVE.fullmatch(value) or _TEMPLATE.fullmatch(value) or _UNWRAPPED.fullmatch(value):
        return value
    raise ValueError("expected a pointer within the item (link), a template (https://host/{id}) or a parameter of a link (?u={href})")


def _is_relative(value: str) -> str:
    if _RELATIVE.fullmatch(value):
        return value
    raise ValueError("expected a pointer within the item, without a slash before it: title, or meta/title")


Within = Annotated[str, AfterValidator(_is_relative)]
"""An RFC 6901 pointer within an item, without the slash before it; in a list of texts, `*` stands for any member or index."""


class WireMap(Model):
    """Where the replies of one endpoint hold hits.

    Attributes:
        base_url: what the URL of the request starts with: its origin is what the operator approves.
        layout: of the reply.
        item: pointer to a hit; `*` stands for any member or index (`/web/results/*`). With `html`: the compound selector of the
            element of a hit (`div.web-result`).
        url: pointer within the hit; or a URL template whose slots are pointers within the hit (`https://host/item?id={objectID}`); or
            the query parameter of a link (`?uddg={href}`). With `html` a pointer is a compound selector and an attribute (`a.title@href`).
        title: pointer within the hit; with `html` a compound selector.
        text: pointers within the hit to words of the source, not of a model, each of which is a text of its own.
        author: pointer within the hit.
        author_name: pointer within the hit.
        published: pointer within the hit.
        slots: pattern for the value of each slot of a template, by its pointer; letters, digits, `_` and `-` where nothing is said.
        projection: how the texts are marked up.
        end: the event name, type or data after which a stream of events is whole although it was not read to its end.
    """

    base_url: Annotated[str, Field(pattern=r"^https?://[^\s?#]+$")]
    layout: WireLayout = "json"
    item: str
    url: Annotated[str, AfterValidator(_is_url)]
    title: Within | None = None
    text: tuple[Within, ...] = ()
    author: Within | None = None
    author_name: Within | None = None
    published: Within | None = None
    slots: dict[str, str] = Field(default_factory=dict)
    projection: Projection = "plain"
    end: str | None = None

    @model_validator(mode="after")
    def _item_of_its_layout(self) -> Self:
        form, expected = (_SELECTOR, "div.result") if self.layout == "html" else (_ITEM, "/results/*")
        if form.fullmatch(self.item) is None:
            raise ValueError(f"item {self.item!r} is not of the form {expected}")
        return self

    @model_validator(mode="after")
    def _patterns_of_its_slots(self) -> Self:
        for name, pattern in self.slots.items():
            if name not in _SLOT.findall(self.url):
                raise ValueError(f"slots names {name!r}, which is no slot of the url {self.url!r}")
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"the pattern of slot {name!r} is none: {error}") from None
        return self

    def items(self, reply: JsonValue, *, name: str = "", query: SearchQuery | None = None) -> list[Item]:
        """Return an item for each text of each hit in a parsed JSON reply, in their order; one without text where a hit has none.

        Args:
            reply: the parsed body; for `sse` the list of the parsed data of its events.
            name: of this map, when the plugin has several.
            query: leaves out the hits of domains that it does not cover, and those without a URL.
        """
        hits = _matching(reply, self.item.split("/")[1:], "")
        return [
            Item(locator=Locator(container=self.base_url), place=WirePlace(map=name, item=pointer, text=text))
            for pointer, hit in hits
            if query is None or query.covers(self._url(hit))
            for text in self._texts(hit) or [None]
        ]

    def _url(self, hit: JsonValue) -> str:
        """Return the URL of a hit, or the template of it, which names the host; nothing where there is none."""
        found = self.url if self.url.startswith("http") else next((value for _, value in _matching(hit, self.url.split("/"), "")), None)
        return found if isinstance(found, str) else ""

    def _texts(self, hit: JsonValue) -> list[str]:
        found = (each for pattern in self.text for each in _matching(hit, pattern.split("/"), ""))
        return [pointer[1:] for pointer, value in found if isinstance(value, str) and value]


def _matching(value: JsonValue, tokens: list[str], before: str) -> Iterator[tuple[str, JsonValue]]:
    """Yield (pointer, value) of what `tokens` lead to; `*` is any member or index."""
    if not tokens:
        yield before, value
        return
    first, *rest = tokens
    for key, member in _members(value):
        if first in ("*", key):
            yield from _matching(member, rest, f"{before}/{key}")


def _members(value: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    if isinstance(value, dict):
        yield from ((key.replace("~", "~0").replace("/", "~1"), member) for key, member in value.items())
    elif isinstance(value, list):
        yield from ((str(index), member) for index, member in enumerate(value))
