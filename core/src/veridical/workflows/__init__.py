"""Workflows propose; they never publish.

ingest     bring the store up to date with what a source holds
find       where a quote stands, no document named
research   gather, select, group, compose, locate, release
select, cluster, terms    what is looked at, and what belongs together: deterministic
release    from a located proposal to a report that the exit will re-check
progress   how far a long step is
"""
