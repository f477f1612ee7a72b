"""Source: the provider's records, page after page, from where the last read ended.

    cursor --> GET /v1/records --> {"records": [{"id", "link", "title", "body", "author", "changed"}], "next"} --> a batch
                   ^                                                                               |
                   `---------------------------- until there is no next --------------------------'

Each record has a key, so that one that changed takes the place of its older self. An item names a place in the page that was just
received: a page is handed in before the next one is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from veridical_contract import (
    Item,
    Locator,
    PluginContext,
    SourceBatch,
    SourceRequest,
    WireMap,
    WirePlace,
    hookimpl,
)

from ._client import BASE_URL, Client, Part, read

_PAGE = 100


def _map(base_url: str) -> WireMap:
    return WireMap(
        base_url=f"{base_url}/v1/records",
        item="/records/*",
        url="link",
        title="title",
        text=("body",),
        author="author",
        published="changed",
    )


class _Record(Part):
    id: str
    body: str | None = None


class _Page(Part):
    records: list[_Record]
    next: str | None


class Source:
    """Records of the provider. Needs a key."""

    wire = _map(BASE_URL)

    def __init__(self, context: PluginContext) -> None:
        self._context = context
        self._client = Client(context)
        self.wire = _map(self._client.base_url)

    @hookimpl
    def read(self, request: SourceRequest) -> Iterator[SourceBatch]:
        """Yield the records that came since `request.cursor`, a page at a time, until the last or until nobody waits for it any more.

        Raises:
            ProviderError: the provider failed; what was yielded before is kept.
        """
        cursor, done = request.cursor, bool(request.inputs)  # files are for another plugin
        while not done and not self._context.cancelled():
            page = read(_Page, self._client.get("/v1/records", {"limit": str(_PAGE), "after": cursor or ""}))
            # A provider that repeats itself must not be asked for ever.
            done = page.next is None or page.next == cursor
            cursor = page.next or cursor
            yield self._batch(page, cursor, done=done)

    def _batch(self, page: _Page, cursor: str | None, *, done: bool) -> SourceBatch:
        found = [(number, record) for number, record in enumerate(page.records) if record.body]
        return SourceBatch(
            container=self.wire.base_url,
            items=tuple(self._item(number) for number, _ in found),
            keys=tuple(record.id for _, record in found),
            cursor=cursor,
            done=done,
        )

    def _item(self, number: int) -> Item:
        place = WirePlace(item=f"/records/{number}", text="body")
        return Item(locator=Locator(container=self.wire.base_url), place=place)
