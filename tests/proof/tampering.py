"""Bundles as a competent forger makes them: something is changed, and every digest, name, number and sum that follows is made again.

    taken apart -> one to three changes -> repaired (mostly) -> put together, or a change of single bytes afterwards

What is left to be found is the lie itself.
"""

from __future__ import annotations

import copy
import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from random import Random
from typing import Any

from veridical.render import render_html, render_markdown
from veridical_contract import Report

__all__ = ["spelled", "tampered"]

# What a change or a repair meets where a bundle has nothing of the kind, or a change before it left nothing.
_NOTHING_THERE = (IndexError, KeyError, TypeError, AttributeError, ValueError)
Json = Any
Path = tuple[str | int, ...]


@dataclass
class _Open:
    """A bundle taken apart. Documents and maps are named by the identifiers that they had."""

    report: Json
    chain: Json
    documents: dict[str, Json]
    maps: dict[str, Json]
    raws: dict[str, bytes]
    pages: dict[str, bytes]
    slim: bool
    paged: bool = False


def tampered(data: bytes, random: Random) -> tuple[str, bytes]:
    """Return the name of what was done, and the bundle that came of it."""
    if random.random() < 0.12:
        name, change = random.choice([*BYTES.items()])
        return name, change(data, random)
    parts = _opened(data)
    done: list[str] = []
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        name, edit = random.choice(_EDITS)
        with suppress(*_NOTHING_THERE):
            edit(parts, random)
            done.append(name)
    if random.random() < 0.75:
        with suppress(*_NOTHING_THERE):  # as far as the rest of it still has its form
            _repaired(parts)
    return "+".join(done) or "nothing", _closed(parts, random)


def spelled(members: Mapping[str, bytes]) -> bytes:
    """Return the canonical archive of `members`."""
    written = BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, body in sorted(members.items()):
            member = zipfile.ZipInfo(name)
            member.create_system = 3
            member.external_attr = 0o100644 << 16
            archive.writestr(member, body)
    return written.getvalue()


def _opened(data: bytes) -> _Open:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    folders: dict[str, dict[str, Json]] = {"documents": {}, "maps": {}}
    for folder, found in folders.items():
        found |= {name[len(folder) + 1 : -5]: json.loads(body) for name, body in members.items() if name.startswith(f"{folder}/")}
    raws = {name[4:]: body for name, body in members.items() if name.startswith("raw/")}
    pages = {name: members[name] for name in ("report.html", "report.md")}
    slim = json.loads(members["MANIFEST.json"])["slim"]
    return _Open(
        json.loads(members["report.json"]), json.loads(members["chain.json"]), folders["documents"], folders["maps"], raws, pages, slim
    )


def _closed(parts: _Open, random: Random) -> bytes:
    """Put it together: new names for what changed, wherever they stand, then the chain, the seal and the manifest."""
    names = {old: _sha(_canonical(document)) for old, document in parts.documents.items()}
    report, chain = _renamed(parts.report, names), _renamed(parts.chain, names)
    with suppress(*_NOTHING_THERE):
        chain["seal"] = report["run"]["seal"] = _seal(chain)
    if not parts.paged:
        with suppress(*_NOTHING_THERE):
            read = Report.model_validate_json(_canonical(report))
            parts.pages = {"report.html": render_html(read).encode(), "report.md": render_markdown(read).encode()}
    members = {
        "report.json": _canonical(report),
        "chain.json": _canonical(chain),
        **parts.pages,
        **{f"documents/{names[old]}.json": _canonical(document) for old, document in parts.documents.items()},
        **{f"maps/{names.get(old, old)}.json": _canonical(runs) for old, runs in parts.maps.items()},
        **({} if parts.slim else {f"raw/{name}": body for name, body in parts.raws.items()}),
    }
    rows = [{"name": name, "sha256": _sha(body), "size": len(body)} for name, body in sorted(members.items())]
    members["MANIFEST.json"] = _canonical({"format": "veridical.bundle/1", "members": rows, "slim": parts.slim})
    return spelled(members)


