"""Write the pages of docs/reference that follow from the command line: `python -m tools.cli_reference`.

cli.md           from the commands, as `--help` says it       exit-codes.md    from the table of exit codes

A test holds the pages against the program.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

import click
import veridical_contract
from veridical.cli import codes, failures
from veridical.cli.group import veridical
from veridical_contract import ProviderError, VeridicalError

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "reference"
_WRITTEN = "<!-- Written by python -m tools.cli_reference; edit the program instead. -->"
_WIDTH = 100

MEANINGS = {
    "DONE": "What was asked for is done; a report answers, a bundle verifies.",
    "INTERNAL": "Something is wrong in veridical itself or in a plugin. With `--debug` a traceback is shown.",
    "USAGE": "The command line is off: an unknown option, a path that is not there, an unknown name.",
    "REFUSED": "The evidence says too little, so the report refuses; it says what was tried and what would help.",
    "NOT_IN_EVIDENCE": "Something is not in the evidence: a bundle does not verify, stored evidence is not what was admitted, no "
    "passage holds the words, a page that is cited has changed, or a plugin fails a check of its contract.",
    "NOTHING_TO_CHECK": "There is nothing to check. Of `plugins check`: some checks were not made, since nobody could answer the plugin. "
    "Of `audit`: nothing differs, and a citation could not be read.",
    "CONFIGURATION": "A run could not work as things are set up: a setting, a missing key, package or folder, a full disk.",
    "INTERRUPTED": "Interrupted with Ctrl-C. What was read is kept; the same command goes on from there.",
}
"""What each exit code means, by the name of its constant."""


def pages() -> dict[Path, str]:
    """Return each page and what it should hold."""
    return {FOLDER / "cli.md": commands(), FOLDER / "exit-codes.md": exit_codes()}


def commands() -> str:
    """Return the page of the commands."""
    introduction = "The result goes to stdout, everything else to stderr. Every command that gives a result takes `--json`."
    context = click.Context(veridical, info_name="veridical", **veridical.context_settings)
    parts = ["# Command line", _WRITTEN, introduction, *_command(veridical, context, 2)]
    return "\n\n".join(parts) + "\n"


def exit_codes() -> str:
    """Return the page of the exit codes."""
    numbers = [f"| {number} | {MEANINGS[name]} |" for name, number in constants().items()]
    rows = [f"| `{error.__name__}` | `{error.code}` | {_exit_code(error)} |" for error in _errors()]
    return "\n".join(
        [
            "# Exit codes",
            "",
            _WRITTEN,
            "",
            "Exit codes are fixed; scripts may depend on them.",
            "",
            *("| code | meaning |", "| --- | --- |", *numbers),
            "",
            "## Errors and their exit codes",
            "",
            *("| error | code in `--json` and logs | exit code |", "| --- | --- | --- |", *rows),
            "",
        ]
    )


def constants() -> dict[str, int]:
    """Return the exit codes by the names of their constants."""
    return {name: value for name, value in vars(codes).items() if name.isupper()}


def _errors() -> Iterator[type[VeridicalError]]:
    for name in veridical_contract.__all__:
        found = getattr(veridical_contract, name)
        if inspect.isclass(found) and issubclass(found, VeridicalError):
            yield found


def _exit_code(error: type[VeridicalError]) -> int:
    raised = error("", failure="server") if issubclass(error, ProviderError) else error("")
    with redirect_stderr(StringIO()):
        return failures.explain(raised, debug=False)


def _command(command: click.Command, context: click.Context, level: int) -> Iterator[str]:
    yield f"{'#' * level} {context.command_path}"
    yield f"```text\n{_help(command, context)}\n```"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None and not inner.hidden:
                yield from _command(inner, click.Context(inner, info_name=name, parent=context), min(level + 1, 4))


def _help(command: click.Command, context: click.Context) -> str:
    context.terminal_width = context.max_content_width = _WIDTH
    return command.get_help(context).rstrip()


def main() -> None:
    """Write the pages."""
    for path, text in pages().items():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
