"""The contract of a search plugin, held as any publisher holds it; the pages are those of a server on loopback (`pytest --record`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from veridical_contract.testing import contract_suite

from tests.providers.service import Answer, Asked, service

from .test_duckduckgo import as_html, following, hit, page, wrapped

_SITES = ("www.example.com", "example.org", "docs.example.net")
_WORDS = (
    "A sheet of <b>zinc</b> lasts longer when the gutter behind it is kept free of leaves",
    "Nach dem Löten bleibt die Naht zwei Tage lang matt &amp; danach glänzt sie",
    "屋根の勾配が緩いと、雨水は板の継ぎ目に溜まりやすくなる。",
    "Slate was cheaper by a third in that county until the quarry closed",
)


def _answer(asked: Asked) -> Answer:
    words = asked.form["q"]
    if "zzqx" in words:
        return as_html(page())
    start = int(asked.form.get("s", "0") or 0)
    hits = [hit(wrapped(f"https://{_SITES[n % 3]}/roofs/{n}"), _WORDS[n % 4], title=f"Roof {n}") for n in range(start, start + 7)]
    return as_html(page(*hits, forms=following(start + 7)))


@contextmanager
def _server() -> Iterator[str]:
    with service(_answer) as running:
        yield running.url


TestDuckduckgo = contract_suite("duckduckgo", kind="search", settings={"allowed": True}, server=_server)
