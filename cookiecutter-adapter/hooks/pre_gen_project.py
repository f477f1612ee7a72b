"""Refuse answers of which no package can be made, before a file is written: one line for each, with what came and what was expected.

Cookiecutter fills the answers in and runs this in the new folder; a status that is not zero makes it remove the folder again.
"""

from __future__ import annotations

import builtins
import json
import keyword
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator

# What jsonify writes holds no three quotation marks in a row, and no escape in it is Python's to read.
ANSWERS = json.loads(r"""{{ cookiecutter | jsonify }}""")

KINDS = ("search", "chat", "embedding", "source", "storage")
LICENSES = ("Apache-2.0", "MIT", "BSD-3-Clause", "ISC", "LicenseRef-Proprietary")
TAKEN = frozenset(ANSWERS["_taken"])
OWN = frozenset(["veridical", "veridical-contract", "veridical-core", *(f"veridical-{name}" for name in TAKEN)])
IMPORTED = frozenset(
    ["fake_server", "httpx", "httpx2", "pluggy", "pydantic", "connecting", "pytest", "test", "tests", "veridical", "veridical_contract"]
)
EMAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`|~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
JINJA = re.compile(r"\{[%#{]")
JOINERS = "\u200c\u200d"  # part of how words are written in Persian, Hindi and others
SHOWN = 60
"""Characters of an answer that a message repeats."""


def is_name(answer: str) -> bool:
    """Whether an entry point may have this name (`veridical_contract.PluginName`), and no plugin of veridical itself has it."""
    return re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", answer) is not None and len(answer) <= 64 and answer not in TAKEN


def is_list_of_kinds(answer: str) -> bool:
    """Whether every word is a kind, and none comes twice."""
    kinds = [kind.strip(" ") for kind in answer.split(",")]
    return set(kinds) <= set(KINDS) and len(set(kinds)) == len(kinds)


def is_line(answer: str) -> bool:
    """Whether this is one line of text, which neither hides something nor is taken for a template when the project is updated."""
    hidden = any(unicodedata.category(each) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and each not in JOINERS for each in answer)
    return bool(answer) and answer == answer.strip() and len(answer) <= 500 and not hidden and JINJA.search(answer) is None


def is_author(answer: str) -> bool:
    """Whether this may stand before an e-mail address: the rules of `pyproject.toml` leave the comma out."""
    return is_line(answer) and len(answer) <= 200 and "," not in answer


def is_email(answer: str) -> bool:
    """Whether this is an address, or nothing."""
    return not answer or (len(answer) <= 254 and EMAIL.fullmatch(answer) is not None)


def is_repository(answer: str) -> bool:
    """Whether this is an https address without anything that would have to be escaped, or nothing."""
    return not answer or (len(answer) <= 200 and re.fullmatch(r"https://[A-Za-z0-9.-]+(/[A-Za-z0-9._~-]+)+", answer) is not None)


def is_distribution(answer: str) -> bool:
    """Whether an index takes this name (PEP 508), and veridical itself does not use it (compared as PEP 503 says)."""
    plain = re.sub(r"[-_.]+", "-", answer).lower()
    named = re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?", answer) is not None
    return named and len(answer) <= 100 and plain not in OWN


def is_package(answer: str) -> bool:
    """Whether this can be imported, and hides nothing else that can be."""
    reserved = keyword.iskeyword(answer) or keyword.issoftkeyword(answer) or hasattr(builtins, answer)
    named = re.fullmatch(r"[a-z_][a-z0-9_]*", answer) is not None and len(answer) <= 100
    return named and not reserved and answer not in sys.stdlib_module_names and answer not in IMPORTED


LINE = "without control characters, curly brackets of a template, or space around it"
RULES: dict[str, tuple[Callable[[str], bool], str]] = {
    "name": (is_name, "up to 64 lower-case letters, digits and single hyphens, and not the name of a plugin that veridical has"),
    "kinds": (is_list_of_kinds, f"some of {', '.join(KINDS)}, with commas between them, none twice"),
    "client": (("http", "sdk").__contains__, "http or sdk"),
    "description": (is_line, f"one line of up to 500 characters, {LINE}"),
    "author": (is_author, f"one line of up to 200 characters, without commas, {LINE}"),
    "email": (is_email, "an e-mail address such as ada@example.org, or nothing"),
    "license": (LICENSES.__contains__, f"one of {', '.join(LICENSES)}"),
    "repository": (is_repository, "an address such as https://git.example.org/ada/acme, or nothing"),
    "distribution": (
        is_distribution,
        "up to 100 letters, digits, hyphens, underscores and full stops (PEP 508), and no name of veridical's own",
    ),
    "package": (is_package, "a lower-case identifier of up to 100 characters: no keyword, no builtin, no module of Python or veridical"),
}


def shown(answer: str) -> str:
    """Return `answer` as a message repeats it: on one line, with everything visible, and not all of it when it is long."""
    if not answer:
        return "nothing"
    return ascii(answer) if len(answer) <= SHOWN else f"{answer[:SHOWN]!a} and {len(answer) - SHOWN} characters more"


def mistakes(answers: dict[str, str]) -> Iterator[str]:
    """Yield a line for each answer that cannot be used."""
    for question, (holds, expected) in RULES.items():
        if not holds(answers[question]):
            yield f"{question}: got {shown(answers[question])}; expected {expected}."


if found := list(mistakes(ANSWERS)):
    sys.exit("\n".join(found))
