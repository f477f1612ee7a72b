"""I7: altered, missing or added storage is detected at the next read, named, and never served as evidence."""

from hypothesis import given
from hypothesis import strategies as st
from veridical.kernel.canonical import digest
from veridical.workflows.progress import Silent
from veridical.workflows.research import Brief, research

from tests.properties.liars import STORAGE, Junk, LyingStore, Replaced, forged, junk, lies
from tests.properties.world import QUESTION, MemoryStore, World, assert_true

HOOKS = ["get", "raw", "candidates", "state", "put"]


@given(lies(STORAGE), st.integers(0, 3))
def test_whatever_a_store_gives_back_nothing_false_leaves(told: list[tuple[str, int, int]], calm: int) -> None:
    published = World(storage=LyingStore(told, calm)).outcome()
    if published is not None:
        assert_true(published)
        assert "evil" not in published.report_bytes.decode()


@given(junk, st.sampled_from(HOOKS), st.booleans())
def test_junk_from_a_store_is_an_error_of_ours_or_no_evidence(value: object, hook: str, raises: bool) -> None:
    published = World(storage=Replaced(hook, Junk(value, raises=raises))).outcome()
    if published is not None:
        assert_true(published)


@given(st.lists(st.tuples(st.integers(0, 11), st.sampled_from(["delete", "alter", "swap tag", "forge"])), min_size=1, max_size=4))
def test_what_was_altered_lost_or_added_is_named_and_not_served(changes: list[tuple[int, str]]) -> None:
    store = MemoryStore()
    world = World(storage=store)
    gateway = world.gateway()
    world.ingest(gateway)
    before = dict(store.documents)
    names = list(before)
    expected: dict[str, str] = {}
    for at, change in changes:
        name = names[at]
        if name in expected or name not in store.documents:
            continue
        one = store.documents[name]
        if change == "delete":
            del store.documents[name]
            expected[name] = "document-missing"
        elif change == "alter":
            store.documents[name] = one.model_copy(update={"body": one.body.replace(b"printer", b"printor")})
            expected[name] = "document-altered"
        elif change == "swap tag":
            store.documents[name] = one.model_copy(update={"tag": before[names[at - 1]].tag})
            expected[name] = "document-added"
        else:
            body = forged(one.body, at)
            store.documents[digest(body)] = one.model_copy(update={"id": digest(body), "body": body})
            expected[digest(body)] = "document-added"
    fetched = gateway.fetch([*names, *(name for name in expected if name not in names)])
    assert expected.keys().isdisjoint(fetched.documents)
    due = {digest(name.encode()): rule for name, rule in expected.items()}
    assert {row.digest: row.rule for row in fetched.rejections} == due
    assert {(plugin, rule, name) for plugin, rule, name in world.log} == {("store", rule, name) for name, rule in expected.items()}
    published = research(gateway, world.run(), Brief(QUESTION), Silent())
    assert expected.keys().isdisjoint(published.documents)
    assert_true(published)


def test_a_store_answers_from_no_source_that_was_not_named() -> None:
    world = World()
    gateway = world.gateway()
    world.ingest(gateway)
    published = research(gateway, world.run(), Brief(QUESTION, origins=("another",)), Silent())
    assert published.report.outcome == "refused"
    assert {row.rule for row in published.report.rejections} == {"out-of-scope"}
