"""Counts: the sizes of sets of identifiers. Sets are united, never their sizes added.

An account is (site, author id) after the site's own case rule: accounts, not people. Where the rule of a site is not known, two
spellings and two hosts of one domain are one account, so that a count may be too small and never too large.
Unknown authors and declared bots are no accounts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal
from unicodedata import normalize

from veridical_contract import Citation, Counts, Document, Model

from .canonical import digest
from .domains import registrable_domain
from .policy import Policy

__all__ = ["CountRefused", "CountTable", "account_of", "check_count", "check_percent", "count_set", "is_known_author", "origin_of"]

Account = Literal["known", "attested", "unknown", "excluded"]


class CountTable(Model):
    """`own_accounts` are domains each of whose hosts has accounts of its own. Names of authors are in lower case."""

    case_sensitive_sites: frozenset[str]
    own_accounts: frozenset[str]
    unknown_authors: frozenset[str]
    bots: frozenset[str]
    bot_suffixes: tuple[str, ...]


class CountRefused(ValueError):  # noqa: N818 - the name says what happened to the count
    """A count does not follow from the sets. `rule` says why."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


def count_set(rows: Iterable[Citation]) -> Counts:
    """Return the sizes of the sets that `rows` make up; the order and repetition of rows change nothing.

    Raises:
        CountRefused: two rows say different things of one document.
    """
    distinct = {(row.document, row.account, row.account_key, row.source_key, row.origin_key) for row in rows}
    documents = {document for document, *_ in distinct}
    if len(documents) != len(distinct):
        raise CountRefused("count-conflict")
    known = {key for _, account, key, _, _ in distinct if account == "known"}
    attested = {key for _, account, key, _, _ in distinct if account == "attested"}
    return Counts(
        mentions=len(documents),
        accounts=len(known),
        unknown_accounts=sum(account == "unknown" for _, account, *_ in distinct),
        attested_accounts=len(attested - known),
        sources=len({source for *_, source, _ in distinct}),
        origins=len({origin for *_, origin in distinct}),
    )


def account_of(document: Document, policy: Policy) -> tuple[Account, str | None]:
    """Return how the author of `document` is counted, and as what: `SITE/ID`, None when it is no account."""
    table, author = policy.table("counts", CountTable), document.author
    if author is None or not is_known_author(author.id, policy):
        return "unknown", None
    name = _name(author.id)
    if name in table.bots or name.endswith(table.bot_suffixes):
        return "excluded", None
    domain = registrable_domain(author.site, policy)
    site = author.site.lower() if domain in table.own_accounts else domain
    exact = author.site.lower() in table.case_sensitive_sites
    return "attested" if document.grades.author == "attested" else "known", f"{site}/{author.id.strip() if exact else name}"


def is_known_author(author: str, policy: Policy) -> bool:
    """Whether `author` names an account, and is not the mark of a deleted or unknown one."""
    return _name(author) not in policy.table("counts", CountTable).unknown_authors


def origin_of(text: str) -> str:
    """Return a key that near-duplicate texts share: equal words in equal order, whatever case, spacing and punctuation."""
    words = re.findall(r"\w+", normalize("NFC", text).casefold())
    return digest(" ".join(words or text.split()).encode("utf-8", "surrogatepass"))[:16]


def check_count(proposed: object, computed: int) -> int:
    """Return `computed` when `proposed` is exactly that int.

    Raises:
        CountRefused: it is another number, or no exact int (`True`, `2.0` and `"2"` are none).
    """
    if type(proposed) is not int:
        raise CountRefused("count-type")
    if proposed != computed:
        raise CountRefused("count-differs")
    return computed


def check_percent(proposed: object, numerator: frozenset[str], denominator: frozenset[str]) -> tuple[int, frozenset[str]]:
    """Return the percentage of `denominator` that `numerator` is, and the label `rounded` when it is not whole.

    Halves are rounded up; what is neither none nor all is never rounded to 0 or 100.

    Raises:
        CountRefused: `proposed` is not exactly that int, or the sets do not make a share.
    """
    if not denominator or not numerator <= denominator:
        raise CountRefused("percent-sets")
    share, total = len(numerator), len(denominator)
    percent = (200 * share + total) // (2 * total)
    whole = percent * total == 100 * share
    if not whole and percent in (0, 100):
        raise CountRefused("percent-rounding")
    return check_count(proposed, percent), frozenset() if whole else frozenset({"rounded"})


def _name(author: str) -> str:
    return normalize("NFC", author.strip()).casefold()
