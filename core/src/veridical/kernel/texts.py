"""The kernel's own words: everything in a report that is neither evidence, nor computed, nor the operator's."""

from __future__ import annotations

from typing import Literal

from veridical_contract import Refusal, Tried

__all__ = ["UNADDRESSED", "known_label", "known_rule", "refusal", "theme_name"]

RefusalCode = Literal["no-evidence", "insufficient-evidence", "nothing-verified"]

_REFUSALS: dict[RefusalCode, str] = {
    "no-evidence": "There is nothing in the evidence that was named which could answer this.",
    "insufficient-evidence": "The evidence that was named says too little about this to answer from it.",
    "nothing-verified": "Passages were found, but nothing that was said about them could be verified, so nothing is said.",
}
_HELP: dict[RefusalCode, tuple[str, ...]] = {
    "no-evidence": (
        "Name files that speak of it: veridical research QUESTION --from PATH",
        "See which sources there are and how much they hold: veridical sources list",
    ),
    "insufficient-evidence": (
        "Ask with the words that the sources use: veridical evidence search WORDS shows what they say",
        "Name more files: veridical research QUESTION --from PATH",
    ),
    "nothing-verified": (
        "Run it again with the local composer, which only copies sentences: veridical research QUESTION --chat extractive",
        "See what was dropped and why in the report's rejections: veridical research QUESTION --json",
    ),
}
_TRIED = (
    "documents in scope",
    "documents proposed by the store",
    "documents whose bytes are as admitted",
    "passages shown to the composer",
)

UNADDRESSED = "No sentence of the evidence could be verified as an answer to this."

_LABELS = frozenset(
    {
        "ambiguous-occurrence", "bidi-escaped", "case", "clipped-context:conditional", "clipped-context:negation",
        "clipped-context:question", "clipped-context:reported", "clipped-context:unit", "dehyphenated", "entity", "field:title",
        "invisible", "ligature", "linebreak", "nfc", "outer-ellipsis-stripped", "quoted-not-authored", "snippet-only", "soft-hyphen",
        "suspected-injection", "typography", "whitespace", "whitespace:block", "width",
    }
)  # fmt: skip


def refusal(code: RefusalCode, counts: tuple[int, int, int, int]) -> Refusal:
    """Return the refusal `code`; `counts` are what each step left, in the order of the funnel (in scope, retrieved, admitted, shown)."""
    tried = tuple(Tried(what=what, count=count) for what, count in zip(_TRIED, counts, strict=True))
    return Refusal(code=code, text=_REFUSALS[code], tried=tried, help=_HELP[code])


def theme_name(number: int) -> str:
    """Return the name of a theme, counted from 1, for which no other name could be verified."""
    return f"Theme {number}"


def known_label(label: str) -> bool:
    """Whether `label` is one that the kernel puts on a quote."""
    return label in _LABELS


def known_rule(rule: str) -> bool:
    """Whether `rule` has the form of a rule's name: short, lower case, hyphens; never words of a plugin."""
    return rule.isascii() and len(rule) <= 40 and rule.replace("-", "").isalnum() and rule == rule.lower()
