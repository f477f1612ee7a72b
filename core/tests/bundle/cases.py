"""A small honest bundle made by hand, and the same bundle as a liar would rebuild it: with every outer digest right.

`Case` holds the parts as plain values. A test changes one, `build` computes whatever follows from it (identifiers, chain, seal,
manifest), so that only the lie itself is left to be found.
"""

from __future__ import annotations

import copy
import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from veridical.kernel.counts import origin_of
from veridical.kernel.policy import load_policy
from veridical.kernel.texts import refusal

POLICY = "veridical-policy-1"
FINGERPRINT = load_policy().fingerprint
Change = Callable[[Any], object]


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def nothing(_: Any) -> None:
    """Change nothing."""


# The last line repeats somebody else's words.
NOTES = (
    "Getting started\n\nNeural networks need a lot of data. Training took 3 days on 2,000 images. Ask ann@a.example first.\x1e"
    "End of part.\n> Nobody reads all of them.\n"
)
MARKDOWN = "Beginners **rarely** tune &amp; test; they copy \\* settings."
SHOWN = "Beginners rarely tune & test; they copy * settings."
MAP = [
    [0, 10, 0, 10, "copy"],
    [10, 16, 12, 18, "copy"],
    [16, 22, 20, 26, "copy"],
    [22, 23, 26, 31, "entity"],
    [23, 40, 31, 48, "copy"],
    [40, 41, 48, 50, "escape"],
    [41, 51, 50, 60, "copy"],
]
ROW = {"who": "Ann", "name": "Ann B.", "body": MARKDOWN, "link": "https://www.a.example/q/1?x=%20#top", "at": 1767225600, "tags": ["t/0"]}
POINTERS = {"text": "/body", "url": "/link", "title": "/tags/0", "author": "/who", "author_name": "/name", "published": "/at"}
MAIL = (
    b"From: Cy Doe <cy@b.example>\r\nDate: Fri, 02 Jan 2026 10:00:00 +0100\r\nSubject: On layers\r\nMIME-Version: 1.0\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\n\r\nDeep layers forget what came before them.\r\n"
)


