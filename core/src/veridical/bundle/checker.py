"""Check a veridical bundle without veridical: this one file, Python 3.11 or later, no code of the program that wrote it.

    python -I -S checker.py report.zip [--root DIGEST] [--json] [--show]

    archive    canonical byte for byte, each member as the manifest lists it
    shapes     canonical JSON, in which each object has exactly its members and each value exactly its type
    evidence   documents by digest, in the sealed chain, their fields recomputed from the enclosed raw bytes
    report     spans, claims, citations, counts, funnel and refusal follow from the documents

Exit status: 0 verifies, 2 wrong usage, 4 does not; the first place that fails is named, as a byte or as a JSON path in a member.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
import argparse
import codecs
import csv
import email.policy
import hashlib
import html
import io
import json
import os
import re
import struct
import sys
import unicodedata
import zlib
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

LIMITS = "It does not prove that the words are true, independent, complete or fairly chosen."
CARRIED = "Carried, not recomputed: sentence bounds, account rules, registrable domains, near-duplicates, report.html, report.md."
RECOMPUTED = "text recomputed from the raw bytes"
FOUND = "every visible character found in the raw bytes, in order"
RECORDED = "raw bytes not enclosed, or not recomputable: text as recorded"
WORD = re.compile("[0-9A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0391-\u03a9\u03b1-\u03c9\u0410-\u044f]{2}")
TIMES = {"year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d", "second": "%Y-%m-%dT%H:%M:%S"}
MEMBER = re.compile(r"MANIFEST\.json|(?:chain|report)\.json|report\.(?:html|md)|(?:documents|maps)/[0-9a-f]{64}\.json|raw/[0-9a-f]{64}")
ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});?")
URL = re.compile(r"https?://(\[[0-9a-f:.]+\]|[^\s/?#@:\[\]%\\]+)(:\d{1,5})?([/?#]\S*)?", re.IGNORECASE)
HIDDEN = re.compile("[⟦⟧\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
EDGE = "[][.,;:!?()\"“”„‘’'«»…—]"  # noqa: RUF001 - the marks that may stand beside a URL
NOUNS = {
    "unknown_accounts": ("mention by an unknown author", "mentions by unknown authors"), "origins": ("distinct text", "distinct texts"),
    "attested_accounts": ("account that only a plugin vouches for", "accounts that only a plugin vouches for"),
}  # fmt: skip
UNADDRESSED = "No sentence of the evidence could be verified as an answer to this."
# The first 24 hexadecimal digits of the SHA-256 of the policy's words for each refusal: canonical [code, text, tried, help].
REFUSALS = ("3e0f608cc09c6fc73d66cbf3", "c94c4cc91fad6fe094447a5d", "8f6f24e812e950d582710659")
# Each object and its members, NAME:TYPE; a type left out is `str`, `?` may be null, `[` is a list of, `=` matches a pattern.
TABLE = r"""Chain format:=veridical\.chain/1 run policy:=veridical-policy-1 policy_fingerprint:hex documents:[hex seal:hex;
Document text url:?str title:?str author:?Author published:?Moment retrieved:utc locator:Locator origin plugin extractor raw:?Raw
  derivation:?Derivation grades:Grades; Author site id name:?str; Moment value:time precision:=year|month|day|second zone_known:bool;
Locator container line:?int1 row:?int1 page:?int1 message:?str; Raw digest:hex size:int container:hex offset:int;
Derivation format:=text|json|csv|mime|pdf encoding delimiter projection:=plain|markdown|html pointers:map;
Grades text:grade url:?grade title:?grade author:?grade published:?grade;
Report format:=veridical\.report/1 marker:=veridical-export outcome:=answered|refused query run:Run themes:[Theme answers:[Answer
  citations:[Citation funnel:Funnel not_cited:[hex rejections:[Rejection inputs:[Input plugins:[Plugin refusal:?Refusal;
Run id created_at:utc seal:hex sealed:int policy:=veridical-policy-1 policy_fingerprint:hex seed:num veridical;
Theme id name:Name claims:[Claim members:[Reference counts:Counts; Name wording:=source|kernel|model text span:?Span;
Reference document:hex start:int end:int; Claim id wording:=source|model support:=verbatim|attached text template:?str quotes:[Quote;
Quote span:Span verdict:=exact|located|clipped|illustration folds:[label labels:[label sentence:Span before:?Span after:?Span
  headings:[Span line:?int1; Span document:hex field:=text|title start:int end:int text;
Counts mentions:int accounts:int unknown_accounts:int attested_accounts:int sources:int origins:int;
Answer question status:=answered|unaddressed claims:[Claim reason:?str;
Citation number:int1 document:hex url:?str title:?str author:?Author published:?Moment retrieved:utc locator:Locator origin
  witness:grade grades:Grades source_key account:=known|attested|unknown|excluded account_key:?str origin_key snippet_hash
  text_sha256:hex; Funnel in_scope:int retrieved:int admitted:int selected:int shown:int cited:int;
Rejection rule:slug plugin:slug hook length:int digest:hex;
Input path sha256:?hex size:int status:=read|unchanged|unreadable|unsupported|omitted|derived documents:int reason:?Untrusted;
Untrusted origin text; Plugin name:slug kind distribution version status:=ok|failed|quarantined reason:?Untrusted;
Refusal code:=no-evidence|insufficient-evidence|nothing-verified text tried:[Tried help:[str; Tried what count:int"""
SHAPES: dict[str, dict[str, str]] = {
    row.split()[0]: {member.split(":")[0]: [*member.split(":", 1), "str"][1] for member in row.split()[1:]} for row in TABLE.split(";")
}
PATTERNS = {
    "str": r"[\s\S]*",
    "hex": r"[0-9a-f]{64}",
    "utc": r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z",
    "time": r"[0-9]{4}(-[0-9]{2}(-[0-9]{2}(T[0-9:]{8}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})?)?)?)?",
    "grade": r"held|wire|attested",
    "slug": r"(?=.{1,64}\Z)[a-z0-9]+(-[a-z0-9]+)*",
    "label": "ambiguous-occurrence|bidi-escaped|case|clipped-context:(conditional|negation|question|reported|unit)|dehyphenated|entity"
    "|field:title|invisible|ligature|linebreak|nfc|outer-ellipsis-stripped|quoted-not-authored|snippet-only|soft-hyphen"
    "|suspected-injection|typography|whitespace(:block)?|width",
}


class DoesNotVerify(Exception):  # noqa: N818 - the name is the verdict
    """The bundle does not verify: the first place that fails, and what is wrong there."""


def expect(holds: object, where: str, why: str) -> None:
    """Stop at `where` unless something holds."""
    if not holds:
        raise DoesNotVerify(where, why)


def sha256(data: bytes) -> str:
    """Return the digest as 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def canonical(value: object) -> bytes:
    """Return the one spelling of a JSON value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def same_bytes(came: bytes, due: bytes, where: str, offset: int, why: str) -> None:
    """Stop at the first byte in which `came` differs; `offset` is where `came` starts."""
    if came != due:
        raise DoesNotVerify(f"{where}byte {offset + len(os.path.commonprefix([came, due]))}", why)  # noqa: RUF071 - bytes, not paths


def read_archive(data: bytes) -> dict[str, bytes]:
    """Return the members. The whole archive is spelled again from their names and contents, and compared."""
    members, directory, at, last = dict[str, bytes](), bytearray(), 0, ""
    while data[at : at + 4] == b"PK\3\4":
        size, length = struct.unpack("<I4xH", data[at + 18 : at + 28].ljust(10, b"\0"))
        start = at + 30 + length
        spelled, body = data[at + 30 : start], data[start : start + size]
        name = spelled.decode("latin-1")
        expect(start + size < 2**31 and len(members) < 65534, f"byte {at}", "the archive is larger than a bundle may be")
        expect(MEMBER.fullmatch(name), f"byte {at + 30}", f"{visible(name[:80])!r} is not the name of a member of a bundle")
        expect(name > last, f"byte {at + 30}", f"{name} is twice in the archive, or out of order")
        common = struct.pack("<5H3I2H", 20, 0, 0, 0, 33, zlib.crc32(body), len(body), len(body), length, 0) + spelled
        same_bytes(data[at:start], b"PK\3\4" + common, "", at, f"the header of {name} does not fit its content")
        directory += b"PK\1\2" + struct.pack("<H", 788) + common[:26] + struct.pack("<3H2I", 0, 0, 0, 0x81A40000, at) + spelled
        members[name], at, last = body, start + size, name
    end = b"PK\5\6" + struct.pack("<4H2IH", 0, 0, len(members), len(members), len(directory), at, 0)
    same_bytes(data[at:], bytes(directory + end), "", at, "not the directory and end of a canonical archive")
    return members


def check_shape(value: Any, kind: str, where: str) -> None:
    """Stop unless `value` is exactly of `kind`: nothing more, nothing less, nothing of a similar type."""
    if kind[0] == "?":
        if value is not None:
            check_shape(value, kind[1:], where)
    elif kind[0] == "[":
        expect(type(value) is list, where, "is not a list")
        for index, item in enumerate(value):
            check_shape(item, kind[1:], f"{where}/{index}")
    elif kind in SHAPES:
        expect(type(value) is dict, where, "is not an object")
        wrong = min(value.keys() ^ SHAPES[kind].keys(), default=None)
        expect(wrong is None, f"{where}/{visible(wrong or '')}", "is missing, or is not a member of this object")
        for key, inner in SHAPES[kind].items():
            check_shape(value[key], inner, f"{where}/{key}")
    elif kind in PATTERNS or kind[0] == "=":
        pattern = PATTERNS.get(kind, kind[1:])
        expect(type(value) is str and re.fullmatch(pattern, value), where, f"is not a string of the form {pattern}")
    elif kind == "map":
        expect(type(value) is dict and all(type(item) is str for item in value.values()), where, "is not an object of strings")
    elif kind == "runs":
        rows = type(value) is list and all(type(run) is list and [*map(type, run)] == [int, int, int, int, str] for run in value)
        expect(rows, where, "is not a list of runs")
    else:
        expect(type(value) is (bool if kind == "bool" else int), where, f"is not of type {kind}")
        expect(kind not in ("int", "int1") or value >= (kind == "int1"), where, "is too small")


def hosts(url: str) -> set[str]:
    """Return the spellings of the host of a plain URL: as it is, and as A-labels."""
    host = URL.sub(r"\1", url).lower().strip("[]")
    return {host, ".".join(part if part.isascii() else "xn--" + part.encode("punycode").decode() for part in host.split("."))}


def earliest(where: str, moment: Any) -> datetime:
    """Return the first instant that a time may mean; without a zone it is that of the farthest east."""
    zone, value = ("%z" if moment["zone_known"] else ""), re.sub(r"\.[0-9]+", "", moment["value"])
    try:
        found = datetime.strptime(value, TIMES[moment["precision"]] + zone)  # noqa: DTZ007 - it gets the farthest zone
    except ValueError:
        raise DoesNotVerify(where, f"{moment['value']!r} is not such a time") from None
    return found if zone else found.replace(tzinfo=timezone(timedelta(hours=14)))


def check_document(where: str, document: Any) -> None:
    """A document's fields agree with each other."""
    pointers = (document["derivation"] or {"pointers": {}})["pointers"]
    for field, grade in document["grades"].items():
        expect((grade is None) == (document[field] is None), f"{where}/grades/{field}", "goes with a field")
        expect(grade != "held" or field in pointers, f"{where}/grades/{field}", "is said to be held, and follows from no bytes")
    expect((document["raw"] is None) == (document["derivation"] is None), f"{where}/derivation", "goes with raw bytes")
    url, author, published = document["url"], document["author"], document["published"]
    seen = url is None or visible(url).count("⟦") == len(re.findall("[⟦⟧]", url))
    expect(url is None or (URL.fullmatch(url) and seen), f"{where}/url", "is not a plain http or https URL")
    sites = hosts(url) if url else {f"source:{document['origin']}"}
    expect(author is None or author["site"] in sites, f"{where}/author/site", "is not the site of the URL or of the source")
    retrieved = earliest(f"{where}/retrieved", {"value": document["retrieved"], "precision": "second", "zone_known": True})
    early = published is None or earliest(f"{where}/published", published) <= retrieved
    expect(early, f"{where}/published", "lies after the time of reading")


class Record:
    """The bytes of one record, read as a derivation says: the atom of each field, None where there is none."""

    def __init__(self, raw: bytes, derivation: Any) -> None:
        self.format = derivation["format"]
        self.mail: Any = email.message_from_bytes(raw, policy=email.policy.default) if self.format == "mime" else None
        self.text = "" if self.format == "mime" else self._decoded(raw, derivation["encoding"])
        if self.format == "json":
            self.value: Any = json.loads(self.text, object_pairs_hook=self._object, parse_constant=int)
        if self.format == "csv":
            (self.row,) = csv.reader(io.StringIO(self.text, newline=""), delimiter=derivation["delimiter"], strict=True)
        self.atoms = {field: self._atom(pointer) for field, pointer in derivation["pointers"].items()}

    def _atom(self, pointer: str) -> str | None:
        if self.format == "mime":
            return self._mail(*pointer.partition("/")[::2])
        if self.format == "json":
            return self._json(self.value, pointer.split("/")[1:])
        if self.format == "csv":
            return next(iter(self.row[int(pointer) :]), None) or None
        return None if pointer else self.text

    def _decoded(self, raw: bytes, encoding: str) -> str:
        if codecs.lookup(encoding).name in ("unicode_escape", "raw_unicode_escape", "utf-7", "punycode", "idna"):
            raise ValueError(f"{encoding} writes characters as others")
        return raw.decode(encoding)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) != len(pairs):
            raise ValueError("duplicate key")
        return dict(pairs)

    def _json(self, value: Any, tokens: list[str]) -> str | None:
        for token in tokens:
            key = token.replace("~1", "/").replace("~0", "~")
            member = value.get(key) if type(value) is dict else None
            value = next(iter(value[int(key) :]), None) if type(value) is list else member
        if type(value) not in (int, str, type(None)):
            raise TypeError("neither a string nor an integer")
        return None if value is None else str(value)

    def _mail(self, name: str, detail: str) -> str | None:
        header = self.mail[name]
        if name == "part":
            part = [part for part in self.mail.walk() if part.get_content_maintype() == "text"][int(detail) - 1]
            return self._decoded(part.get_payload(decode=True), part.get_content_charset("utf-8"))
        if header is None or not detail:
            return None if header is None else str(header)
        return next((box.addr_spec if detail == "address" else box.display_name for box in header.addresses), None) or None


def check_fields(where: str, document: Any, atoms: dict[str, str | None]) -> None:
    """Each field that follows from the bytes is what they hold."""
    author = document["author"] or {"id": None, "name": None}
    fields = {"url": document["url"], "title": document["title"], "author": author["id"], "author_name": author["name"]}
    for field, value in fields.items():
        expect(value is None or field not in atoms or atoms[field] == value, f"{where}/{field}", "is not what the raw bytes hold")
    if document["published"] is not None and "published" in atoms:
        expect(says(atoms["published"] or "", document["published"]["value"]), f"{where}/published", "is not the date in the raw bytes")


def says(atom: str, value: str) -> bool:
    """Whether a date as a source wrote it is this one: the same seconds since 1970, or the same numbers and month."""
    if re.fullmatch(r"[0-9]{10}(?:[0-9]{3})?", atom):
        return datetime.fromtimestamp(int(atom[:10]), UTC).strftime("%Y-%m-%dT%H:%M:%SZ") == value
    months = {MONTHS.index(name.lower()) + 1 for name in re.findall("[A-Za-z]{3}", atom) if name.lower() in MONTHS}
    wanted, numbers = ([int(number) for number in re.findall("[0-9]+", words)] for words in (value[:19], atom))
    return {*wanted} <= {*numbers, *months} and (not months or months.issuperset(wanted[1:2]))


def check_map(where: str, runs: list[Any], text: str, atom: str) -> None:
    """Every visible character stands in the atom, in order, as the map says."""
    shown = source = 0
    for index, (t0, t1, a0, a1, kind) in enumerate(runs):
        expect(t0 == shown < t1 and source <= a0 <= a1 <= len(atom), f"{where}/{index}", "does not follow the run before it")
        words, markup = text[t0:t1], atom[a0:a1]
        stands = {
            "copy": words == markup,
            "entity": ENTITY.fullmatch(markup) and html.unescape(markup) == words,
            "escape": re.fullmatch(r"\\[!-/:-@\[-`{-~]", markup) and markup[1] == words,
            "inserted": not markup and not words.strip(" \n>\x1e"),
        }
        expect(stands.get(kind), f"{where}/{index}", "these characters do not stand in the raw bytes")
        shown, source = t1, a1
    expect(shown == len(text), where, "does not end where the text does")


def supporting(claim: Any) -> list[Any]:
    """Return the quotes that a claim may rest on: not those cut out of their context, too short, or in somebody else's words."""
    sound = [quote for quote in claim["quotes"] if quote["verdict"] in ("exact", "located")]
    return [quote for quote in sound if "quoted-not-authored" not in quote["labels"]]


def facts(text: str) -> set[str]:
    """Return the numbers and e-mail addresses in a text."""
    addresses = {found.strip(EDGE).casefold() for found in re.findall(r"[\w.+-]{1,64}@[\w.-]{1,255}", text)}
    return addresses | set(re.findall(r"\d+(?:\.\d+)*", re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)))


class Bundle:
    """An archive that verifies; making one stops at the first thing that does not hold."""

    def __init__(self, data: bytes, root: str | None) -> None:
        self.members = read_archive(data)
        self._manifest()
        self.root = sha256(self.members["MANIFEST.json"])
        expect(root in (None, self.root), "MANIFEST.json", f"its digest, the root digest, is {self.root}, which is not the one given")
        self.report, self.chain = self._json("report.json", "Report"), self._json("chain.json", "Chain")
        self._chain(self.report["run"])
        self.documents, self.atoms = dict[str, Any](), dict[str, tuple[str, list[Any]]]()
        self._documents()
        self.traces = {name: self._trace(name, document) for name, document in self.documents.items()}
        self.rows = {row["document"]: row for row in self.report["citations"]}
        self._citations()
        self._claimed()

    def _manifest(self) -> None:
        for name in ("MANIFEST.json", "chain.json", "report.html", "report.json", "report.md"):
            expect(name in self.members, name, "is missing")
        manifest, slim = self.members["MANIFEST.json"], self.members["MANIFEST.json"].endswith(b'"slim":true}')
        rows = [{"name": name, "sha256": sha256(body), "size": len(body)} for name, body in self.members.items()][1:]
        due = canonical({"format": "veridical.bundle/1", "members": rows, "slim": slim})
        for row in rows if manifest != due else ():
            expect(canonical(row) in manifest, str(row["name"]), "is not what the manifest lists")
        same_bytes(manifest, due, "MANIFEST.json ", 0, "is not the list of the enclosed members")
        expect(not slim or not any(name.startswith("raw/") for name in self.members), "MANIFEST.json/slim", "stands beside raw bytes")

    def _json(self, name: str, kind: str) -> Any:
        body = self.members.get(name, b"")
        try:
            value = json.loads(body.decode("ascii"))
            json.dumps(value, ensure_ascii=False).encode("utf-8")  # a lone surrogate has no bytes
            due = canonical(value)
        except (ValueError, RecursionError) as error:
            raise DoesNotVerify(name, f"is missing, or is not JSON that has one spelling ({visible(str(error))[:120]})") from None
        same_bytes(body, due, f"{name} ", 0, "not the canonical spelling (order, spaces, escapes, a key that is there twice)")
        check_shape(value, kind, name)
        return value

    def _chain(self, run: Any) -> None:
        chain, head = self.chain, {"policy": run["policy"], "policy_fingerprint": run["policy_fingerprint"], "run": run["id"]}
        for key, due in (*head.items(), ("seal", run["seal"])):
            expect(chain[key] == due, f"chain.json/{key}", "is not that of report.json/run")
        seal = sha256(canonical(head))
        for document in chain["documents"]:
            seal = sha256(bytes.fromhex(seal) + bytes.fromhex(document))
        expect(chain["seal"] == seal, "chain.json/seal", "is not what the documents hash to")
        whole = len(set(chain["documents"])) == len(chain["documents"]) == run["sealed"]
        expect(whole, "report.json/run/sealed", "is not the number of documents in the chain, each there once")

    def _documents(self) -> None:
        sealed, used = set(self.chain["documents"]), set[str]()
        for index, row in enumerate(self.report["citations"]):
            where, name, member = f"report.json/citations/{index}", row["document"], f"documents/{row['document']}.json"
            expect(row["number"] == index + 1, f"{where}/number", "citations are not numbered from 1 in their order")
            expect(name in sealed and name not in self.documents, f"{where}/document", "is not in the sealed chain, or is cited twice")
            document = self.documents[name] = self._json(member, "Document")
            expect(sha256(self.members[member]) == name, member, "does not hash to its name")
            check_document(member, document)
            used |= {member, f"raw/{(document['raw'] or {'digest': ''})['digest']}"}
            used |= {f"maps/{name}.json"} if document["derivation"] and document["derivation"]["projection"] != "plain" else set()
        for member in self.members:
            expect("/" not in member or member in used, member, "belongs to nothing that is cited")

    def _trace(self, name: str, document: Any) -> str:
        where, derivation, raw = f"documents/{name}.json", document["derivation"], f"raw/{(document['raw'] or {'digest': ''})['digest']}"
        if raw not in self.members:
            return RECORDED
        expect(sha256(self.members[raw]) == raw[4:], raw, "does not hash to its name")
        expect(len(self.members[raw]) == document["raw"]["size"], f"{where}/raw/size", "is not that of the bytes")
        if derivation["format"] == "pdf":
            return RECORDED
        try:
            atoms = Record(self.members[raw], derivation).atoms
        except Exception as error:  # noqa: BLE001 - whatever a parser stumbles on, the bytes are not what they are said to be
            raise DoesNotVerify(raw, f"cannot be read as its document says ({type(error).__name__}: {visible(str(error))[:80]})") from None
        check_fields(where, document, atoms)
        text, plain = atoms.get("text") or "", derivation["projection"] == "plain"
        runs = [[0, len(document["text"]), 0, len(text), "copy"]] if plain else self._json(f"maps/{name}.json", "runs")
        check_map(f"{where}/text" if plain else f"maps/{name}.json", runs, document["text"], text)
        self.atoms[name] = (text, runs)
        return RECOMPUTED if plain else FOUND

    def _citations(self) -> None:
        keys = dict[str, Any]()
        for index, row in enumerate(self.report["citations"]):
            where, document, account = f"report.json/citations/{index}", self.documents[row["document"]], row["account"]
            url, author, grades, text = document["url"], document["author"], document["grades"], sha256(document["text"].encode())
            due = {key: document[key] for key in ("url", "title", "author", "published", "retrieved", "locator", "origin", "grades")}
            due["witness"] = next(grade for grade in ("attested", "wire", "held") if grade in grades.values())
            due["account"] = {None: "unknown", "attested": "attested"}.get(grades["author"], "known")
            due |= {"account": "excluded"} if author and account == "excluded" else {}
            for key, value in (due | {"text_sha256": text, "snippet_hash": text[:16]}).items():
                expect(row[key] == value, f"{where}/{key}", "is not what the document gives")
            expect(row["retrieved"] <= self.report["run"]["created_at"], f"{where}/retrieved", "lies after the time of the report")
            sources = hosts(url) if url else {f"source:{row['origin']}"}
            above = row["source_key"] in sources or (url and any(host.endswith(f".{row['source_key']}") for host in sources))
            expect(above, f"{where}/source_key", "is not of the URL or the source")
            name, site = (author["id"].strip(), author["site"]) if author else ("", "")
            names, nobody = (name, unicodedata.normalize("NFC", name).casefold()), account in ("unknown", "excluded")
            spelled = {f"{place.lower()}/{name}" for place in (site, row["source_key"]) for name in names}
            expect(row["account_key"] in ({None} if nobody else spelled), f"{where}/account_key", "is not of the author")
            equal = {"source_key": min(sources), "origin_key": text, "account_key": author and [author["site"], author["id"]]}
            for key, of in equal.items():
                expect(keys.setdefault(f"{key} {of}", row[key]) == row[key], f"{where}/{key}", "differs from that of an equal one")

    def _claimed(self) -> None:
        number, quoted, counted = 0, set[str](), set[str]()
        for index, theme in enumerate(self.report["themes"]):
            where, members = f"report.json/themes/{index}", [place["document"] for place in theme["members"]]
            expect(theme["id"] == f"t{index + 1}", f"{where}/id", "themes are not numbered in their order")
            expect(theme["claims"], f"{where}/claims", "a theme without a claim")
            self._counts(where, theme, members)
            cited = self._claims(where, theme["claims"], number, theme["counts"])
            expect(cited <= set(members), f"{where}/members", "a document is quoted and not counted")
            self._name(f"{where}/name", index + 1, theme)
            number, quoted, counted = number + len(theme["claims"]), quoted | cited, counted.union(members)
            counted |= {theme["name"]["span"]["document"]} if theme["name"]["span"] else set()
        for index, answer in enumerate(self.report["answers"]):
            where = f"report.json/answers/{index}"
            quoted |= self._claims(where, answer["claims"], number, {})
            number += len(answer["claims"])
            due = ("answered", None) if answer["claims"] else ("unaddressed", UNADDRESSED)
            expect((answer["status"], answer["reason"]) == due, f"{where}/status", "is not what its claims give")
        for index, row in enumerate(self.report["citations"]):
            expect(row["document"] in quoted | counted, f"report.json/citations/{index}", "is neither quoted nor counted")
        self._funnel(quoted)

    def _counts(self, where: str, theme: Any, members: list[str]) -> None:
        expect(len(set(members)) == len(members), f"{where}/members", "a document is counted twice")
        for index, place in enumerate(theme["members"]):
            length = len(self.documents.get(place["document"], {"text": ""})["text"])
            expect(place["start"] < place["end"] <= length, f"{where}/members/{index}", "is no place in a cited document")
        picked = [self.rows[name] for name in members]
        known, attested = ({row["account_key"] for row in picked if row["account"] == kind} for kind in ("known", "attested"))
        due = {"mentions": len(members), "accounts": len(known), "attested_accounts": len(attested - known)}
        due |= {"unknown_accounts": [row["account"] for row in picked].count("unknown")}
        due |= {"sources": len({row["source_key"] for row in picked}), "origins": len({row["origin_key"] for row in picked})}
        for name, size in due.items():
            expect(theme["counts"][name] == size, f"{where}/counts/{name}", f"the members make {size}")

    def _claims(self, where: str, claims: Any, before: int, sizes: Any) -> set[str]:
        for index, claim in enumerate(claims):
            place, quotes = f"{where}/claims/{index}", claim["quotes"]
            expect(claim["id"] == f"c{before + index + 1}", f"{place}/id", "claims are not numbered in their order")
            for number, quote in enumerate(quotes):
                self._quote(f"{place}/quotes/{number}", quote)
            support = supporting(claim)
            expect(support, f"{place}/quotes", "none of them supports the claim")
            due = ("verbatim", True) if claim["wording"] == "source" else ("attached", False)
            expect((claim["support"], claim["template"] is None) == due, f"{place}/support", "is not that of the wording")
            if claim["wording"] == "model":
                self._prose(f"{place}/text", claim["text"], claim["template"], support, sizes)
            else:
                expect(quotes[0] in support, f"{place}/quotes/0", "does not support the claim whose words it gives")
                expect(claim["text"] == quotes[0]["sentence"]["text"], f"{place}/text", "is not the sentence of the first quote")
        return {quote["span"]["document"] for claim in claims for quote in claim["quotes"]}

    def _quote(self, where: str, quote: Any) -> None:
        span, whole, end = quote["span"], quote["sentence"], sys.maxsize
        parts = [("sentence", whole, 0, end), ("span", span, whole["start"], whole["end"])]
        parts += [("before", quote["before"], 0, whole["start"]), ("after", quote["after"], whole["end"], end)]
        parts += [(f"headings/{index}", heading, 0, span["start"]) for index, heading in enumerate(quote["headings"])]
        for name, part, low, high in parts:
            if part is not None:
                self._span(f"{where}/{name}", part)
                same = part["document"] == span["document"] and (part["field"] == span["field"] or "/" in name)
                expect(same and low <= part["start"] and part["end"] <= high, f"{where}/{name}", "does not stand where it should")
        expect(span["document"] not in self.atoms or quote["line"] == self._line(span), f"{where}/line", "is not where the quote stands")
        expect(quote["verdict"] != ("exact" if quote["folds"] else "located"), f"{where}/folds", "do not go with the verdict")
        text, at, stop = self.documents[span["document"]][span["field"]], span["start"], span["end"]
        repeated = re.match(r"\s*>([ \t]+|(?=[>\n]|[^\W\d_]|\Z))", text[max(text.rfind(mark, 0, at) for mark in "\n\x1e") + 1 :])
        expect(("quoted-not-authored" in quote["labels"]) == bool(repeated), f"{where}/labels", "do not say whose words these are")
        first = at - len(text[at - 600 : at].partition(" ")[2]) if at > 600 else 0  # farther than that no sentence reaches
        last = stop + len(text[stop : stop + 600].rpartition(" ")[0]) if stop + 600 < len(text) else len(text)
        opened = whole["start"] == first or not re.search(r"[^\W_],?[ \t]*\Z", text[: whole["start"]][-80:])
        closed = whole["end"] == len(text[:last].rstrip()) or not re.match(r"[^\W_],?[ \t]*[^\W_]", text[whole["end"] - 1 :][:80])
        expect(opened and closed, f"{where}/sentence", "is not a whole sentence")
        expect(not any(WORD.fullmatch(text[max(0, at - 1) : at + 1]) for at in (at, stop)), f"{where}/span", "is cut within a word")

    def _line(self, span: Any) -> int | None:
        (atom, runs), at, document = self.atoms[span["document"]], span["start"], self.documents[span["document"]]
        kind, line = document["derivation"]["format"] if span["field"] == "text" else "title", document["locator"]["line"]
        if kind == "text":
            place = next(a0 + (at - t0) * (run == "copy") for t0, t1, a0, _, run in runs if t0 <= at < t1)
            return (line or 1) + len(re.findall(r"\r\n?|\n", atom[:place]))
        return None if kind not in ("json", "csv") or re.search(rb"[\r\n]", self.members[f"raw/{document['raw']['digest']}"]) else line

    def _span(self, where: str, span: Any) -> None:
        text = self.documents.get(span["document"], {span["field"]: ""})[span["field"]] or ""
        expect(span["start"] < span["end"] <= len(text), where, "is no place in a cited document")
        expect(span["text"] == text[span["start"] : span["end"]], f"{where}/text", "is not what stands there in the document")
        crosses = re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", span["text"])
        expect(not crosses, f"{where}/text", "holds a control character or crosses a hard boundary")

    def _name(self, where: str, number: int, theme: Any) -> None:
        name, span = theme["name"], theme["name"]["span"]
        expect((span is not None) == (name["wording"] == "source"), f"{where}/span", "goes with words of a source")
        if span is not None:
            self._span(f"{where}/span", span)
        if name["wording"] == "model":
            quotes = [quote for claim in theme["claims"] for quote in supporting(claim)]
            self._prose(f"{where}/text", name["text"], name["text"], quotes, {})
        else:
            expect(name["text"] == (span["text"] if span else f"Theme {number}"), f"{where}/text", "is not what it should be")

    def _prose(self, where: str, text: str, template: str, quotes: list[Any], sizes: Any) -> None:
        """A model's counts are the computed ones, its URLs are cited, its numbers and addresses stand in one cited sentence."""
        links, written = re.compile(r"https?://\S+", re.IGNORECASE), template
        for name, size in sizes.items():
            written = written.replace(f"{{count:{name}}}", f"{size} {NOUNS.get(name, (name[:-1], name))[size != 1]}")
        same = "{" not in text and links.sub("", text) == links.sub("", written)
        expect(same, where, "is not what the template and the computed counts give")
        cited = [self.documents[quote["span"]["document"]]["url"] for quote in quotes]
        for link in links.findall(text):
            known = any(url and link.startswith(url) and not link.removeprefix(url).strip(EDGE) for url in cited)
            expect(known, where, f"{visible(link)} is not the URL of a document that the claim cites")
        due = facts(links.sub("", re.sub(r"\{count:[a-z_]+\}", "", template)))
        together = any(due <= facts(quote["sentence"]["text"]) for quote in quotes)
        expect(together, where, "its numbers and addresses do not stand together in one cited sentence")

    def _funnel(self, quoted: set[str]) -> None:
        report, funnel, refusal, rest = self.report, self.report["funnel"], self.report["refusal"], self.report["not_cited"]
        expect(funnel["cited"] == len(quoted), "report.json/funnel/cited", f"{len(quoted)} documents are quoted")
        expect(funnel["admitted"] == report["run"]["sealed"], "report.json/funnel/admitted", "is not the length of the sealed chain")
        steps = [funnel[step] for step in ("cited", "shown", "selected", "admitted", "retrieved")]
        expect(steps == sorted(steps), "report.json/funnel", "a later step has more documents than the one before it")
        apart = len({*rest}) == len(rest) == funnel["shown"] - funnel["cited"] and quoted.isdisjoint(rest)
        expect(
            apart and {*self.documents} - quoted <= {*rest} <= {*self.chain["documents"]},
            "report.json/not_cited",
            "is not what was shown and is not cited",
        )
        due = ("answered", False) if report["themes"] else ("refused", True)
        expect((report["outcome"], refusal is not None) == due, "report.json/outcome", "is not what the themes give")
        if refusal is not None:
            expect(not quoted, "report.json/answers", "a refusal claims nothing")
            said = canonical([refusal["code"], refusal["text"], [step["what"] for step in refusal["tried"]], refusal["help"]])
            expect(sha256(said)[:24] in REFUSALS, "report.json/refusal", "is not said in the words of this policy")
            due = [funnel[step] for step in ("in_scope", "retrieved", "admitted", "shown")]
            expect([step["count"] for step in refusal["tried"]] == due, "report.json/refusal/tried", "is not what the funnel says")

    def released(self) -> list[str]:
        """Return the released items as lines."""
        lines = [f"\nQuestion: {visible(self.report['query'])}"]
        for theme in self.report["themes"]:
            counts = ", ".join(f"{name.replace('_', ' ')} {size}" for name, size in theme["counts"].items())
            lines += [f"\nTheme ({theme['name']['wording']} wording): {visible(theme['name']['text'])}", f"  {counts}"]
            lines += self._spoken(theme["claims"])
        for answer in self.report["answers"]:
            lines += [f"\nTo address: {visible(answer['question'])} {answer['reason'] or ''}".rstrip(), *self._spoken(answer["claims"])]
        return [*lines, *([f"No answer. {self.report['refusal']['text']}"] if self.report["refusal"] else []), ""]

    def _spoken(self, claims: Any) -> list[str]:
        lines: list[str] = []
        for claim in claims:
            if claim["wording"] == "model":
                lines.append(f"  {claim['id']} in a model's words, quotes attached: {visible(claim['text'])}")
            for quote in claim["quotes"]:
                text, row = quote["sentence"]["text"], self.rows[quote["span"]["document"]]
                low, high = (quote["span"][edge] - quote["sentence"]["start"] for edge in ("start", "end"))
                found = row["locator"] | {"line": quote["line"] or row["locator"]["line"]}
                place = ", ".join(f"{key} {value}" for key, value in found.items() if value is not None)
                source = f"{place}, {row['url'] or row['origin']}, witness {row['witness']}, read {row['retrieved']}"
                lines.append(f"  {claim['id']} {visible(text[:low])}⟦{visible(text[low:high])}⟧{visible(text[high:])}")
                lines.append(f"     [{row['number']}] {', '.join([quote['verdict'], *quote['labels']])}: {visible(source)}")
        return lines


def visible(text: str) -> str:
    """Return words on one line, every character that cannot be seen written out as `⟦U+202E⟧`."""
    unseen = {char for char in text if HIDDEN.match(char) or unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")}
    return "".join(f"⟦U+{ord(char):04X}⟧" if char in unseen else char for char in re.sub(r"[\r\n\t]", " ", text))


def main(arguments: list[str]) -> int:
    """Check the bundle that the arguments name; return the exit status."""
    parser = argparse.ArgumentParser(prog="checker.py", description="Check a veridical bundle without veridical.", allow_abbrev=False)
    parser.add_argument("bundle", help="the archive")
    parser.add_argument("--root", metavar="DIGEST", help="its root digest, obtained elsewhere than with the bundle")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--show", action="store_true", help="print the released items")
    options = parser.parse_args(arguments)
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr] # it is a text stream
    name, origin = visible(options.bundle), "root digest as given" if options.root else "consistent, origin unproven"
    try:
        bundle = Bundle(Path(options.bundle).read_bytes(), options.root and options.root.lower())
    except OSError as error:
        parser.error(f"{name} cannot be read: {error.strerror}")
    except DoesNotVerify as error:
        status, result = 4, {"ok": False, "where": error.args[0], "why": error.args[1]}
        lines = [f"{name} does not verify.", ": ".join(error.args)]
    else:
        status, result = 0, {"ok": True, "origin": origin, "root": bundle.root, "documents": bundle.traces, "limits": LIMITS}
        states = [f"{[*bundle.traces.values()].count(state)} documents: {state}" for state in (RECOMPUTED, FOUND, RECORDED)]
        shown = bundle.released() if options.show else []
        lines = [f"{name} verifies: {origin}", f"root digest {bundle.root}", *shown, *states, CARRIED, LIMITS]
    sys.stdout.write((json.dumps(result) if options.json else "\n".join(lines)) + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
