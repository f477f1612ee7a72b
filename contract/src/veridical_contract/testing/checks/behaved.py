"""What a plugin of any kind does, and what it leaves alone."""

from __future__ import annotations

import base64
import contextlib
import gc
import io
import logging
import os
import threading
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote, quote_plus

from veridical_contract import ConfigurationError, UsageError
from veridical_contract.testing.process import Process
from veridical_contract.testing.registry import NoReplyError, NotApplicable, Violation, check
from veridical_contract.testing.subject import SECONDS, Keeping, Live, Subject
from veridical_contract.testing.wires import FAILURES

from .calls import another, ordinary

_CALLED = ("chat", "search", "embedding", "source")


@check(
    "context-only",
    "A hook sends what it sends through the clients of the context, and reads no file and no variable behind it.",
    "Use context.http(), or give the SDK context.httpx2_transport() or context.requests_session(); copy_context() for threads.",
    kinds=_CALLED,
)
def context_only(subject: Subject) -> None:
    with subject.live() as live:
        if seen := ordinary(live).seen.everything():
            raise Violation(f"While it was called it {'; it '.join(seen)}.")


@check(
    "answers",
    "An ordinary call is answered.",
    "See what it raised; where the reply is a recorded one, the cassette may be of an older version: pytest --record",
    kinds=_CALLED,
    needs=("context-only",),
)
def answers(subject: Subject) -> None:
    with subject.live() as live:
        outcome = ordinary(live)
        if subject.kind == "source" and not subject.options.locations and isinstance(outcome.error, ConfigurationError):
            raise NoReplyError(f"It has to be told what to ask for (locations): {outcome.error}")
        outcome.result()


@check(
    "deterministic",
    "The same request with the same reply gives the same result, from the same instance and from another one.",
    "Sort what has no order, and keep nothing between calls that changes a result.",
    kinds=_CALLED,
    needs=("answers",),
)
def deterministic(subject: Subject) -> None:
    with subject.live() as live, subject.live() as other:
        first, second, third = (ordinary(each).result() for each in (live, live, other))
    if first != second or first != third:
        raise Violation("Three equal calls gave different results.")


@check(
    "instances-apart",
    "Two instances that work at the same time do not disturb each other.",
    "Keep what belongs to a call in the call, and what belongs to an instance in `self`: not in the class or the module.",
    kinds=_CALLED,
    needs=("deterministic",),
)
def instances_apart(subject: Subject) -> None:
    with subject.live() as one, subject.live() as other:
        calls = ((one, ordinary), (other, another))
        expected = [call(live).result() for live, call in calls]
        if subject.options.record:
            raise NotApplicable("A recording has one order.")
        barrier = threading.Barrier(2)

        def called(number: int) -> list[object]:
            live, call = calls[number]
            barrier.wait(SECONDS)
            return [call(live).result() for _ in range(3)]

        with ThreadPoolExecutor(2) as pool:
            found = [*pool.map(called, range(2))]
    if any(each != expected[number] for number, results in enumerate(found) for each in results):
        raise Violation("A call gave another result while another instance worked.")


@check(
    "time-limit",
    "Every request gives up after a while.",
    "Leave the timeout of the context's client as it is, or set one in seconds: never None.",
    kinds=_CALLED,
    needs=("answers",),
)
def time_limit(subject: Subject) -> None:
    with subject.live() as live:
        asked = ordinary(live).asked
    if not asked:
        raise NotApplicable("It asks no service.")
    if endless := [request.url.partition("?")[0] for request in asked if request.timeout is None]:
        raise Violation(f"The request to {endless[0]} waits for ever.")


@check(
    "secret-silence",
    "No secret stands in what it returns, raises, logs or writes to a file.",
    "Say which variable is wrong, not what is in it; do not put requests or headers into messages.",
    kinds=_CALLED,
    needs=("answers",),
)
def secret_silence(subject: Subject) -> None:
    with _heard_elsewhere() as heard, subject.live() as live:
        made = list(live.context.logged)
        outcomes = [
            ordinary(live),
            *(ordinary(live, failure.network) for failure in FAILURES.values() if not subject.options.record),
        ]
        forms = {form for name in live.context.asked_secrets for form in _forms(live.context.secret(name))}
        redact, files = live.redact, [path.read_bytes() for path in live.home.data.parent.rglob("*") if path.is_file()]
    if not subject.secrets:
        raise NotApplicable("It asks for no secret.")

    def tells(said: str) -> bool:
        return redact(said) != said or any(form in said for form in forms)

    for outcome in outcomes:
        if outcome.error is not None and any(tells(each) for each in _said_by(outcome.error)):
            raise Violation("A secret stands in what it raised.")
        if any(tells(each) for each in (repr(outcome.value), *outcome.logged, "".join(outcome.logged))):
            raise Violation("A secret stands in what it returned or logged.")
    if any(tells(each) for each in made):
        raise Violation("A secret stands in what it logged when it was made.")
    if any(tells(each) for each in heard):
        raise Violation("A secret stands in what was logged elsewhere than in context.logger.")
    if any(tells(content.decode("utf-8", "replace")) for content in files):
        raise Violation("A secret stands in a file that it wrote.")


def _said_by(error: BaseException) -> Iterator[str]:
    """Yield what an error says, and those that a traceback shows with it."""
    found: BaseException | None = error
    for _ in range(_DEEPEST):
        if found is None:
            return
        yield from (repr(found), str(found), repr(getattr(found, "hint", "")), *getattr(found, "__notes__", ()))
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)


