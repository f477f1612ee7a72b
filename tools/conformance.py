"""Write the page about the contract suite, docs/reference/conformance.md, from its checks: `python -m tools.conformance`.

A heading for each check, so that what a check says of a plugin can lead there. A test holds the page against the checks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from veridical_contract import KINDS
from veridical_contract.testing import CHECKS, Check, check_ids
from veridical_contract.testing.checks.conversations import REQUESTS
from veridical_contract.testing.options import Options

from .docstrings import documentation

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "conformance.md"
_HEAD = """# The contract suite

<!-- Written by python -m tools.conformance; edit the checks instead. -->

What a plugin has to do, check by check, in the order in which they are made. One line in a test file makes them all:
`TestAcme = contract_suite("acme", kind="search")`, with `pip install "veridical-contract[testing]"`. The plugin is found by its
installed entry point, made as the host makes it, and judged with the host itself. How to begin:
[Tutorial for publishers](../tutorial-publisher.md).

Each check is proved by a plugin that is broken in just that way, in `tests/contract` of the repository: it fails that check and no other.
A plugin that passes is not proved to be honest:
[what the suite cannot find](../explanation/what-is-not-proved.md#what-the-contract-suite-does-not-prove).

| command | what it does |
| --- | --- |
| `pytest` | makes the checks, and ends with a line for each plugin: how many passed, failed and are waived, with the version of the suite |
| `pytest --record` | asks the provider, and keeps what it answers as cassettes, with the values of secrets taken out |
| `pytest --contract-report FILE` | writes what became of each check as JSON |
| `veridical plugins check NAME` | makes the same checks of an installed plugin, without a test file |

What `contract_suite` may be told besides name and kind:
"""
_CHAT = """
A chat plugin is asked the following, whole and, where it streams, once more as a stream. A fake provider tells by the words what to answer:
with pages, offsets and excerpts to `ground`, with a reply that was cut at the limit to `cut-short`, with a refusal to `refused`, and with
half of a reply to `continued`. The last two are asked of a fake provider alone. Letters outside of ASCII belong before what an offset
points at.

| scenario | task | last turn |
| --- | --- | --- |"""


def page() -> str:
    """Return the page."""
    described = documentation(Options).fields
    options = [f"| `{name}` | {text} |" for name, text in described.items() if name not in ("name", "kind", "record")]
    counts = [f"| `{kind}` | {len(check_ids(kind))} |" for kind in KINDS]
    asked = [f"| `{name}` | `{each.task}` | {_plain(_one_line(each.messages[-1].text))} |" for name, each in REQUESTS.items()]
    tables = ["| option | meaning |", "| --- | --- |", *options, "", "| kind | checks |", "| --- | --- |", *counts, _CHAT, *asked]
    sections = [part for each in CHECKS.values() for part in _section(each)]
    return "\n".join([_HEAD, *tables, "", *sections])


def _section(check: Check) -> Iterator[str]:
    kinds = "plugins of every kind" if check.kinds == KINDS else " and ".join(f"`{kind}`" for kind in check.kinds)
    yield f"## {check.id}\n\n{_plain(check.sentence)}\n\n**For** {kinds}. **What to do**: {_plain(check.hint)}\n"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _plain(text: str) -> str:
    """Return text that Markdown shows as it is, but for code in backticks."""
    parts = text.split("`")
    return "`".join(_escaped(part) if number % 2 == 0 else part for number, part in enumerate(parts))


def _escaped(text: str) -> str:
    return re.sub(r"([\\*_\[\]])", r"\\\1", text).replace("<", "&lt;")


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
