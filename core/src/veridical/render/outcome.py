"""A grounded outcome as plain text for a terminal of a given width."""

from __future__ import annotations

from collections.abc import Iterator

from veridical_contract import OutcomeCitation, ResearchOutcome

from .text import wrapped
from .words import visible_line

__all__ = ["render_outcome"]

_NARROWEST = 40
_WITNESS = {"held": "read by this program", "wire": "as a provider's reply says", "attested": "as a plugin says"}


def render_outcome(outcome: ResearchOutcome, *, width: int) -> str:
    """Return the outcome as text.

    Args:
        outcome: what was found, or why nothing is said.
        width: columns of the terminal; less than 40 counts as 40.
    """
    width = max(width, _NARROWEST)
    lines = [*wrapped(outcome.query, width), ""]
    if outcome.refusal_reason is not None:
        lines += [*wrapped(f"No answer. {outcome.refusal_reason}", width), ""]
    else:
        lines += [*wrapped(outcome.summary, width), ""]
    for section in outcome.sections:
        lines.append(visible_line(section.heading))
        lines += [line for claim in section.claims for line in _said(claim.text, claim.citation_index, width)]
        lines.append("")
    for number, candidate in enumerate(outcome.disambiguation_candidates, 1):
        lines += wrapped(f"{candidate.title or candidate.domain}. {candidate.url or ''}".strip(), width, "   ", f"{number}. ")
        lines += [*_said(candidate.passage, candidate.citation_index, width), ""]
    if outcome.citations:
        lines += ["Sources", *(line for number, row in enumerate(outcome.citations, 1) for line in _source(number, row, width)), ""]
    lines += _how(outcome, width)
    return "\n".join(lines) + "\n"


def _said(text: str, index: int, width: int) -> list[str]:
    return wrapped(f"{text} [{index + 1}]", width, "    ", "  - ")


def _source(number: int, row: OutcomeCitation, width: int) -> list[str]:
    title = f"{row.title}. " if row.title else ""
    facts = f"{title}{row.url or row.domain}. Retrieved {row.retrieved_at}; {_WITNESS[row.witness]}. Snippet {row.snippet_hash}"
    return wrapped(facts, width, "     ", f"[{number}]".rjust(4) + " ")


def _how(outcome: ResearchOutcome, width: int) -> Iterator[str]:
    by = (
        f"{'answered by' if outcome.ok else 'looked in'} {outcome.provider_used}"
        if outcome.provider_used is not None
        else "nobody answered"
    )
    yield from wrapped(f"Coverage {outcome.coverage_score:.2f}; {by}.", width)
    for note in outcome.unverified_notes:
        yield from wrapped(f"{note.origin} says: {note.text}", width, "  ")
