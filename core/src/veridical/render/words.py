"""What every rendering says, once, and how characters that cannot be seen are shown.

The functions here give words as they are. Each format makes them visible exactly once, then escapes them.

`visible` comes before any escaping of a format: quoted words may hold controls, bidirectional marks and invisible characters that
make a line read as something else than it is.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from veridical_contract import Citation, Claim, Counts, InputRecord, Locator, PluginRecord, Quote, Report, Span, Untrusted

__all__ = [
    "ATTACHED",
    "LIMITS",
    "Marked",
    "account_lines",
    "by_document",
    "context",
    "counts_line",
    "link",
    "locator_words",
    "marked",
    "note",
    "one_line",
    "own_words",
    "place_words",
    "proof_words",
    "source_facts",
    "visible",
    "visible_line",
    "witness_words",
]

LIMITS = "It does not prove that the words are true, independent, complete or fairly chosen."
"""Said by every rendering and by the checker, word for word."""

ATTACHED = "A model's words. The quotes below are attached to it; whether it follows from them is for you to judge."
"""Said of every claim whose words are not those of a source."""

_PROVES = "Every quote is copied from a record that was read, and every count is the size of a set of such records."
_WITNESS = {"held": "read by this program"}
_ISOLATED = {"sandboxed": "in a sandbox", "unsandboxed": "in a process of its own, without a sandbox"}
_FOLDED = "found although these differ: "
_UNSUPPORTING = {
    "clipped": "the words around this quote change what it says; it supports nothing by itself",
    "illustration": "too short to support anything by itself",
}
_LABELS = {
    "ambiguous-occurrence": "these words stand more than once in the record",
    "bidi-escaped": "marks that change the direction of writing are written out",
    "clipped-context:conditional": "the cut left out a condition",
    "clipped-context:negation": "the cut left out a negation",
    "clipped-context:question": "the cut left out that it is a question",
    "clipped-context:reported": "the cut left out who said it",
    "clipped-context:unit": "the cut left out a unit",
    "field:title": "these words are the record's title",
    "quoted-not-authored": "the author quotes somebody else here; it supports nothing by itself",
    "snippet-only": "a part of the record was seen, not the whole",
    "suspected-injection": "these words speak to a program, not to a reader",
}

# Ignorable by default (Unicode 16, DerivedCoreProperties) without being of category Cf, and characters that nothing is drawn for.
_IGNORABLE = frozenset(
    [
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x2800, 0x3164, 0xFFA0),
        *(*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFF9), *range(0xFDD0, 0xFDF0)),
    ]
)
_HIDDEN = frozenset(["Cc", "Cf", "Co", "Cs", "Zl", "Zp"])
_SHAPED = frozenset(["Lo", "Mn", "Mc", "So", "Sk"])
_SYMBOL = frozenset(["So", "Sm"])
_BRACKETS = (0x27E6, 0x27E7)


@dataclass(frozen=True, slots=True)
class Marked:
    """A quote in its sentence, as the characters of the document: what stands before the quoted part, the part, what stands after."""

    before: str
    quoted: str
    after: str


def visible(text: str) -> str:
    """Return `text` with every character that cannot be seen written as `⟦U+202E⟧`; line feeds and tabs stay.

    Joiners and emoji selectors stay between characters that they shape. A `⟦` or `⟧` of the text's own is written out too, so
    that what looks like such a note, or like the end of a quote, is one.
    """
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(char if _is_seen(text, at) else f"⟦U+{ord(char):04X}⟧" for at, char in enumerate(text))


def visible_line(text: str) -> str:
    """Return `visible(text)` on one line: runs of line feeds and tabs become one space."""
    return one_line(visible(text))


def one_line(text: str) -> str:
    """Return `text`, which is visible already, with runs of line feeds and tabs as one space."""
    return " ".join(part for part in text.replace("\t", "\n").split("\n") if part)


def marked(quote: Quote) -> Marked:
    """Return where the quoted part stands in its sentence."""
    start, end = quote.span.start - quote.sentence.start, quote.span.end - quote.sentence.start
    text = quote.sentence.text
    return Marked(text[:start], text[start:end], text[end:])


def link(url: str | None) -> str | None:
    """Return `url` as the destination of a link, ASCII only, every other character percent-encoded; None unless http or https."""
    if url is None or not url.lower().startswith(("http://", "https://")):
        return None
    return quote(url, safe=":/?#[]@!$&'()*+,;=%~")


def counts_line(counts: Counts) -> str:
    """Return for example `12 passages by 9 accounts on 2 sources; 3 of unknown authors`."""
    line = (
        f"{_number(counts.mentions, 'passage')} by {_number(counts.accounts, 'account')} on {_number(counts.sources, 'source')}"
        if counts.accounts
        else f"{_number(counts.mentions, 'passage')} on {_number(counts.sources, 'source')}"
    )
    if counts.attested_accounts:
        line += f"; {_number(counts.attested_accounts, 'more account')} only on a plugin's word"
    if counts.unknown_accounts:
        line += f"; {counts.unknown_accounts} of unknown authors"
    if counts.origins < counts.mentions:
        line += f"; {_number(counts.origins, 'text')} once near-duplicates are taken as one"
    return line


def witness_words(citation: Citation) -> str:
    """Return how it is known that the record says so, by its weakest field."""
    if citation.witness == "attested":
        return f"the plugin behind {citation.origin} says so"
    if citation.witness == "wire":
        said = f"{citation.url} says" if citation.url is not None else "somebody says"
        return f"{citation.origin} says that {said}"
    return _WITNESS[citation.witness]


def locator_words(locator: Locator, line: int | None = None) -> str:
    """Return for example `notes/a.md:12`; `line` is the quote's own and wins over the record's."""
    words = locator.container
    first = line or locator.line
    if first is not None:
        words += f":{first}"
    if locator.page is not None:
        words += f", page {locator.page}"
    if locator.row is not None:
        words += f", row {locator.row}"
    if locator.message is not None:
        words += f", message {locator.message}"
    return words


def _recorded(citation: Citation) -> str:
    if citation.grades.text == "wire":
        return f"recorded reply of {urlsplit(citation.locator.container).hostname}"
    return locator_words(citation.locator)


def place_words(citation: Citation, line: int | None = None) -> str:
    """Return where the words of a citation stand, for a person: in its file, or, of a recorded reply, on the page that it speaks of."""
    if citation.grades.text == "wire" and citation.url is not None:
        return citation.url
    return locator_words(citation.locator, line)


def own_words(claim: Claim) -> str | None:
    """Return the claim's text where its quotes do not say it already."""
    return claim.text if claim.wording != "source" else None


