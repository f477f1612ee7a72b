"""Rules that hold for whatever comes in."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolRequestParams
from veridical_contract import Model, UsageError
from veridical_mcp._calls import Calls
from veridical_mcp._errors import explain
from veridical_mcp._guard import Guard
from veridical_mcp._resources import _URI
from veridical_mcp._server import _Handlers, listed_tools
from veridical_mcp._tools import TOOLS

TOKEN = "a-token-of-this-test-0123456789"
NAMES = frozenset(tool.name for tool in TOOLS)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
arguments = st.dictionaries(
    st.sampled_from(sorted({name for tool in TOOLS for name in tool.arguments.model_fields})) | st.text(max_size=8), json_values, max_size=5
)
HANDLERS = {local: _Handlers(cast("Calls", None), listed_tools(local=local), local=local, debug=False) for local in (True, False)}


@given(st.text(), st.text(), st.sampled_from([UsageError, OSError, ValueError]), st.booleans())
def test_every_failure_is_one_line_that_can_be_seen(message: str, hint: str, kind: type[Exception], local: bool) -> None:
    logging.getLogger("veridical_mcp").addHandler(logging.NullHandler())
    error = UsageError(message, hint=hint) if kind is UsageError else OSError(13, message, hint) if kind is OSError else kind(message)
    line = explain(error, tools=NAMES, local=local)
    assert len(line) <= 2000
    assert line == " ".join(line.split())
    assert line.isprintable()


@given(st.sampled_from(sorted(NAMES)), arguments, st.booleans())
def test_arguments_fit_the_model_or_are_refused_in_one_line(name: str, given_arguments: dict[str, Any], local: bool) -> None:
    lines: list[str] = []
    try:
        tool, asked = HANDLERS[local]._asked(CallToolRequestParams(name=name, arguments=given_arguments))
    except ToolError as error:
        lines.append(str(error))
    else:
        assert isinstance(asked, Model)
        assert given_arguments.keys() <= type(asked).model_fields.keys()
        assert local or given_arguments.keys().isdisjoint(tool.local)
    assert all(line.isprintable() for line in lines)


@given(st.text().filter(lambda name: name not in NAMES), st.booleans())
def test_a_tool_that_is_not_there_is_an_error_of_the_protocol(name: str, local: bool) -> None:
    with pytest.raises(MCPError, match=r"There is no such tool\. There are: ") as raised:
        HANDLERS[local]._asked(CallToolRequestParams(name=name))
    assert ("add_source" in raised.value.message) == local


BEARER = b"Bearer " + TOKEN.encode()
header = st.binary(max_size=40) | st.sampled_from([BEARER, BEARER.replace(b"B", b"b"), BEARER.replace(b" ", b"  "), BEARER + b" x"])


@given(st.lists(header, max_size=3))
def test_whoever_comes_through_has_brought_the_token_and_nothing_else(said: list[bytes]) -> None:
    passed: list[bool] = []

    async def app(scope: object, receive: object, send: object) -> None:
        passed.append(True)

    async def nothing(*_: object) -> dict[str, object]:
        return {}

    scope = {"type": "http", "method": "POST", "headers": [(b"host", b"localhost"), *((b"authorization", value) for value in said)]}
    asyncio.run(Guard(app, TOKEN)(scope, nothing, nothing))  # type: ignore[arg-type]
    expected = len(said) == 1 and said[0].lower().startswith(b"bearer ") and said[0][7:].strip() == TOKEN.encode()
    assert expected == bool(passed)


@given(st.text() | st.from_regex(r"veridical://(report|evidence)/[0-9a-f./%]{0,70}", fullmatch=True))
def test_an_address_of_a_resource_holds_digits_and_nothing_else(uri: str) -> None:
    if (found := _URI.fullmatch(uri)) is not None:
        assert set(found[2]) <= set("0123456789abcdef")
        assert 4 <= len(found[2]) <= 64
