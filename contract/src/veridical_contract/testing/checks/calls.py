"""The ordinary call of each kind: what every check starts from that is about all kinds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from veridical.wire.recording import Network

from veridical_contract import EmbeddingRequest, InputFile, Kind, SearchQuery, SourceRequest
from veridical_contract.testing.registry import NotApplicable
from veridical_contract.testing.subject import Live, Outcome, Subject

from .conversations import REQUESTS, ordinary_scenario

__all__ = ["HOOKS", "QUERY", "TEXTS", "another", "asking", "ordinary", "source_request"]

QUERY = SearchQuery(text="copper roof repairs", limit=5)
TEXTS = (
    "The roof was laid in copper in 1911.",
    "Kupfer läuft nach einigen Jahren grün an.",
    "A note that has nothing to do with roofs: the ferry leaves at nine.",
    "銅の屋根は数年で緑色になる。",
)
HOOKS: dict[Kind, str] = {"chat": "chat", "search": "search", "embedding": "embed", "storage": "put", "source": "read"}
"""The hook that every plugin of a kind has."""

_ANOTHER: dict[Kind, str] = {"search": "few", "embedding": "two-texts", "source": "ordinary"}
_SAMPLE = {
    "notes.txt": b"Copper turns green.\n\nThe ferry leaves at nine.\n",
    "comments.jsonl": b'{"text": "The roof leaks since May.", "author": "u1"}\n{"text": "Le toit est en cuivre.", "author": "u2"}\n',
}


def asking(subject: Subject) -> tuple[str, dict[str, Any]]:
    """Return the hook of an ordinary call and its arguments.

    Raises:
        NotApplicable: calls of this kind belong together: there is no ordinary one.
    """
    arguments: dict[Kind, Callable[[], dict[str, Any]]] = {
        "search": lambda: {"query": QUERY},
        "embedding": lambda: {"request": EmbeddingRequest(texts=TEXTS)},
        "chat": lambda: {"request": REQUESTS[ordinary_scenario(subject)]},
        "source": lambda: {"request": source_request(subject)},
    }
    if subject.kind not in arguments:
        raise NotApplicable("Calls of a store are looked at together.")
    return HOOKS[subject.kind], arguments[subject.kind]()


def ordinary(live: Live, network: Network | None = None) -> Outcome:
    """Make the ordinary call."""
    hook, arguments = asking(live.subject)
    return live.call(hook, network or _scenario(live.subject), **arguments)


def another(live: Live) -> Outcome:
    """Make a call that is answered differently from the ordinary one, where the kind has one."""
    kind, subject = live.subject.kind, live.subject
    if kind == "chat":
        scenario = "conversation" if ordinary_scenario(subject) == "ordinary" else "compose"
        return live.call("chat", scenario, request=REQUESTS[scenario])
    arguments: dict[Kind, dict[str, Any]] = {
        "search": {"query": QUERY.model_copy(update={"limit": 2})},
        "embedding": {"request": EmbeddingRequest(texts=TEXTS[:2])},
        "source": {"request": source_request(subject)},
    }
    return live.call(HOOKS[kind], _ANOTHER[kind], **arguments[kind])


def _scenario(subject: Subject) -> str:
    return ordinary_scenario(subject) if subject.kind == "chat" else "ordinary"


def source_request(subject: Subject, *, cursor: str | None = None) -> SourceRequest:
    """Return a request to read the sample files, or the locations that the kit was told of."""
    options = subject.options
    if options.locations:
        return SourceRequest(origin=options.locations[0], locations=options.locations, cursor=cursor)
    return SourceRequest(origin="kit", inputs=sample_files(subject, options.inputs or _SAMPLE), cursor=cursor)


def sample_files(subject: Subject, files: Mapping[str, bytes]) -> tuple[InputFile, ...]:
    """Write `files`, name to bytes, where the host may read them, and return them enumerated."""
    folder: Path = subject.notes.setdefault("files", subject.new_home())
    folder.mkdir(parents=True, exist_ok=True)
    found: list[InputFile] = []
    for name, content in sorted(files.items()):
        path = folder / name
        if not path.is_file() or path.read_bytes() != content:  # another instance may be reading it
            path.write_bytes(content)
        found.append(InputFile(path=str(path), sha256=hashlib.sha256(content).hexdigest(), size=len(content)))
    return tuple(found)
