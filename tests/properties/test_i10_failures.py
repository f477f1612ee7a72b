"""I10: a plugin that fails costs only its own results; the run says so."""

from hypothesis import given, settings
from hypothesis import strategies as st
from veridical.gateway.verified import Gateway
from veridical_contract import ChatRequest, DeleteRequest, PluginError, ScanRequest, SourceRequest, TextQuery, VeridicalError

from tests.properties.liars import EMBEDDING, Junk, LyingEmbedding, junk, lies
from tests.properties.world import World, assert_true


@given(junk, st.booleans())
def test_an_embedding_that_fails_or_babbles_costs_its_order_alone(value: object, raises: bool) -> None:
    published = World(embedding=Junk(value, raises=raises)).outcome()
    assert published is not None
    assert published.report.themes
    assert_true(published)


@given(lies(EMBEDDING))
def test_vectors_of_any_kind_cost_their_order_alone(told: list[tuple[str, int, int]]) -> None:
    published = World(embedding=LyingEmbedding(told)).outcome()
    assert published is not None
    assert published.report.themes
    assert_true(published)


@given(junk, st.booleans())
def test_a_source_that_fails_or_babbles_leaves_an_error_of_ours(value: object, raises: bool) -> None:
    class Yields:
        def read(self, request: SourceRequest) -> object:
            if raises:
                raise RuntimeError("x")
            yield value

    gateway = World(source=Yields()).gateway()
    try:
        assert [*gateway.read("rows", SourceRequest(origin="rows"))] == []
    except VeridicalError as error:
        _one_line(error)


def _one_line(error: VeridicalError) -> None:
    """An error of a plugin, in one line of which the plugin does not choose the length."""
    assert isinstance(error, PluginError)
    assert "\n" not in str(error)
    assert len(str(error)) < 500


CALLS = {
    "compose": lambda gateway: gateway.compose(ChatRequest(task="compose", messages=())),
    "embed": lambda gateway: gateway.embed(["a"], "query"),
    "fetch": lambda gateway: gateway.fetch(["0" * 64]),
    "candidates": lambda gateway: gateway.candidates(TextQuery(text="a")),
    "state": lambda gateway: gateway.state(),
    "scan": lambda gateway: gateway.scan(ScanRequest()),
    "containers": lambda gateway: gateway.containers("rows"),
    "migrate": lambda gateway: gateway.migrate(),
    "in_scope": lambda gateway: gateway.in_scope(()),
    "delete": lambda gateway: gateway.delete(DeleteRequest(reason="x")),
}


@settings(max_examples=settings.default.max_examples * 2)
@given(junk, st.sampled_from(sorted(CALLS)))
def test_no_call_of_the_gateway_lets_junk_through(value: object, call: str) -> None:
    everything = Junk(value)
    for hook in ("scan", "containers", "delete"):
        setattr(everything, hook, everything.chat)
    gateway: Gateway = World(source=everything, storage=everything, embedding=everything, chat=everything).gateway()
    try:
        found = CALLS[call](gateway)
    except VeridicalError as error:
        _one_line(error)
    else:
        assert type(found).__module__.startswith(("veridical", "builtins"))
        assert not (call == "fetch" and found.documents)