def _seal(chain: Json) -> str:
    head = _sha(_canonical({key: chain[key] for key in ("run", "policy", "policy_fingerprint")}))
    for name in chain["documents"]:
        try:
            head = _sha(bytes.fromhex(head) + bytes.fromhex(name))
        except (TypeError, ValueError):
            return head
    return head


def _repaired(parts: _Open) -> None:
    """Make again what follows from the rest: texts of spans, rows of citations, numbers, counts, funnel, records."""
    report, rows = parts.report, {}
    for row in report["citations"]:
        document = parts.documents[row["document"]]
        if document["raw"] is not None and document["raw"]["digest"] in parts.raws:
            document["raw"]["size"] = len(parts.raws[document["raw"]["digest"]])
        for key in ("url", "title", "author", "published", "retrieved", "locator", "origin", "grades"):
            row[key] = document[key]
        row["text_sha256"] = _sha(document["text"].encode())
        row["snippet_hash"] = row["text_sha256"][:16]
        row["witness"] = next((grade for grade in ("attested", "wire", "held") if grade in document["grades"].values()), "held")
        rows[row["document"]] = row
    for span in _spans(report):
        text = (parts.documents.get(span["document"]) or {}).get(span["field"]) or ""
        span["text"] = text[span["start"] : span["end"]] or span["text"]
    claims = [claim for part in (*report["themes"], *report["answers"]) for claim in part["claims"]]
    for number, claim in enumerate(claims, 1):
        claim["id"] = f"c{number}"
        if claim["wording"] == "source" and claim["quotes"]:
            claim["text"] = claim["quotes"][0]["sentence"]["text"]
    for number, theme in enumerate(report["themes"], 1):
        theme["id"] = f"t{number}"
        if theme["name"]["wording"] == "kernel":
            theme["name"]["text"] = f"Theme {number}"
        elif theme["name"]["span"] is not None:
            theme["name"]["text"] = theme["name"]["span"]["text"]
        theme["counts"] = _counts([rows[place["document"]] for place in theme["members"]])
    for answer in report["answers"]:
        missing = "No sentence of the evidence could be verified as an answer to this."
        answer["status"], answer["reason"] = ("answered", None) if answer["claims"] else ("unaddressed", missing)
    _cited(parts, claims, rows)


def _cited(parts: _Open, claims: list[Json], rows: dict[str, Json]) -> None:
    report = parts.report
    quoted = list(dict.fromkeys(quote["span"]["document"] for claim in claims for quote in claim["quotes"]))
    named = [theme["name"]["span"]["document"] for theme in report["themes"] if theme["name"]["span"]]
    members = [place["document"] for theme in report["themes"] for place in theme["members"]]
    order = list(dict.fromkeys([*quoted, *named, *members]))
    shown = list(dict.fromkeys([*(row["document"] for row in report["citations"]), *report["not_cited"]]))
    report["citations"] = [rows[name] | {"number": number} for number, name in enumerate(order, 1)]
    report["not_cited"] = [name for name in shown if name not in quoted]
    report["funnel"] |= {"cited": len(quoted), "shown": len(shown)}
    parts.documents = {name: document for name, document in parts.documents.items() if name in order}
    parts.maps = {name: runs for name, runs in parts.maps.items() if name in order}
    kept = {document["raw"]["digest"] for document in parts.documents.values() if document["raw"]}
    parts.raws = {name: body for name, body in parts.raws.items() if name in kept}


def _counts(rows: list[Json]) -> Json:
    known = {row["account_key"] for row in rows if row["account"] == "known"}
    attested = {row["account_key"] for row in rows if row["account"] == "attested"}
    return {
        "mentions": len(rows),
        "accounts": len(known),
        "unknown_accounts": sum(row["account"] == "unknown" for row in rows),
        "attested_accounts": len(attested - known),
        "sources": len({row["source_key"] for row in rows}),
        "origins": len({row["origin_key"] for row in rows}),
    }


