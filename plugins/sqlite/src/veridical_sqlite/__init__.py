"""veridical storage in one SQLite file.

plugin        the hooks, each one transaction
connection    the open file: snapshots, transactions, locks
making        how the file comes to be
failures      what errors mean to a person
schema        the tables and their migrations
documents     put, get, page through
deletion      delete for good
containers    what is current
search        candidates, from the `words` that were indexed
fingerprints  documents by the grams of a quote, made of the `bones` of texts; `compaction` puts them in order
runs          hash chains
checks        what is wrong with a store
repair        what is damaged, put back
copies        backup and restore
packing       how bytes lie in the file
"""

from __future__ import annotations

from .plugin import SqliteSettings, SqliteStorage

__all__ = ["SqliteSettings", "SqliteStorage"]