_DEEPEST = 20


@contextlib.contextmanager
def _heard_elsewhere() -> Generator[list[str]]:
    """Keep what reaches the root logger until the end of the block."""
    heard = list[str]()
    handler = Keeping(heard)
    logging.root.addHandler(handler)
    try:
        yield heard
    finally:
        logging.root.removeHandler(handler)


@check(
    "secret-in-header",
    "A secret goes to the service in a header, not in the URL and not in the body: those are kept.",
    "Send it as a header. Where the service takes it nowhere else, waive this with the reason.",
    kinds=_CALLED,
    needs=("answers",),
)
def secret_in_header(subject: Subject) -> None:
    with subject.live() as live:
        asked = ordinary(live).asked
        values = [live.context.secret(name) for name in sorted(live.context.asked_secrets)]
    if not values or not asked:
        raise NotApplicable("It asks for no secret, or no service.")
    for request in asked:
        kept = request.url + "\n" + request.body.decode("utf-8", "replace")
        if any(form in kept for value in values for form in _forms(value)):
            raise Violation(f"A secret stands in the URL or the body of the request to {request.url.partition('?')[0]}.")


@check(
    "closed",
    "Once its context is closed it leaves no thread and no open file behind.",
    "Close what you opened: give what needs closing to the context's clients, or use `with` in the hook.",
)
def closed(subject: Subject) -> None:
    with subject.live() as live:  # what the libraries open once stays open
        _used(live)
    gc.collect()
    threads, files = set(threading.enumerate()), _open_files()
    with subject.live() as live:
        _used(live)
    del live
    gc.collect()
    if left := [thread.name for thread in threading.enumerate() if thread not in threads]:
        raise Violation(f"It leaves a thread behind: {left[0]}.")
    if more := _open_files() - files:
        raise Violation(f"It leaves a file open: {min(more)}.")


@check(
    "process-untouched",
    "It leaves what belongs to the whole process as it is: variables, working folder, sys.path, signals, root logger, standard output.",
    "Change what is yours: pass env= and cwd= to a program that you start, log to context.logger.",
)
def process_untouched(subject: Subject) -> None:
    before = Process.now()
    with subject.live() as live:
        _used(live)
        changed = before.changed()
    if changed:
        raise Violation(f"It changed {' and '.join(changed)}.")


@check(
    "prints-nothing",
    "It writes nothing to standard output, which belongs to the program: `--json` and MCP write there what other programs read.",
    "Log to context.logger instead of printing.",
)
def prints_nothing(subject: Subject) -> None:
    written = io.StringIO()
    with subject.live() as live, contextlib.redirect_stdout(written):
        _used(live)
    if said := written.getvalue().strip():
        raise Violation(f"It printed {live.redact(said)[:80]!r}.")


@check(
    "no-secret-kept",
    "No file of the project holds the value of a secret.",
    "Take it out, also of the history, and have the provider make a new one. `pytest --record` takes secrets out.",
)
def no_secret_kept(subject: Subject) -> None:
    with subject.live():
        pass
    given = {name: subject.options.secrets.get(name) or os.environ.get(name, "").strip() for name in sorted(subject.secrets)}
    values = {name: value for name, value in given.items() if len(value) >= _SHORTEST}
    root = _project(subject)
    if not values or root is None:
        raise NotApplicable("No secret of it is set here, or there is no project to look through.")
    for path in _texts(root):
        content = path.read_bytes()
        for name, value in values.items():
            if any(form.encode() in content for form in _forms(value)):
                raise Violation(f"{path.relative_to(root)} holds the value of {name}.")


_SHORTEST = 8
_SKIPPED = {".git", ".venv", "venv", "node_modules", "__pycache__", "site", "dist", "build", ".ruff_cache", ".pytest_cache", ".hypothesis"}
_LARGEST = 4 << 20


def _forms(value: str) -> set[str]:
    data = value.encode()
    return {value, quote(value, safe=""), quote_plus(value), base64.b64encode(data).decode().rstrip("="), data.hex(), value[::-1]}


def _used(live: Live) -> None:
    if live.subject.kind == "storage":
        live.call("migrate", "ordinary")
        live.call("state", "ordinary", check=False)
    else:
        try:
            ordinary(live)
        except UsageError:  # what it says of it is another check's
            return


def _open_files() -> set[str]:
    """Return what this process has open, but for what comes and goes by itself; nothing where the system does not tell."""
    folder = Path("/proc/self/fd")
    found: set[str] = set()
    for link in sorted(folder.iterdir()) if folder.is_dir() else ():
        try:
            target = str(link.readlink())
        except OSError:  # the one that listed them
            continue
        if target.startswith("/") and not target.startswith(("/proc/", "/dev/")):
            found.add(f"{target} ({link.name})")
    return found


def _project(subject: Subject) -> Path | None:
    start = subject.options.cassettes or subject.package
    if start is None:
        return None
    above = [start, *start.parents]
    return next((folder for folder in above if (folder / "pyproject.toml").is_file()), start if start.is_dir() else None)


def _texts(root: Path) -> list[Path]:
    found: list[Path] = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in _SKIPPED]
        paths = [Path(folder, name) for name in names]
        found += [path for path in paths if path.is_file() and not path.is_symlink() and path.stat().st_size <= _LARGEST]
    return sorted(found)
