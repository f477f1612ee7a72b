"""One module per command; each has a `command` and imports nothing heavy at its top."""
