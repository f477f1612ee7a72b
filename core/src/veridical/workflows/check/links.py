"""Judge an address (is it that of a document of the evidence, by the kernel's rules?) and a citation that leads to no address.

An address that no document has may still be mentioned by one: then it was not made up, and the label says no more than that.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

from veridical_contract import Author

from veridical.drafts import Piece
from veridical.kernel.urls import UrlRefused, admit_url

from .evidence import Evidence, absolute
from .judged import Judged
from .speakers import is_author

__all__ = ["judge_citation", "judge_url"]

_CANDIDATES = 20
_ENDS: Final = re.compile(r"[.,;:!?)\]>\"'\u201d\u2019]*(?=\s|\x1e|\Z)")
_WORDS: Final = re.compile(r"[^\W_]+")
_SCHEME: Final = re.compile(r"\A(?:https?:)?(?://)?(?:www\.)?", re.IGNORECASE)
_AUTHOR_AND_YEAR: Final = re.compile(r"[(\[]?\s*(?P<name>[^\W\d_][^\d,()\[\]]*?),?\s+\(?(?P<year>(?:1[5-9]|20)\d\d)[a-z]?\b")
_OTHERS: Final = re.compile(r"\s+(?:et al\.?|and|&|und|et|y)(?:\s.*)?$")


def judge_url(piece: Piece, evidence: Evidence) -> Judged:
    """Return what became of an address."""
    if piece.targets:
        return _shown(piece.text, piece.targets[0], evidence)
    url = absolute(piece.text)
    try:
        admit_url(url, policy=evidence.policy)
    except UrlRefused as error:
        # A private host may be one that the operator listed: then a document has it. Everything else is no address at all.
        if error.rule != "private-host":
            return Judged("not-found", error.rule)
    tied = evidence.tied(url)
    documents = evidence.fetch(tied.names[:1]) if tied is not None else {}
    for name, document in documents.items():
        labels = tied.labels if tied is not None else frozenset[str]()
        verdict = "located" if labels else "exact"
        places = len(tied.names) if tied is not None else 0
        return Judged(verdict, verdict, tuple(sorted(labels)), passage=evidence.passage(name, document, None), places=places)
    return _mentioned(url, evidence) or Judged("not-found", "not-in-ledger")


def _shown(label: str, leads: str, evidence: Evidence) -> Judged:
    """What became of an address that is the text of a link: it may be shorter than the one that the link leads to, but no other one."""
    shown, real = (_SCHEME.sub("", unquote(url.strip(" "))).casefold() for url in (label.rstrip(".\u2026"), leads))
    tail = real[len(shown.rstrip("/")) :] if real.startswith(shown.rstrip("/")) else None
    if tail is None or not (tail[:1] in ("", "/", "?", "#") or label.endswith(("...", "\u2026"))):
        return Judged("misattributed", "other-address")
    tied = evidence.tied(leads)
    for name, document in evidence.fetch(tied.names[:1] if tied is not None else []).items():
        return Judged("located", "shown-address", passage=evidence.passage(name, document, None), places=1)
    return Judged("not-found", "not-in-ledger")


def _mentioned(url: str, evidence: Evidence) -> Judged | None:
    for candidate, document in evidence.candidates(" ".join(_WORDS.findall(url)), _CANDIDATES):
        at = document.text.find(url)
        while at >= 0:
            if _is_whole(document.text, at, at + len(url)):
                passage = evidence.passage(candidate.document, document, (at, at + len(url)), whole=False)
                return Judged("located", "address-in-text", labels=("address-in-text",), passage=passage, places=1)
            at = document.text.find(url, at + 1)
    return None


def _is_whole(text: str, start: int, end: int) -> bool:
    return _ENDS.match(text, end) is not None and not text[max(0, start - 1) : start].isalnum()


def judge_citation(piece: Piece, evidence: Evidence) -> Judged:
    """Return what became of a citation that leads to no address: an author and a year may still name a document."""
    found = _AUTHOR_AND_YEAR.match(piece.text)
    name = evidence.by_author(lambda author: _is_cited(found["name"], author), found["year"]) if found is not None else None
    for identifier, document in evidence.fetch([name] if name is not None else []).items():
        return Judged("located", "author-and-year", passage=evidence.passage(identifier, document, None), places=1)
    return Judged("not-found", "leads-nowhere")


def _is_cited(names: str, author: Author) -> bool:
    first = _OTHERS.sub("", names)
    return is_author(first, author)