# Changes of the report


def _quotes(parts: _Open) -> list[Json]:
    return [quote for part in (*parts.report["themes"], *parts.report["answers"]) for claim in part["claims"] for quote in claim["quotes"]]


def _claims(parts: _Open) -> list[list[Json]]:
    return [part["claims"] for part in (*parts.report["themes"], *parts.report["answers"]) if part["claims"]]


def _spans(value: Json) -> Iterator[Json]:
    if isinstance(value, dict):
        if {"document", "field", "start", "end", "text"} == value.keys():
            yield value
        for item in value.values():
            yield from _spans(item)
    elif isinstance(value, list):
        for item in value:
            yield from _spans(item)


def _leaves(value: Json, at: Path = ()) -> Iterator[Path]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*at, key)
        yield from _leaves(item, (*at, key))


_WORDS = (
    "exact", "located", "clipped", "illustration", "answered", "refused", "unaddressed", "source", "model", "kernel", "verbatim",
    "attached", "held", "wire", "attested", "known", "unknown", "excluded", "text", "title", "case", "nfc", "ok", "failed", "year", "day",
    "second", "month", "ambiguous-occurrence", "plain", "markdown", "html", "json", "csv", "mime", "utf-8", "latin-1", "utf-7",
)  # fmt: skip


def _other(value: Json, random: Random) -> Json:
    """Another value such as a field of this kind might hold, or one of another kind."""
    if random.random() < 0.1:
        return random.choice((None, True, 0, "x", [], {}, -1, 2**70, "\u202e", "\x1e", "a" * 64))
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return random.choice((value + 1, max(0, value - 1), value * 2, 0, 1))
    if isinstance(value, list):
        return random.choice((value[1:], [*value, *value[-1:]], value[::-1], [*value, random.choice(_WORDS)]))
    if not isinstance(value, str):
        return random.choice(("x", 3, [], "https://a.example/9"))
    if value in _WORDS:
        return random.choice(_WORDS)
    at = random.randint(0, len(value))
    return random.choice(
        (value + "x", value[:-1], value.upper(), value.replace(" ", "  "), value[:at] + random.choice("ae 09.-\n") + value[at:])
    )


def _leaf(holder: Json, random: Random) -> None:
    *parents, last = random.choice([*_leaves(holder)])
    for key in parents:
        holder = holder[key]
    holder[last] = _other(holder[last], random)


def _move(parts: _Open, random: Random) -> None:
    """Another beginning or end of a span."""
    quote = random.choice(_quotes(parts))
    span = random.choice([quote["span"], quote["sentence"], *(each for each in (quote["before"], quote["after"]) if each)])
    text = parts.documents[span["document"]][span["field"]]
    edge = random.choice(("start", "end"))
    spaces = [at for at in range(len(text) + 1) if at in (0, len(text)) or text[at - 1].isspace() or text[at : at + 1].isspace()]
    near = sorted(spaces, key=lambda at: abs(at - span[edge]))[:8]
    span[edge] = random.choice((*near, span[edge] + 1, max(0, span[edge] - 1)))
    span["text"] = text[span["start"] : span["end"]]


def _neighbour(parts: _Open, random: Random) -> None:
    quote = random.choice(_quotes(parts))
    name = random.choice(("before", "after", "headings"))
    quote[name] = [] if name == "headings" and quote[name] else [copy.deepcopy(quote["sentence"])] if name == "headings" else None


_LABELS = (
    "ambiguous-occurrence", "bidi-escaped", "case", "clipped-context:negation", "clipped-context:unit", "field:title", "invisible", "nfc",
    "quoted-not-authored", "snippet-only", "soft-hyphen", "suspected-injection", "typography", "whitespace", "whitespace:block",
)  # fmt: skip


