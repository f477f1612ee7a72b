"""veridical over HTTP: `veridical serve`.

    socket -> server -> edge -> app -> routes -> places -> Pool of facades

command     `veridical serve`: options, the token, what is said at the start
logs        one line for each request, and what the operator has to know
options     what a service is told
server      sockets, signals, and what uvicorn does before there is a request
edge        what holds for every request: id, host, token, limits on its body, headers, one line in the log
app         FastAPI put together; the OpenAPI document
routes      one function for each route
bodies      what requests and replies hold beside the contract's models
strict      JSON that says one thing only
places      who may work, who waits, and for how long
streams     the events of an assistant's replies, kept for who comes back
readiness   whether a run could work
problems    every error, as RFC 9457 says, from one table
tracing     spans around work, when OpenTelemetry is set up
"""

from __future__ import annotations

from .command import command

__all__ = ["command"]
