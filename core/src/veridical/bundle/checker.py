"""Check a veridical bundle without veridical: this one file, Python 3.11 or later, no code of the program that wrote it.

    python -I -S checker.py report.zip [--root DIGEST] [--key PUBLIC.pem] [--json] [--show]

    archive    canonical byte for byte, each member as the manifest lists it
    shapes     canonical JSON, in which each object has exactly its members and each value exactly its type
    evidence   documents by digest, in the sealed chain, their fields recomputed from the enclosed raw bytes
    report     spans, claims, citations, counts, funnel and refusal follow from the documents
    signature  with --key: report.zip.sig is an Ed25519 signature of the root digest by that key
Exit status: 0 verifies, 2 wrong usage, 4 does not; the first place that fails is named, as a byte or as a JSON path in a member.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
import argparse
import binascii
import codecs
import csv
import email.policy
import hashlib
import html
import io
import json
import re
import struct
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

LIMITS = "It does not prove that the words are true, independent, complete or fairly chosen."
CARRIED = "Carried, not recomputed: bounds and context of cuts, a model's wording, rules of accounts, hosts and URLs, report.html and .md."
RECOMPUTED = "text recomputed from the raw bytes"
FOUND = "every visible character found in the raw bytes, in order"
RECORDED = "raw bytes not enclosed, or not recomputable: text as recorded"
WORD = re.compile("[0-9A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0391-\u03a9\u03b1-\u03c9\u0410-\u044f]{2}")
FOLDED = ("case", "dehyphenated", "entity", "ligature", "linebreak", "nfc", "outer-ellipsis-stripped", "typography", "whitespace", "width")
KNOWN = {None: "unknown", "attested": "attested"}
SEEN = {"soft-hyphen": "\u00ad", "bidi-escaped": "[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]",
        "whitespace:block": r"\n[ \t\r>]*\n|\u2029"}  # fmt: skip
TIMES = {"year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d", "second": "%Y-%m-%dT%H:%M:%S"}
MEMBER = re.compile(r"MANIFEST\.json|(?:chain|report)\.json|report\.(?:html|md)|(?:documents|maps)/[0-9a-f]{64}\.json|raw/[0-9a-f]{64}")
ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});?")
URL = re.compile(r"https?://(\[[0-9a-f:.]+\]|[^\s/?#@:\[\]%\\]+)(:\d{1,5})?([/?#]\S*)?", re.IGNORECASE)
HIDDEN = re.compile("[⟦⟧\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]")
FIELD = "(text|url|title|author|author_name|published)"
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
EDGE = "[][.,;:!?()\"“”„‘’'«»…—]"  # noqa: RUF001 - the marks that may stand beside a URL
NOUNS = {
    "unknown_accounts": ("mention by an unknown author", "mentions by unknown authors"), "origins": ("distinct text", "distinct texts"),
    "attested_accounts": ("account that only a plugin vouches for", "accounts that only a plugin vouches for")}  # fmt: skip
UNADDRESSED = "No sentence of the evidence could be verified as an answer to this."
REFUSALS = ("3e0f608cc09c6fc73d66cbf3", "c94c4cc91fad6fe094447a5d", "8f6f24e812e950d582710659")  # SHA-256 of [code, text, tried, help]
# Each object and its members, NAME:TYPE; a type left out is `str`, `?` may be null, `~` left out, `[` a list of, `=` a pattern.
TABLE = r"""Chain format:=veridical\.chain/1 run policy policy_fingerprint documents:[hex seal:hex; Document text url:?str title:?str
  author:?Author published:?Moment retrieved:utc locator:Locator origin plugin extractor raw:?Raw derivation:?Derivation grades:Grades;
  Author site id name:?str; Moment value:time precision:=year|month|day|second zone_known:bool; Locator container line:?int1 row:?int1
  page:?int1 message:?=<[!-~]{1,990}>; Raw digest:hex size:int container:hex offset:int; Derivation format:=text|json|csv|mime|pdf|sse|html
  encoding delimiter projection:=plain|markdown|html pointers:{str; Grades text:grade url:?grade title:?grade author:?grade
  published:?grade; Report format:=veridical\.report/1 marker:=veridical-export outcome:=answered|refused query run:Run themes:[Theme
  answers:[Answer citations:[Citation funnel:Funnel not_cited:[hex rejections:[Rejection inputs:[Input plugins:[Plugin refusal:?Refusal; Run
  id created_at:utc seal:hex sealed:int policy:=veridical-policy-1
  policy_fingerprint:=9d0e6e5873f8e9fc309999a12caba516f4c7acf77006220b2f717243c956857d seed:num veridical; Theme id name:Name claims:[Claim
  members:[Reference counts:Counts; Name wording:=source|kernel|model text span:?Span; Reference document:hex start:int end:int; Claim id
  wording:=source|model support:=verbatim|attached text template:?str quotes:[Quote; Quote span:Span
  verdict:=exact|located|clipped|illustration folds:[label labels:[label sentence:Span before:?Span after:?Span headings:[Span line:?int1;
  Span document:hex field:=text|title start:int end:int text; Counts mentions:int accounts:int unknown_accounts:int attested_accounts:int
  sources:int origins:int; Answer question status:=answered|unaddressed claims:[Claim reason:?str; Citation number:int1 document:hex
  url:?str title:?str author:?Author published:?Moment retrieved:utc locator:Locator origin witness:grade grades:Grades source_key
  account:=known|attested|unknown|excluded account_key:?str origin_key snippet_hash text_sha256:hex; Funnel in_scope:int retrieved:int
  admitted:int selected:int shown:int cited:int; Rejection rule:slug plugin:slug hook length:int digest:hex; Input path sha256:?hex size:int
  status:=read|unchanged|unreadable|unsupported|omitted|derived documents:int reason:?Untrusted; Untrusted origin text; Plugin name:slug
  kind distribution version status:=ok|failed|quarantined reason:?Untrusted isolated:~=sandboxed|unsandboxed; Refusal
  code:=no-evidence|insufficient-evidence|nothing-verified text tried:[Tried help:[str; Tried what count:int"""
PRIME, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493  # Ed25519: RFC 8032, 5.1
TWIST, ROOT = -121665 * pow(121666, -1, PRIME) % PRIME, pow(2, PRIME // 4, PRIME)
BASE = (15112221349535400772501151409588531511454012693041857206046113283949847762202, 4 * pow(5, -1, PRIME) % PRIME)
PEM = re.compile(rb"-----BEGIN PUBLIC KEY-----\r?\n(MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=)\r?\n-----END PUBLIC KEY-----\s*")
SHAPES = {kind: dict(f"{each}:str".split(":")[:2] for each in rest) for kind, *rest in map(str.split, TABLE.split(";"))}
PATTERNS = {
    "str": r"[\s\S]*", "hex": r"[0-9a-f]{64}", "utc": r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z",
    "time": r"[0-9]{4}(-[0-9]{2}(-[0-9]{2}(T[0-9:]{8}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})?)?)?)?",
    "slug": r"(?=.{1,64}\Z)[a-z0-9]+(-[a-z0-9]+)*", "grade": r"held|wire|attested",
    "label": "ambiguous-occurrence|bidi-escaped|case|clipped-context:(conditional|negation|question|reported|unit)|dehyphenated|entity"
    "|field:title|invisible|ligature|linebreak|nfc|outer-ellipsis-stripped|quoted-not-authored|snippet-only|soft-hyphen"
    "|suspected-injection|typography|whitespace(:block)?|width"}  # fmt: skip


class DoesNotVerify(Exception):  # noqa: N818 - the name is the verdict
    """The bundle does not verify: the first place that fails, and what is wrong there."""


def expect(holds: object, where: str, why: str) -> None:
    """Stop at `where` unless something holds."""
    if not holds:
        raise DoesNotVerify(where, why)


def _same(came: Any, due: Mapping[str, object], where: str, why: str) -> None:  # stop at the first member that is not what is due
    for key, value in due.items():
        expect(came[key] == value, f"{where}/{key}", why)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _canonical(value: object) -> bytes:  # the one spelling of a JSON value
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def _same_bytes(came: bytes, due: bytes, where: str, offset: int, why: str) -> None:  # stop at the first that differs from `offset` on
    at = next((at for at, (one, other) in enumerate(zip(came, due, strict=False)) if one != other), min(len(came), len(due)))
    expect(came == due, f"{where}byte {offset + at}", why)


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
        common = struct.pack("<5H3I2H", 20, 0, 0, 0, 33, binascii.crc32(body), len(body), len(body), length, 0) + spelled
        _same_bytes(data[at:start], b"PK\3\4" + common, "", at, f"the header of {name} does not fit its content")
        directory += b"PK\1\2" + struct.pack("<H", 788) + common[:26] + struct.pack("<3H2I", 0, 0, 0, 0x81A40000, at) + spelled
        members[name], at, last = body, start + size, name
    end = b"PK\5\6" + struct.pack("<4H2IH", 0, 0, len(members), len(members), len(directory), at, 0)
    _same_bytes(data[at:], bytes(directory + end), "", at, "not the directory and end of a canonical archive")
    return members


def check_shape(value: Any, kind: str, where: str) -> None:
    """Stop unless `value` is exactly of `kind`: nothing more, nothing less, nothing of a similar type."""
    if kind[0] == "?" and value is None:
        return
    kind = kind.lstrip("?~")
    if kind[0] in "[{" or kind in SHAPES:
        expect(type(value) is (list if kind[0] == "[" else dict), where, "is not a list" if kind[0] == "[" else "is not an object")
        wrong = min({*value} ^ {m for m, f in SHAPES[kind].items() if m in value or f[0] != "~"}, default=None) if kind in SHAPES else None
        expect(wrong is None, f"{where}/{visible(wrong or '')}", "is missing, or is not a member of this object")
        for key, item in [*enumerate(value)] if kind[0] == "[" else value.items():
            check_shape(item, SHAPES[kind][str(key)] if kind in SHAPES else kind[1:], f"{where}/{visible(str(key))}")
    elif kind in PATTERNS or kind[0] == "=":
        pattern = PATTERNS.get(kind, kind[1:])
        expect(type(value) is str and re.fullmatch(pattern, value), where, f"is not a string of the form {pattern}")
    elif kind == "run":
        expect(type(value) is list and [*map(type, value)] == [int, int, int, int, str], where, "is not a run")
    else:
        expect(type(value) is (bool if kind == "bool" else int), where, f"is not of type {kind}")
        expect(kind not in ("int", "int1") or value >= (kind == "int1"), where, "is too small")


def _hosts(url: str) -> set[str]:  # the spellings of the host of a plain URL: as it is, and as A-labels
    host = URL.sub(r"\1", url).lower().strip("[]")
    return {host, ".".join(part if part.isascii() else "xn--" + part.encode("punycode").decode() for part in host.split("."))}


def _earliest(where: str, moment: Any) -> datetime:  # the first instant that it may mean: without a zone that of the farthest east
    value = re.sub(r"\.[0-9]+", "", moment["value"]) + ("" if moment["zone_known"] else "+14:00")
    try:
        return datetime.strptime(value, TIMES[moment["precision"]] + "%z")  # noqa: DTZ007 - it has a zone
    except ValueError:
        raise DoesNotVerify(where, f"{moment['value']!r} is not such a time") from None


def _read_record(raw: bytes, derivation: Any) -> dict[str, str | None]:  # the atom of each field, None where there is none
    kind, pointers = derivation["format"], derivation["pointers"].items()
    forms = {"text": "", "json": r"(/([^~/]|~[01])*)*", "csv": "0|[1-9][0-9]{0,8}", "mime": r"part/(0|[1-9][0-9]{0,8})|[^/]*(/(address)?)?"}
    expect(all(re.fullmatch(f"{FIELD} ({forms[kind]})", f"{field} {pointer}") for field, pointer in pointers), "a pointer", "is none")
    if kind == "mime":
        mail: Any = email.message_from_bytes(raw, policy=email.policy.default)
        return {field: _in_mail(mail, *pointer.partition("/")[::2]) for field, pointer in pointers}
    text = _decoded(raw, derivation["encoding"])
    if kind == "json":
        value = json.loads(text, parse_constant=int, object_pairs_hook=lambda of: dict(of) if len(dict(of)) == len(of) else int("twice"))
        return {field: _in_json(value, pointer.split("/")[1:]) for field, pointer in pointers}
    if kind == "csv":
        (row,) = csv.reader(io.StringIO(text, newline=""), delimiter=derivation["delimiter"], strict=True)
        return {field: next(iter(row[int(pointer) :]), None) or None for field, pointer in pointers}
    return {field: None if pointer else text for field, pointer in pointers}


def _decoded(raw: bytes, encoding: str) -> str:
    expect(not re.fullmatch("(raw_)?unicode_escape|utf-7|punycode|idna|hz", codecs.lookup(encoding).name), encoding, "hides")
    return raw.decode(encoding)


def _in_json(value: Any, tokens: list[str]) -> str | None:
    for token in tokens:
        key = token.replace("~1", "/").replace("~0", "~")
        member = value.get(key) if type(value) is dict else None
        value = next(iter(value[int(key) :]), None) if type(value) is list and re.fullmatch("0|[1-9][0-9]{0,8}", key) else member
    expect(type(value) in (int, str, type(None)), "a pointer", "leads to neither a string nor an integer")
    return None if value is None else str(value)


def _in_mail(mail: Any, name: str, detail: str) -> str | None:
    if name == "part":
        found = [None, *(part for part in mail.walk() if part.get_content_maintype() == "text")][int(detail) :][:1]
        return next((_decoded(one.get_payload(decode=True), one.get_content_charset("utf-8")) for one in found if one is not None), None)
    if mail[name] is None or not detail:
        return None if mail[name] is None else str(mail[name])
    return next((box.addr_spec for box in mail[name].addresses), None)


def _says(atom: str, value: str) -> bool:  # whether a date is this one: the same seconds since 1970, or the same numbers and month
    if re.fullmatch(r"[0-9]{10}(?:[0-9]{3})?", atom):
        return datetime.fromtimestamp(int(atom[:10]), UTC).strftime("%Y-%m-%dT%H:%M:%SZ") == value
    months = {MONTHS.index(name.lower()) + 1 for name in re.findall("[A-Za-z]{3}", atom) if name.lower() in MONTHS}
    wanted, numbers = ([int(number) for number in re.findall("[0-9]+", words)] for words in (value[:19], atom))
    return {*wanted} <= {*numbers, *months} and (not months or months.issuperset(wanted[1:2]))


def _supporting(claim: Any) -> list[Any]:  # the quotes that it may rest on: none cut out of context, too short, or in others' words
    return [each for each in claim["quotes"] if each["verdict"] in ("exact", "located") and "quoted-not-authored" not in each["labels"]]


def _facts(text: str) -> set[str]:  # the numbers and e-mail addresses in a text
    addresses = {found.strip(EDGE).casefold() for found in re.findall(r"[\w.+-]{1,64}@[\w.-]{1,255}", text)}
    return addresses | set(re.findall(r"\d+(?:\.\d+)*", re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)))


def _add(one: tuple[int, int], two: tuple[int, int]) -> tuple[int, int]:  # points of the curve: RFC 8032, 5.1.4, as the law itself
    (a, b), (c, d), part = one, two, TWIST * one[0] * one[1] * two[0] * two[1]
    return (a * d + b * c) * pow(1 + part, -1, PRIME) % PRIME, (b * d + a * c) * pow(1 - part, -1, PRIME) % PRIME


def _times(count: int, point: tuple[int, int]) -> tuple[int, int]:
    double = _times(count // 2, _add(point, point)) if count else (0, 1)
    return _add(double, point) if count % 2 else double


def read_point(data: bytes, where: str) -> tuple[int, int]:
    """Return the point of which these 32 bytes are the one spelling (RFC 8032, 5.1.3)."""
    odd, y = divmod(int.from_bytes(data, "little"), 2**255)
    square = (y * y - 1) * pow(TWIST * y * y + 1, -1, PRIME) % PRIME
    root = pow(square, PRIME // 8 + 1, PRIME)  # PRIME is 5 modulo 8
    roots = [x for x in (root, PRIME - root, root * ROOT % PRIME, -root * ROOT % PRIME) if x * x % PRIME == square and x % 2 == odd]
    expect(y < PRIME and min(roots, default=PRIME) < PRIME, where, "is not the one spelling of a point of the curve")
    return min(roots), y


def check_signature(pem: bytes, signature: bytes, message: bytes, where: str) -> str:
    """Return the fingerprint of the key that made the signature (RFC 8032, 5.1.7, without cofactor); stop unless it did."""
    found: Any = PEM.fullmatch(pem)
    expect(found, "--key", "is not an Ed25519 public key in PEM; of a private key it is made by: openssl pkey -in KEY -pubout")
    encoded = binascii.a2b_base64(found[1])
    public = read_point(encoded[12:], "--key")
    expect(_times(8, public) != (0, 1), "--key", "is a key of small order, under which anybody can sign")
    expect(len(signature) == 64, where, "is missing, or is not a signature of 64 bytes")
    committed, scalar = read_point(signature[:32], where), int.from_bytes(signature[32:], "little")
    hashed = int.from_bytes(hashlib.sha512(signature[:32] + encoded[12:] + message).digest(), "little") % ORDER
    expect(scalar < ORDER and _times(scalar, BASE) == _add(committed, _times(hashed, public)), where, "is not of this key and this root")
    return _sha256(encoded)


class Bundle:
    """An archive that verifies; making one stops at the first thing that does not hold."""

    def __init__(self, data: bytes, root: str | None) -> None:
        self.members = read_archive(data)
        self._manifest()
        self.root = _sha256(self.members["MANIFEST.json"])
        expect(root in (None, self.root), "MANIFEST.json", f"its digest, the root digest, is {self.root}, which is not the one given")
        self.report, self.chain = self._json("report.json", "Report"), self._json("chain.json", "Chain")
        self._chain(self.report["run"])
        self.documents, self.atoms, self.claims, self.quoted = dict[str, Any](), dict[str, tuple[str, list[Any]]](), 0, list[str]()
        self._documents()
        self.traces = {name: self._trace(name, document) for name, document in self.documents.items()}
        self.rows = {row["document"]: row for row in self.report["citations"]}
        self._citations()
        self._claimed()

    def _manifest(self) -> None:
        for name in ("MANIFEST.json", "chain.json", "report.html", "report.json", "report.md"):
            expect(name in self.members, name, "is missing")
        manifest, slim = self.members["MANIFEST.json"], self.members["MANIFEST.json"].endswith(b'"slim":true}')
        rows = [{"name": name, "sha256": _sha256(body), "size": len(body)} for name, body in self.members.items()][1:]
        due = _canonical({"format": "veridical.bundle/1", "members": rows, "slim": slim})
        for row in rows if manifest != due else ():
            expect(_canonical(row) in manifest, str(row["name"]), "is not what the manifest lists")
        _same_bytes(manifest, due, "MANIFEST.json ", 0, "is not the list of the enclosed members")
        expect(not slim or not any(name.startswith("raw/") for name in self.members), "MANIFEST.json/slim", "stands beside raw bytes")

    def _json(self, name: str, kind: str) -> Any:
        body = self.members.get(name, b"")
        try:
            value = json.loads(body.decode("ascii"))
            json.dumps(value, ensure_ascii=False).encode("utf-8")  # a lone surrogate has no bytes
            due = _canonical(value)
        except (ValueError, RecursionError) as error:
            raise DoesNotVerify(name, f"is missing, or is not JSON that has one spelling ({visible(str(error))})") from None
        _same_bytes(body, due, f"{name} ", 0, "not the canonical spelling (order, spaces, escapes, a key that is there twice)")
        check_shape(value, kind, name)
        return value

    def _chain(self, run: Any) -> None:
        chain, head = self.chain, {"policy": run["policy"], "policy_fingerprint": run["policy_fingerprint"], "run": run["id"]}
        _same(chain, head | {"seal": run["seal"]}, "chain.json", "is not that of report.json/run")
        seal = _sha256(_canonical(head))
        for document in chain["documents"]:
            seal = _sha256(bytes.fromhex(seal) + bytes.fromhex(document))
        expect(chain["seal"] == seal, "chain.json/seal", "is not what the documents hash to")
        expect(len({*chain["documents"]}) == len(chain["documents"]) == run["sealed"], "report.json/run/sealed", "is not its length")

    def _documents(self) -> None:
        sealed, used = set(self.chain["documents"]), set[str]()
        for index, row in enumerate(self.report["citations"]):
            where, name, member = f"report.json/citations/{index}", row["document"], f"documents/{row['document']}.json"
            expect(name in sealed and name not in self.documents, f"{where}/document", "is not in the sealed chain, or is cited twice")
            document = self.documents[name] = self._json(member, "Document")
            expect(_sha256(self.members[member]) == name, member, "does not hash to its name")
            self._document(member, document)
            used |= {member, f"raw/{(document['raw'] or {'digest': ''})['digest']}"}
            used |= {f"maps/{name}.json"} if document["derivation"] and document["derivation"]["projection"] != "plain" else set()
        for member in self.members:
            expect("/" not in member or member in used, member, "belongs to nothing that is cited")

    def _document(self, where: str, document: Any) -> None:
        pointed = (document["derivation"] or {"pointers": {}})["pointers"]
        for field, grade in document["grades"].items():
            expect((grade is None) == (document[field] is None), f"{where}/grades/{field}", "goes with a field")
            here = field in pointed or (pointed and field == "url" and document["url"] == document["locator"]["container"])  # of a page
            expect(grade != "held" or here, f"{where}/grades/{field}", "is said to be held, and follows from no bytes")
        expect((document["raw"] is None) == (document["derivation"] is None), f"{where}/derivation", "goes with raw bytes")
        url, author, published = document["url"], document["author"], document["published"]
        plain = url is None or (URL.fullmatch(url) and visible(url).count("⟦") == len(re.findall("[⟦⟧]", url)))
        expect(plain, f"{where}/url", "is not a plain http or https URL")
        sites = _hosts(url) if url else {f"source:{document['origin']}"}
        expect(author is None or author["site"] in sites, f"{where}/author/site", "is not the site of the URL or of the source")
        read = _earliest(f"{where}/retrieved", {"value": document["retrieved"], "precision": "second", "zone_known": True})
        expect(not published or _earliest(f"{where}/published", published) <= read, f"{where}/published", "lies after the time of reading")

    def _trace(self, name: str, document: Any) -> str:
        where, derivation, raw = f"documents/{name}.json", document["derivation"], f"raw/{(document['raw'] or {'digest': ''})['digest']}"
        if raw not in self.members:
            expect(raw == "raw/" or self.members["MANIFEST.json"].endswith(b'"slim":true}'), raw, "is missing")
            return RECORDED
        expect(_sha256(self.members[raw]) == raw[4:], raw, "does not hash to its name")
        expect(len(self.members[raw]) == document["raw"]["size"], f"{where}/raw/size", "is not that of the bytes")
        expect((document["locator"]["message"] or "").encode() in self.members[raw], f"{where}/locator/message", "is not in the bytes")
        if derivation["format"] in ("pdf", "sse", "html") or re.match(r"https?://|\?", derivation["pointers"].get("url", "")):
            return RECORDED
        try:
            atoms = _read_record(self.members[raw], derivation)
        except Exception as error:  # noqa: BLE001 - whatever a parser stumbles on, the bytes are not what they are said to be
            raise DoesNotVerify(raw, f"cannot be read as its document says ({type(error).__name__}: {visible(str(error))[:80]})") from None
        self._fields(where, document, atoms)
        text, plain = atoms.get("text") or "", derivation["projection"] == "plain"
        runs = [[0, len(document["text"]), 0, len(text), "copy"]] if plain else self._json(f"maps/{name}.json", "[run")
        self._map(f"{where}/text" if plain else f"maps/{name}.json", runs, document["text"], text)
        self.atoms[name] = (text, runs)
        return RECOMPUTED if plain else FOUND

    def _fields(self, where: str, document: Any, atoms: dict[str, str | None]) -> None:
        author = document["author"] or {"id": None, "name": None}
        fields = {"url": document["url"], "title": document["title"], "author": author["id"], "author_name": author["name"]}
        for field, value in fields.items():
            left_out = value is None and (field != "title" or not (atoms.get(field) or "").strip())
            expect(left_out or field not in atoms or atoms[field] == value, f"{where}/{field}", "is not what the raw bytes hold")
        if document["published"] is not None and "published" in atoms:
            expect(_says(atoms["published"] or "", document["published"]["value"]), f"{where}/published", "is not what the bytes say")

    def _map(self, where: str, runs: list[Any], text: str, atom: str) -> None:
        shown = source = 0
        for index, (t0, t1, a0, a1, kind) in enumerate(runs):
            expect(t0 == shown < t1 and source <= a0 <= a1 <= len(atom), f"{where}/{index}", "does not follow the run before it")
            words, markup = text[t0:t1], atom[a0:a1]
            stands = {"copy": words == markup, "inserted": not markup and not words.strip(" \n>\x1e")}
            stands |= {"entity": bool(ENTITY.fullmatch(markup)) and html.unescape(markup) == words}
            stands |= {"escape": bool(re.fullmatch(r"\\[!-/:-@\[-`{-~]", markup)) and markup[1] == words}
            expect(stands.get(kind), f"{where}/{index}", "these characters do not stand in the raw bytes")
            shown, source = t1, a1
        expect(shown == len(text), where, "does not end where the text does")

    def _citations(self) -> None:
        keys = dict[str, Any]()
        for index, row in enumerate(self.report["citations"]):
            where, document, account = f"report.json/citations/{index}", self.documents[row["document"]], row["account"]
            url, author, grades, text = document["url"], document["author"], document["grades"], _sha256(document["text"].encode())
            due = {key: document[key] for key in ("url", "title", "author", "published", "retrieved", "locator", "origin", "grades")}
            due["witness"] = next(grade for grade in ("attested", "wire", "held") if grade in grades.values())
            due["account"] = account if author and account == "excluded" else KNOWN.get(grades["author"], "known")
            words = re.findall(r"\w+", document["text"].casefold()) or document["text"].split()
            due |= {"origin_key": _sha256(" ".join(words).encode())[:16]} if document["text"].isascii() else {}  # no table differs
            _same(row, due | {"number": index + 1, "text_sha256": text, "snippet_hash": text[:16]}, where, "is not what its document gives")
            expect(row["retrieved"] <= self.report["run"]["created_at"], f"{where}/retrieved", "lies after the time of the report")
            sources = _hosts(url) if url else {f"source:{row['origin']}"}
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
        named, counted = list[str](), list[str]()
        for index, theme in enumerate(self.report["themes"]):
            where, members, before = f"report.json/themes/{index}", [place["document"] for place in theme["members"]], len(self.quoted)
            expect(theme["id"] == f"t{index + 1}", f"{where}/id", "themes are not numbered in their order")
            expect(theme["claims"], f"{where}/claims", "a theme without a claim")
            self._counts(where, theme, members)
            self._claims(where, theme["claims"], theme["counts"])
            expect({*self.quoted[before:]} <= {*members}, f"{where}/members", "a document is quoted and not counted")
            self._name(f"{where}/name", index + 1, theme)
            named, counted = [*named, *([theme["name"]["span"]["document"]] if theme["name"]["span"] else [])], counted + members
        for index, answer in enumerate(self.report["answers"]):
            self._claims(f"report.json/answers/{index}", answer["claims"], {})
            due = {"status": "answered", "reason": None} if answer["claims"] else {"status": "unaddressed", "reason": UNADDRESSED}
            _same(answer, due, f"report.json/answers/{index}", "is not what its claims give")
        due = list(dict.fromkeys([*self.quoted, *named, *counted]))
        for index, row in enumerate(self.report["citations"]):
            expect([row["document"]] == due[index : index + 1], f"report.json/citations/{index}", "is not what is quoted or counted next")
        self._funnel(set(self.quoted))

    def _counts(self, where: str, theme: Any, members: list[str]) -> None:
        expect(len(set(members)) == len(members), f"{where}/members", "a document is counted twice")
        for index, place in enumerate(theme["members"]):
            self._span(f"{where}/members/{index}", place)
        picked = [self.rows[name] for name in members]
        known, attested = ({row["account_key"] for row in picked if row["account"] == kind} for kind in ("known", "attested"))
        due = {"mentions": len(members), "accounts": len(known), "attested_accounts": len(attested - known)}
        due |= {"unknown_accounts": [row["account"] for row in picked].count("unknown")}
        due |= {"sources": len({row["source_key"] for row in picked}), "origins": len({row["origin_key"] for row in picked})}
        _same(theme["counts"], due, f"{where}/counts", "is not what the members make")

    def _claims(self, where: str, claims: Any, sizes: Any) -> None:
        for index, claim in enumerate(claims):
            place, quotes, self.claims = f"{where}/claims/{index}", claim["quotes"], self.claims + 1
            due = {"id": f"c{self.claims}", "support": "attached", "template": claim["template"] or ""}
            for number, quote in enumerate(quotes):
                self._quote(f"{place}/quotes/{number}", quote)
            expect(len({_canonical(each["span"]) for each in quotes}) == len(quotes), f"{place}/quotes", "a place is quoted twice")
            expect(_supporting(claim), f"{place}/quotes", "none of them supports the claim")
            if claim["wording"] == "model":
                self._prose(f"{place}/text", claim["text"], claim["template"] or "", _supporting(claim), sizes)
            else:
                expect(quotes[0] in _supporting(claim), f"{place}/quotes/0", "does not support the claim whose words it gives")
                due |= {"support": "verbatim", "template": None, "text": quotes[0]["sentence"]["text"]}
            _same(claim, due, place, "is not what its place and its quotes give")
            self.quoted += [quote["span"]["document"] for quote in quotes]

    def _quote(self, where: str, quote: Any) -> None:
        span, whole, end = quote["span"], quote["sentence"], sys.maxsize
        parts = [("sentence", whole, 0, end), ("span", span, whole["start"], whole["end"])]
        parts += [("before", quote["before"], 0, whole["start"]), ("after", quote["after"], whole["end"], end)]
        parts += [(f"headings/{index}", heading, 0, span["start"]) for index, heading in enumerate(quote["headings"])]
        for name, part, low, high in parts:
            if part is not None:
                self._span(f"{where}/{name}", part)
                near = part["document"] == span["document"] and (part["field"] == span["field"] or "/" in name)
                expect(near and low <= part["start"] and part["end"] <= high, f"{where}/{name}", "does not stand where it should")
        at, stop, name, field = span["start"], span["end"], span["document"], span["field"]
        text, wire, raw = self.documents[name][field], self.rows[name]["grades"]["text"] == "wire", self.documents[name]["raw"]
        expect((raw and name not in self.atoms) or quote["line"] == self._line(span), f"{where}/line", "is not where the quote stands")
        ordered = all(quote[key] == sorted({*quote[key]}) for key in ("folds", "labels"))
        expect(ordered and quote["verdict"] != ("exact" if quote["folds"] else "located"), f"{where}/folds", "do not go with the verdict")
        repeated = re.match(r"\s*>([ \t]+|(?=[>\n]|[^\W\d_]|\Z))", text[max(text[:at].rfind(mark) for mark in "\n\x1e") + 1 :])
        due = dict.fromkeys(FOLDED, False) | {"quoted-not-authored": bool(repeated), "field:title": field == "title", "snippet-only": wire}
        due |= {label: bool(re.search(pattern, span["text"])) for label, pattern in SEEN.items()}
        wrong = [label for label, holds in due.items() if not holds <= (label in quote["labels"]) <= (holds or label in quote["folds"])]
        expect(not wrong, f"{where}/labels", f"are not those of the place: {wrong}")
        first = at - len(text[at - 600 : at].partition(" ")[2]) if at > 600 else 0  # farther than that no sentence reaches
        last = stop + len(text[stop : stop + 600].rpartition(" ")[0]) if stop + 600 < len(text) else len(text)
        opened = whole["start"] == first or not re.search(r"[^\W_],?[ \t]*\Z", text[: whole["start"]][-80:])
        closed = whole["end"] == len(text[:last].rstrip()) or not re.match(r"[^\W_],?[ \t]*[^\W_]", text[whole["end"] - 1 :][:80])
        expect(opened and closed, f"{where}/sentence", "is not a whole sentence")

    def _line(self, span: Any) -> int | None:
        (atom, runs), at, document = self.atoms.get(span["document"], ("", [])), span["start"], self.documents[span["document"]]
        kind, line = (document["derivation"] or {}).get("format") if span["field"] == "text" else "title", document["locator"]["line"]
        if kind == "text":
            place = next(a0 + (at - t0) * (run == "copy") for t0, t1, a0, _, run in runs if t0 <= at < t1)
            return (line or 1) + len(re.findall(r"\r\n?|\n", atom[:place]))
        return None if kind not in ("json", "csv") or re.search(rb"[\r\n]", self.members[f"raw/{document['raw']['digest']}"]) else line

    def _span(self, where: str, span: Any) -> None:
        field = span.get("field", "text")
        whole = self.documents.get(span["document"], {field: ""})[field] or ""
        text, cuts = whole[span["start"] : span["end"]], [whole[max(0, at - 1) : at + 1] for at in (span["start"], span["end"])]
        expect("text" not in span or not any(map(WORD.fullmatch, cuts)), where, "is cut within a word")
        expect(0 < len(text) == span["end"] - span["start"], where, "is no place in a cited document")
        expect(span.get("text", text) == text, f"{where}/text", "is not what stands there in the document")
        expect("text" not in span or not CONTROL.search(text), f"{where}/text", "holds a control character or crosses a hard boundary")

    def _name(self, where: str, number: int, theme: Any) -> None:
        name, span = theme["name"], theme["name"]["span"]
        expect((span is not None) == (name["wording"] == "source"), f"{where}/span", "goes with words of a source")
        if span is not None:
            self._span(f"{where}/span", span)
        if name["wording"] == "model":
            self._prose(f"{where}/text", name["text"], name["text"], [each for claim in theme["claims"] for each in _supporting(claim)], {})
        else:
            expect(name["text"] == (span["text"] if span else f"Theme {number}"), f"{where}/text", "is not what it should be")

    def _prose(self, where: str, text: str, template: str, quotes: list[Any], sizes: Any) -> None:
        links, written = re.compile(r"https?://\S+", re.IGNORECASE), template
        for name, size in sizes.items():
            written = written.replace(f"{{count:{name}}}", f"{size} {NOUNS.get(name, (name[:-1], name))[size != 1]}")
        expect("{" not in text and links.sub("", text) == links.sub("", written), where, "is not what the template and the counts give")
        cited = [self.documents[quote["span"]["document"]]["url"] for quote in quotes]
        for link in links.findall(text):
            known = any(url and link.startswith(url) and not link.removeprefix(url).strip(EDGE) for url in cited)
            expect(known, where, f"{visible(link)} is not the URL of a document that the claim cites")
        said = _facts(links.sub("", re.sub(r"\{count:[a-z_]+\}", "", template)))
        expect(any(said <= _facts(each["sentence"]["text"]) for each in quotes), where, "no one sentence has its numbers and addresses")

    def _funnel(self, quoted: set[str]) -> None:
        report, funnel, refusal, rest = self.report, self.report["funnel"], self.report["refusal"], self.report["not_cited"]
        _same(funnel, {"cited": len(quoted), "admitted": report["run"]["sealed"]}, "report.json/funnel", "is not what was quoted or sealed")
        steps = [funnel[step] for step in ("cited", "shown", "selected", "admitted", "retrieved")]
        expect(steps == sorted(steps), "report.json/funnel", "a later step has more documents than the one before it")
        apart = len({*rest}) == len(rest) == funnel["shown"] - funnel["cited"] and quoted.isdisjoint(rest)
        expect(apart and {*self.documents} - quoted <= {*rest} <= {*self.chain["documents"]}, "report.json/not_cited", "is not the rest")
        due = ("answered", False) if report["themes"] else ("refused", True)
        expect((report["outcome"], refusal is not None) == due, "report.json/outcome", "is not what the themes give")
        if refusal is not None:
            expect(not quoted, "report.json/answers", "a refusal claims nothing")
            said = _canonical([refusal["code"], refusal["text"], [step["what"] for step in refusal["tried"]], refusal["help"]])
            expect(_sha256(said)[:24] in REFUSALS, "report.json/refusal", "is not said in the words of this policy")
            due = [funnel[step] for step in ("in_scope", "retrieved", "admitted", "shown")]
            expect([step["count"] for step in refusal["tried"]] == due, "report.json/refusal/tried", "is not what the funnel says")

    def released(self) -> Iterator[str]:
        """Yield the released items as lines."""
        yield f"\nQuestion: {visible(self.report['query'])}"
        for part in (*self.report["themes"], *self.report["answers"]):
            if "question" in part:
                yield f"\nTo address: {visible(part['question'])} {part['reason'] or ''}".rstrip()
            else:
                yield f"\nTheme ({part['name']['wording']} wording): {visible(part['name']['text'])}"
                yield "  " + ", ".join(f"{name.replace('_', ' ')} {size}" for name, size in part["counts"].items())
            for claim in part["claims"]:
                yield from self._spoken(claim)
        yield f"No answer. {self.report['refusal']['text']}\n" if self.report["refusal"] else ""

    def _spoken(self, claim: Any) -> Iterator[str]:
        if claim["wording"] == "model":
            yield f"  {claim['id']} in a model's words, quotes attached: {visible(claim['text'])}"
        for quote in claim["quotes"]:
            text, row = quote["sentence"]["text"], self.rows[quote["span"]["document"]]
            low, high = (quote["span"][edge] - quote["sentence"]["start"] for edge in ("start", "end"))
            found = row["locator"] | {"line": quote["line"] or row["locator"]["line"]}
            place = ", ".join(f"{key} {value}" for key, value in found.items() if value is not None)
            source = f"{place}, {row['url'] or row['origin']}, witness {row['witness']}, read {row['retrieved']}"
            yield f"  {claim['id']} {visible(text[:low])}⟦{visible(text[low:high])}⟧{visible(text[high:])}"
            yield f"     [{row['number']}] {', '.join([quote['verdict'], *quote['labels']])}: {visible(source)}"


def visible(text: str) -> str:
    """Return words on one line, every character that cannot be seen written out as `⟦U+202E⟧`."""
    unseen = {char for char in text if HIDDEN.match(char) or unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")}
    return "".join(f"⟦U+{ord(char):04X}⟧" if char in unseen else char for char in re.sub(r"[\r\n\t]", " ", text))


def main(arguments: list[str]) -> int:
    """Check the bundle that the arguments name; return the exit status."""
    parser = argparse.ArgumentParser(prog="checker.py", description="Check a veridical bundle without veridical.", allow_abbrev=False)
    parser.add_argument("bundle", help="the archive")
    parser.add_argument("--root", metavar="DIGEST", help="its root digest, obtained elsewhere than with the bundle")
    parser.add_argument("--key", metavar="FILE", help="the public key (PEM) whose signature is in BUNDLE.sig, obtained elsewhere too")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--show", action="store_true", help="print the released items")
    options = parser.parse_args(arguments)
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr] # it is a text stream
    name, signature, origin = visible(options.bundle), Path(f"{options.bundle}.sig"), ["root digest as given"] if options.root else []
    try:
        bundle = Bundle(Path(options.bundle).read_bytes(), options.root and options.root.lower())
        if options.key is not None:
            signed = signature.read_bytes() if signature.is_file() else b""
            said = f"veridical.signature/1 {bundle.root}\n".encode()
            signer = check_signature(Path(options.key).read_bytes(), signed, said, f"{name}.sig")
            origin.append(f"signed by KEY {signer}: names who asserts the recording, no more")
    except OSError as error:
        parser.error(f"{visible(str(error.filename))} cannot be read: {error.strerror}")
    except DoesNotVerify as error:
        status, result = (2 if error.args[0] == "--key" else 4), {"ok": False, "where": error.args[0], "why": error.args[1]}
        lines = [f"{name} does not verify.", ": ".join(error.args)]
    else:
        found = "; ".join(origin) or "consistent, origin unproven"
        status, result = 0, {"ok": True, "origin": found, "root": bundle.root, "documents": bundle.traces, "limits": LIMITS}
        states = [f"{[*bundle.traces.values()].count(state)} documents: {state}" for state in (RECOMPUTED, FOUND, RECORDED)]
        shown = bundle.released() if options.show else ()
        lines = [f"{name} verifies: {found}", f"root digest {bundle.root}", *shown, *states, CARRIED, LIMITS]
    sys.stdout.write((json.dumps(result) if options.json else "\n".join(lines)) + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
