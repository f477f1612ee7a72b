"""Pages that a search named, fetched by the host: their text is held, and what providers said they hold is looked for in it.

links, best first --Fetcher--> pages --admit--> documents (`held`) --put--> store
excerpts of the same pages --upgrade--> on the page: the page itself is the evidence now
`--> not on the page: no evidence any more
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from veridical_contract import InputRecord, Rejection, ScanRequest, Untrusted

from veridical.gateway.shapes import Link
from veridical.gateway.verified import Gateway
from veridical.kernel.admission import Admission, AdmissionRefused
from veridical.kernel.canonical import digest
from veridical.kernel.policy import Policy
from veridical.kernel.urls import UrlTable, same_url, url_host
from veridical.wire.fetching import PLUGIN, Fetcher, FetchRefused, Page, admit_page, upgrade

from .progress import Progress
from .storing import put
from .web import Gathered

__all__ = ["ORIGIN", "read_pages", "resolve_links"]

ORIGIN = "pages"
"""The name under which the store holds pages that were fetched."""


def read_pages(gateway: Gateway, found: Gathered, fetcher: Fetcher, *, most: int, policy: Policy, progress: Progress) -> None:
    """Fetch the best pages of `found` and note there what came of it.

    Args:
        gateway: to the store.
        found: what a search brought; its links are asked in their order, its excerpts compared.
        fetcher: reads pages.
        most: how many pages at most; one that cannot be read counts.
        policy: whose rules apply.
        progress: who watches.

    Raises:
        StoreError: the store cannot be written.
    """
    wanted = found.links[:most]
    older = list(_older(gateway, found))
    for number, link in enumerate(wanted):
        try:
            page = fetcher.fetch(link.url)
            if isinstance(page, Page):
                _keep(gateway, found, link, page, list(admit_page(page, origin=ORIGIN, policy=policy, hosts=fetcher.hosts)), policy)
                found.superseded.update(name for name, url in older if _is_of(url, link, page, policy))
        except (FetchRefused, AdmissionRefused) as error:
            found.inputs.append(_record(link.url, 0, Untrusted(origin=PLUGIN, text=str(error)[:2000])))
        progress.step("fetching", number + 1, len(wanted))


def resolve_links(found: Gathered, fetcher: Fetcher, policy: Policy) -> None:
    """Put the pages that a provider's redirects lead to in their place; both are noted, and one that leads nowhere stays."""
    table = policy.table("urls", UrlTable).redirects
    for number, link in enumerate(found.links):
        if url_host(link.url, policy) not in table:
            continue
        try:
            leads = fetcher.resolve(link.url)
        except FetchRefused as error:
            found.inputs.append(_record(link.url, 0, Untrusted(origin=PLUGIN, text=str(error)[:2000])))
            continue
        if leads is not None:
            found.links[number] = replace(link, url=leads)
            found.inputs.append(_record(link.url, 0, Untrusted(origin=PLUGIN, text=f"it leads to {leads}"[:2000]), status="unchanged"))


def _keep(gateway: Gateway, found: Gathered, link: Link, page: Page, documents: Sequence[Admission], policy: Policy) -> None:
    main = {document.id: part.main for document, part in zip(documents, page.parts, strict=True)}
    put(gateway, documents, {page.digest: page.body}, origin=ORIGIN, container=page.url, fingerprint=page.digest, within=main)
    found.pages.update((document.id, link.url) for document in documents)
    found.main.update(main)
    if ORIGIN not in found.origins:
        found.origins.append(ORIGIN)
    absent = list(_compared(found.excerpts, link, page, policy))
    found.superseded.update(name for name, excerpt in found.excerpts.items() if _is_of(excerpt.document.url, link, page, policy))
    found.rejections += absent
    said = Untrusted(origin=PLUGIN, text=f"{len(absent)} excerpts that a provider gave are not on the page") if absent else None
    found.inputs.append(_record(page.url, len(documents), said))


def _compared(excerpts: Mapping[str, Admission], link: Link, page: Page, policy: Policy) -> Iterator[Rejection]:
    """Yield a rejection for each excerpt of the page that is not on it."""
    for excerpt in excerpts.values():
        if _is_of(excerpt.document.url, link, page, policy) and not upgrade(excerpt.document.text, page, policy=policy).held:
            text = excerpt.document.text
            yield Rejection(
                rule="not-on-the-page",
                plugin=excerpt.document.plugin,
                hook="search",
                length=len(text),
                digest=digest(text.encode("utf-8")),
            )


def _older(gateway: Gateway, found: Gathered) -> Iterator[tuple[str, str | None]]:
    """Yield (identifier, URL) of what earlier searches left in the store: a page that is read now is the evidence in their place, too."""
    after = None
    while page := gateway.scan(ScanRequest(after=after, origins=tuple(found.origins))) if found.origins else ():
        yield from ((name, document.url) for name, document in gateway.fetch(page).documents.items() if document.origin != ORIGIN)
        after = page[-1]


def _is_of(url: str | None, link: Link, page: Page, policy: Policy) -> bool:
    """Whether what has a URL is said to stand on a page: on the URL that was asked for, or the one that it redirects to."""
    return url is not None and any(same_url(url, other, policy) is not None for other in (link.url, page.url))


def _record(path: str, documents: int, said: Untrusted | None, *, status: str = "") -> InputRecord:
    status = status or ("read" if documents else "unreadable")
    return InputRecord.model_validate({"path": path, "sha256": None, "size": 0, "status": status, "documents": documents, "reason": said})
