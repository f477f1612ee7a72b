"""Admission: from what a plugin hands in to a document, or to the rule that refuses it.

    Item --rebuild--> exact copy --derive--> every field with its witness --check--> Document, named by its bytes

`held`: the field follows from bytes that the host read, by steps that are repeated here. `wire`: the same, of a provider's reply, at the
place that `wire.prove` found. `attested`: the plugin says so, which counts only where the operator named the plugin. A field that fails
alone (an inadmissible URL, an impossible date) goes, and the record stays; a record whose text fails goes as a whole.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from veridical_contract import Author, Derivation, Document, Grade, Grades, Item, Moment

from .canonical import canonical_bytes, digest
from .counts import is_known_author
from .derivation import DerivationRefused, Run, atoms, confirm_projection
from .policy import Policy
from .times import TimeRefused, admit_time
from .urls import UrlRefused, admit_url, url_host
from .wire import is_echo

__all__ = [
    "Admission",
    "AdmissionRefused",
    "Bytes",
    "Trust",
    "admission_tag",
    "admit",
    "admit_link",
    "admit_stored",
    "admitted_url",
    "weakest",
]


_EPOCH_DIGITS = (10, 13)
_MESSAGE = re.compile(r"<[!-~]{1,990}>")


class AdmissionRefused(ValueError):  # noqa: N818 - the name says what happened to the record
    """A record is not evidence.

    Attributes:
        rule: that refuses it.
        text: what was refused: for the operator's log, and for the digest in the report.
    """

    def __init__(self, rule: str, text: str = "") -> None:
        super().__init__(rule)
        self.rule = rule
        self.text = text


@dataclass(frozen=True, slots=True)
class Trust:
    """What the operator allowed for one plugin.

    Attributes:
        attested: its word alone makes a field evidence.
        hosts: private or special hosts that its URLs may name.
    """

    attested: bool = False
    hosts: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Bytes:
    """What the host's reader made of a record: untrusted, confirmed here.

    Attributes:
        raw: the record's bytes.
        text: the visible text.
        runs: where each stretch of `text` stands in the text atom.
        grade: `wire` when the bytes are a provider's reply.
        asked: the strings of the request that a reply answers.
        url: where the host itself read the bytes, when it fetched them.
    """

    raw: bytes
    text: str
    runs: Sequence[Run]
    grade: Grade = "held"
    asked: tuple[str, ...] = ()
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Admission:
    """An admitted document.

    Attributes:
        id: SHA-256 of `body`.
        body: canonical bytes of every field.
        document: the same as a model.
        dropped: (rule, words) of each field that was refused alone.
    """

    id: str
    body: bytes
    document: Document
    dropped: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Fields:
    values: dict[str, str | int]
    grades: dict[str, Grade]


def admit(
    item: Item, *, plugin: str, origin: str, extractor: str, retrieved: datetime, held: Bytes | None, trust: Trust, policy: Policy
) -> Admission:
    """Return the document that `item`, an exact copy, is admitted as.

    Args:
        item: what the plugin handed in.
        plugin: its name.
        origin: the source that the operator named.
        extractor: the host's reader and version; `plugin` when the plugin made the text.
        retrieved: aware time of reading.
        held: the record's bytes and what the host's reader made of them; None when the host did not read it.
        trust: what the operator allowed.
        policy: whose rules apply.

    Raises:
        AdmissionRefused: the record is not evidence.
    """
    _check_message(item.locator.message, held, trust)
    fields = _derived(item, held) if held is not None else _Fields({}, {})
    _add_attested(item, fields, trust)
    dropped: list[tuple[str, str]] = []
    text = fields.values.get("text")
    if not isinstance(text, str) or not text.strip():
        raise AdmissionRefused("no-text")
    if held is not None and fields.grades["text"] != held.grade:
        # Bytes beside a text that does not follow from them would lend it a look of proof.
        raise AdmissionRefused("text-not-in-bytes", text)
    if held is not None:
        _check_echoes(fields, held.asked, policy, dropped)
        _check_title(fields, held.grade, item.derivation, dropped)
    url = _url(fields, trust, policy, dropped)
    published = _published(fields, retrieved, dropped)
    author = _author(fields, url, origin, policy)
    title = _title(fields)
    document = Document(
        text=text,
        url=url,
        title=title,
        author=author,
        published=published,
        retrieved=f"{retrieved.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='seconds')}Z",
        locator=item.locator,
        origin=origin,
        plugin=plugin,
        extractor=extractor,
        raw=item.raw if held is not None else None,
        derivation=item.derivation if held is not None else None,
        grades=Grades(
            text=fields.grades["text"],
            url=fields.grades["url"] if url is not None else None,
            title=fields.grades["title"] if title is not None else None,
            author=fields.grades["author"] if author is not None else None,
            published=fields.grades["published"] if published is not None else None,
        ),
    )
    body = _body(document)
    return Admission(digest(body), body, document, tuple(dropped))


def admit_link(item: Item, held: Bytes, *, trust: Trust, policy: Policy) -> tuple[str, str]:
    """Return the URL and the title of a hit without a text, as its reply holds them: a place to look, and no evidence.

    Args:
        item: what the plugin handed in, with the place of its fields.
        held: the reply.
        trust: what the operator allowed.
        policy: whose rules apply.

    Raises:
        AdmissionRefused: it is not in the reply, not admissible as a URL, or an echo of the request.
    """
    fields = _derived(item, held)
    url = _url(fields, trust, policy, dropped := list[tuple[str, str]]())
    if url is None:
        raise AdmissionRefused(*dropped[0] if dropped else ("no-url",))
    _check_echoes(fields, held.asked, policy, dropped)
    return url, str(fields.values.get("title") or "")


def admitted_url(url: str, *, trust: Trust, policy: Policy) -> str:
    """Return `url`, a place to look on a plugin's word alone, when it is admissible.

    Raises:
        AdmissionRefused: it is not.
    """
    try:
        return admit_url(url, policy=policy, allowed_hosts=trust.hosts)
    except UrlRefused as error:
        raise AdmissionRefused(error.rule, url) from None


def admit_stored(name: str, body: object, tag: object, key: bytes) -> Document:
    """Return the document that a store gave back for `name`.

    Args:
        name: the identifier that was asked for.
        body: what came back; must be exactly bytes.
        tag: what came back beside it: the admission tag that was put with the document.
        key: of this installation.

    Raises:
        AdmissionRefused: missing, altered, or never admitted by this installation.
    """
    if body is None:
        raise AdmissionRefused("document-missing")
    if type(body) is not bytes or digest(body) != name:
        raise AdmissionRefused("document-altered")
    if type(tag) is not bytes or not hmac.compare_digest(tag, admission_tag(name, key)):
        raise AdmissionRefused("document-added")
    # The name and the tag vouch for the bytes: they are those of `_body`, and need not be looked through as JSON from outside.
    return Document.model_validate_json(body)


def admission_tag(name: str, key: bytes) -> bytes:
    """Return the tag (16 bytes, truncated HMAC-SHA-256) that says: this installation admitted the document called `name`.

    A store can make up a document and name it rightly; it cannot make up the tag.
    """
    return hmac.digest(key, name.encode("ascii"), "sha256")[:16]


def weakest(grades: Grades) -> Grade:
    """Return the weakest grade of all fields that are there: what an item shows."""
    strength: dict[Grade, int] = {"attested": 0, "wire": 1, "held": 2}
    present = (grades.text, grades.url, grades.title, grades.author, grades.published)
    return min((grade for grade in present if grade is not None), key=strength.__getitem__)


def _check_message(message: str | None, held: Bytes | None, trust: Trust) -> None:
    """The Message-ID (RFC 5322 3.6.4) of a locator has its form and stands in the record's bytes: it is no place for other words."""
    if message is None:
        return
    stands = message.encode("utf-8", "surrogatepass") in held.raw if held is not None else trust.attested
    if not stands or _MESSAGE.fullmatch(message) is None:
        raise AdmissionRefused("locator-differs", message)


