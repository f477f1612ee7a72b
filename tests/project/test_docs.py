"""Documentation cannot lie about what can be checked: generated pages, links, code, commands, settings."""

from __future__ import annotations

import ast
import re
import shlex
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click
import pytest
from veridical.cli import codes
from veridical.cli.group import veridical
from veridical.settings import Limits, Plugins, Settings, Source, checked
from veridical.wire.inputs import enumerate_inputs
from veridical_contract.testing import CHECKS

from tools import cli_reference, conformance, http_reference, mcp_reference, reference, settings_tables, wire_maps

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
GENERATED = {**reference.pages(), **cli_reference.pages()}

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def fences(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def prose(page: Path) -> str:
    """Return the page without its fences."""
    return re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """Return the anchors that the headings of a page make."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def targets(text: str) -> list[str]:
    """Return what the links and images of a page lead to: in line, by reference, and as HTML."""
    patterns = (r'\]\(([^)\s]+)(?: "[^"]*")?\)', r"^\[[^\]]+\]: (\S+)", r"""<\w+ [^>]*(?:href|src)=["']([^"']+)""")
    return [target for pattern in patterns for target in re.findall(pattern, text, re.MULTILINE)]


def commands(page: Path) -> Iterator[list[str]]:
    """Yield the words of each veridical command: whole ones in fences, and those that the text names."""
    for block in fences(page, "console"):
        for line in block.splitlines():
            for part in re.split(r"&&|\|| > ", line.removeprefix("$ ")) if line.startswith("$ ") else ():
                words = shlex.split(part)
                words = words[2:] if words[:2] == ["uv", "run"] else words
                if words[:1] == ["veridical"]:
                    yield words[1:]
    for inline in re.findall(r"`veridical ([^`]+)`", prose(page)):
        yield shlex.split(inline)


def check_command(words: list[str]) -> None:
    """Raise click.UsageError when a command or an option is not there; an argument that is left out in a sentence is not missed."""
    command: click.Command = veridical
    with suppress(click.MissingParameter, click.exceptions.Exit):
        context = command.make_context("veridical", [*words])
        while isinstance(command, click.Group):
            rest = [*context._protected_args, *context.args]  # pyright: ignore[reportPrivateUsage]
            if not rest:
                return
            name, found, rest = command.resolve_command(context, rest)
            assert found is not None
            command, context = found, found.make_context(name, rest, parent=context)


@pytest.mark.parametrize("page", GENERATED, ids=lambda page: page.name)
def test_a_generated_page_is_what_the_code_says(page: Path) -> None:
    assert GENERATED[page] == page.read_text("utf-8"), "run: python -m tools.reference; python -m tools.cli_reference"


def test_the_wire_maps_in_the_documentation_are_those_of_the_plugins() -> None:
    assert wire_maps.page() == wire_maps.PAGE.read_text("utf-8"), "run: python -m tools.wire_maps"


def test_the_page_about_the_contract_suite_has_its_checks() -> None:
    assert conformance.page() == conformance.PAGE.read_text("utf-8"), "run: python -m tools.conformance"


def test_the_page_about_http_is_what_the_service_answers() -> None:
    assert http_reference.page() == http_reference.PAGE.read_text("utf-8"), "run: python -m tools.http_reference"


def test_the_page_about_mcp_is_what_the_server_lists() -> None:
    assert mcp_reference.page() == mcp_reference.PAGE.read_text("utf-8"), "run: python -m tools.mcp_reference"


def test_what_a_check_says_leads_to_its_heading() -> None:
    """The built page has these anchors: test_site looks at it."""
    assert {check.anchor for check in CHECKS.values()} == {
        f"reference/conformance#{name}" for name in anchors(conformance.PAGE) & CHECKS.keys()
    }


def test_the_tables_of_the_settings_are_those_of_the_models() -> None:
    assert settings_tables.page() == settings_tables.PAGE.read_text("utf-8"), "run: python -m tools.settings_tables"


def test_every_key_of_the_settings_has_a_meaning() -> None:
    rows = re.findall(r"^\| `.*\|$", settings_tables.tables(), re.MULTILINE)
    assert len(rows) > 50
    assert [] == [row for row in rows if not row.rstrip("| ").rpartition(" | ")[2]]


def test_every_exit_code_has_a_meaning_and_no_other() -> None:
    assert cli_reference.MEANINGS.keys() == cli_reference.constants().keys()
    assert [0, 1, 2, 3, 4, 5, 6, 130] == sorted(cli_reference.constants().values())
    assert codes.REFUSED == 3


@every_page
def test_relative_links_lead_somewhere(page: Path) -> None:
    broken: list[str] = []
    for target in targets(prose(page)):
        path, _, anchor = target.partition("#")
        found = page.parent / path if path else page
        if not re.match(r"[a-z]+:", target) and (not found.exists() or (anchor and anchor not in anchors(found))):
            broken.append(target)
    assert [] == broken


def test_links_of_every_kind_are_found() -> None:
    text = '[a](1.md) ![b](2.svg "two") [c][d] <img alt="x" src="3.png">\n\n[d]: 4.md#e\n'
    assert ["1.md", "2.svg", "4.md#e", "3.png"] == targets(text)


@every_page
def test_code_parses(page: Path) -> None:
    for block in fences(page, "python"):
        ast.parse(block)
    for block in fences(page, "toml"):
        tomllib.loads(block)


@every_page
def test_settings_are_ones_that_the_program_takes(page: Path) -> None:
    for block in fences(page, "toml"):
        if "entry-points" not in block:
            assert checked(Settings, tomllib.loads(block), file=page)


def test_every_setting_is_shown() -> None:
    (shown,) = fences(DOCS / "reference/settings.md", "toml")
    names = {name for model in (Settings, Plugins, Source, Limits) for name in model.model_fields}
    assert set() == names - set(re.findall(r"\w+", shown))


@every_page
def test_commands_and_options_are_there(page: Path) -> None:
    for words in commands(page):
        check_command(words)


@pytest.mark.parametrize("words", [["reserach"], ["research", "q", "--form", "x"], ["sources", "ad", "x"], ["--hom", "x", "doctor"]])
def test_a_command_that_is_not_there_is_found(words: list[str]) -> None:
    with pytest.raises(click.UsageError):
        check_command(words)


@every_page
def test_a_fence_says_what_it_holds(page: Path) -> None:
    opened = re.findall(r"^```(.*)$", page.read_text("utf-8"), re.MULTILINE)[::2]
    assert set() == set(opened) - {"bash", "console", "csv", "json", "python", "text", "toml", "typescript", "yaml"}


def test_what_the_readme_shows_of_a_run_stands_where_it_says() -> None:
    (shown,) = fences(ROOT / "README.md", "text")
    places = re.findall(r"⟦(.*?)⟧.*?— \[\d+\] (\S+?):(\d+)", shown, re.DOTALL)
    assert len(places) > 1
    for quote, path, line in places:
        below = (ROOT / path).read_text("utf-8").splitlines()[int(line) - 1 : int(line) + 4]
        assert " ".join(quote.split()) in " ".join(" ".join(below).split()), "run the README's first command again"


def test_every_page_can_be_reached() -> None:
    listed = set(re.findall(r'"([\w/-]+\.md)"', (ROOT / "zensical.toml").read_text("utf-8")))
    decisions = {f"decisions/{name}" for name in re.findall(r"\]\(([\w-]+\.md)\)", (DOCS / "decisions/index.md").read_text("utf-8"))}
    assert {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")} == listed | decisions


def test_every_news_fragment_is_of_a_known_type() -> None:
    types = {each["directory"] for each in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["towncrier"]["type"]}
    names = [path.name for path in (ROOT / "changelog.d").iterdir() if path.suffix == ".md"]
    assert [] == [name for name in names if not re.fullmatch(rf"\+[a-z0-9-]+\.({'|'.join(types)})\.md", name)]


def test_no_page_is_taken_for_an_export() -> None:
    """The documentation is evidence in the README's first command; a page that carried the marker would support nothing."""
    assert () == enumerate_inputs(["docs"], base=ROOT).derived
