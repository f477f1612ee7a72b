"""`veridical serve`. What a service needs is imported when one is started: help does without."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click
from veridical.cli import codes
from veridical.cli.shared import say

if TYPE_CHECKING:
    from veridical.client import Health

__all__ = ["command"]

_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]{16,}=*")
_VARIABLE = "VERIDICAL_HTTP_TOKEN"
_MAKE = """Make one: python -c "import secrets; print(secrets.token_urlsafe(32))" > token"""
_MEBIBYTE = 1 << 20
_SMALL_CACHES = {"sqlite": {"cache_megabytes": 2}}
"""Each thread has a store of its own open: what one that works alone keeps in memory is too much for a service that runs for weeks."""


@click.command("serve", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--host", default="127.0.0.1", show_default=True, metavar="HOST", help="The name or address to listen on.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8080, show_default=True, help="The port; 0 takes a free one.")
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=f"A file with the token that every request has to bring. Default: {_VARIABLE}. Without one only this machine is answered.",
)
@click.option("--threads", type=click.IntRange(1, 64), default=4, show_default=True, help="Requests that are worked on at a time.")
@click.option("--queue", type=click.IntRange(0, 10_000), default=200, show_default=True, help="Requests that may wait for that.")
@click.option(
    "--seconds", type=click.FloatRange(1, 3600), default=120, show_default=True, help="That a request may take, waiting included."
)
@click.option("--max-body", type=click.IntRange(1, 64), default=1, show_default=True, metavar="MIB", help="Of a request, at most.")
@click.option(
    "--max-bundle", type=click.IntRange(1, 1024), default=64, show_default=True, metavar="MIB", help="Of a bundle to verify, at most."
)
@click.pass_context
def command(
    context: click.Context,
    host: str,
    port: int,
    token_file: Path | None,
    threads: int,
    queue: int,
    seconds: float,
    max_body: int,
    max_bundle: int,
) -> int:
    """Answer other programs over HTTP, until it is stopped (Ctrl-C, SIGTERM); what is under way is finished first.

    Requests name sources that were added, and never files. The routes: /openapi.json.
    """
    from veridical.client import Veridical
    from veridical_contract import ConfigurationError

    from .app import service
    from .logs import log_to_stderr
    from .options import Options
    from .server import bind, is_loopback, serve, url

    home: Path | None = context.find_root().obj
    token = _token(token_file)
    options = Options(
        token=token,
        hosts=Options().hosts | {f"[{host}]" if ":" in host else host.lower()},
        threads=threads,
        queue=queue,
        seconds=seconds,
        max_body=max_body * _MEBIBYTE,
        max_bundle=max_bundle * _MEBIBYTE,
    )
    with bind(host, port) as bound:
        alone = is_loopback(bound)
        if token is None and not alone:
            raise ConfigurationError(
                f"Others than this machine reach {host}, and there is no token.", hint=f"{_MAKE}; then add --token-file token"
            )
        with Veridical(home=home) as opened:
            _say_health(opened.doctor())
        log_to_stderr()
        if not alone:
            say("It speaks plain HTTP: put a server before it that speaks TLS, or the token can be read on the way.")
        rule = "with the token" if token is not None else "for this machine, without a token"
        serve(
            service(lambda: Veridical(home=home, plugin_defaults=_SMALL_CACHES), options),
            bound,
            lambda: say(f"Serving on {', '.join(map(url, bound))} {rule}."),
        )
    say("Stopped; everything that was asked before is answered.")
    return codes.DONE


def _token(file: Path | None) -> str | None:
    from veridical_contract import ConfigurationError

    where = str(file) if file is not None else _VARIABLE
    try:
        token = file.read_text("utf-8").strip() if file is not None else os.environ.get(_VARIABLE, "").strip()
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "it is no text"
        raise ConfigurationError(f"The token in {where} cannot be read: {said}.", hint=_MAKE) from error
    if not token and file is None:
        return None
    if _TOKEN.fullmatch(token) is None:
        raise ConfigurationError(f"{where} holds no token: expected 16 or more letters, digits and . _ ~ + / -", hint=_MAKE)
    return token


def _say_health(health: Health) -> None:
    for choice in health.choices:
        say(f"{choice.kind}: {choice.name} ({choice.why}). {choice.change}")
    for problem in health.problems:
        say(f"problem: {problem}")
