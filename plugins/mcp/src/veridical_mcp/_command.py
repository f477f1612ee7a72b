"""`veridical mcp`. What it needs is imported when it runs: help does not wait for it."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from veridical.cli import codes
from veridical.cli.shared import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server import Server

__all__ = ["command"]

_ENDING = 10.0
"""Seconds to wait for facades that are still at work when the server ends."""
_SMALL_CACHES = {"sqlite": {"cache_megabytes": 2}}
"""Each thread has a store of its own open: what one that works alone keeps in memory is too much for a server that runs for weeks."""


@click.command("mcp", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--http", is_flag=True, help="Serve streamable HTTP instead of stdin and stdout.")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="With --http: the address to listen at; beyond loopback it needs a token."
)
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=8766, show_default=True, help="With --http: the port; 0 takes one that is free."
)
@click.option(
    "--allow-host", "allowed", multiple=True, metavar="NAME", help="With --http: another name that the server is reached by; several times."
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="With --http: a file that holds the token callers must send. Default: the variable VERIDICAL_MCP_TOKEN.",
)
@click.option("--threads", type=click.IntRange(1, 64), default=4, show_default=True, help="Calls that are worked on at a time.")
@click.pass_context
def command(
    context: click.Context,
    http: bool,  # noqa: FBT001 - click's own signature
    host: str,
    port: int,
    allowed: tuple[str, ...],
    token_file: Path | None,
    threads: int,
) -> int:
    """Serve the Model Context Protocol: grounded answers, checks and evidence for assistants, as tools, resources and prompts.

    Without options it talks to the program that starts it, over stdin and stdout; a client's settings name `veridical mcp` for that.
    """
    from veridical.client import Pool, Veridical

    from ._calls import Calls, Watcher
    from ._server import make_server

    if not http and any(context.get_parameter_source(name) is not _DEFAULT for name in ("host", "port", "allowed", "token_file")):
        raise click.UsageError("--host, --port, --allow-host and --token-file go with --http.")
    root = context.find_root()
    debug, home, watcher = bool(root.params.get("debug")), root.obj, Watcher()
    _quiet(debug=debug)
    pool = Pool(lambda: Veridical(home=home, progress=watcher, plugin_defaults=_SMALL_CACHES), size=threads)

    def make() -> Server[Any]:
        return make_server(Calls(pool, watcher, size=threads), local=not http, debug=debug)

    try:
        if http:
            _http(make, host, port, allowed, token_file)
        else:
            from ._serving import serve_stdio

            if sys.stdin.isatty():
                say("Waiting for a client of the Model Context Protocol on stdin; Ctrl-C ends it. A client starts this by itself.")
            serve_stdio(make, partial(pool.close, _ENDING))
    finally:
        pool.close(_ENDING)
    return codes.DONE


_DEFAULT = click.core.ParameterSource.DEFAULT


def _http(make: Callable[[], Server[Any]], host: str, port: int, allowed: tuple[str, ...], token_file: Path | None) -> None:
    import os

    from ._guard import bracketed, located, names, token
    from ._serving import PATH, http_app, serve_http

    place = located(host, port)
    security, secret = names(host, place, allowed), token(token_file, os.environ, place)
    if not place.is_loopback:
        say("It speaks plain HTTP: put a server before it that speaks TLS, or the token can be read on the way.")
    with place.listen() as listening:
        say(f"Serving MCP at http://{bracketed(host)}:{listening.getsockname()[1]}{PATH}; Ctrl-C ends it.")
        serve_http(lambda: http_app(make(), security, secret), listening)


def _quiet(*, debug: bool) -> None:
    """What a person has to know is said in one line; logging's own last resort would add more, and tracebacks."""
    import logging

    if not debug:
        for name in ("veridical", "mcp"):
            logging.getLogger(name).addHandler(logging.NullHandler())
