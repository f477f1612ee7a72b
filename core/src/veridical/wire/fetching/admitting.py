"""From a page to the kernel: one document for each part, its text and its URL held, since the host itself read the bytes there."""

from __future__ import annotations

from collections.abc import Iterator

from veridical_contract import Item, Locator, Raw

from veridical.kernel.admission import Admission, Bytes, Trust, admit
from veridical.kernel.policy import Policy

from .page import Page, Part

__all__ = ["PLUGIN", "admit_page"]

PLUGIN = "fetch"
"""What a document names as the plugin that handed it in: no plugin did."""


def admit_page(page: Page, *, origin: str, policy: Policy, hosts: frozenset[str] = frozenset()) -> Iterator[Admission]:
    """Yield the document of each part of a page, in order.

    Args:
        page: as it was read.
        origin: the name under which the documents are kept.
        policy: whose rules apply.
        hosts: that the operator listed, `host` or `host:port`: the fetcher's own.

    Raises:
        AdmissionRefused: a part is not evidence; `no-text` where the page shows nothing without running its scripts.
    """
    named = frozenset(host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host for host in hosts)
    for part in page.parts:
        derivation = part.derivation
        yield admit(
            _item(page, part),
            plugin=PLUGIN,
            origin=origin,
            extractor=f"{derivation.format}/{derivation.projection}/1",
            retrieved=page.retrieved,
            held=Bytes(page.body, part.text, part.runs, url=page.url),
            trust=Trust(hosts=named),
            policy=policy,
        )


def _item(page: Page, part: Part) -> Item:
    return Item(
        locator=Locator(container=page.url, page=part.number),
        raw=Raw(digest=page.digest, size=len(page.body), container=page.digest, offset=0),
        derivation=part.derivation,
    )
