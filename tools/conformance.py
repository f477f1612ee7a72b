"""Write the page about the contract suite, docs/reference/conformance.md, from its checks: `python -m tools.conformance`.

A heading for each check, so that what a check says of a plugin can lead there. A test holds the page against the checks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from veridical_contract import KINDS
from veridical_contract.testing import CHECKS, Check, check_ids

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "conformance.md"
_HEAD = """# The contract suite

<!-- Written by python -m tools.conformance; edit the checks instead. -->

What a plugin has to do, check by check, in the order in which they are made. One line in a test file makes them all:
`TestAcme = contract_suite("acme", kind="search")`, with `pip install "veridical-contract[testing]"`. The plugin is found by its
installed entry point, made as the host makes it, and judged with the host itself. How to begin:
[Tutorial for publishers](../tutorial-publisher.md).

A check is waived by its name and a reason, `waive={"dates": "the service knows no dates"}`, and every run prints it. Each check is
proved by a plugin that is broken in just that way, in `tests/contract` of the repository: it fails that check and no other.
"""


def page() -> str:
    """Return the page."""
    counts = "\n".join(f"| `{kind}` | {len(check_ids(kind))} |" for kind in KINDS)
    return "\n".join(
        [_HEAD, "| kind | checks |", "| --- | --- |", counts, "", *(part for each in CHECKS.values() for part in _section(each))]
    )


def _section(check: Check) -> Iterator[str]:
    kinds = "plugins of every kind" if check.kinds == KINDS else " and ".join(f"`{kind}`" for kind in check.kinds)
    yield f"## {check.id}\n\n{_plain(check.sentence)}\n\n**For** {kinds}. **What to do**: {_plain(check.hint)}\n"


def _plain(text: str) -> str:
    """Return text that Markdown shows as it is, but for code in backticks."""
    parts = text.split("`")
    return "`".join(re.sub(r"([\\*_<\[\]])", r"\\\1", part) if number % 2 == 0 else part for number, part in enumerate(parts))


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
