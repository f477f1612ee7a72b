"""Old and new plugins in old and new hosts.

wheels      plugins that were built against the oldest contract that is supported; frozen: never built again
hosts       a host's contract: as it is, or a copy of the next version with an argument more in three hooks
program     runs in a process of its own, in one of the hosts, with one of the plugins
"""
