"""veridical storage in one SQLite file."""
