"""How a plugin is packaged, found, imported and made."""

from __future__ import annotations

import json
import re
import subprocess
import sys

from veridical_contract import GENERATION, SPECS, VeridicalError, deprecated_arguments
from veridical_contract.testing.registry import NotApplicable, Violation, check, said_by
from veridical_contract.testing.subject import SECONDS, Subject

from .calls import ordinary

_IMPORT = """
import io, json, os, sys, threading
from pathlib import Path
report = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
sys.stdout = printed = io.StringIO()
sys.path[:] = json.loads(sys.argv[3])
import veridical_contract, veridical_contract.testing.watching as kit
before = set(threading.enumerate())
package = sys.argv[2]
with kit.watching(Path(package), inside=package) as seen:
    __import__(sys.argv[1])
started = [thread.name for thread in threading.enumerate() if thread not in before]
prints = ["printed"] if printed.getvalue() else []
report.write(json.dumps([*seen.everything(), *prints, *(f"started the thread {name}" for name in started)]))
report.close()
"""


@check(
    "entry-point",
    "The installed distribution has an entry point of this name and kind, and it names a class that can be imported.",
    'In pyproject.toml: [project.entry-points."veridical.v1.KIND"] NAME = "package:Class"; then install it again: pip install -e .',
    needs=(),
)
def entry_point(subject: Subject) -> None:
    listing = subject.listing
    if listing is None:
        raise Violation(
            f"No installed distribution has an entry point {subject.name!r} in the group veridical.{GENERATION}.{subject.kind}."
        )
    if listing.state == "refused":
        raise Violation(listing.reason)
    try:
        target: object = subject.target
    except BaseException as error:
        raise Violation(f"{listing.value} cannot be imported: {said_by(error)}") from error
    if not isinstance(target, type):
        raise Violation(f"{listing.value} is of type {type(target).__name__}, expected a class.")


@check(
    "contract-range",
    "The distribution says which versions of the contract it fits, with a floor and a ceiling.",
    'In pyproject.toml: dependencies = ["veridical-contract>=0.1,<0.2"]',
    needs=("entry-point",),
)
def contract_range(subject: Subject) -> None:
    metadata = subject.metadata
    required = [each for each in (metadata.requires or [] if metadata is not None else []) if "extra ==" not in each]
    ours = [each for each in required if re.match(r"veridical[-_.]contract(?![\w-])", each, re.IGNORECASE)]
    if not ours:
        raise Violation(f"{subject.distribution} does not require veridical-contract.")
    if not (">=" in ours[0] or "==" in ours[0] or "~=" in ours[0]) or not ("<" in ours[0] or "==" in ours[0] or "~=" in ours[0]):
        raise Violation(f"{subject.distribution} requires {ours[0]!r}, expected a floor and a ceiling.")


@check(
    "typed",
    "The package says that it is typed, with a file py.typed (PEP 561).",
    "Add an empty file py.typed to the package, and see that the wheel has it.",
    needs=("entry-point",),
)
def typed(subject: Subject) -> None:
    package = subject.package
    if package is None or not package.is_dir():
        raise Violation(f"{subject.module} is a single module, which cannot say so: make it a package with a file py.typed.")
    if not (package / "py.typed").is_file():
        raise Violation(f"{package.name} has no file py.typed.")


@check(
    "import-quiet",
    "Importing it reads no variable and no file, connects to nothing, starts no thread and no program, prints nothing.",
    "Do it in the constructor, and through the context; or at the first call.",
    needs=("entry-point",),
)
def import_quiet(subject: Subject) -> None:
    command = [sys.executable, "-I", "-c", _IMPORT, subject.module, str(subject.package), json.dumps(sys.path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)  # noqa: S603 - this interpreter
    except subprocess.TimeoutExpired:
        raise Violation(f"{subject.module} is not imported within {SECONDS:g} s.") from None
    if done.returncode:
        raise Violation(f"{subject.module} cannot be imported alone: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
    if not done.stdout:
        raise Violation(f"{subject.module} ended the process that imported it.")
    if seen := json.loads(done.stdout):
        raise Violation(f"While it was imported it {'; it '.join(seen)}.")


@check(
    "construct",
    "It is made from a context alone.",
    "class Plugin: def __init__(self, context: PluginContext) -> None",
    needs=("entry-point",),
)
def construct(subject: Subject) -> None:
    try:
        with subject.live():
            pass
    except Violation as error:
        if not str(error).startswith("refused: "):  # it was made: what is wrong with it are its hooks or its wire maps
            raise


@check(
    "hooks",
    "It implements a hook of its kind, plainly.",
    "Mark the hook with @hookimpl alone: no wrapper, no tryfirst or trylast; its arguments are those of the specification.",
    needs=("construct",),
)
def hooks(subject: Subject) -> None:
    with subject.live() as live:
        main = {"chat": "chat", "search": "search", "embedding": "embed", "storage": "put", "source": "read"}[subject.kind]
        if not live.has(main):
            raise Violation(f"It does not implement {main}.")
        every = {name for name, value in vars(SPECS["storage"]).items() if callable(value)}
        if subject.kind == "storage" and live.loaded is not None and (missing := sorted(every - live.loaded.hooks)):
            raise Violation(f"It does not implement {', '.join(missing)}.")


@check(
    "deprecated-argument",
    "No hook asks for an argument that is on its way out.",
    "Use what the message names instead: a later version of the contract will not have the argument.",
    needs=("hooks",),
)
def deprecated_argument(subject: Subject) -> None:
    if found := deprecated_arguments(subject.target, subject.kind):
        raise Violation(str(found[0]))


@check(
    "construct-quiet",
    "Making it sends nothing, reads no file and no variable: what it needs comes from the context.",
    "Take settings, secrets and folders from the context, and do the rest in the hook.",
    needs=("hooks",),
)
def construct_quiet(subject: Subject) -> None:
    with subject.live() as live:
        if seen := live.seen.everything():
            raise Violation(f"While it was made it {'; it '.join(seen)}.")


@check(
    "secret-missing",
    "Without a secret that it asks for it does without, or says so, as MissingSecretError does.",
    "Let context.secret(NAME) raise: what you catch you have to do without.",
)
def secret_missing(subject: Subject) -> None:
    with subject.live() as live:
        asked = set(live.context.asked_secrets)
        if not asked and subject.kind != "storage":
            ordinary(live)
            asked = set(live.context.asked_secrets)
    if not asked:
        raise NotApplicable("It asks for no secret.")
    named = ", ".join(sorted(asked))
    try:
        with subject.live(without=asked) as live:
            found = ordinary(live) if subject.kind != "storage" else None
    except Violation as error:
        if not str(error).startswith("disabled: "):
            raise Violation(f"Without {named}: {error}") from None
        return
    if found is not None and found.error is not None and not isinstance(found.error, VeridicalError):
        raise Violation(f"Without {named} it raised {type(found.error).__name__}: {found.error}")