def _check_echoes(fields: _Fields, asked: Sequence[str], policy: Policy, dropped: list[tuple[str, str]]) -> None:
    """What repeats the request is the asker's word, whatever place it came back in."""
    text, title, url = (str(fields.values.get(name) or "") for name in ("text", "title", "url"))
    if is_echo(text, asked, policy=policy) or any(url and url in string for string in asked):
        raise AdmissionRefused("wire-echo", text)
    if is_echo(title, asked, policy=policy):
        dropped.append(("wire-echo", title))
        del fields.values["title"]


def _check_title(fields: _Fields, grade: Grade, derivation: Derivation | None, dropped: list[tuple[str, str]]) -> None:
    """A title is the atom itself: where a provider marks texts up it marks titles up too, and markup is not what anybody reads."""
    title = str(fields.values.get("title") or "")
    if grade == "wire" and derivation is not None and derivation.projection == "html" and not {"<", "&"}.isdisjoint(title):
        dropped.append(("title-markup", title))
        del fields.values["title"]


def _derived(item: Item, held: Bytes) -> _Fields:
    raw, derivation = item.raw, item.derivation
    if raw is None or derivation is None:
        raise AdmissionRefused("bytes-without-derivation")
    if digest(held.raw) != raw.digest or len(held.raw) != raw.size:
        raise AdmissionRefused("bytes-differ")
    try:
        values: dict[str, str | int] = dict(_confirmed(derivation, held))
    except DerivationRefused as error:
        raise AdmissionRefused(error.rule) from None
    for name, value in values.items():
        said = getattr(item, name)
        if said is not None and said != value:
            raise AdmissionRefused("differs-from-bytes", str(said))
    if held.url is not None:
        if item.locator.container != held.url:
            # A report shows the URL of a fetched page as held for this reason alone: it is the place where the bytes were read.
            raise AdmissionRefused("locator-differs", item.locator.container)
        values["url"] = held.url
    return _Fields(values, dict.fromkeys(values, held.grade))


