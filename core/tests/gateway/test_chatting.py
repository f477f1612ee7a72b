"""Asking a model: from one place, with the preamble before it; replies bit by bit."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, get_type_hints

import pytest
import veridical
from hypothesis import given
from hypothesis import strategies as st
from veridical.gateway.chatting import PREAMBLE
from veridical.gateway.failures import MissingHookError
from veridical.gateway.shapes import Host
from veridical.gateway.verified import Gateway
from veridical.kernel.policy import load_policy
from veridical.prices import Prices
from veridical.spending import Budget, Deadline
from veridical.wire.recording import Recorded
from veridical_contract import ChatDelta, ChatReply, ChatRequest, Message, PluginError, ProviderError, Usage, WireMap

from tests.properties.world import KEY, NOW, RowReader, _Plugins

ASK = ChatRequest(task="complete", messages=(Message(role="user", text="Hello?"),))
SOURCE = Path(veridical.__file__).parent


class Whole:
    """Replies at once."""

    model = "whole-1"

    def __init__(self, reply: ChatReply | None = None) -> None:
        self.reply = reply or ChatReply(text="One two.", model="m", usage=Usage(input_tokens=3, output_tokens=2))
        self.asked: list[ChatRequest] = []

    def chat(self, request: ChatRequest) -> ChatReply:
        self.asked.append(request)
        return self.reply


class Bits(Whole):
    """Replies bit by bit as well."""

    def __init__(self, *pieces: object) -> None:
        super().__init__()
        self.pieces = pieces or ("One ", "two.", self.reply)

    def stream(self, request: ChatRequest) -> Iterator[object]:
        self.asked.append(request)
        for piece in self.pieces:
            if isinstance(piece, Exception):
                raise piece
            yield ChatDelta(text=piece) if isinstance(piece, str) else ChatDelta(reply=piece) if isinstance(piece, ChatReply) else piece


class Several(_Plugins):
    """Chat plugins by name; a hook that one does not have is missing as in the real gateway."""

    def __init__(self, plugins: Mapping[str, object]) -> None:
        super().__init__({})
        self.named = plugins

    def recorded(self, kind: str, name: str, hook: str, wire: list[Recorded], /, **arguments: object) -> object:
        return self._only(kind, name, hook).call(kind, name, hook, **arguments)

    def iterate(self, kind: str, name: str, hook: str, wire: list[Recorded], /, **arguments: object) -> Iterator[object]:
        yield from self._only(kind, name, hook).iterate(kind, name, hook, wire, **arguments)

    def _only(self, kind: str, name: str, hook: str) -> _Plugins:
        if not hasattr(self.named[name], hook):
            raise MissingHookError(f"{name} does not implement {hook}.", plugin=name, hook=hook)
        return _Plugins({kind: self.named[name]})

    def model(self, kind: str, name: str) -> str:
        return "m"

    def wire_maps(self, kind: str, name: str) -> Mapping[str, WireMap]:
        return {}


def gateway(**plugins: object) -> Gateway:
    host = Host(
        plugins=Several(plugins),
        reader=RowReader(),
        storage="store",
        embedding="embed",
        chat=tuple(plugins),
        trust={},
        key=KEY,
        now=lambda: NOW,
        log=lambda *_: None,
    )
    return Gateway(host, load_policy())


def streamed(found: Gateway) -> tuple[list[str], ChatReply | None]:
    *pieces, last = found.stream(ASK)
    assert all(piece.reply is None for piece in pieces)
    return [piece.text for piece in pieces], last.reply


def test_the_pieces_of_a_stream_are_followed_by_the_whole_reply() -> None:
    plugin = Bits()
    assert (["One ", "two."], plugin.reply) == streamed(gateway(bits=plugin))


def test_a_plugin_that_cannot_stream_gives_its_text_in_one_piece() -> None:
    plugin = Whole()
    found = gateway(whole=plugin)
    assert (["One two."], plugin.reply) == streamed(found)
    assert "whole" == found.composer


REPLY = ChatReply(text="One two.", model="m")
BROKEN: dict[str, Sequence[object]] = {
    "fewer words than the reply": ("One ", REPLY),
    "more words than the reply": ("One two.", " Three.", REPLY),
    "other words than the reply": ("Two one.", REPLY),
    "words after the reply": ("One two.", REPLY, "Three."),
    "a second reply": ("One two.", REPLY, REPLY),
    "words beside the reply": (ChatDelta(text="One two.", reply=REPLY),),
    "no reply": ("One two.",),
    "nothing": (ChatDelta(),),
    "something else": ("One two.", "One two.", {"text": "One two."}),
}


@pytest.mark.parametrize("pieces", BROKEN.values(), ids=BROKEN)
def test_pieces_that_do_not_add_up_to_a_reply_are_an_error_of_the_plugin(pieces: Sequence[object]) -> None:
    with pytest.raises(PluginError, match=r"plugin bits: stream returned what it may not"):
        streamed(gateway(bits=Bits(*pieces)))


def test_the_next_plugin_is_asked_when_one_fails_before_its_first_piece() -> None:
    found = gateway(down=Bits(ProviderError("down", failure="server")), silent=Bits({"text": "x"}), whole=Whole())
    assert ["One two."] == streamed(found)[0]
    assert "whole" == found.composer


def test_a_stream_that_has_begun_is_not_begun_again_by_another_plugin() -> None:
    came: list[str] = []
    other = Whole()
    with pytest.raises(ProviderError):
        came.extend(piece.text for piece in gateway(down=Bits("One ", ProviderError("down", failure="server")), whole=other).stream(ASK))
    assert (["One "], []) == (came, other.asked)


@pytest.mark.parametrize(("plugin", "calls"), [(Bits(), 1), (Whole(), 1), (Bits("One "), 0)], ids=["stream", "whole", "nothing was sent"])
def test_what_a_stream_costs_is_counted_once(plugin: Whole, calls: int) -> None:
    found, budget = gateway(it=plugin), Budget(Prices({}, today=NOW.date()))
    found.spend(budget, Deadline(None))
    with suppress(PluginError):
        streamed(found)
    assert calls == sum(row.calls for row in budget.rows().values())
    assert calls * 2 == sum(row.output_tokens for row in budget.rows().values())


def test_what_was_set_aside_for_a_stream_that_nobody_reads_on_is_given_back() -> None:
    found, budget = gateway(it=Bits()), Budget(Prices({}, today=NOW.date()))
    found.spend(budget, Deadline(None))
    left = found.stream(ASK)
    next(left)
    left.close()
    assert {} == budget.rows()


# The preamble

TEXTS = st.text(max_size=20)
MESSAGES = st.builds(Message, role=st.sampled_from(["system", "user", "assistant"]), text=TEXTS)
REQUESTS = st.builds(
    ChatRequest,
    task=st.sampled_from(["compose", "complete", "ground", "cite"]),
    messages=st.lists(MESSAGES, max_size=3).map(tuple),
    question=TEXTS,
)


def asking_methods() -> list[str]:
    """The public methods of the gateway that take a request to a model, in order."""
    methods = inspect.getmembers(Gateway, inspect.isfunction)
    return [name for name, method in methods if not name.startswith("_") and ChatRequest in get_type_hints(method).values()]


def test_these_methods_ask_a_model() -> None:
    assert ["chat", "cite", "compose", "ground", "stream"] == asking_methods()


@pytest.mark.parametrize("plugin", [Whole, Bits])
@given(request=REQUESTS)
def test_no_request_reaches_a_plugin_without_the_preamble_before_all_else(plugin: Callable[[], Whole], request: ChatRequest) -> None:
    for name in asking_methods():
        chat = plugin()
        result: Any = getattr(gateway(chat=chat), name)(request)
        if name == "stream":
            list(result)
        (asked,) = chat.asked
        assert request.model_copy(update={"messages": (Message(role="system", text=PREAMBLE), *request.messages)}) == asked


def functions(tree: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from ((node.name, inner) for inner in ast.walk(node))


def callers(wanted: Callable[[ast.Call], bool]) -> set[tuple[str, str]]:
    """(module, function) of the calls in the source that are wanted."""
    return {
        (path.relative_to(SOURCE).as_posix(), name)
        for path in SOURCE.rglob("*.py")
        for name, node in functions(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and wanted(node)
    }


def names_a_chat_hook(call: ast.Call) -> bool:
    said = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
    passes_on = isinstance(call.func, ast.Attribute) and call.func.attr in ("call", "recorded", "iterate", "_over_the_wire", "_bit_by_bit")
    return passes_on and "chat" in said[:1]


def calls_a_hook(call: ast.Call) -> bool:
    return (
        isinstance(call.func, ast.Attribute)
        and call.func.attr in ("recorded", "iterate")
        and ast.unparse(call.func.value).endswith("plugins")
    )


def test_in_the_source_there_is_one_place_from_which_a_model_is_asked() -> None:
    assert {("gateway/chatting.py", "_asked")} == callers(names_a_chat_hook)
    assert {("gateway/asking.py", "_over_the_wire"), ("gateway/asking.py", "_bit_by_bit"), ("gateway/verified.py", "read")} == callers(
        calls_a_hook
    )
