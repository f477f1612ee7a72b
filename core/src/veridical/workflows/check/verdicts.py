"""What a finding says in plain words, and how bad it is. Not found is not refuted, and no message says that something is false."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from veridical_contract import FindingKind, FindingLevel, FindingVerdict

__all__ = ["CLIPPED", "level", "message"]

_FINE: Final[frozenset[FindingVerdict]] = frozenset({"exact", "located", "illustration"})
_DOUBTFUL: Final = frozenset({"quoted-not-authored", "reordered"})
_MISLEADS: Final[frozenset[FindingVerdict]] = frozenset({"clipped", "too-short"})

_QUOTE: Final[dict[FindingVerdict, str]] = {
    "exact": "These words stand in the evidence, character for character.",
    "located": "These words stand in the evidence; only their spelling differs, as shown.",
    "clipped": "These words stand in the evidence, but what was cut off around them changes what they say. See the whole sentence.",
    "illustration": "These words stand in the evidence and are too few to say something by themselves.",
    "altered": "These words do not stand in the evidence. A passage is nearly the same; the difference is shown.",
    "misattributed": "These words stand in the evidence, but not where the draft says. The right source is shown.",
    "stitched": "Parts of this quotation stand in the evidence, each in its place; the whole does not.",
    "too-short": "Too few words to be looked for. They were not met in the evidence, which shows nothing.",
    "not-found": "These words stand nowhere in the evidence. That does not show that nobody said them.",
    "needs-document": "These words were not met in the evidence, and they are too few to be sure. Name the document that they are from.",
    "not-shown": "The document that is cited for these words is not in the evidence, and nothing else there holds them.",
}
_URL: Final[dict[FindingVerdict, str]] = {
    "exact": "This is the address of a document of the evidence.",
    "located": "This is the address of a document of the evidence, in another spelling.",
    "misattributed": "This is the text of a link that leads to another address.",
    "not-found": "No document of the evidence has this address. That does not show that it leads nowhere.",
}
_NUMBER: Final[dict[FindingVerdict, str]] = {
    "exact": "A sentence of the evidence has this number, and counts or measures the same with it.",
    "located": "A sentence of the evidence has this number in another spelling, and counts or measures the same with it.",
    "altered": "The nearest sentence of the evidence has another number.",
    "not-found": "No sentence of the evidence has this number together with what it counts or measures.",
    "not-shown": "The document that is cited for this number is not in the evidence, and no other sentence there has it.",
}
_CITATION: Final[dict[FindingVerdict, str]] = {
    "located": "A document of the evidence is by this author and of this year.",
    "not-found": "This citation leads to no address in the draft, and to no document of the evidence.",
}
_MESSAGES: Final[dict[FindingKind, dict[FindingVerdict, str]]] = {
    "quote": _QUOTE,
    "block-quote": _QUOTE,
    "url": _URL,
    "number": _NUMBER,
    "citation": _CITATION,
}
CLIPPED: Final = {
    "clipped-context:negation": "The cut left out a negation.",
    "clipped-context:conditional": "The cut left out a condition.",
    "clipped-context:question": "The cut left out that it is a question.",
    "clipped-context:reported": "The cut left out who said it.",
}
_IN_TEXT: Final = "A document of the evidence mentions this address; no document was read from there."
_SPEAKER: Final = "These words stand in the evidence, but under another author than the draft names. The right one is shown."
_ELIDED: Final = (
    "The parts of this quotation stand in one paragraph of the evidence, in this order. Whether what was left out or put into brackets "
    "changes what they say is for a reader to judge."
)
_REORDERED: Final = "Marks in the draft make these words appear in another order than they stand in the evidence."
_REPEATED: Final = "These words stand in the evidence where its author quotes somebody else."


def level(verdict: FindingVerdict, labels: Sequence[str], *, strict: bool) -> FindingLevel:
    """Return how bad a finding is; with `strict` a warning is an error, also one of what a draft leaves out openly."""
    if verdict in _MISLEADS or "elided" in labels or (verdict in _FINE and not _DOUBTFUL.isdisjoint(labels)):
        return "error" if strict else "warning"
    return "ok" if verdict in _FINE else "error"


def message(kind: FindingKind, verdict: FindingVerdict, rule: str, labels: Sequence[str]) -> str:
    """Return the verdict in plain words."""
    if rule == "other-author":
        return _SPEAKER
    if rule == "elided":
        return _ELIDED
    if "reordered" in labels:
        return _REORDERED
    if "address-in-text" in labels:
        return _IN_TEXT
    if verdict in _FINE and "quoted-not-authored" in labels:
        return _REPEATED
    left_out = [CLIPPED[label] for label in labels if label in CLIPPED] if verdict == "clipped" else []
    return " ".join([_MESSAGES[kind][verdict], *left_out])
