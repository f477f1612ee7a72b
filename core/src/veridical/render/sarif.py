"""A check as SARIF 2.1.0 (OASIS Standard, 27 March 2020).

One run, a rule for each verdict that is no plain pass, a result for each finding that is an error or a warning, with the fix that `--fix`
would make. Columns count code points (`columnKind`), offsets too; lines end as drafts' lines do. The run carries the export marker: what a
check repeats of a draft may be made up, and is no evidence when the file is read back in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from veridical_contract import CHECK_FORMAT, MARKER, CheckReport, Edit, EvidencePassage, Finding, FindingVerdict, Json

from . import words
from .checks import NOT_PROVED, facts, place_name, said, word_diff

__all__ = ["render_check_sarif"]

_RULES: Final[dict[FindingVerdict, str]] = {
    "altered": "It does not stand in the evidence; a passage there is nearly the same.",
    "misattributed": "It stands in the evidence, but from another source than the draft says.",
    "stitched": "Its parts stand in the evidence, the whole does not.",
    "not-found": "It stands nowhere in the evidence.",
    "needs-document": "It was not met in the evidence and is too short to be sure.",
    "not-shown": "The document that is cited for it is not in the evidence.",
    "clipped": "It stands in the evidence; what was cut off or left out changes, or may change, what it says.",
    "too-short": "It is too short to be looked for.",
    "exact": "It stands in the evidence where its author quotes somebody else.",
    "located": "It stands in the evidence, spelled otherwise, where its author quotes somebody else.",
    "illustration": "It stands in the evidence where its author quotes somebody else, and is too short to say something.",
}
_UNCHECKED: Final = "unchecked"
_WARNINGS: Final = frozenset({"clipped", "too-short", "exact", "located", "illustration"})
_ALLOWED: Final = "/-._~!$&'()*+,;=@"


def render_check_sarif(report: CheckReport, *, unchecked: bool = False) -> str:
    """Return the findings that are errors or warnings as a SARIF log, in ASCII.

    Args:
        report: of a check.
        unchecked: a note for each sentence in which there is nothing to check.
    """
    index = {draft.file: number for number, draft in enumerate(report.drafts)}
    results: list[Json] = [_result(finding, index) for finding in report.findings if finding.level != "ok"]
    results += _notes(report, index) if unchecked else []
    run: dict[str, Json] = {
        "tool": {"driver": {"name": "veridical", "version": report.veridical, "rules": _rules()}},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "artifacts": [
            {"location": {"uri": _uri(draft.file)}, "roles": ["analysisTarget"], "hashes": {"sha-256": draft.sha256}}
            for draft in report.drafts
        ],
        "results": results,
        "properties": {"marker": MARKER, "format": CHECK_FORMAT, "outcome": report.outcome, "policy": report.policy, "limits": NOT_PROVED},
    }
    log: Json = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=True) + "\n"


def _rules() -> list[Json]:
    rows = [(verdict, text, "warning" if verdict in _WARNINGS else "error") for verdict, text in _RULES.items()]
    return [
        {
            "id": name,
            "name": "".join(part.capitalize() for part in name.split("-")),
            "shortDescription": {"text": text},
            "defaultConfiguration": {"level": level},
        }
        for name, text, level in (*rows, (_UNCHECKED, "The sentence holds nothing that can be checked.", "note"))
    ]


def _result(finding: Finding, index: dict[str, int]) -> Json:
    related = [finding.passage] if finding.passage is not None and not finding.parts else list(finding.parts)
    made: dict[str, Json] = {
        "ruleId": finding.verdict,
        "ruleIndex": list(_RULES).index(finding.verdict),
        "level": finding.level,
        "message": {"text": _message(finding)},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(finding.file, index), "region": _region(finding)}}],
    }
    if related:
        made["relatedLocations"] = [_related(number, passage) for number, passage in enumerate(related, 1)]
    if finding.fix is not None:
        made["fixes"] = [_fix(finding.fix, finding.file, index)]
    made["properties"] = {"kind": finding.kind, "rule": finding.rule, "labels": list(finding.labels), "folds": list(finding.folds)}
    return made


def _message(finding: Finding) -> str:
    parts = [words.visible_line(said(finding))]
    parts += [f"Difference: {word_diff(finding.diff)}"] if finding.diff else []
    places = finding.parts or ((finding.passage,) if finding.passage is not None else ())
    parts += [f"{'Part' if finding.parts else place_name(finding)}: {words.visible_line(facts(place))}" for place in places]
    # Braces are placeholders, and brackets links, in a SARIF message (3.11.5, 3.11.6).
    return re.sub(r"([\\\[\]])", r"\\\1", " ".join(parts)).replace("{", "{{").replace("}", "}}")


def _region(place: Finding | Edit) -> dict[str, Json]:
    return {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
        "charOffset": place.start,
        "charLength": place.end - place.start,
    }


def _related(number: int, passage: EvidencePassage) -> Json:
    place: dict[str, Json] = {"artifactLocation": {"uri": _uri(passage.locator.container)}}
    if passage.line is not None:
        place["region"] = {"startLine": passage.line}
    shown = passage.sentence or passage.span
    text = f"{words.visible_line(shown.text)} ({facts(passage)})" if shown is not None else facts(passage)
    escaped = re.sub(r"([\\\[\]])", r"\\\1", words.visible_line(text)).replace("{", "{{").replace("}", "}}")
    return {"id": number, "physicalLocation": place, "message": {"text": escaped}}


def _fix(edit: Edit, file: str, index: dict[str, int]) -> Json:
    described = "Put the evidence's own words in." if edit.replaces else "Mark what is not in the evidence."
    change: Json = {"deletedRegion": _region(edit), "insertedContent": {"text": edit.text}}
    return {"description": {"text": described}, "artifactChanges": [{"artifactLocation": _artifact(file, index), "replacements": [change]}]}


def _notes(report: CheckReport, index: dict[str, int]) -> Iterator[Json]:
    for draft in report.drafts:
        for sentence in draft.unchecked:
            region: Json = {"startLine": sentence.line, "startColumn": sentence.column}
            yield {
                "ruleId": _UNCHECKED,
                "ruleIndex": len(_RULES),
                "level": "note",
                "message": {"text": "This sentence holds nothing that can be checked."},
                "locations": [{"physicalLocation": {"artifactLocation": _artifact(draft.file, index), "region": region}}],
            }


def _artifact(file: str, index: dict[str, int]) -> Json:
    return {"uri": _uri(file), "index": index[file]}


def _uri(file: str) -> str:
    """Return a path as a URI reference (RFC 3986 4.2): relative ones stay relative, absolute ones get the file scheme."""
    if file == "-":
        return "stdin"
    if re.match(r"https?://", file):
        return quote(file, safe=f"{_ALLOWED}:?#[]%")
    encoded = quote(file.encode("utf-8", "surrogateescape"), safe=_ALLOWED)
    return f"file://{encoded}" if file.startswith("/") else encoded
