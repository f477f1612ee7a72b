"""What the facade answers with, beside the models of the contract."""

from __future__ import annotations

from dataclasses import dataclass

from veridical_contract import Document, StoreState

from veridical.discovery import Status
from veridical.homes import Home
from veridical.resolution import Choice
from veridical.settings import Source

__all__ = ["Found", "Health", "SourceRow"]


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A named source.

    Attributes:
        name: of the source.
        settings: what the operator said of it.
        documents: that the store holds of it now.
    """

    name: str
    settings: Source
    documents: int


@dataclass(frozen=True, slots=True)
class Found:
    """A passage of the store that holds words that were looked for, read again and checked.

    Attributes:
        id: of its document.
        document: as it was admitted.
        start: first code point of the passage.
        end: one past the last.
        line: in its file, from 1, when it is known.
    """

    id: str
    document: Document
    start: int
    end: int
    line: int | None

    @property
    def text(self) -> str:
        """The passage."""
        return self.document.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Health:
    """What a run would find now.

    Attributes:
        home: where things are kept.
        plugins: one row for each that is installed, after loading what may be loaded.
        store: what the store holds; None when it cannot be opened.
        choices: who a run would ask.
        waiting: plugins that are installed and only wait to be enabled.
        problems: what would keep a run from working, one line each.
    """

    home: Home
    plugins: tuple[Status, ...]
    store: StoreState | None
    choices: tuple[Choice, ...]
    waiting: tuple[str, ...]
    problems: tuple[str, ...]