def _label(parts: _Open, random: Random) -> None:
    quote = random.choice(_quotes(parts))
    name = random.choice(("labels", "folds"))
    quote[name] = sorted({*quote[name]} ^ {random.choice((*_LABELS, *quote[name]))})
    if name == "folds" and quote["verdict"] in ("exact", "located"):
        quote["verdict"] = "located" if quote["folds"] else "exact"


def _promote(parts: _Open, random: Random) -> None:
    """A clipped quote, or words of somebody else, as an exact one."""
    quote = random.choice([each for each in _quotes(parts) if each["labels"] or each["verdict"] in ("clipped", "illustration")])
    quote["labels"], quote["verdict"] = [], "located" if quote["folds"] else "exact"


def _list_of(choose: Callable[[_Open, Random], list[Json]]) -> Callable[[_Open, Random], None]:
    def change(parts: _Open, random: Random) -> None:
        found = choose(parts, random)
        at, to = random.randrange(len(found)), random.randrange(len(found))
        kind = random.choice(("drop", "double", "swap"))
        if kind == "drop":
            del found[at]
        elif kind == "double":
            found.insert(to, copy.deepcopy(found[at]))
        else:
            found[at], found[to] = found[to], found[at]

    return change


def _members(parts: _Open, random: Random) -> None:
    theme = random.choice(parts.report["themes"])
    name = random.choice([*parts.documents])
    theme["members"] = [place for place in theme["members"] if place["document"] != name] or [{"document": name, "start": 0, "end": 1}]


def _named(parts: _Open, random: Random) -> None:
    name = random.choice(parts.report["themes"])["name"]
    document, text = random.choice([(key, each["text"]) for key, each in parts.documents.items()])
    start = random.randrange(len(text))
    end = min(len(text), start + random.randint(1, 30))
    span = {"document": document, "field": "text", "start": start, "end": end, "text": text[start:end]}
    name |= random.choice(
        (
            {"wording": "source", "span": span, "text": text[start:end]},
            {
                "wording": "model",
                "span": None,
                "text": random.choice(("Batteries", "Most of them fail", "3 of 4 printers", text[start:end])),
            },
            {"wording": "kernel", "span": None},
        )
    )


def _worded(parts: _Open, random: Random) -> None:
    """A source's claim in a model's words, or a model's in others."""
    claim = random.choice(random.choice(_claims(parts)))
    words = claim["quotes"][0]["sentence"]["text"]
    said = random.choice(
        (
            words,
            "It works.",
            "All 812 accounts agree.",
            words.replace(" not ", " "),
            f"{words} See https://evil.example/.",
            words.replace("3", "4"),
        )
    )
    claim |= {"wording": "model", "support": "attached", "text": said, "template": said}


def _accounted(parts: _Open, random: Random) -> None:
    row = random.choice(parts.report["citations"])
    kind = random.choice(("bot", "domain", "key", "origin", "one origin"))
    if kind == "bot":
        row |= {"account": "excluded", "account_key": None}
    elif kind == "domain":
        row["source_key"] = random.choice((row["source_key"].partition(".")[2], f"www.{row['source_key']}", "evil.example"))
    elif kind == "key":
        row["account_key"] = random.choice((row["account_key"].swapcase(), row["account_key"] + "x"))
    elif kind == "origin":
        row["origin_key"] = _sha(row["origin_key"].encode())[:16]
    else:
        row["origin_key"] = random.choice(parts.report["citations"])["origin_key"]


# Changes of the evidence


def _retold(parts: _Open, random: Random) -> None:
    """Other words in a document; mostly in its bytes too, and with a map that fits when it has none."""
    name = random.choice([*parts.documents])
    document = parts.documents[name]
    words = random.choice(document["text"].split())
    new = random.choice(("never", "not", "9", words + words, ""))
    document["text"] = document["text"].replace(words, new, 1)
    if random.random() < 0.7 and document["raw"] is not None:
        _rewritten(parts, document, parts.raws[document["raw"]["digest"]].replace(words.encode(), new.encode(), 1))