def _confirmed(derivation: Derivation, held: Bytes) -> dict[str, str]:
    if derivation.format == "pdf":
        # No part of a PDF's text can be recomputed with the standard library: it is held on the word of the host's own reader.
        return {"text": held.text}
    found = atoms(held.raw, derivation)
    if "text" in found:
        confirm_projection(found["text"], held.text, held.runs, derivation.projection)
        found["text"] = held.text
    return found


def _add_attested(item: Item, fields: _Fields, trust: Trust) -> None:
    for name in ("text", "url", "title", "author", "author_name", "published"):
        said = getattr(item, name)
        if said is None or name in fields.values:
            continue
        if not trust.attested:
            raise AdmissionRefused("attested-not-allowed", str(said))
        fields.values[name] = said
        fields.grades[name] = "attested"


def _url(fields: _Fields, trust: Trust, policy: Policy, dropped: list[tuple[str, str]]) -> str | None:
    value = fields.values.get("url")
    if value is None or value == "":
        return None
    try:
        return admit_url(value, policy=policy, allowed_hosts=trust.hosts)
    except UrlRefused as error:
        dropped.append((error.rule, str(value)))
        return None


def _published(fields: _Fields, retrieved: datetime, dropped: list[tuple[str, str]]) -> Moment | None:
    value = fields.values.get("published")
    if value is None or value == "":
        return None
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) in _EPOCH_DIGITS:
        # An atom is text; a JSON number or a cell of ten or thirteen digits is epoch seconds or milliseconds.
        value = int(value)
    try:
        found = admit_time(value, retrieved=retrieved)
    except TimeRefused as error:
        dropped.append((error.rule, str(value)))
        return None
    return Moment(value=found.value, precision=found.precision, zone_known=found.zone_known)


def _author(fields: _Fields, url: str | None, origin: str, policy: Policy) -> Author | None:
    account = fields.values.get("author")
    name = fields.values.get("author_name")
    if not isinstance(account, str) or not is_known_author(account, policy=policy):
        return None
    site = url_host(url, policy) if url is not None else None
    return Author(site=site or f"source:{origin}", id=account, name=name if isinstance(name, str) and name else None)


def _title(fields: _Fields) -> str | None:
    title = fields.values.get("title")
    return title if isinstance(title, str) and title.strip() else None


def _body(document: Document) -> bytes:
    try:
        return canonical_bytes(document.model_dump(mode="json"))
    except ValueError:
        raise AdmissionRefused("lone-surrogate") from None