def note(quote: Quote) -> str | None:
    """Return what a reader should know of a quote; None for an exact one."""
    notes = [_UNSUPPORTING[quote.verdict]] if quote.verdict in _UNSUPPORTING else []
    notes += [_LABELS.get(label, label) for label in quote.labels if label not in quote.folds]
    if quote.folds:
        notes.append(_FOLDED + ", ".join(quote.folds))
    return "; ".join(notes) or None


def by_document(report: Report) -> dict[str, Citation]:
    """Return the citation of each document, by the document's identifier."""
    return {citation.document: citation for citation in report.citations}


def source_facts(citation: Citation) -> list[str]:
    """Return what is known of a cited document, its URL apart: title, author, dates, place, witness."""
    facts = [citation.title] if citation.title is not None else []
    if citation.author is not None:
        facts.append(f"by {citation.author.name or citation.author.id}")
    if citation.published is not None:
        zone = "" if citation.published.zone_known else " (time zone unknown)"
        facts.append(f"published {citation.published.value}{zone}")
    facts += [_recorded(citation), f"retrieved {citation.retrieved}", witness_words(citation)]
    return facts


def account_lines(report: Report) -> list[str]:
    """Return how the report came about, one fact a line: what was looked at, left out, refused, not readable, and who took part."""
    funnel = report.funnel
    steps = f"{funnel.retrieved} retrieved, {funnel.admitted} admitted, {funnel.selected} selected, {funnel.shown} shown to the composer"
    lines = [
        f"{_number(funnel.in_scope, 'document')} in scope, {steps}, {funnel.cited} cited",
        f"{_number(len(report.not_cited), 'document')} shown and not cited",
    ]
    rules = Counter(rejection.rule for rejection in report.rejections)
    lines += [f"proposed and not released, {rule}: {count}" for rule, count in sorted(rules.items(), key=lambda rule: (-rule[1], rule[0]))]
    lines += [_input_line(found) for found in report.inputs if found.status not in ("read", "unchanged")]
    lines += [_plugin_line(plugin) for plugin in report.plugins if plugin.status != "ok"]
    lines += [
        f"plugin {plugin.name} ran isolated, {_ISOLATED[plugin.isolated]}" for plugin in report.plugins if plugin.isolated is not None
    ]
    run = report.run
    lines.append(f"run {run.id} at {run.created_at}, veridical {run.veridical}, {run.policy}, seed {run.seed}")
    return lines


def proof_words() -> str:
    """Return what a report does and does not prove."""
    return f"{_PROVES} {LIMITS}"


def context(span: Span | None) -> str:
    """Return the characters of a neighbouring sentence; empty where there is none."""
    return span.text if span is not None else ""


def _input_line(found: InputRecord) -> str:
    if found.documents:
        return f"{found.path} was used in part ({_number(found.documents, 'document')}), {found.status}{_said(found.reason)}"
    return f"{found.path} was not used, {found.status}{_said(found.reason)}"


def _plugin_line(plugin: PluginRecord) -> str:
    return f"plugin {plugin.name} {plugin.status}{_said(plugin.reason)}"


def _said(reason: Untrusted | None) -> str:
    return f" ({reason.origin} says: {reason.text})" if reason is not None else ""


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _is_seen(text: str, at: int) -> bool:
    char = text[at]
    code = ord(char)
    if char in "\n\t":
        return True
    if code in (0x200C, 0x200D):
        return _is_shaped(text, at - 1) and _is_shaped(text, at + 1)
    if code in (0xFE0E, 0xFE0F):
        return at > 0 and unicodedata.category(text[at - 1]) in _SYMBOL
    if code in _IGNORABLE or code in _BRACKETS or 0xE0000 <= code <= 0xE0FFF or code & 0xFFFE == 0xFFFE:
        return False
    return unicodedata.category(char) not in _HIDDEN


def _is_shaped(text: str, at: int) -> bool:
    return 0 <= at < len(text) and (unicodedata.category(text[at]) in _SHAPED or text[at] == "\ufe0f")