def _rewritten(parts: _Open, document: Json, raw: bytes) -> None:
    parts.raws[_sha(raw)] = raw
    document["raw"] |= {"digest": _sha(raw), "size": len(raw)}


def _rebytes(parts: _Open, random: Random) -> None:
    document = random.choice([each for each in parts.documents.values() if each["raw"]])
    raw = bytearray(parts.raws[document["raw"]["digest"]])
    at = random.randrange(len(raw))
    raw[at : at + random.randint(0, 2)] = random.choice((b"", b" ", b"x", b"9", b'"', b"\xff", b"\n", b"\\"))
    _rewritten(parts, document, bytes(raw))


def _field(parts: _Open, random: Random) -> None:
    """Another URL, author, date or title; attested when the bytes do not hold it."""
    document = random.choice([*parts.documents.values()])
    field = random.choice(("url", "title", "author", "published"))
    made = {
        "url": (
            "https://b.example/x",
            "http://127.0.0.1/",
            "https://a.example/%zz",
            "https://ex\u0430mple.com/",
            "ftp://a.example/",
            "https://A.example/1",
        ),
        "title": ("Another title", " ", "\u202eeltit"),
        "author": tuple({"site": "source:notes", "id": name, "name": None} for name in ("eve", "[deleted]", "AutoModerator", " ")),
        "published": (
            {"value": "2025-05-05", "precision": "day", "zone_known": False},
            {"value": "2025", "precision": "year", "zone_known": False},
            {"value": "1970-01-01T00:00:00Z", "precision": "second", "zone_known": True},
            {"value": "2025-05-05T01:02:03.50Z", "precision": "second", "zone_known": True},
            {"value": "2026-11-22T01:00:00+14:00", "precision": "second", "zone_known": True},
        ),
    }[field]
    document[field] = copy.deepcopy(random.choice(made))
    if field == "author" and document["url"] and "//" in document["url"]:
        document["author"]["site"] = document["url"].split("/")[2].lower()
    document["grades"][field] = random.choice(("attested", "attested", "held"))
    if document["derivation"] is not None and random.random() < 0.5:
        document["derivation"]["pointers"].pop(field, None)


def _derived(parts: _Open, random: Random) -> None:
    document = random.choice([each for each in parts.documents.values() if each["derivation"]])
    pointers = document["derivation"]["pointers"]
    name = random.choice([*pointers])
    if random.random() < 0.5:
        pointers[name] = random.choice(
            ("", "0", "1", "-1", "01", " 1", "/body", "/tags/-1", "/tags/00", "Subject", "From/name", "part/0", "/~2")
        )
    else:
        pointers[random.choice(("text", "url", "title", "author", "author_name", "published", "words"))] = pointers[name]


def _mapped(parts: _Open, random: Random) -> None:
    runs = parts.maps[random.choice([*parts.maps])]
    at = random.randrange(len(runs))
    run = runs[at]
    kind = random.choice(("cut", "join", "shift", "kind", "drop"))
    if kind == "cut" and run[4] == "copy" and run[1] - run[0] > 1:
        runs[at : at + 1] = [[run[0], run[0] + 1, run[2], run[2] + 1, "copy"], [run[0] + 1, run[1], run[2] + 1, run[3], "copy"]]
    elif kind == "shift":
        run[random.randrange(4)] += random.choice((-1, 1))
    elif kind == "kind":
        run[4] = random.choice(("copy", "entity", "escape", "inserted", "other"))
    else:
        del runs[at]


