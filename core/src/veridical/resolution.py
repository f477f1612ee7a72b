"""Who is asked: the plugin of a kind that a run uses, why it is that one, and how to change it.

    chat       explicit -> a key that is set -> the local composer, with a hint where a Claude Code login would do
    search     explicit -> keys that are set -> a SearXNG instance -> the keyless floor; a chain, of which the first that answers is used
    ground     the same without those that let a model search, and at its end DuckDuckGo's page where the operator allows it
    embedding  explicit -> local

Only a plugin that is installed and may run is chosen. An explicit choice is taken as it is: one that cannot be met stops the run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from veridical_contract import ConfigurationError, Kind

__all__ = ["KEYLESS", "LOCAL", "LOCAL_CHAT", "Choice", "resolve_chat", "resolve_ground", "resolve_search"]

_CHAT_KEYS = (
    ("anthropic", ("ANTHROPIC_API_KEY",)),
    ("google", ("GEMINI_API_KEY", "GOOGLE_API_KEY")),
    ("openai", ("OPENAI_API_KEY",)),
)
_SEARCH_KEYS = (
    ("brave", ("BRAVE_SEARCH_API_KEY",)),
    ("tavily", ("TAVILY_API_KEY",)),
    ("exa", ("EXA_API_KEY",)),
    ("searxng", ("SEARXNG_INSTANCE_URL",)),
)
_KEYLESS_SEARCH = ("tavily", "claude-code")
_MODEL_DRIVEN = ("claude-code",)
"""Search plugins that let a model choose what to search for and what to name."""
_WHEN_ALLOWED = "duckduckgo"
LOCAL_CHAT = "extractive"
"""The local composer."""
LOCAL = "no key is set; nothing leaves this machine"
"""Why it is the local composer."""
KEYLESS = "no key is needed"
"""Why it is a service that asks for none."""

Ready = Callable[[Kind, str], bool]
"""Whether a plugin is installed and may run."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A plugin that is used.

    Attributes:
        kind: of the plugin.
        name: of the plugin.
        why: in a few words.
        change: what to do for another one.
    """

    kind: Kind
    name: str
    why: str
    change: str


def resolve_chat(explicit: str | None, environment: Mapping[str, str], ready: Ready) -> Choice:
    """Return the chat plugin to compose with."""
    if explicit is not None:
        return _explicit("chat", explicit)
    for name, variables in _CHAT_KEYS:
        if (variable := _set(variables, environment)) and ready("chat", name):
            return Choice("chat", name, f"{variable} is set", "To keep everything on this machine: --chat extractive")
    hint = "claude-code is installed: --chat claude-code uses its login" if ready("chat", "claude-code") else "Set a key, or: --chat NAME"
    return Choice("chat", LOCAL_CHAT, LOCAL, hint)


def resolve_search(explicit: str | None, environment: Mapping[str, str], ready: Ready) -> tuple[Choice, ...]:
    """Return the search plugins to ask, in order; none when nothing is set up."""
    if explicit is not None:
        return (_explicit("search", explicit),)
    change = "For another one: --search NAME"
    keyed = [
        Choice("search", name, f"{variable} is set", change)
        for name, variables in _SEARCH_KEYS
        if (variable := _set(variables, environment)) and ready("search", name)
    ]
    if keyed:
        return tuple(keyed)
    return tuple(Choice("search", name, KEYLESS, change) for name in _KEYLESS_SEARCH if ready("search", name))


def resolve_ground(
    explicit: str | None, environment: Mapping[str, str], ready: Ready, *, allowed: Callable[[str], bool]
) -> tuple[Choice, ...]:
    """Return the search plugins to ask without any model, in order; none when nothing is set up.

    Args:
        explicit: the one that was named.
        environment: variables.
        ready: whether a plugin may run.
        allowed: whether the operator's settings allow the use of a plugin that is off by itself.

    Raises:
        ConfigurationError: a model does the searching of the one that was named.
    """
    if explicit in _MODEL_DRIVEN:
        raise ConfigurationError(
            f"{explicit} lets a model search, and an answer is grounded without any.", hint="Name another one: --search NAME"
        )
    chain = [choice for choice in resolve_search(explicit, environment, ready) if choice.name not in _MODEL_DRIVEN]
    if explicit is None and ready("search", _WHEN_ALLOWED) and allowed(_WHEN_ALLOWED):
        chain.append(Choice("search", _WHEN_ALLOWED, "the settings allow it", "For another one: --search NAME"))
    return tuple(chain)


def _explicit(kind: Kind, name: str) -> Choice:
    return Choice(kind, name, "it was chosen", f"In the settings file, [{kind}] name, or --{kind}")


def _set(variables: tuple[str, ...], environment: Mapping[str, str]) -> str | None:
    return next((variable for variable in variables if environment.get(variable, "").strip()), None)
