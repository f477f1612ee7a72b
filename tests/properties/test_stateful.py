"""Honest and lying plugins in turn, with ingest, forgetting and corruption in between: what leaves is true at every step."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from veridical.kernel.canonical import digest
from veridical.workflows.progress import Silent
from veridical.workflows.research import Brief, research
from veridical_contract import VeridicalError
from veridical_extractive import ExtractiveChat
from veridical_hashing import HashingEmbedding

from tests.properties.liars import (
    EMBEDDING,
    SOURCE,
    STORAGE,
    Junk,
    Lie,
    LyingChat,
    LyingEmbedding,
    LyingSource,
    LyingStore,
    forged,
    junk,
    liars,
    lies,
)
from tests.properties.world import CONTEXT, QUESTION, ROWS, RowSource, World, assert_true


class Installation(RuleBasedStateMachine):
    """One store that lives on while its neighbours change."""

    @initialize()
    def start(self) -> None:
        self.store = LyingStore([])
        self.world = World(storage=self.store)
        self.forged: set[str] = set()

    def _ingest(self) -> None:
        try:
            self.world.ingest(self.world.gateway())
        except VeridicalError:
            return

    @rule(told=lies(SOURCE))
    def a_lying_source_is_read(self, told: list[Lie]) -> None:
        self.world.source = LyingSource(told)
        self._ingest()

    @rule(value=junk, raises=st.booleans())
    def a_broken_source_is_read(self, value: object, raises: bool) -> None:
        self.world.source = Junk(value, raises=raises)
        self._ingest()

    @rule(count=st.integers(1, len(ROWS)))
    def an_honest_source_is_read(self, count: int) -> None:
        self.world.source = RowSource(ROWS[:count])
        self._ingest()

    @rule(at=st.integers(0, 11))
    def a_document_is_forgotten(self, at: int) -> None:
        names = list(self.store.documents)
        if names:
            del self.store.documents[names[at % len(names)]]

    @rule(at=st.integers(0, 11), number=st.integers(0, 99))
    def a_document_is_corrupted(self, at: int, number: int) -> None:
        names = list(self.store.documents)
        if names:
            one = self.store.documents[names[at % len(names)]]
            body = bytearray(one.body)
            body[number % len(body)] ^= 1
            self.store.documents[one.id] = one.model_copy(update={"body": bytes(body)})

    @rule(at=st.integers(0, 11))
    def bytes_are_lost(self, at: int) -> None:
        names = list(self.store.raws)
        if names:
            del self.store.raws[names[at % len(names)]]

    @rule(number=st.integers(0, 99))
    def a_document_is_forged(self, number: int) -> None:
        if self.store.documents:
            one = next(iter(self.store.documents.values()))
            try:
                body = forged(one.body, number)
            except ValueError:  # the one that was to be copied is corrupt already
                return
            self.forged.add(digest(body))
            self.store.documents[digest(body)] = one.model_copy(update={"id": digest(body), "body": body, "raw": None})

    @rule(told=st.one_of(st.just([]), lies(STORAGE, most=3)), calm=st.integers(0, 2))
    def the_store_begins_or_ends_to_lie(self, told: list[Lie], calm: int) -> None:
        self.store.told, self.store.calm = list(told), calm

    @rule(chat=st.one_of(st.none(), liars(), st.builds(Junk, junk)))
    def the_composer_changes(self, chat: LyingChat | Junk | None) -> None:
        self.world.chat = chat or ExtractiveChat(CONTEXT)

    @rule(told=st.one_of(st.none(), lies(EMBEDDING)))
    def the_embedding_changes(self, told: list[Lie] | None) -> None:
        self.world.embedding = HashingEmbedding(CONTEXT) if told is None else LyingEmbedding(told)

    @rule()
    def a_question_is_asked(self) -> None:
        asked = ("What does a new battery cost?",)
        try:
            published = research(self.world.gateway(), self.world.run(must_address=asked), Brief(QUESTION, asked), Silent())
        except VeridicalError:
            return
        assert_true(published)
        assert self.forged.isdisjoint(published.documents)

    @invariant()
    def nothing_of_a_lie_is_in_the_log_of_released_words(self) -> None:
        assert all(rule_ and "\n" not in rule_ for _, rule_, _ in getattr(self, "world", World()).log)


TestInstallation = Installation.TestCase
TestInstallation.settings = settings(max_examples=settings.default.max_examples // 4, stateful_step_count=20)
