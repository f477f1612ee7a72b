"""What a plugin's HTTP clients asked and what came back, recorded by the host at the transport: one record for each attempt.

    with recorder.call() as records:                  one hook call, held in a ContextVar
        transport, adapter --recorder.py--> exchange  while it runs: its reply is read by the client and copied here, piece by piece
                             |-- asked.py             the request: its URL without secrets, every string in it
                             |-- codings.py           content codings undone, never beyond the limit
                             |-- failures.py          what kind of failure it was, and how long to wait
                             `-- record.py            `Recorded`: whole or not whole (events.py), as the kernel takes it
    archive.py                                        the records of a run as a WARC file

    transports.py   httpx and httpx2, sync and async        sessions.py   requests        standins.py   who answers instead of the network

A reply is recorded as it came or not at all: one that holds a secret, or is too long, is refused. Nothing is sent outside of a call.
"""

from __future__ import annotations

from .record import Recorded
from .recorder import BODY_LIMIT, Call, Recorder
from .sessions import recording_session
from .standins import Network, Reply, Request
from .transports import async_transport, transport

__all__ = ["BODY_LIMIT", "Call", "Network", "Recorded", "Recorder", "Reply", "Request", "async_transport", "recording_session", "transport"]
