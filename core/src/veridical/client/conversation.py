"""The verbs of a conversation: what it is about, one reply to it, and a reply chunk by chunk."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from veridical_contract import AgentChunk, ChatRequest, Completion, ConfigurationError, Topic, Turn

from veridical.gateway.verified import Gateway
from veridical.resolution import LOCAL_CHAT
from veridical.spending import Deadline
from veridical.workflows.agent import converse, messages, prompt, question, untrusted
from veridical.workflows.ground import Grounded
from veridical.workflows.topics import TopicShiftDetector

from .research import ResearchVerbs

__all__ = ["ConversationVerbs"]


class ConversationVerbs(ResearchVerbs):
    """What `Veridical` does in a conversation."""

    def topic(self, turns: Sequence[Turn]) -> Topic:
        """What the newest prompt of a conversation is about, and whether it is answered from a search. No model has a part in it.

        Args:
            turns: of the conversation, oldest first.

        Raises:
            UsageError: the user said nothing.
        """
        prompt(turns)
        return TopicShiftDetector().classify(turns)

    def complete(self, turns: Sequence[Turn], *, chat: str | None = None) -> Completion:
        """Reply to a conversation: with the outcome of a search where its topic requires one, else with the words of a model.

        Of a topic that requires a search no model is asked.

        Args:
            turns: of the conversation, oldest first. Those marked `workspace` are left out while the topic is biographical or external.
            chat: the chat plugin; None takes the settings' choice, else one whose key is set.

        Raises:
            UsageError: the user said nothing.
            ConfigurationError: there is no model to talk to, or no search that could work.
            PluginError, StoreError, NotPublishableError: as their docstrings say.
        """
        topic = self.topic(turns)
        if topic.requires_grounding:
            return Completion(topic=topic, outcome=self.ground(question(turns, topic)))
        gateway = self._model(chat)
        try:
            reply = gateway.chat(ChatRequest(task="complete", messages=messages(turns, topic)))
        finally:
            gateway.take_wire()  # no report rests on it
        return Completion(topic=topic, text=tuple(untrusted(gateway.composer, reply.text or "")))

    def agent(self, turns: Sequence[Turn], *, chat: str | None = None) -> Generator[AgentChunk]:
        """Reply to a conversation chunk by chunk, through a chat plugin that may search.

        Where the topic requires a search, or the model makes one, words of the model leave only as claims that the outcome carries.

        Args:
            turns: of the conversation, oldest first. Those marked `workspace` are left out while the topic is biographical or external.
            chat: the chat plugin; None takes the settings' choice, else one whose key is set. Where there is none, a topic that requires
                a search is answered with its outcome alone.

        Returns:
            The chunks: the first says what the topic is, the last that the reply came to its end, or, instead of an error, why it broke
            off. No other verb may be called until the last chunk came or the iterator is closed.

        Raises:
            UsageError: the user said nothing.
            ConfigurationError: there is no model to talk to.
            StoreError: the store cannot be opened.
        """
        topic = self.topic(turns)
        local = self._installation.chat_choice(chat).name == LOCAL_CHAT
        return self._conversed(None if local and topic.requires_grounding else self._model(chat), turns, topic)

    def _conversed(self, gateway: Gateway | None, turns: Sequence[Turn], topic: Topic) -> Generator[AgentChunk]:
        def search(asked: str) -> Grounded:
            if gateway is not None:
                gateway.take_wire()  # the record of the search holds what its report rests on, and no model's reply
            return self._grounded(asked)

        try:
            yield from converse(gateway, turns, topic, search)
        finally:
            if gateway is not None:
                gateway.take_wire()

    def _model(self, chat: str | None) -> Gateway:
        """Return the gateway to a model, for a new reply."""
        if self._installation.chat_choice(chat).name == LOCAL_CHAT:
            waiting = self._installation.waiting("chat")
            enable = f"Enable one that is installed (veridical plugins enable {waiting[0]})" if waiting else "Install a chat plugin"
            raise ConfigurationError("There is no model to talk to.", hint=f"{enable} and set its key; see: veridical doctor")
        gateway = self._installation.gateway(chat=chat)
        self._budget = self._installation.budget(None)
        self._installation.begin_run()
        gateway.spend(self._budget, Deadline(None))
        return gateway
