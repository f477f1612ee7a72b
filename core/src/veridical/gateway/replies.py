"""From the place that a plugin names to the bytes that the host recorded: what of a call's replies is handed to admission.

    place + wire map + replies of this call --kernel.wire.prove--> item with its bytes --> admission, as `wire`
                                         `-> none of them holds it there: the rule that says why

Every whole, successful reply of the call is tried, the newest first: a turn that was continued, or a page that was asked for again, leaves
several, and the values that the plugin read must be those of the reply that is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from veridical_contract import Derivation, Item, Locator, Raw, WireMap

from veridical.kernel.admission import AdmissionRefused, Bytes, Trust
from veridical.kernel.canonical import digest
from veridical.kernel.wire import WireRefused, prove
from veridical.wire.recording import Recorded

__all__ = ["on_the_wire"]


def on_the_wire(
    item: Item,
    maps: Mapping[str, WireMap],
    replies: Sequence[Recorded],
    trust: Trust,
    derive: Callable[[bytes, Derivation], Bytes],
) -> Iterator[tuple[Item, Bytes]]:
    """Yield `item` with its bytes, as each reply holds it.

    Args:
        item: an exact copy, with a place.
        maps: the plugin's, as the operator approved them.
        replies: what was recorded during the call, in order.
        trust: what the operator allowed for the plugin.
        derive: the host's reader.

    Raises:
        AdmissionRefused: no reply holds it: `wire-map-unknown`, `wire-not-recorded`, `wire-no-tls`, or a rule of `kernel.wire.prove`.
    """
    place = item.place
    if place is None or item.raw is not None or item.derivation is not None or (wire := maps.get(place.map)) is None:
        raise AdmissionRefused("wire-map-unknown", place.map if place is not None else "")
    base = urlsplit(wire.base_url)
    if base.scheme != "https" and base.hostname not in trust.hosts:
        raise AdmissionRefused("wire-no-tls", wire.base_url)
    refused = WireRefused("wire-not-recorded", wire.base_url)
    found = False
    for reply in reversed(replies):
        exchange = reply.exchange(end=wire.end)
        try:
            derivation = prove(wire, place, exchange)
        except WireRefused as error:
            refused = error if refused.rule in {"wire-not-recorded", "wire-origin"} else refused
            continue
        found = True
        name = digest(exchange.body)
        raw = Raw(digest=name, size=len(exchange.body), container=name, offset=0)
        copy = item.model_copy(update={"raw": raw, "derivation": derivation, "locator": Locator(container=exchange.url)})
        yield copy, replace(derive(exchange.body, derivation), grade="wire", asked=exchange.asked)
    if not found:
        raise AdmissionRefused(refused.rule, refused.text)
