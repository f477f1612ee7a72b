"""Plugins that lie, and the strategies that generate them.

    lies (small integers) -> plugin -> whatever the hook may not return

A lie is a name and a few numbers, drawn beforehand, so that hypothesis can shrink it; the plugin works out what it means from what it is
asked. Values of the wrong kind come from `junk`: every type, subclasses of built-ins and of contract models, and models that were
never validated.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hypothesis import strategies as st
from veridical.kernel.canonical import digest
from veridical_contract import (
    Candidate,
    ChatReply,
    ChatRequest,
    Compaction,
    Document,
    Draft,
    DraftAnswer,
    DraftClaim,
    DraftQuote,
    DraftTheme,
    EmbeddingReply,
    EmbeddingRequest,
    FingerprintCandidates,
    FingerprintQuery,
    Item,
    Locator,
    Model,
    SourceBatch,
    SourceRequest,
    StateDepth,
    StoredDocument,
    StoreState,
    TextQuery,
)

from tests.properties.world import ROWS, MemoryStore, Row, RowSource


class LyingStr(str):
    """Equals everything."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class LyingInt(int):
    """Compares as it likes."""

    def __lt__(self, other: object) -> bool:
        return False

    def __le__(self, other: object) -> bool:
        return True


class LyingBytes(bytes):
    """Bytes of another type."""


class LyingTuple(tuple):  # type: ignore[type-arg]
    """Holds nothing when it is counted."""

    __slots__ = ()

    def __len__(self) -> int:
        return 0


class LyingDict(dict):  # type: ignore[type-arg]
    """Raises when it is read."""

    def keys(self) -> Any:
        raise RuntimeError("keys")

    def __iter__(self) -> Any:
        raise RuntimeError("iter")


class Shouting(type(Model)):
    """A metaclass that equals everything and whose name cannot be asked for."""

    armed: ClassVar[bool] = False

    def __eq__(cls, other: object) -> bool:
        return True

    def __hash__(cls) -> int:
        return hash(str)

    @property
    def __name__(cls) -> str:
        if Shouting.armed:
            raise RuntimeError("no name")
        return "Reply"


class Disguised(ChatReply, metaclass=Shouting):
    """A reply that is none."""


Shouting.armed = True


def with_dict(model: Model, members: dict[str, object]) -> Model:
    """`model` with another dictionary under it."""
    object.__setattr__(model, "__dict__", members)
    return model


def doubled(depth: int) -> list[object]:
    """A list of two lists of two lists ..."""
    found: list[object] = []
    for _ in range(depth):
        found = [found, found]
    return found


def endless() -> list[object]:
    """A list that holds itself."""
    found: list[object] = []
    found.append(found)
    return found


_PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.binary(max_size=8),
    st.lists(st.integers(), max_size=3), st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
    st.tuples(st.integers(), st.text(max_size=3)),
)  # fmt: skip
_ODD = st.sampled_from(
    [
        object, lambda: object, lambda: (yield), lambda: LyingStr("x"), lambda: LyingInt(3), lambda: LyingBytes(b"x"),
        lambda: LyingTuple((1, 2)), lambda: Disguised(model="x"), lambda: Disguised, lambda: ValueError("x"), endless,
        lambda: {1, 2}, lambda: memoryview(b"x"), lambda: 10**5000, lambda: "\ud800", lambda: (LyingStr("a"),),
        lambda: with_dict(ChatReply(model="x"), LyingDict(model="x")),
        lambda: with_dict(ChatReply(model="x"), {"model": LyingStr("x"), "draft": endless()}),
        lambda: with_dict(Draft(), {1: 2}),
        lambda: ChatReply.model_construct(model="x", draft={"themes": True}),
        lambda: SourceBatch.model_construct(container="x", items=doubled(6)),
        lambda: StoredDocument.model_construct(body=LyingBytes(b"{}"), tag=None),
        lambda: EmbeddingReply.model_construct(vectors=((LyingInt(1),),), identity="x"),
    ]
)  # fmt: skip

junk = st.one_of(_PLAIN, _ODD.map(lambda make: make()))
"""A value of any type."""

Lie = tuple[str, int, int]
_NUMBERS = st.integers(0, 30)


def lies(names: Sequence[str], most: int = 6) -> st.SearchStrategy[list[Lie]]:
    """A few lies out of `names`."""
    return st.lists(st.tuples(st.sampled_from(sorted(names)), _NUMBERS, _NUMBERS), min_size=1, max_size=most)


# Chat


