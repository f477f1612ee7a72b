"""Honest bundles of many shapes, by the real way: bytes -> admission -> release -> exit -> bundle. Everything follows from a seed.

Records are text files, rows of JSON and of tables, and mails, in several languages, plain or with markup; some fields are attested. What is
proposed to `release` is drawn at random: quotes as they stand or folded, whole or cut, titles, model wordings with counts, names, answers.
What the kernel does not confirm it drops; what is left is published.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path
from random import Random

from veridical.bundle import write_bundle
from veridical.kernel.admission import Admission, AdmissionRefused, Bytes, Trust, admission_tag, admit
from veridical.kernel.canonical import digest
from veridical.kernel.exit import Published, Reread, Store, publish
from veridical.kernel.policy import load_policy
from veridical.kernel.report import Evidence
from veridical.kernel.run import Run
from veridical.kernel.sentences import sentence
from veridical.wire.reading import Derived
from veridical.workflows.release import Proposal, ProposedAnswer, ProposedClaim, ProposedQuote, ProposedTheme, release
from veridical_contract import (
    Derivation,
    Document,
    InputRecord,
    Item,
    Locator,
    PluginRecord,
    Raw,
    Reference,
    Untrusted,
)

from tests.properties.world import ROWS, World

__all__ = ["KEY", "honest", "reread"]

KEY = bytes(32)
RETRIEVED = datetime(2026, 11, 21, 12, tzinfo=UTC)
SENTENCES: tuple[str, ...] = (
    *json.loads(Path(__file__).with_name("sentences.json").read_text("utf-8")),
    *(part for row in ROWS for part in row.text.split("\n\n")),
    "Training took 3 days on 2,000 images.",
    "Ask ann@a.example before you buy the printer.",
)
_URLS = (
    "https://a.example/1", "https://www.a.example/1?x=1&utm_source=z#top", "http://b.example:8080/w", "https://forum.b.example/t/7",
    "https://news.ycombinator.com/item?id=1", "https://ann.wordpress.com/2026/", "https://b\u00fccher.example/", "HTTPS://C.EXAMPLE/%7ex",
    "http://shop.example.co.uk/", "https://10.0.0.1/", "javascript:alert(1)", "https://user@b.example/",
)  # fmt: skip
_AUTHORS = ("ann", "Ann", "bob", " bob ", "[deleted]", "AutoModerator", "x[bot]", "J\u00f6rg", "user 7", "")
_DATES = ("2026", "2026-01", "2026-01-02", "2026-01-02T03:04:05Z", "1767225600", "January 2, 2026", "2030-01-01", "2026-02-30", "soon")
_TITLES = ("On batteries", "Why the printer fails for everybody", "\u96fb\u6c60\u306b\u3064\u3044\u3066", "", "Re: Re: the battery")
_QUESTIONS = ("Why does the battery fail?", "Who says so?", "\u0e17\u0e33\u0e44\u0e21")


def honest(seed: int, number: int) -> tuple[bytes, bool]:
    """Return the bundle of this number, and whether it is slim."""
    random = Random(f"{seed}/{number}")
    if random.random() < 0.02:
        return _bundled(_researched(random), slim=False), False
    while True:
        slim = random.random() < 0.06
        published = _released(random)
        if published is not None:
            return _bundled(published, slim=slim), slim


def reread(document: Document, raw: bytes) -> Reread:
    """What the host's reader makes of a record's bytes."""
    assert document.derivation is not None
    found = Derived(raw, document.derivation, line=document.locator.line)
    return Reread(found.text, found.runs, found.line, found.headings)


def _bundled(published: Published, *, slim: bool) -> bytes:
    written = BytesIO()
    write_bundle(published, written, slim=slim)
    return written.getvalue()


def _researched(random: Random) -> Published:
    rows = random.sample(ROWS, random.randint(4, len(ROWS)))
    world = World(rows=rows)
    world.source.rows = rows  # type: ignore[attr-defined]
    question = random.choice(("Why does the battery of the printer fail?", "What is the capital city of Mongolia?"))
    return world.research(question, tuple(random.sample(_QUESTIONS, random.randint(0, 2))))


def _released(random: Random) -> Published | None:
    raws: dict[str, bytes] = {}
    admitted: dict[str, Admission] = {}
    for number in range(random.randint(1, 9)):
        found = _record(random, number)
        if found is not None:
            one, raw = found
            admitted[one.id] = one
            raws |= {digest(raw): raw} if raw is not None else {}
    run = _run(random, list(admitted))
    store = Store(
        documents=lambda names: [(admitted[name].body, admission_tag(name, KEY)) for name in names],
        raws=lambda names: [raws.get(name) for name in names],
        reread=reread,
        key=KEY,
    )
    documents = {name: one.document for name, one in admitted.items()}
    evidence = Evidence(run, documents)
    report = release(_proposal(random, evidence, raws), evidence)
    return publish(report, run, store)


def _run(random: Random, admitted: Sequence[str]) -> Run:
    run = Run(
        run=f"run-{random.randint(1, 9)}",
        created_at="2026-11-21T12:00:00Z",
        query=random.choice(_QUESTIONS),
        must_address=tuple(random.sample(_QUESTIONS, random.randint(0, 2))),
        policy=load_policy(),
        seed=random.randint(-3, 3),
        version="0.1.0",
    )
    for name in (*admitted, *(digest(f"other {at}".encode()) for at in range(random.randint(0, 2)))):
        run.admit(name)
    run.shown = tuple(random.sample(admitted, random.randint(min(1, len(admitted)), len(admitted))))
    run.selected = random.randint(len(run.shown), len(run.documents))
    run.retrieved = len(run.documents) + random.randint(0, 3)
    run.in_scope = run.retrieved + random.randint(0, 9)
    if random.random() < 0.5:
        run.inputs = (
            InputRecord(path="a.txt", sha256=digest(b"a"), size=1, status="read", documents=1),
            InputRecord(path="b.pdf", sha256=None, size=0, status="unreadable", reason=Untrusted(origin="files", text="damaged")),
        )
        run.plugins = (PluginRecord(name="chat", kind="chat", distribution="d", version="1", status="ok"),)
    run.seal()
    return run


# Records


def _record(random: Random, number: int) -> tuple[Admission, bytes | None] | None:
    """Return an admitted record and its bytes; None when the kernel refuses it."""
    made = random.choice((_text, _text, _json, _json, _csv, _mail, _told))(random)
    item, raw = made
    held = None
    if raw is not None:
        assert item.derivation is not None
        read = Derived(raw, item.derivation, line=item.locator.line)
        held = Bytes(raw, read.text, read.runs)
    try:
        one = admit(
            item,
            plugin="files",
            origin=random.choice(("notes", "rows")),
            extractor="x/1",
            retrieved=RETRIEVED,
            held=held,
            trust=Trust(attested=True),
            policy=load_policy(),
        )
    except AdmissionRefused:
        return None
    return one, raw


def _words(random: Random, projection: str) -> str:
    parts = [random.choice(SENTENCES) for _ in range(random.randint(1, 5))]
    joints = (" ", " ", " ", "\n", "\n\n", "  ")
    if projection == "markdown":
        parts = [random.choice(("{}", "{}", "**{}**", "# {}\n", "- {}", "> {}", "`{}`", "~~{}~~")).format(part) for part in parts]
        joints = (" ", "\n\n", "\n\n", "\n")
    if projection == "html":
        parts = [
            random.choice(("<p>{}</p>", "<b>{}</b>", "<h2>{}</h2>", "<li>{}</li>", "<del>{}</del>", "{}<br>")).format(part)
            for part in parts
        ]
        joints = ("", " ", "\n")
    return parts[0] + "".join(random.choice(joints) + part for part in parts[1:])


def _projection(random: Random) -> str:
    return random.choice(("plain", "plain", "markdown", "html"))


def _item(raw: bytes, layout: Mapping[str, object], locator: Locator, **attested: str | None) -> tuple[Item, bytes]:
    whole = Raw(digest=digest(raw), size=len(raw), container=digest(b"file" + raw), offset=0)
    return Item(locator=locator, raw=whole, derivation=Derivation.model_validate(layout), **attested), raw


def _text(random: Random) -> tuple[Item, bytes]:
    projection = _projection(random)
    raw = _words(random, projection).replace("\n", random.choice(("\n", "\n", "\r\n"))).encode()
    told = {"url": random.choice(_URLS), "author": random.choice(_AUTHORS)} if random.random() < 0.3 else {}
    layout = {"format": "text", "projection": projection, "pointers": {"text": ""}}
    return _item(raw, layout, Locator(container="notes/a.txt", line=random.choice((1, 1, 7))), **told)


def _json(random: Random) -> tuple[Item, bytes]:
    projection = _projection(random)
    row = {
        "body": _words(random, projection), "at": {"u~/": random.choice((*_URLS, None))}, "who": random.choice((*_AUTHORS, None, 7)),
        "name": random.choice(("Ann B.", None)), "tags": [random.choice(_TITLES)], "when": random.choice((*_DATES, None, 1767225600123)),
    }  # fmt: skip
    pointers = {"text": "/body", "url": "/at/u~0~1", "title": "/tags/0", "author": "/who", "author_name": "/name", "published": "/when"}
    for name in random.sample(sorted(pointers), random.randint(0, 3)):
        if name != "text":
            del pointers[name]
    raw = json.dumps(row, ensure_ascii=random.random() < 0.5, indent=random.choice((None, None, 1))).encode()
    layout = {"format": "json", "projection": projection, "pointers": pointers}
    return _item(raw, layout, Locator(container="rows.jsonl", line=random.randint(1, 9), row=random.randint(1, 9)))


def _csv(random: Random) -> tuple[Item, bytes]:
    delimiter, encoding = random.choice((",", ";", "\t")), random.choice(("utf-8", "utf-16", "utf-8-sig"))
    written = StringIO(newline="")
    cells = [_words(random, "plain"), random.choice(_URLS), random.choice(_AUTHORS), random.choice(_DATES), random.choice(_TITLES)]
    csv.writer(written, delimiter=delimiter, lineterminator="").writerow(cells)
    pointers = {"text": "0", "url": "1", "author": "2", "published": "3", "title": "4"}
    layout = {"format": "csv", "encoding": encoding, "delimiter": delimiter, "pointers": pointers}
    return _item(
        written.getvalue().encode(encoding), layout, Locator(container="t.csv", line=random.randint(2, 9), row=random.randint(1, 9))
    )


def _mail(random: Random) -> tuple[Item, bytes]:
    message = EmailMessage()
    message["From"] = random.choice(("Cy Doe <cy@b.example>", "ann@a.example"))
    message["Date"] = "Fri, 02 Jan 2026 10:00:00 +0100"
    message["Subject"] = random.choice(("On layers", "Re: the battery of the printer"))
    message["Message-ID"] = "<1@b.example>"
    message.set_content(_words(random, "plain"))
    raw = message.as_bytes()
    pointers = {"text": "part/1", "title": "Subject", "author": "From/address", "published": "Date"}
    named = random.choice(("<1@b.example>", None))
    return _item(raw, {"format": "mime", "pointers": pointers}, Locator(container="m.mbox", message=named))


def _told(random: Random) -> tuple[Item, None]:
    return Item(
        text=_words(random, "plain"),
        url=random.choice((*_URLS, None)),
        title=random.choice((*_TITLES, None)),
        author=random.choice((*_AUTHORS, None)),
        published=random.choice((*_DATES, None, 1767225600)),
        locator=Locator(container="https://api.example/1"),
    ), None


# Proposals


def _proposal(random: Random, evidence: Evidence, raws: Mapping[str, bytes]) -> Proposal:
    if not evidence.run.shown or random.random() < 0.04:
        return Proposal("liar", "chat", refuse=random.choice(("no-evidence", "insufficient-evidence")))
    themes = tuple(_theme(random, evidence, raws) for _ in range(random.randint(1, 3)))
    answers = tuple(
        ProposedAnswer(index, tuple(_claim(random, evidence, raws) for _ in range(random.randint(0, 2))))
        for index in range(len(evidence.run.must_address))
    )
    return Proposal("liar", "chat", themes, answers)


def _theme(random: Random, evidence: Evidence, raws: Mapping[str, bytes]) -> ProposedTheme:
    claims = tuple(_claim(random, evidence, raws) for _ in range(random.randint(1, 3)))
    quoted = [one.at.document for claim in claims for one in claim.quotes if one.at is not None]
    others = random.sample(evidence.run.shown, random.randint(0, len(evidence.run.shown)))
    members = tuple(Reference(document=name, start=0, end=len(evidence.documents[name].text)) for name in dict.fromkeys(others + quoted))
    name = random.choice((None, None, "Battery", _part(random, SENTENCES)))
    return ProposedTheme(name, random.choice((None, _quote(random, evidence, raws))), claims, members)


def _claim(random: Random, evidence: Evidence, raws: Mapping[str, bytes]) -> ProposedClaim:
    quotes = tuple(_quote(random, evidence, raws) for _ in range(random.choice((1, 1, 1, 2, 3))))
    said = None
    if random.random() < 0.4 and quotes[0].at is not None:
        document = evidence.documents[quotes[0].at.document]
        said = random.choice((quotes[0].words, _part(random, SENTENCES)))
        said += random.choice(
            ("", "", " Say {count:accounts} and {count:sources}.", f" See {document.url}.", " See https://evil.example/.")
        )
    return ProposedClaim(said, quotes)


def _quote(random: Random, evidence: Evidence, raws: Mapping[str, bytes]) -> ProposedQuote:
    name = random.choice(evidence.run.shown)
    document = evidence.documents[name]
    field = "title" if document.title and random.random() < 0.15 else "text"
    text = document.title or "" if field == "title" else document.text
    start, end = _span(random, text)
    at = Reference(document=name, start=start, end=end)
    words = _folded(random, text[start:end])
    if document.raw is None or field == "title":
        return ProposedQuote(words, at, field, occurrences=text.count(words) or 1)
    read = reread(document, raws[document.raw.digest])
    headings = tuple(Reference(document=name, start=low, end=high) for low, high in read.headings(start))
    return ProposedQuote(words, at, field, occurrences=text.count(words) or 1, headings=headings, line=read.line(start))


def _span(random: Random, text: str) -> tuple[int, int]:
    """A sentence, or words of one, or any span."""
    at = random.randrange(len(text))
    if random.random() < 0.05:
        return at, random.randint(at + 1, len(text))
    start, end = sentence(text, at, at + 1, policy=load_policy())
    words = [place for place in range(start, end) if text[place].isspace()]
    if words and random.random() < 0.5:
        start = random.choice((start, random.choice(words) + 1))
        end = random.choice((end, *[place for place in words if place > start]))
    return start, max(end, start + 1)


def _folded(random: Random, words: str) -> str:
    if random.random() < 0.7:
        return words
    changes = (("'", "\u2019"), ('"', "\u201c"), (" ", "  "), ("\n", " "), ("-\n", ""), ("...", "\u2026"), ("&", "&amp;"))
    old, new = random.choice(changes)
    return random.choice((words.replace(old, new), words[:1].swapcase() + words[1:], f"...{words}", words.upper()))


@cache
def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _part(random: Random, among: Sequence[str]) -> str:
    words = _split(random.choice(among))
    return " ".join(words[: random.randint(1, len(words))])
