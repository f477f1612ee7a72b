"""Candidates: passages that hold any of the words, best first by BM25, and documents in which all words of a quote may stand.

Words that stand in an eighth of all passages say next to nothing and cost the most, so they are left out at first, in every language
alike. When the others do not fill the limit, all words are looked for: a query of nothing but such words finds them too. Of a page that
is given as a query the 256 rarest words are looked for.

To rank every passage that holds a word costs time and memory in proportion to the whole store. So where the sources that are asked for have
few passages beside the store's, those are listed first, and no others are ranked; the score of each is the same.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence

from veridical_contract import Candidate, FingerprintCandidates, FingerprintQuery, TextQuery

from . import bones, words
from .documents import current_in, held_in
from .fingerprints import Lookup

_COMMON_SHARE = 8
_NEVER_COMMON = 1_000
_MOST_TERMS = 256
_MOST_LISTED = 10_000
"""Passages of the sources that are asked for that are listed before the words are looked for, as long as they are an eighth of all."""
_RANKED = """
    SELECT {}, lower(hex(documents.id)), passages.start, passages."end"
    FROM passage_index
    CROSS JOIN passages ON passages.row = passage_index.rowid
    CROSS JOIN documents ON documents.row = passages.document
    WHERE passage_index MATCH ? AND {}
"""
_AMONG = "+passage_index.rowid IN (SELECT value FROM json_each(?))"
"""Without the plus sign the words would be looked for, and counted, once for each row."""


def candidates(connection: sqlite3.Connection, query: TextQuery) -> tuple[Candidate, ...]:
    """Return at most `query.limit` passages of current documents; ties in the order of document and start."""
    most = connection.execute("SELECT coalesce(max(row), 0) FROM passages").fetchone()[0]
    rare, every = _by_rarity(connection, words.looked_up(query.text), most)
    listed = _listed(connection, query.origins, min(_MOST_LISTED, most // _COMMON_SHARE))
    found = _best(connection, rare, query, listed)
    return found if len(found) == query.limit or len(rare) == len(every) else _best(connection, every, query, listed)


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


def _by_rarity(connection: sqlite3.Connection, terms: list[str], most: int) -> tuple[list[str], list[str]]:
    """Return the terms that are not common among `most` passages, and all that occur: the rarest first, as many as a query can bear."""
    common = max(_NEVER_COMMON, most // _COMMON_SHARE)
    counted = "SELECT count(*) FROM (SELECT 1 FROM passage_index WHERE passage_index MATCH ? LIMIT ?)"
    counts = {term: connection.execute(counted, (term, common)).fetchone()[0] for term in terms}
    every = sorted((term for term in terms if counts[term]), key=counts.__getitem__)[:_MOST_TERMS]
    return [term for term in every if counts[term] < common], every


def _listed(connection: sqlite3.Connection, origins: Sequence[str], most: int) -> list[int] | None:
    """Return the rows of the passages of current documents in `origins`; None when all are asked for, or they are more than `most`."""
    if not origins:
        return None
    rows = connection.execute(
        f"""
        SELECT passages.row FROM ({held_in(origins)} LIMIT ?) AS held CROSS JOIN passages ON passages.document = held.document LIMIT ?
        """,  # noqa: S608 - only placeholders
        (*origins, most + 1, most + 1),
    ).fetchall()
    return [row for (row,) in rows] if len(rows) <= most else None


def _best(connection: sqlite3.Connection, terms: list[str], query: TextQuery, listed: list[int] | None) -> tuple[Candidate, ...]:
    if not terms:
        return ()
    text = " OR ".join(terms)
    if listed is not None:
        rows = connection.execute(_RANKED.format("bm25(passage_index)", _AMONG), (text, json.dumps(listed)))
        ranked = sorted(rows)[: query.limit]
    else:
        ordered = _RANKED.format("passage_index.rank", current_in(query.origins)) + " ORDER BY passage_index.rank"
        ranked = sorted(_with_ties(connection.execute(ordered, (text, *query.origins)), query.limit))[: query.limit]
    return tuple(Candidate(document=name, start=start, end=end, score=-rank) for rank, name, start, end in ranked)


def _with_ties(rows: sqlite3.Cursor, limit: int) -> Iterator[tuple[float, str, int, int]]:
    """Yield the best `limit` rows and all that are as good as the last of them; nothing is looked up for the rest."""
    last = 0.0
    for number, row in enumerate(rows):
        if number >= limit and row[0] > last:
            return
        last = row[0]
        yield row
