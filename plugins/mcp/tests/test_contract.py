"""What clients rely on: names, descriptions, schemas and annotations of tools, templates and prompts. They change on purpose or not at all.

A change that is meant: `python -m pytest plugins/mcp/tests/test_contract.py` with UPDATE_MCP_CONTRACT=1 writes the file anew.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from veridical_contract import CheckReport, Report, ResearchOutcome
from veridical_mcp._prompts import listed_prompts
from veridical_mcp._resources import TEMPLATES
from veridical_mcp._server import INSTRUCTIONS, listed_tools
from veridical_mcp._tools import TOOLS

PINNED = Path(__file__).with_name("contract.json")
LOCAL, REMOTE = listed_tools(local=True), listed_tools(local=False)


def dumped(listed: Any) -> Any:
    return listed.model_dump(mode="json", by_alias=True, exclude_none=True)


def contract() -> dict[str, Any]:
    return {
        "instructions": INSTRUCTIONS,
        "tools over stdio": [dumped(tool) for tool in LOCAL],
        "input over HTTP": {tool.name: tool.input_schema for tool in REMOTE},
        "resource templates": [dumped(template) for template in TEMPLATES],
        "prompts": [dumped(prompt) for prompt in listed_prompts()],
    }


def test_the_contract_is_the_pinned_one() -> None:
    if os.environ.get("UPDATE_MCP_CONTRACT"):
        PINNED.write_text(json.dumps(contract(), indent=1, ensure_ascii=True) + "\n", "utf-8")
    assert json.loads(PINNED.read_text("utf-8")) == contract()


def test_there_are_at_most_ten_tools_and_over_http_the_same_but_for_files() -> None:
    assert len(LOCAL) <= 10
    assert [tool.name for tool in LOCAL if tool.name != "add_source"] == [tool.name for tool in REMOTE]
    over_http = {tool.name: dumped(tool) for tool in REMOTE}
    for tool in map(dumped, LOCAL):
        if tool["name"] in over_http:
            assert {**over_http[tool["name"]], "inputSchema": tool["inputSchema"]} == tool


def test_no_argument_over_http_names_a_file() -> None:
    named = {name for tool in REMOTE for name in tool.input_schema.get("properties", {})}
    assert {"paths", "path", "against", "bundle", "key", "field_map"} & named == set()
    assert {"question", "sources", "report", "text"} <= named


@pytest.mark.parametrize("tool", LOCAL, ids=lambda tool: tool.name)
def test_a_tool_says_all_that_clients_ask(tool: Any) -> None:
    """Title, description, the four annotations, and schemas that are some; an argument that is not known is refused, each is described."""
    hints = tool.annotations
    assert tool.title == hints.title
    assert len(tool.description) > 80
    four = (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint)
    assert all(isinstance(hint, bool) for hint in four)
    assert not (hints.read_only_hint and hints.destructive_hint)
    for schema in (tool.input_schema, tool.output_schema):
        jsonschema.Draft202012Validator.check_schema(schema)
        assert ("object", False) == (schema["type"], schema["additionalProperties"])
    assert all(row["description"] for row in tool.input_schema.get("properties", {}).values())


def test_the_schemas_of_results_are_those_of_the_contract() -> None:
    results = {tool.name: tool.result for tool in TOOLS}
    assert (ResearchOutcome, Report, CheckReport) == (results["ground"], results["research"], results["check"])
    listed = {tool.name: tool.output_schema for tool in LOCAL}
    for name, model in results.items():
        schema = listed[name]
        assert schema is not None
        assert set(model.model_fields) == set(schema["properties"]) == set(schema["required"])


def test_each_tool_that_shows_words_from_outside_says_that_they_are_data() -> None:
    silent = {tool.name for tool in LOCAL if "data from outside" not in (tool.description or "")}
    assert {"verify", "list_sources", "add_source", "doctor"} == silent
    assert "data from outside" in INSTRUCTIONS


def test_only_what_asks_the_network_is_open_and_only_what_may_replace_is_destructive() -> None:
    assert ["ground", "research"] == [tool.name for tool in TOOLS if tool.open]
    assert ["add_source"] == [tool.name for tool in TOOLS if tool.destroys]
    assert {"ground", "research", "check", "add_source"} == {tool.name for tool in TOOLS if not tool.reads}
