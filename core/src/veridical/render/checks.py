"""A check as text for a terminal, and what every rendering of one says. No colours, no control characters, no escape sequences.

The words of drafts and sources are made visible exactly once. In a word diff, what stands between `⟦-` and `-⟧` is in the evidence
alone, and between `⟦+` and `+⟧` in the draft alone; no visible words contain such brackets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from veridical_contract import CHECK_FORMAT, MARKER, CheckReport, DiffPart, EvidencePassage, Finding, FindingKind, FindingVerdict, Span

from . import words
from .text import wrapped

__all__ = ["NOT_PROVED", "facts", "place_name", "render_check_text", "said", "summary_lines", "word_diff"]

NOT_PROVED = "Not in the evidence is not the same as false, and in the evidence is not the same as true."
"""Said by every rendering of a check."""

_KINDS: Final[dict[FindingKind, str]] = {
    "quote": "quotation",
    "block-quote": "block quotation",
    "url": "address",
    "number": "number",
    "citation": "citation",
}
_LABELS: Final = {
    "speaker-unknown": "nobody of that name is an author of the evidence",
    "speaker-in-source": "the sentence there names the speaker too",
    "author-unknown": "who wrote it is not known, or its author quotes somebody else there",
    "editor-brackets": "brackets, remarks and marks of notes inside of it were passed over",
    "inner-marks": "quotation marks inside of it are written another way",
    "cited-not-shown": "the document that the draft cites for it is not in the evidence",
}
_PLACES: Final[dict[FindingVerdict, str]] = {
    "exact": "Source",
    "located": "Source",
    "illustration": "Source",
    "clipped": "Whole sentence",
    "misattributed": "Right source",
}
_NARROWEST = 40
_LONGEST = 400


def render_check_text(report: CheckReport, *, width: int, unchecked: bool = False) -> str:
    """Return what became of the drafts as text.

    Args:
        report: of a check.
        width: columns of the terminal; less than 40 counts as 40.
        unchecked: list the sentences in which there is nothing to check.
    """
    width = max(width, _NARROWEST)
    lines = [line for finding in report.findings for line in _finding(finding, width)]
    if unchecked:
        lines += _unchecked(report, width)
    lines += [line for each in summary_lines(report) for line in wrapped(each, width)]
    return "\n".join([*lines, "", f"{MARKER} {CHECK_FORMAT}"]) + "\n"


def said(finding: Finding) -> str:
    """Return the verdict and what is known of the place, in one line of words as they are."""
    notes = [_LABELS[label] for label in finding.labels if label in _LABELS]
    spelled = f"Spelling that differs: {', '.join(finding.folds)}." if finding.folds else ""
    return " ".join(filter(None, (finding.message, spelled, f"Note: {'; '.join(notes)}." if notes else "")))


def facts(passage: EvidencePassage) -> str:
    """Return where a passage stands: file and line, title, author, address."""
    known = [words.locator_words(passage.locator, passage.line)]
    known += [passage.title] if passage.title is not None else []
    known += [f"by {passage.author.name or passage.author.id}"] if passage.author is not None else []
    known += [passage.url] if passage.url is not None else []
    return ", ".join(known)


def place_name(finding: Finding) -> str:
    """Return what the passage of a finding is."""
    return _PLACES.get(finding.verdict, "Nearest passage")


def word_diff(diff: Iterable[DiffPart]) -> str:
    """Return a word diff on one visible line, from the evidence to the draft."""
    marks = {"same": ("", ""), "missing": ("⟦-", "-⟧"), "added": ("⟦+", "+⟧")}
    parts = ((marks[part.op], words.visible_line(part.source or part.draft or "")) for part in diff)
    return " ".join(f"{before}{text}{after}" for (before, after), text in parts)


def summary_lines(report: CheckReport) -> list[str]:
    """Return how many of each, one fact a line."""
    summary = report.summary
    first = "There was nothing to check: no quotation, address, number or citation."
    if report.findings:
        counted = sorted(summary.verdicts.items(), key=lambda row: (-row[1], row[0]))
        verdicts = ", ".join(f"{count} {verdict}" for verdict, count in counted)
        levels = f"{_number(summary.errors, 'error')}, {_number(summary.warnings, 'warning')}"
        first = f"{_number(len(report.findings), 'finding')}: {verdicts}. {levels}."
    looked = f"Looked into {_number(summary.documents, 'document')}."
    unchecked = f"Sentences with nothing that can be checked: {summary.unchecked} of {summary.sentences}."
    lost = [f"{_number(len(report.rejections), 'record')} of the evidence could not be used."] if report.rejections else []
    return [first, f"{looked} {unchecked}", *lost, NOT_PROVED]


def _finding(finding: Finding, width: int) -> Iterator[str]:
    place = f"{words.visible_line(finding.file)}:{finding.line}:{finding.column}"
    level = "" if finding.level == "ok" else f"{finding.level}: "
    head = f"{place}: {level}{_KINDS[finding.kind]} {finding.verdict}"
    shown = f"“{_cut(finding.words)}”" if "quote" in finding.kind else _cut(finding.words)
    if finding.level == "ok" and not finding.labels:
        where = f" — {facts(finding.passage)}" if finding.passage is not None else ""
        yield from wrapped(f"{shown}{where}", width, "    ", f"{head}: ")
        return
    yield from wrapped(shown, width, "    ", f"{head}: ")
    yield from wrapped(said(finding), width, "    ")
    yield from _evidence(finding, width)


def _evidence(finding: Finding, width: int) -> Iterator[str]:
    if finding.diff:
        yield from _lines(f"Difference: {word_diff(finding.diff)}", width)
    for number, part in enumerate(finding.parts, 1):
        yield from wrapped(f"Part {number}: “{_cut(_text(part.span))}” — {facts(part)}", width, "      ", "    ")
    passage = finding.passage
    if passage is None or finding.parts:
        return
    name = place_name(finding)
    shown = passage.sentence if finding.verdict == "clipped" else passage.span
    quoted = f"“{_cut(_text(shown))}” — " if shown is not None else ""
    yield from wrapped(f"{name}: {quoted}{facts(passage)}", width, "      ", "    ")


def _unchecked(report: CheckReport, width: int) -> Iterator[str]:
    for draft in report.drafts:
        for sentence in draft.unchecked:
            place = f"{words.visible_line(draft.file)}:{sentence.line}:{sentence.column}"
            yield from wrapped(_cut(sentence.text), width, "    ", f"{place}: nothing to check: ")


def _lines(visible: str, width: int) -> list[str]:
    """Fill words that are visible already."""
    lines, line = list[str](), "    "
    for word in visible.split(" "):
        if len(line) + len(word) > width and line.strip():
            lines.append(line.rstrip())
            line = "      "
        line += f"{word} "
    return [*lines, line.rstrip()]


def _text(span: Span | None) -> str:
    return span.text if span is not None else ""


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} [and {len(text) - _LONGEST} more characters]"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
