"""A reply about passages that were sent, cited by the provider's own means: every location is compared with what was sent.

citation --passage, start, end, the words that it says--> a span of the passage, or nothing
part of the reply --its citations that hold--> a claim to be confirmed like any other; without any: dropped
"""

from __future__ import annotations

from collections.abc import Mapping

from veridical_contract import ChatReply, DraftClaim, DraftQuote, PassageCitation

from veridical.kernel.policy import Policy
from veridical.kernel.spans import SpanError, to_codepoints

__all__ = ["cited"]


def cited(reply: ChatReply, sent: Mapping[str, str], *, policy: Policy) -> tuple[DraftClaim, ...]:
    """Return a proposal for each part of `reply`, an exact copy, that a citation holds for.

    Args:
        reply: to a `cite` request.
        sent: text of each passage by its identifier.
        policy: whose grapheme clusters count.
    """
    quotes: dict[int, list[DraftQuote]] = {}
    for citation in reply.citations:
        words = _words(citation, sent, policy)
        if words is not None and citation.part < len(reply.parts):
            quotes.setdefault(citation.part, []).append(DraftQuote(passage=citation.passage, quote=words))
    parts = ((reply.parts[part].strip() or None, tuple(dict.fromkeys(found))) for part, found in sorted(quotes.items()))
    return tuple(DraftClaim(text=text, quotes=found) for text, found in parts)


def _words(citation: PassageCitation, sent: Mapping[str, str], policy: Policy) -> str | None:
    """Return the passage's own words at a location; None when it is none of what was sent, or is said to hold other words."""
    text = sent.get(citation.passage)
    if text is None:
        return None
    start, end = (0, len(text)) if citation.start is None and citation.end is None else (citation.start, citation.end)
    try:
        first, last = to_codepoints(text, start, end, "codepoint", policy=policy)
    except SpanError:
        return None
    words = text[first:last].strip()
    return words if words and (citation.text is None or citation.text.strip() == words) else None
