"""The web as a source: ask search plugins, admit what recorded replies hold, put it into the store, and say what was tried.

    queries --plugin by plugin, until one answers--> hits: documents (`wire`) and links --put--> store --> research goes on as with files

No model is asked what to search for, and a plugin that fails is passed over and named. What an earlier search found stays in the store.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from veridical_contract import (
    ConfigurationError,
    InputRecord,
    Json,
    PluginError,
    ProviderError,
    Rejection,
    SearchQuery,
    Untrusted,
)

from veridical.gateway.shapes import Link, ReadBatch, WebFinding
from veridical.gateway.verified import Gateway
from veridical.kernel.admission import Admission
from veridical.kernel.canonical import canonical_bytes, digest

from .intake import check_asked
from .progress import Progress
from .storing import put

__all__ = ["PATIENCE", "Gathered", "Wait", "ask_in_turn", "gather", "keep"]

PATIENCE = 10.0
"""Seconds that a provider which is asked too often may ask to wait, to be asked once more; for longer the next one is asked."""

Wait = Callable[[float], None]
"""Lets so many seconds pass."""


@dataclass(slots=True)
class Gathered:
    """What a search of the web brought.

    Attributes:
        origins: names under which the store holds it: those of the plugins that answered.
        inputs: one record for each query that was asked, of each plugin.
        links: pages that were named, best first, whether or not with a text.
        rejections: of what the kernel refused.
        tried: plugins that failed, with their words.
        excerpts: what providers say that pages hold, by identifier of the document.
        superseded: identifiers of excerpts whose page was read: it is the evidence now.
        pages: URL of the link that each page was read for, by identifier of its documents.
        main: spans of the text that look like what a page is about, by identifier of its documents.
        findings: what a model says about what its provider found.
    """

    origins: list[str] = field(default_factory=list[str])
    inputs: list[InputRecord] = field(default_factory=list[InputRecord])
    links: list[Link] = field(default_factory=list[Link])
    rejections: list[Rejection] = field(default_factory=list[Rejection])
    tried: dict[str, PluginError] = field(default_factory=dict[str, PluginError])
    excerpts: dict[str, Admission] = field(default_factory=dict[str, Admission])
    superseded: set[str] = field(default_factory=set[str])
    pages: dict[str, str] = field(default_factory=dict[str, str])
    main: dict[str, tuple[tuple[int, int], ...]] = field(default_factory=dict[str, tuple[tuple[int, int], ...]])
    findings: list[WebFinding] = field(default_factory=list[WebFinding])


def gather(gateway: Gateway, chain: Sequence[str], queries: Sequence[SearchQuery], progress: Progress, wait: Wait) -> Gathered:
    """Ask the plugins of `chain`, in order, until one answered every query.

    Raises:
        ConfigurationError: a provider refuses the key: another plugin would hide that.
        ProviderError: every plugin failed; the message names them all.
        StoreError: the store cannot be written.
    """
    found = ask_in_turn(gateway, chain, queries, progress, wait)
    return found if found.origins else _all_failed(found)


def ask_in_turn(gateway: Gateway, chain: Sequence[str], queries: Sequence[SearchQuery], progress: Progress, wait: Wait) -> Gathered:
    """Ask the plugins of `chain`, in order, until one answered every query; who failed, and how, is in `tried`.

    A provider that asks for a little patience is given it, once, before the next one is asked.

    Raises:
        ConfigurationError: a provider refuses the key: another plugin would hide that.
        StoreError: the store cannot be written.
    """
    found = Gathered()
    for plugin in chain:
        try:
            for number, query in enumerate(queries):
                keep(gateway, found, query, _patiently(gateway, plugin, query, wait))
                progress.step("searching", number + 1, len(queries))
        except PluginError as error:
            _note(found, plugin, error)
            continue
        break
    return found


def _patiently(gateway: Gateway, plugin: str, query: SearchQuery, wait: Wait) -> ReadBatch:
    try:
        return gateway.search(plugin, query)
    except ProviderError as error:
        if error.failure != "rate-limit" or error.retry_after is None or error.retry_after > PATIENCE:
            raise
        wait(error.retry_after)
    return gateway.search(plugin, query)


def keep(gateway: Gateway, found: Gathered, query: SearchQuery, batch: ReadBatch) -> None:
    """Put what one query brought into the store, and note it in `found`.

    Raises:
        StoreError: the store cannot be written.
    """
    check_asked(batch, batch.container)
    asked: dict[str, Json] = query.model_dump(mode="json")
    container = f"search {digest(canonical_bytes(asked))[:16]}: {query.text}"
    put(gateway, batch.documents, batch.raws, origin=batch.container, container=container, fingerprint=digest(canonical_bytes(asked)))
    if batch.container not in found.origins:
        found.origins.append(batch.container)
    urls = {document.document.url: document.document.title or "" for document in batch.documents if document.document.url is not None}
    known = {link.url for link in found.links}
    found.links += [link for link in (*(Link(url, title) for url, title in urls.items()), *batch.links) if link.url not in known]
    found.rejections.extend(batch.rejections)
    found.excerpts.update((document.id, document) for document in batch.documents)
    found.inputs.append(_record(f"{batch.container}: {query.text}", "read", len(batch.documents)))


def _note(found: Gathered, plugin: str, error: PluginError) -> None:
    if isinstance(error, ProviderError) and error.failure == "auth":
        raise ConfigurationError(error.message, hint=error.hint) from None
    found.tried[plugin] = error
    found.inputs.append(_record(plugin, "unreadable", 0, Untrusted(origin=plugin, text=str(error)[:2000])))


def _record(path: str, status: str, documents: int, reason: Untrusted | None = None) -> InputRecord:
    return InputRecord.model_validate({"path": path, "sha256": None, "size": 0, "status": status, "documents": documents, "reason": reason})


def _all_failed(found: Gathered) -> NoReturn:
    last = list(found.tried.values())[-1]
    failure = last.failure if isinstance(last, ProviderError) else "server"
    raise ProviderError(
        f"Every search plugin failed: {'; '.join(error.message for error in found.tried.values())}",
        failure=failure,
        plugin=last.plugin,
        hook="search",
        hint=last.hint,
    )
