"""Candidates: passages that hold any of the words, best first by BM25, and documents in which all words of a quote may stand.

Words that stand in an eighth of all passages say next to nothing and cost the most, so they are left out at first, in every language
alike. When the others do not fill the limit, all words are looked for: a query of nothing but such words finds them too. Of a page that
is given as a query the 256 rarest words are looked for.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator

from veridical_contract import Candidate, FingerprintCandidates, FingerprintQuery, TextQuery

from . import bones, words
from .documents import current_in
from .fingerprints import Lookup

_COMMON_SHARE = 8
_NEVER_COMMON = 1_000
_MOST_TERMS = 256


def candidates(connection: sqlite3.Connection, query: TextQuery) -> tuple[Candidate, ...]:
    """Return at most `query.limit` passages of current documents; ties in the order of document and start."""
    rare, every = _by_rarity(connection, words.looked_up(query.text))
    found = _best(connection, rare, query)
    return found if len(found) == query.limit or len(rare) == len(every) else _best(connection, every, query)


def candidates_by_fingerprint(connection: sqlite3.Connection, query: FingerprintQuery) -> FingerprintCandidates:
    """Return a page of the current documents that hold the grams of the words, in every way in which the host may read them."""
    lookup, readings = Lookup(connection), bones.readings(query.text)
    rows = sorted(set[int]().union(*map(lookup.documents, readings)))
    sure = all(bones.windows(units) >= bones.STEP for units in readings)
    guaranteed = sure and lookup.is_whole and bones.is_stable(query.text)
    if not rows:
        return FingerprintCandidates(documents=(), guaranteed=guaranteed)
    found = connection.execute(
        f"""
        SELECT lower(hex(id)) FROM documents
        WHERE row IN (SELECT value FROM json_each(?)) AND id > ? AND {current_in(query.origins)} ORDER BY id LIMIT ?
        """,  # noqa: S608 - only placeholders
        (json.dumps(rows), bytes.fromhex(query.after or ""), *query.origins, query.limit + 1),
    )
    names = tuple(name for (name,) in found)
    return FingerprintCandidates(documents=names[: query.limit], guaranteed=guaranteed, more=len(names) > query.limit)


def _by_rarity(connection: sqlite3.Connection, terms: list[str]) -> tuple[list[str], list[str]]:
    """Return the terms that are not common, and all that occur: the rarest first, and no more than a query can bear."""
    most = connection.execute("SELECT coalesce(max(row), 0) FROM passages").fetchone()[0]
    common = max(_NEVER_COMMON, most // _COMMON_SHARE)
    counted = "SELECT count(*) FROM (SELECT 1 FROM passage_index WHERE passage_index MATCH ? LIMIT ?)"
    counts = {term: connection.execute(counted, (term, common)).fetchone()[0] for term in terms}
    every = sorted((term for term in terms if counts[term]), key=counts.__getitem__)[:_MOST_TERMS]
    return [term for term in every if counts[term] < common], every


def _best(connection: sqlite3.Connection, terms: list[str], query: TextQuery) -> tuple[Candidate, ...]:
    if not terms:
        return ()
    rows = connection.execute(
        f"""
        SELECT passage_index.rank, lower(hex(documents.id)), passages.start, passages."end"
        FROM passage_index
        CROSS JOIN passages ON passages.row = passage_index.rowid
        CROSS JOIN documents ON documents.row = passages.document
        WHERE passage_index MATCH ? AND {current_in(query.origins)}
        ORDER BY passage_index.rank
        """,  # noqa: S608 - only placeholders
        (" OR ".join(terms), *query.origins),
    )
    ranked = sorted(_with_ties(rows, query.limit))[: query.limit]
    return tuple(Candidate(document=name, start=start, end=end, score=-rank) for rank, name, start, end in ranked)


def _with_ties(rows: sqlite3.Cursor, limit: int) -> Iterator[tuple[float, str, int, int]]:
    """Yield the best `limit` rows and all that are as good as the last of them; nothing is looked up for the rest."""
    last = 0.0
    for number, row in enumerate(rows):
        if number >= limit and row[0] > last:
            return
        last = row[0]
        yield row