def _word(text: str, at: int) -> tuple[int, int]:
    words = text.split(" ")
    index = at % len(words)
    start = len(" ".join(words[:index])) + bool(index)
    return start, start + len(words[index])


def _without(text: str, at: int) -> str:
    start, end = _word(text, at)
    return (text[:start] + text[end + 1 :]).strip() or text


def _negated(text: str) -> str:
    for word in (" not", " never", "n't", "Does not "):
        if word in text:
            return text.replace(word, "", 1)
    return text.replace(" is ", " is not ", 1) if " is " in text else f"Not {text}"


QUOTES: dict[str, Callable[[str, str, int], str]] = {
    "whole": lambda text, _other, _at: text,
    "first sentence": lambda text, _other, _at: text.split(". ")[0],
    "slice": lambda text, _other, at: text[at : at + 25],
    "dropped word": lambda text, _other, at: _without(text, at),
    "inserted word": lambda text, _other, at: text[: _word(text, at)[0]] + "really " + text[_word(text, at)[0] :],
    "changed digit": lambda text, _other, _at: "".join(str(9 - int(char)) if char in "0123456789" else char for char in text),
    "no negation": lambda text, _other, _at: _negated(text),
    "spliced": lambda text, other, _at: text[: len(text) // 2] + other[len(other) // 2 :],
    "elided": lambda text, other, at: f"{text[:25]} ... {text[-20:]}",
    "another's": lambda _text, other, _at: other,
    "invented": lambda _text, _other, at: f"The printer exploded {at} times in front of my children.",
    "upper case": lambda text, _other, _at: text.upper(),
    "typographic": lambda text, _other, _at: text.replace("'", "\u2019").replace(" ", "\u00a0"),
    "control": lambda text, _other, _at: text[:10] + "\x1b[31m" + text[10:],
    "invisible": lambda text, _other, _at: text[:7] + "\u200b" + text[7:],
    "two words": lambda text, _other, at: text[slice(_word(text, at)[0], _word(text, at + 1)[1])],
    "empty": lambda _text, _other, _at: "",
    "blank": lambda _text, _other, _at: "  \n ",
    "long": lambda text, _other, _at: text * 40,
}
PROSE: dict[str, Callable[[str, str, int], str | None]] = {
    "none": lambda _text, _other, _at: None,
    "copied": lambda text, _other, _at: text.split(". ")[0] + ".",
    "counted": lambda _text, _other, _at: "The battery fails, say {count:accounts}.",
    "own count": lambda _text, _other, at: f"{at} people say that the battery fails.",
    "other set": lambda _text, _other, _at: "The battery fails, say {count:everyone}.",
    "most": lambda _text, _other, _at: "Most printers have a battery that fails.",
    "nobody": lambda _text, _other, _at: "Nobody is happy with the battery of the printer.",
    "invented URL": lambda _text, _other, _at: "The battery fails, see https://evil.example/phish.",
    "URL of evidence": lambda _text, _other, at: f"The battery of the printer fails, see https://a.example/{at % 4}.",
    "name": lambda _text, _other, _at: "The battery of the printer fails, says Angela Merkel.",
    "date": lambda _text, _other, _at: "The battery of the printer failed on 3 May 2024.",
    "e-mail": lambda _text, _other, _at: "Write to help@evil.example when the battery of the printer fails.",
    "quoted": lambda _text, _other, _at: 'The battery of the printer is "a fire hazard".',
    "denied": lambda text, _other, _at: _negated(text.split(". ")[0]),
    "markup": lambda _text, _other, _at: "The [battery](javascript:alert(1)) of the printer fails.",
    "spliced": lambda text, other, _at: f"{text[:30]} {other[:30]}",
    "empty": lambda _text, _other, _at: "",
    "euros": lambda _text, _other, at: f"A new battery costs {at} euros, which is more than half of the printer.",
}


@dataclass
class LyingChat:
    """Proposes drafts made of lies: one claim for each, with the quotes and words that it names.

    Attributes:
        lies: (kind of quote, passage, number).
        words: (kind of prose, passage, number).
        ids: whether passages are named as they were shown.
    """

    lies: list[Lie]
    words: list[Lie]
    ids: int = 0

    def chat(self, request: ChatRequest) -> ChatReply:
        self.proposed: list[str] = []
        claims = [self._claim(request, index, lie) for index, lie in enumerate(self.lies)]
        groups = [*(group.id for group in request.groups), "g0", "everything"]
        themes = [
            DraftTheme(
                group=groups[index % len(groups)],
                name=self._prose(request, index)[:60] if index % 3 else None,
                name_quote=claim.quotes[0] if claim.quotes and index % 2 else None,
                claims=(*claims[index:], *claims[:index]),
            )
            for index, claim in enumerate(claims)
        ]
        answers = [DraftAnswer(question=index - 1, claims=(claim,)) for index, claim in enumerate(claims)]
        return ChatReply(
            text="I remember that the printer is bad.", draft=Draft(themes=tuple(themes), answers=tuple(answers)), model="liar"
        )

    def _prose(self, request: ChatRequest, index: int) -> str:
        kind, at, number = self.words[index % len(self.words)]
        texts = [passage.text for passage in request.passages]
        return PROSE[kind](texts[at % len(texts)], texts[number % len(texts)], number) or ""

    def _claim(self, request: ChatRequest, index: int, lie: Lie) -> DraftClaim:
        kind, at, number = lie
        shown = [*request.passages]
        passage, other = shown[at % len(shown)], shown[number % len(shown)]
        words = QUOTES[kind](passage.text, other.text, number)
        self.proposed.append(words)
        name = (passage.id, passage.id, f"p{len(shown) + number}", other.id, f" {passage.id}")[self.ids % 5]
        honest = DraftQuote(passage=other.id, quote=other.text)
        return DraftClaim(
            text=self._prose(request, index) or None,
            quotes=(DraftQuote(passage=name, quote=words), *([honest] if number % 2 else [])),
        )


def liars() -> st.SearchStrategy[LyingChat]:
    """Chat plugins that propose lies."""
    return st.builds(LyingChat, lies(list(QUOTES)), lies(list(PROSE)), st.integers(0, 9))


# Storage

STORAGE = (
    "altered body", "another's body", "another's tag", "missing", "forged", "added", "no tag", "long tag", "subclass",
    "list", "too many", "later", "altered raw", "another's raw", "no raw", "out of range", "unknown", "reversed", "twice", "withheld",
    "negative scope", "no scope", "mutated", "raises", "exits", "endless",
)  # fmt: skip


class LyingStore(MemoryStore):
    """A store whose answers pass through lies.

    Args:
        told: the lies.
        calm: how many calls to `get` it answers honestly first.
    """

    def __init__(self, told: Sequence[Lie], calm: int = 0) -> None:
        super().__init__()
        self.told = list(told)
        self.calm = calm
        self.kept: list[Model] = []

    def get(self, ids: tuple[str, ...]) -> Any:
        found: Any = list(super().get(ids))
        for one in self.kept:  # what was handed out before changes now
            one.__dict__["body"] = b"{}"
        self.calm -= 1
        if self.calm < 0:
            for name, at, number in self.told:
                found = self._get(found, name, at, number)
        return found if type(found) is not list or ("list", 0, 0) in self.told else tuple(found)

    def _get(self, found: Any, name: str, at: int, number: int) -> Any:
        if type(found) is not list or not found:
            return found
        at %= len(found)
        one, other = found[at], found[number % len(found)]
        if one is None or other is None:
            return found
        body = bytearray(one.body)
        body[number * 7 % len(body)] ^= 1 << number % 8
        made = forged(one.body, number)
        changes: dict[str, Callable[[], object]] = {
            "altered body": lambda: StoredDocument(body=bytes(body), tag=one.tag),
            "another's body": lambda: StoredDocument(body=other.body, tag=one.tag),
            "another's tag": lambda: StoredDocument(body=one.body, tag=other.tag),
            "missing": lambda: None,
            "forged": lambda: StoredDocument(body=made, tag=one.tag),
            "no tag": lambda: StoredDocument(body=one.body, tag=b""),
            "long tag": lambda: StoredDocument(body=one.body, tag=one.tag + b"\0"),
            "subclass": lambda: StoredDocument.model_construct(body=LyingBytes(made), tag=LyingBytes(one.tag)),
        }
        if name in changes:
            found[at] = changes[name]()
        elif name == "too many":
            found.append(one)
        elif name == "list":
            return (*found,) if number % 2 else LyingTuple(found)
        elif name == "mutated":
            self.kept += [each for each in found if each is not None]
        elif name in ("raises", "exits"):
            raise (RuntimeError if name == "raises" else SystemExit)("store")
        return found

    def raw(self, digests: tuple[str, ...]) -> Any:
        found = list(super().raw(digests))
        for name, at, number in self.told:
            if found and found[at % len(found)] is not None:
                body = found[at % len(found)] or b""
                if name == "altered raw":
                    found[at % len(found)] = body.replace(b"fails", b"works")
                elif name == "another's raw":
                    found[at % len(found)] = found[number % len(found)]
                elif name == "no raw":
                    found[at % len(found)] = None
        return tuple(found)

    def candidates_by_fingerprint(self, query: FingerprintQuery) -> Any:
        page = super().candidates_by_fingerprint(query)
        found, more = list(page.documents), page.more
        for name, at, number in self.told:
            if name == "unknown":
                found = sorted({*found, f"{number:064x}"})
            elif name == "out of range":
                found.append("zz")
            elif name == "reversed":
                found.reverse()
            elif name == "twice":
                found += found[:1]
            elif name == "added":
                found = sorted({*found, self._added(number)})
            elif name == "withheld":
                del found[at % (len(found) or 1) :]
            elif name == "endless":
                after = int(query.after or "0", 16)
                found, more = [f"{after + step + 1:064x}" for step in range(query.limit)], True
        return FingerprintCandidates.model_construct(documents=tuple(found), guaranteed=True, more=more)

    def compact(self) -> Any:
        return Compaction(pending=sum(name == "endless" for name, _, _ in self.told))

    def _added(self, number: int) -> str:
        """The name of a document that nobody admitted and that is there now."""
        honest = next(iter(self.documents.values()))
        body = forged(honest.body, number)
        self.documents[digest(body)] = honest.model_copy(update={"id": digest(body), "body": body})
        return digest(body)

    def candidates(self, query: TextQuery) -> Any:
        found = list(super().candidates(query))
        for name, at, number in self.told:
            one = found[at % len(found)] if found else Candidate(document="0" * 64, start=0, end=5, score=1.0)
            if name == "out of range":
                found.append(one.model_copy(update={"end": one.end + 1 + number}))
            elif name == "unknown":
                found.append(one.model_copy(update={"document": f"{number:064x}"}))
            elif name == "reversed":
                found.append(one.model_copy(update={"start": one.end, "end": one.start}))
            elif name == "twice":
                found += [one] * 3
            elif name == "added":
                found.append(one.model_copy(update={"document": self._added(number), "start": 0, "end": 20}))
            elif name == "withheld":
                return ()
        return tuple(found)

    def state(self, depth: StateDepth, **_: object) -> Any:
        for name, _, number in self.told:
            if name in ("negative scope", "no scope"):
                return StoreState.model_construct(
                    location="x",
                    schema_version=1,
                    documents=0,
                    origins={"rows": -number - 1 if name == "negative scope" else 0},
                    problems=(),
                )
        return super().state(depth)


def forged(body: bytes, number: int) -> bytes:
    """The canonical bytes of a document that nobody admitted: its own hash is right."""
    fields = json.loads(body)
    fields["text"] = f"The battery of the printer fails {number} times a day and the maker knows it."
    fields["url"] = "https://evil.example/made-up"
    fields |= {"raw": None, "derivation": None, "author": None, "published": None, "extractor": "plugin"}
    fields["grades"] = {"text": "attested", "url": "attested", "title": None, "author": None, "published": None}
    Document.model_validate_json(json.dumps(fields))
    return json.dumps(fields, sort_keys=True, separators=(",", ":")).encode("ascii")


# Source

SOURCE = (
    "text", "negated text", "url", "no url", "author", "title", "date", "digest", "size", "pointer", "pointer gone", "encoding", "format",
    "projection", "locator", "message", "container", "link", "bool", "null", "batch",
)  # fmt: skip


class LyingSource(RowSource):
    """A source that says of its rows what they do not hold."""

    def __init__(self, told: Sequence[Lie], rows: Sequence[Row] = ROWS) -> None:
        super().__init__(rows)
        self.told = list(told)

    def read(self, request: SourceRequest) -> Iterator[SourceBatch]:
        items: list[Item] = [self.item(at, row) for at, row in enumerate(self.rows)]
        container = "rows.jsonl"
        for name, at, number in self.told:
            index = at % len(items)
            items[index] = self._lie(items[index], name, number)
            container = "other.jsonl" if name == "batch" and number % 5 == 0 else container
        yield SourceBatch(container=container, items=tuple(items), done=True)

    def _lie(self, item: Item, name: str, number: int) -> Item:
        raw, derivation = item.raw, item.derivation
        if raw is None or derivation is None:
            return item
        fields = sorted({"text": "/text", "url": "/url", "author": "/user", "published": "/when"}.items())
        field, pointer = fields[number % 4][0], fields[number // 4 % 4][1]
        row = self.rows[number % len(self.rows)]
        changes: dict[str, dict[str, object]] = {
            "text": {"text": "The printer never fails and its battery lasts forever."},
            "negated text": {"text": _negated(row.text)},
            "url": {"url": "https://evil.example/made-up"},
            "no url": {"derivation": derivation.model_copy(update={"pointers": {"text": "/text"}}), "url": "https://evil.example/2"},
            "author": {"author": "the pope"},
            "title": {"title": "A title that nobody wrote"},
            "date": {"published": 4102444800},
            "digest": {"raw": raw.model_copy(update={"digest": digest(b"x")})},
            "size": {"raw": raw.model_copy(update={"size": number})},
            "pointer": {"derivation": derivation.model_copy(update={"pointers": {**derivation.pointers, field: pointer}})},
            "pointer gone": {"derivation": derivation.model_copy(update={"pointers": {"url": "/url"}}), "text": "Words that no row holds."},
            "encoding": {
                "derivation": derivation.model_copy(update={"encoding": ("utf-16", "cp037", "utf-7", "rot13", "zlib", "\0")[number % 6]})
            },
            "format": {"derivation": derivation.model_copy(update={"format": ("text", "csv", "mime")[number % 3]})},
            "projection": {"derivation": derivation.model_copy(update={"projection": ("html", "markdown")[number % 2]})},
            "locator": {"locator": Locator(container="https://evil.example/other", row=number + 1)},
            "message": {"locator": Locator(container="rows.jsonl", message="see https://evil.example/message")},
            "container": {"raw": raw.model_copy(update={"container": digest(b"other"), "offset": number})},
            "link": {"raw": None, "derivation": None, "url": "https://evil.example/link"},
            "bool": {"published": True},
            "null": {"raw": None, "derivation": None, "text": "Words without bytes, at least five of them."},
        }
        return item.model_copy(update=changes.get(name, {}))


# Embedding


@dataclass
class LyingEmbedding:
    """Vectors that are none.

    Attributes:
        told: (kind, of which vector, number).
    """

    told: list[Lie]

    def embed(self, request: EmbeddingRequest) -> Any:
        rows = [[1.0 if (place + index) % 7 == 0 else 0.25 for place in range(8)] for index, _ in enumerate(request.texts)]
        identity: Any = "liar/1"
        for name, at, number in self.told:
            self._lie(rows, name, at % max(1, len(rows)), number)
            identity = f"liar/{request.purpose}" if name == "identity" else identity
            if name == "width by purpose" and request.purpose == "query":
                rows = [[*row, 1.0] for row in rows]
        return EmbeddingReply.model_construct(vectors=tuple(tuple(row) for row in rows), identity=identity)

    def _lie(self, rows: list[Any], name: str, at: int, number: int) -> None:
        values: dict[str, list[object]] = {
            "nan": [float("nan")] * 8, "infinite": [float("inf")] * 8, "zero": [0.0] * 8, "tiny": [5e-324] * 8, "huge": [1.7e308] * 8,
            "large": [1e200] * 8, "mixed": [1e308, -1e308, 1e-308] * 3, "wide": [1.0] * 9, "empty": [], "bool": [True] * 8,
            "text": ["1.0"] * 8,
        }  # fmt: skip
        if name in values:
            rows[at] = values[name]
        elif name == "all huge":
            rows[:] = [[(-1) ** index * 1.2e308] * 2 for index, _ in enumerate(rows)]
        elif name == "too many":
            rows += [[1.0] * 8] * (number + 1)
        elif name == "too few":
            del rows[at]


EMBEDDING = (
    "nan", "infinite", "zero", "tiny", "huge", "mixed", "wide", "empty", "bool", "text", "large", "all huge", "too many", "too few",
    "identity", "width by purpose",
)  # fmt: skip


class Junk:
    """A plugin of every kind that returns one value from every hook, or raises it."""

    def __init__(self, value: object, *, raises: bool = False) -> None:
        self._value = value
        self._raises = raises

    def _answer(self, **_: object) -> Any:
        if self._raises:
            raise self._value if isinstance(self._value, Exception) else RuntimeError(self._value)
        return self._value

    chat = embed = read = get = raw = candidates = candidates_by_fingerprint = scan = compact = state = put = migrate = _answer


class Replaced:
    """An honest store in which one hook is another's.

    Args:
        hook: that is replaced.
        by: what answers it.
    """

    def __init__(self, hook: str, by: Junk) -> None:
        self._store = MemoryStore()
        self._hook = hook
        self._by = by

    def __getattr__(self, name: str) -> Any:
        return getattr(self._by if name == self._hook else self._store, name)