def _chained(parts: _Open, random: Random) -> None:
    found = parts.chain["documents"]
    kind = random.choice(("swap", "drop", "double", "more", "run", "policy"))
    if kind == "swap":
        random.shuffle(found)
    elif kind == "drop":
        found.pop(random.randrange(len(found)))
    elif kind == "double":
        found.append(found[0])
    elif kind == "more":
        found.append(_sha(b"more"))
    else:
        parts.chain["run" if kind == "run" else "policy_fingerprint"] = _sha(b"other")
    if random.random() < 0.7:
        parts.report["run"] |= {"sealed": len(found), "id": parts.chain["run"], "policy_fingerprint": parts.chain["policy_fingerprint"]}
        parts.report["funnel"]["admitted"] = len(found)


def _paged(parts: _Open, random: Random) -> None:
    name = random.choice([*parts.pages])
    parts.pages[name] = random.choice((b"", parts.pages[name] + b"<script>", b"\xff"))
    parts.paged = True


def _stray(parts: _Open, random: Random) -> None:
    folder, content = random.choice(((parts.maps, []), (parts.documents, {}), (parts.raws, b"")))
    folder[_sha(b"stray")] = content  # type: ignore[index]


def _slimmed(parts: _Open, random: Random) -> None:
    if random.random() < 0.5:
        parts.slim = not parts.slim
    else:
        parts.raws.pop(random.choice([*parts.raws]))


_EDITS: list[tuple[str, Callable[[_Open, Random], None]]] = [
    *[("report leaf", lambda parts, random: _leaf(parts.report, random))] * 5,
    *[("quote leaf", lambda parts, random: _leaf(random.choice(_quotes(parts)), random))] * 3,
    *[("citation leaf", lambda parts, random: _leaf(random.choice(parts.report["citations"]), random))] * 2,
    *[("document leaf", lambda parts, random: _leaf(random.choice([*parts.documents.values()]), random))] * 3,
    *[("span moved", _move)] * 4,
    ("neighbour", _neighbour),
    *[("label", _label)] * 2,
    ("promoted", _promote),
    ("quotes", _list_of(lambda parts, random: random.choice(random.choice(_claims(parts)))["quotes"])),
    ("claims", _list_of(lambda parts, random: random.choice(_claims(parts)))),
    ("themes", _list_of(lambda parts, random: parts.report["themes"])),
    ("answers", _list_of(lambda parts, random: parts.report["answers"])),
    ("citations", _list_of(lambda parts, random: parts.report["citations"])),
    ("not cited", _list_of(lambda parts, random: parts.report["not_cited"])),
    ("members", _members),
    ("members", _list_of(lambda parts, random: random.choice(parts.report["themes"])["members"])),
    ("name", _named),
    *[("worded", _worded)] * 2,
    *[("account", _accounted)] * 2,
    *[("words and bytes", _retold)] * 2,
    *[("bytes", _rebytes)] * 2,
    *[("field", _field)] * 3,
    *[("derivation", _derived)] * 2,
    ("map", _mapped),
    *[("chain", _chained)] * 2,
    ("chain leaf", lambda parts, random: _leaf(parts.chain, random)),
    ("page", _paged),
    ("stray", _stray),
    ("slim", _slimmed),
]

# Changes of single bytes


def _flip(data: bytes, random: Random) -> bytes:
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]


def _compressed(data: bytes, random: Random) -> bytes:
    written = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as archive, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as other:
        for name in archive.namelist():
            other.writestr(name, archive.read(name))
    return written.getvalue()


BYTES: dict[str, Callable[[bytes, Random], bytes]] = {
    "bit": _flip,
    "bits": lambda data, random: _flip(_flip(data, random), random),
    "cut": lambda data, random: data[: random.randrange(len(data))],
    "byte more": lambda data, random: data + random.choice((b"\0", b"PK\5\6", b"x")),
    "byte before": lambda data, random: b"\0" + data,
    "byte out": lambda data, random: (lambda at: data[:at] + data[at + 1 :])(random.randrange(len(data))),
    "compressed": _compressed,
}


def _renamed(value: Json, names: Mapping[str, str]) -> Json:
    if isinstance(value, dict):
        return {key: _renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def _canonical(value: Json) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii") if not isinstance(value, bytes) else value


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