def document(text: str, raw: bytes | None, derivation: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    grade = "held" if raw is not None else "attested"
    found: dict[str, Any] = {
        "text": text,
        "url": None,
        "title": None,
        "author": None,
        "published": None,
        "retrieved": "2026-06-02T10:00:00Z",
        "locator": {"container": "notes/a.md", "line": None, "row": None, "page": None, "message": None},
        "origin": "notes",
        "plugin": "files",
        "extractor": "text/plain/1",
        "raw": None,
        "derivation": None,
        **more,
    }
    if raw is not None:
        found["raw"] = {"digest": sha(raw), "size": len(raw), "container": sha(raw), "offset": 0}
        found["derivation"] = {"encoding": "utf-8", "delimiter": ",", "projection": "plain", **(derivation or {})}
    fields = ("text", "url", "title", "author", "published")
    found["grades"] = {name: grade if found[name] is not None else None for name in fields}
    return found


def moment(value: str, precision: str = "day", zone_known: bool = False) -> dict[str, Any]:
    return {"value": value, "precision": precision, "zone_known": zone_known}


@dataclass
class Case:
    """The parts of a bundle. Documents are named by letters; `build` puts their identifiers wherever a report says `@letter`."""

    raws: dict[str, bytes] = field(default_factory=dict)
    documents: dict[str, dict[str, Any]] = field(default_factory=dict)
    maps: dict[str, Any] = field(default_factory=dict)
    report: dict[str, Any] = field(default_factory=dict)
    sealed_only: list[str] = field(default_factory=list)
    slim: bool = False

    def ids(self) -> dict[str, str]:
        return {letter: sha(canonical(found)) for letter, found in self.documents.items()}

    def named(self, value: Any, ids: dict[str, str]) -> Any:
        """Return `value` with `@letter` replaced by the document's identifier."""
        if isinstance(value, dict):
            return {key: self.named(item, ids) for key, item in value.items()}
        if isinstance(value, list):
            return [self.named(item, ids) for item in value]
        return ids.get(value[1:], value) if isinstance(value, str) and value.startswith("@") else value

    def seal(self, report: dict[str, Any], documents: list[str]) -> str:
        run = report["run"]
        head = sha(
            canonical({key: run[name] for key, name in (("run", "id"), ("policy", "policy"), ("policy_fingerprint", "policy_fingerprint"))})
        )
        for name in documents:
            head = sha(bytes.fromhex(head) + bytes.fromhex(name))
        return head

    def members(self, chain: Change = nothing, report: Change = nothing) -> dict[str, bytes]:
        """Return the members without the manifest. `chain` and `report` change what is made, after everything was computed."""
        ids = self.ids()
        said = self.named(copy.deepcopy(self.report), ids)
        sealed = [*ids.values(), *(sha(name.encode()) for name in self.sealed_only)]
        said["run"]["seal"] = self.seal(said, sealed)
        said["run"]["sealed"] = len(sealed)
        links: dict[str, Any] = {
            "format": "veridical.chain/1",
            "run": said["run"]["id"],
            "policy": said["run"]["policy"],
            "policy_fingerprint": said["run"]["policy_fingerprint"],
            "documents": sealed,
            "seal": said["run"]["seal"],
        }
        chain(links)
        report(said)
        found = {
            "chain.json": canonical(links),
            "report.json": canonical(said),
            "report.html": b"<!doctype html>",
            "report.md": b"# report",
            **{f"documents/{ids[letter]}.json": canonical(body) for letter, body in self.documents.items()},
            **{f"maps/{ids[letter]}.json": canonical(runs) for letter, runs in self.maps.items()},
        }
        if not self.slim:
            found |= {f"raw/{sha(raw)}": raw for raw in self.raws.values()}
        return found

    def build(self, chain: Change = nothing, report: Change = nothing, members: Change = nothing, manifest: Change = nothing) -> bytes:
        """Return the archive; `members` changes them before they are listed, `manifest` the list."""
        found = self.members(chain, report)
        members(found)
        listed: dict[str, Any] = {
            "format": "veridical.bundle/1",
            "members": [{"name": name, "sha256": sha(body), "size": len(body)} for name, body in sorted(found.items())],
            "slim": self.slim,
        }
        manifest(listed)
        return archive({**found, "MANIFEST.json": canonical(listed)})


def archive(members: dict[str, bytes]) -> bytes:
    """Return the canonical archive of `members`."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        for name, body in sorted(members.items()):
            info = zipfile.ZipInfo(name)
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            file.writestr(info, body)
    return target.getvalue()


def span(case: Case, letter: str, words: str, where: str = "text") -> dict[str, Any]:
    start = case.documents[letter][where].index(words)
    return {"document": f"@{letter}", "field": where, "start": start, "end": start + len(words), "text": words}


def quote(case: Case, letter: str, words: str, sentence: str, where: str = "text", **more: Any) -> dict[str, Any]:
    return {
        "span": span(case, letter, words, where),
        "verdict": "exact",
        "folds": [],
        "labels": [],
        "sentence": span(case, letter, sentence, where),
        "before": None,
        "after": None,
        "headings": [],
        "line": None,
        **more,
    }


def claim(number: int, *quotes: dict[str, Any], text: str | None = None, template: str | None = None) -> dict[str, Any]:
    return {
        "id": f"c{number}",
        "wording": "source" if template is None else "model",
        "support": "verbatim" if template is None else "attached",
        "text": text or quotes[0]["sentence"]["text"],
        "template": template,
        "quotes": list(quotes),
    }


def cite(case: Case, number: int, letter: str) -> dict[str, Any]:
    found = case.documents[letter]
    present = [grade for grade in found["grades"].values() if grade is not None]
    author = found["author"]
    text = sha(found["text"].encode())
    host = found["url"].split("/")[2].lower().split(":")[0] if "//" in (found["url"] or "") else None
    same = {key: found[key] for key in ("url", "title", "author", "published", "retrieved", "locator", "origin", "grades")}
    return {
        **same,
        "number": number,
        "document": f"@{letter}",
        "witness": next(grade for grade in ("attested", "wire", "held") if grade in present),
        "source_key": ".".join(host.split(".")[-2:]) if host else f"source:{found['origin']}",
        "account": "unknown" if author is None else "attested" if found["grades"]["author"] == "attested" else "known",
        "account_key": None if author is None else f"{author['site']}/{author['id'].strip().casefold()}",
        "origin_key": origin_of(found["text"]),
        "snippet_hash": text[:16],
        "text_sha256": text,
    }


def place(case: Case, letter: str) -> dict[str, Any]:
    return {"document": f"@{letter}", "start": 0, "end": len(case.documents[letter]["text"])}


def counts(mentions: int, accounts: int, unknown: int, attested: int, sources: int, origins: int) -> dict[str, int]:
    return {
        "mentions": mentions,
        "accounts": accounts,
        "unknown_accounts": unknown,
        "attested_accounts": attested,
        "sources": sources,
        "origins": origins,
    }


def run() -> dict[str, Any]:
    return {
        "id": "run-1",
        "created_at": "2026-06-03T10:00:00Z",
        "seal": "",
        "sealed": 0,
        "policy": POLICY,
        "policy_fingerprint": FINGERPRINT,
        "seed": -7,
        "veridical": "0.1.0",
    }


def evidence() -> Case:
    """Return a case with one document of each kind and no report yet."""
    case = Case()
    case.raws = {
        "a": NOTES.encode(),
        "b": json.dumps(ROW).encode(),
        "c": '"Nobody explains, why layers help.",bob,2 Jan 2026'.encode("latin-1"),
        "m": MAIL,
        "p": b"%PDF-1.7 not recomputable",
    }
    case.documents = {
        "a": document(NOTES, case.raws["a"], {"format": "text", "pointers": {"text": ""}}, locator={**_locator("notes/a.txt"), "line": 1}),
        "b": document(
            SHOWN,
            case.raws["b"],
            {"format": "json", "projection": "markdown", "pointers": dict(POINTERS)},
            locator={**_locator("notes/b.jsonl"), "line": 5},
            url=ROW["link"],
            title="t/0",
            author={"site": "www.a.example", "id": "Ann", "name": "Ann B."},
            published=moment("2026-01-01T00:00:00Z", "second", zone_known=True),
        ),
        "c": document(
            "Nobody explains, why layers help.",
            case.raws["c"],
            {"format": "csv", "encoding": "latin-1", "pointers": {"text": "0", "author": "1", "published": "2", "url": "3"}},
            locator={**_locator("notes/c.csv"), "line": 2, "row": 1},
            author={"site": "source:notes", "id": "bob", "name": None},
            published=moment("2026-01-02"),
        ),
        "m": document(
            "Deep layers forget what came before them.\r\n",
            case.raws["m"],
            {
                "format": "mime",
                "pointers": {
                    "text": "part/1",
                    "title": "Subject",
                    "author": "From/address",
                    "published": "Date",
                    "url": "X-Url",
                },
            },
            title="On layers",
            author={"site": "source:notes", "id": "cy@b.example", "name": None},
            published=moment("2026-01-02T10:00:00+01:00", "second", zone_known=True),
        ),
        "p": document("A page says that learning rates matter most.", case.raws["p"], {"format": "pdf", "pointers": {"text": "1"}}),
        "w": document(
            "Attested words are only as good as who says them.",
            None,
            None,
            url="http://b.example:8080/w",
            author={"site": "b.example", "id": "Dee", "name": None},
            published=moment("2026", "year"),
        ),
    }
    case.documents["w"]["grades"]["text"] = "wire"
    case.maps = {"b": copy.deepcopy(MAP)}
    return case


def _locator(container: str) -> dict[str, Any]:
    return {"container": container, "line": None, "row": None, "page": None, "message": None}


def answered(change: Change = nothing) -> Case:
    """Return a case whose report has a claim of each wording, a name of each wording, an answer and a question without one.

    `change` changes the evidence before the report is made from it.
    """
    case = evidence()
    change(case)
    data = "Neural networks need a lot of data."
    days = "Training took 3 days on 2,000 images."
    mail = "Ask ann@a.example first."
    near = {"before": span(case, "a", data), "after": span(case, "a", mail), "headings": [span(case, "a", "Getting started")], "line": 3}
    first = quote(case, "a", "need a lot of data", data, headings=[span(case, "a", "Getting started")], line=3)
    tune = quote(case, "b", "Beginners rarely tune & test", SHOWN, verdict="located", folds=["case"], labels=["case"], line=5)
    clipped = quote(
        case, "m", "layers forget", "Deep layers forget what came before them.", verdict="clipped", labels=["clipped-context:unit"]
    )
    borrowed = quote(case, "a", "Nobody reads all", "Nobody reads all of them.", labels=["quoted-not-authored"], line=4)
    nobody = quote(case, "c", "why layers help", "Nobody explains, why layers help.", line=2)
    wire = quote(case, "w", "Attested words are only", "Attested words are only as good as who says them.", labels=["snippet-only"])
    title = quote(case, "m", "On layers", "On layers", "title", labels=["field:title"])
    case.report = {
        "format": "veridical.report/1",
        "marker": "veridical-export",
        "outcome": "answered",
        "query": "What is hard?\u202e",
        "run": run(),
        "themes": [
            {
                "id": "t1",
                "name": {"wording": "source", "text": "learning rates", "span": span(case, "p", "learning rates")},
                "claims": [claim(1, first, clipped), claim(2, tune, borrowed, nobody)],
                "members": [place(case, letter) for letter in "abcmw"],
                "counts": counts(5, 3, 1, 1, 3, 5),
            },
            {
                "id": "t2",
                "name": {"wording": "model", "text": "Training takes 3 days", "span": None},
                "claims": [
                    claim(
                        3,
                        quote(case, "a", "Training took 3 days", days, **near),
                        tune,
                        text="Training took 3 days on 2000 images, say 2 accounts, see https://www.a.example/q/1?x=%20#top.",
                        template="Training took 3 days on 2000 images, say {count:accounts}, see https://www.A.example/q/1?x=%20#top.",
                    ),
                    claim(
                        4,
                        quote(case, "a", "Ask ann@a.example first", mail, line=3),
                        text="Ask Ann@a.example.",
                        template="Ask Ann@a.example.",
                    ),
                ],
                "members": [place(case, letter) for letter in "abm"],
                "counts": counts(3, 2, 1, 0, 2, 3),
            },
            {
                "id": "t3",
                "name": {"wording": "kernel", "text": "Theme 3", "span": None},
                "claims": [claim(5, title)],
                "members": [place(case, "m")],
                "counts": counts(1, 1, 0, 0, 1, 1),
            },
        ],
        "answers": [
            {"question": "Who says so?", "status": "answered", "claims": [claim(6, wire)], "reason": None},
            {
                "question": "Why?",
                "status": "unaddressed",
                "claims": [],
                "reason": "No sentence of the evidence could be verified as an answer to this.",
            },
        ],
        "citations": [cite(case, number, letter) for number, letter in enumerate("ambcwp", 1)],
        "funnel": {"in_scope": 40, "retrieved": 30, "admitted": 8, "selected": 7, "shown": 6, "cited": 5},
        "not_cited": ["@p"],
        "rejections": [{"rule": "not-found", "plugin": "extractive", "hook": "chat", "length": 3, "digest": "e" * 64}],
        "inputs": [
            {"path": "a.txt", "sha256": "a" * 64, "size": 3, "status": "read", "documents": 1, "reason": None},
            {
                "path": "b.pdf",
                "sha256": None,
                "size": 3,
                "status": "unreadable",
                "documents": 0,
                "reason": {"origin": "files", "text": "no pages"},
            },
        ],
        "plugins": [
            {"name": "sqlite", "kind": "storage", "distribution": "veridical-sqlite", "version": "1", "status": "ok", "reason": None}
        ],
        "refusal": None,
    }
    case.sealed_only = ["x", "y"]
    return case


def refused() -> Case:
    """Return a case whose report refuses."""
    case = Case()
    case.report = answered().report | {
        "outcome": "refused",
        "themes": [],
        "answers": [answered().report["answers"][1]],
        "citations": [],
        "funnel": {"in_scope": 40, "retrieved": 30, "admitted": 1, "selected": 1, "shown": 1, "cited": 0},
        "not_cited": [sha(b"x")],
        "refusal": refusal("insufficient-evidence", (40, 30, 1, 1)).model_dump(mode="json"),
    }
    case.sealed_only = ["x"]
    return case
