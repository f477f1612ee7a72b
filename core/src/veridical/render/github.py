"""A check as workflow commands of GitHub Actions, one line each: `::error file=...,line=...,col=...::message`.

Values are escaped as the runner unescapes them: `%`, CR and LF everywhere, `:` and `,` in properties too. What is fine is counted and not
shown.
"""

from __future__ import annotations

from collections.abc import Iterator

from veridical_contract import CheckReport, Finding

from . import words
from .checks import facts, place_name, said, summary_lines, word_diff

__all__ = ["render_check_github"]

_LONGEST = 200


def render_check_github(report: CheckReport, *, unchecked: bool = False) -> str:
    """Return the findings that are errors or warnings as workflow commands, then how many of each there are.

    Args:
        report: of a check.
        unchecked: a notice for each sentence in which there is nothing to check.
    """
    lines = [_command(finding) for finding in report.findings if finding.level != "ok"]
    lines += _notices(report) if unchecked else []
    return "\n".join([*lines, *summary_lines(report)]) + "\n"


def _command(finding: Finding) -> str:
    place: dict[str, str | int] = {"file": _file(finding.file), "line": finding.line, "endLine": finding.end_line}
    if finding.line == finding.end_line:
        # The runner drops an annotation whose columns are on two lines.
        place |= {"col": finding.column, "endColumn": max(finding.column, finding.end_column - 1)}
    place["title"] = f"{finding.kind} {finding.verdict}"
    shown = finding.words if len(finding.words) <= _LONGEST else f"{finding.words[:_LONGEST]} [...]"
    parts = [f"{words.visible_line(shown)}: {words.visible_line(said(finding))}"]
    parts += [f"Difference: {word_diff(finding.diff)}"] if finding.diff else []
    places = finding.parts or ((finding.passage,) if finding.passage is not None else ())
    parts += [f"{'Part' if finding.parts else place_name(finding)}: {words.visible_line(facts(place))}" for place in places]
    return _line(finding.level, place, " ".join(parts))


def _notices(report: CheckReport) -> Iterator[str]:
    for draft in report.drafts:
        for sentence in draft.unchecked:
            place: dict[str, str | int] = {
                "file": _file(draft.file),
                "line": sentence.line,
                "col": sentence.column,
                "title": "nothing to check",
            }
            yield _line("notice", place, words.visible_line(sentence.text))


def _file(name: str) -> str:
    return words.visible_line("stdin" if name == "-" else name)


def _line(command: str, properties: dict[str, str | int], message: str) -> str:
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{command} {listed}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
