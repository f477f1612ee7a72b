"""A source that changes while it is followed, breaks off anywhere and is read in any way: one version of each row, the newest one."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from veridical.kernel.admission import Trust
from veridical.workflows.following import Followed, follow
from veridical.workflows.intake import Synced
from veridical.workflows.progress import Silent
from veridical_contract import Item, Locator, ProviderError, ScanRequest, SourceBatch, SourceRequest
from veridical_sqlite import SqliteStorage

from plugins.sqlite.tests.kit import Context
from tests.properties.world import World

KEYS = st.integers(1, 6)


class Table:
    """Rows by key, each with its version: a number that is greater than that of any change before it. Two containers, by the key's parity.

    Attributes:
        breaks: after how many batches the next reading breaks off; None for never.
        size: rows of a batch at most; a batch is of one container.
        cursors: which containers say with their batches where they ended.
    """

    def __init__(self) -> None:
        self.rows: dict[int, int] = {}
        self.changes = 0
        self.breaks: int | None = None
        self.size = 2
        self.cursors: frozenset[str] = frozenset()

    def read(self, request: SourceRequest) -> Iterator[SourceBatch]:
        for number, batch in enumerate(self.batches(int(request.cursor or 0))):
            if self.breaks == number:
                raise ProviderError("It broke off.", failure="connection")
            yield batch

    def batches(self, after: int) -> Iterator[SourceBatch]:
        rows = sorted((version, key) for key, version in self.rows.items() if version > after)
        while rows:
            name = self.container(rows[0][1])
            end = next((at for at, (_, key) in enumerate(rows) if at == self.size or self.container(key) != name), len(rows))
            part, rows = rows[:end], rows[end:]
            after = part[-1][0]
            items = tuple(Item(text=f"row {key} in version {version}", locator=Locator(container=name)) for version, key in part)
            keys = tuple(str(key) for _, key in part)
            yield SourceBatch(container=name, items=items, keys=keys, cursor=str(after) if name in self.cursors else None)
        for name in ("even", "odd"):
            yield SourceBatch(container=name, done=True, cursor=str(after) if self.cursors else None)

    def container(self, key: int) -> str:
        return "odd" if key % 2 else "even"


class Following(RuleBasedStateMachine):
    """Edits of the table, and syncs of it."""

    @initialize(cursors=st.frozensets(st.sampled_from(["even", "odd"])), size=st.integers(1, 3))
    def begin(self, cursors: frozenset[str], size: int) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.table = Table()
        self.table.cursors, self.table.size = cursors, size
        self.reading = 0
        self.gone_unseen: set[int] = set()
        self.versions: set[str] = set()
        world = World(source=self.table, storage=SqliteStorage(Context(self.folder)), trust={"desk": Trust(attested=True)})
        self.gateway = world.gateway()
        self.gateway.migrate()

    @rule(key=KEYS)
    def change(self, key: int) -> None:
        self.table.changes += 1
        self.table.rows[key] = self.table.changes
        self.versions.add(f"row {key} in version {self.table.changes}")
        self.gone_unseen.discard(key)

    @rule(key=KEYS)
    def delete(self, key: int) -> None:
        if self.table.rows.pop(key, None) is not None:
            self.gone_unseen.add(key)

    @rule(full=st.booleans())
    def sync(self, full: bool) -> None:
        self.table.breaks = None
        assert self.follow(full=full).failure is None
        found, live = self.texts(), self.live()
        assert live <= found
        assert _keys(found - live) <= self.gone_unseen
        if full or not self.table.cursors:
            assert found == live
            self.gone_unseen.clear()

    @rule(full=st.booleans(), breaks=st.integers(0, 4))
    def break_off(self, full: bool, breaks: int) -> None:
        before, known = self.texts(), len(self.gateway.containers("desk"))
        self.table.breaks = breaks
        try:
            broke = self.follow(full=full).failure is not None
        except ProviderError:
            assert self.texts() == before, "what could not be read at all changed something"
            return
        if broke and full and known == len(("even", "odd")):
            # A container that ended is the new reading; the other one is still the earlier one, whole.
            assert _keys(before) - self.gone_unseen <= _keys(self.texts())

    @rule()
    def settle_anew(self) -> None:
        """Other settings: the next reading reads everything."""
        self.reading += 1

    @invariant()
    @precondition(lambda self: hasattr(self, "table"))
    def one_version_of_each_row_that_was_there(self) -> None:
        texts = self.texts()
        assert len(texts) == len(_keys(texts))
        assert texts <= self.versions

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder)

    def follow(self, *, full: bool) -> Synced:
        source = Followed(plugin="desk", origin="desk", settings=str(self.reading))
        return follow(self.gateway, source, Silent(), full=full)

    def texts(self) -> set[str]:
        names = self.gateway.scan(ScanRequest())
        return {found.text for found in self.gateway.fetch(names).documents.values()}

    def live(self) -> set[str]:
        return {f"row {key} in version {version}" for key, version in self.table.rows.items()}


def _keys(texts: set[str]) -> set[int]:
    return {int(text.split()[1]) for text in texts}


TestFollowing = Following.TestCase
TestFollowing.settings = settings(max_examples=40, stateful_step_count=14, deadline=None)
