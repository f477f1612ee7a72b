"""The verbs that look into evidence and on the web: what they read first, the run that they make, what is kept of it."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

from veridical_contract import ConfigurationError, FieldMap, ResearchOutcome, SearchQuery, UsageError, VeridicalError

from veridical.gateway.verified import Gateway
from veridical.installation import Installation
from veridical.kernel.exit import Published
from veridical.kernel.policy import load_policy
from veridical.kernel.run import Run
from veridical.spending import Budget, Deadline, Spent
from veridical.wire.inputs import Inputs, enumerate_inputs
from veridical.workflows.following import held
from veridical.workflows.ground import Asked, Grounded, ground, refuse_without_backend, refuse_without_provider
from veridical.workflows.ingest import Synced, sync
from veridical.workflows.pages import read_pages, resolve_links
from veridical.workflows.progress import Progress
from veridical.workflows.provider_search import gather_grounded
from veridical.workflows.research import Brief, research
from veridical.workflows.web import Gathered, ask_in_turn, gather

from .inputs import origin_of, something
from .sources import SourceVerbs

__all__ = ["ResearchVerbs"]


class ResearchVerbs(SourceVerbs):
    """What `Veridical` does to find something out."""

    _installation: Installation
    _base: Path
    _progress: Progress
    _now: Callable[[], datetime]
    _budget: Budget | None
    _unkept: VeridicalError | None
    _published: Published | None
    _wait: Callable[[float], None]

    def research(
        self,
        question: str,
        *,
        paths: Sequence[Path | str] = (),
        sources: Sequence[str] = (),
        must_address: Sequence[str] = (),
        field_map: FieldMap | None = None,
        chat: str | None = None,
        embedding: str | None = None,
        seed: int = 0,
        web: bool = False,
        search: str | None = None,
        pages: int = 0,
        resolve: bool = False,
        cite: bool = False,
        max_cost: str | None = None,
        seconds: float | None = None,
    ) -> Published:
        """Answer `question` from evidence, or refuse with a reason. Without `web`, `search` and `pages` all of it is local.

        Args:
            question: in plain words.
            paths: files, folders and globs to read first and to look in; the name of a source too, where no file has it.
            sources: names of sources to look in. With neither paths nor sources: all sources that were added.
            must_address: questions that the report has to answer one by one.
            field_map: for tabular files among `paths`.
            chat: the chat plugin to compose with; None takes the settings' choice, else one whose key is set, else the local composer.
            embedding: the embedding plugin; None takes the settings' choice, else the local one.
            seed: of the random quota in the selection; the same evidence and seed give the same report.
            web: search the web too, with the settings' choice or the plugins whose keys are set, and look in what they found. The sources
                that were added are then looked in only when they are named.
            search: the search plugin to ask; goes with `web`, which it stands for.
            pages: how many of the pages that were found are fetched by this program itself and looked in.
            resolve: ask a provider's short-lived redirects where they lead, one by one, and note both addresses.
            cite: let the chat plugin's provider cite the passages by its own means; each citation is compared with what was sent.
            max_cost: dollars that models may cost at most, as digits (`0.50`); None for no limit. What was spent: `spent`.
            seconds: that the whole run may take; None for no limit.

        Raises:
            UsageError: a path, source or question that is not there.
            ConfigurationError: a run could not work as things are set up.
            PluginError, StoreError, NotPublishableError: as their docstrings say.
        """
        for asked in (question, *must_address):
            _check_question(asked, 'Type: veridical research "QUESTION" --from PATH')
        paths, sources = self._apart(paths, sources)
        # Inputs are enumerated and hashed before any plugin is imported, so that none can choose what is read.
        named = [(origin_of(self._base / path), something(path, enumerate_inputs([path], base=self._base))) for path in paths]
        web = web or search is not None or pages > 0
        chosen = self._chosen(sources) if sources or not (named or web) else {}
        gateway = self._installation.gateway(chat=chat, embedding=embedding)
        self._published = None
        self._budget, unlimited = self._installation.budget(max_cost), self._installation.budget(None)
        self._installation.begin_run()
        gateway.spend(self._budget, Deadline(seconds))
        synced = self._synced(gateway, named, field_map)
        name = uuid.uuid4().hex
        try:
            found = self._gathered(gateway, (question, *must_address), search, pages, resolve=resolve) if web else Gathered()
            # Made now: nothing that was read is younger than the report.
            run = self._run(name, question, must_address, seed)
            run.rejections.extend([*(rejection for one in synced for rejection in one.rejections), *found.rejections])
            stored = (held(gateway, source.plugin, name) for name, source in chosen.items() if not source.paths)
            run.inputs = (*(record for one in synced for record in one.inputs), *stored, *found.inputs)
            brief = Brief(
                question,
                tuple(must_address),
                (*(origin for origin, _ in named), *chosen, *found.origins),
                cite=cite,
                without=frozenset(found.superseded),
                findings=tuple(found.findings),
            )
            published = research(gateway, run, brief, self._progress)
        finally:
            gateway.spend(unlimited, Deadline(None))
            self._keep_wire(name, gateway)
        self._installation.keep(run, published)
        self._published = published
        return published

    def ground(
        self,
        question: str,
        *,
        paths: Sequence[Path | str] = (),
        sources: Sequence[str] = (),
        field_map: FieldMap | None = None,
        search: str | None = None,
        pages: int = 0,
        limit: int = 10,
    ) -> ResearchOutcome:
        """Answer a question about the world from a real search, or refuse; no model has a part in it.

        The search plugins that are set up are asked in turn, until one answers: Brave, Tavily, Exa, SearXNG, and DuckDuckGo's page where
        the settings allow it. Local evidence is looked in only when it is named; then it answers also where nobody else does.

        Args:
            question: in plain words.
            paths: files, folders and globs to look in too; the name of a source, where no file has it.
            sources: names of sources to look in too.
            field_map: for tabular files among `paths`.
            search: the search plugin to ask, and no other.
            pages: how many of the pages that were found are fetched by this program itself, from 0 to 50; what they hold is better
                evidence than what a search engine says of them.
            limit: how many results to ask for, from 1 to 100.

        Raises:
            UsageError: a path, source or question that is not there, or a number that is none of these.
            ConfigurationError: a run could not work as things are set up; a provider refuses its key.
            StoreError: the store cannot be read or written.
            NotPublishableError: the store changed under the run.
        """
        return self._grounded(question, paths=paths, sources=sources, field_map=field_map, search=search, pages=pages, limit=limit).outcome

    def published(self) -> Published | None:
        """The report of the last run, for `save`; None when the last one came to no report."""
        return self._published

    def _grounded(
        self,
        question: str,
        *,
        paths: Sequence[Path | str] = (),
        sources: Sequence[str] = (),
        field_map: FieldMap | None = None,
        search: str | None = None,
        pages: int = 0,
        limit: int = 10,
    ) -> Grounded:
        self._published = None
        _check_question(question, 'Type: veridical ground "QUESTION"')
        for name, number, least, most in (("pages", pages, 0, 50), ("limit", limit, 1, 100)):
            if not least <= number <= most:
                raise UsageError(f"{name} is {number}.", hint=f"Expected a number from {least} to {most}.")
        paths, sources = self._apart(paths, sources)
        named = [(origin_of(self._base / path), something(path, enumerate_inputs([path], base=self._base))) for path in paths]
        chosen = self._chosen(sources) if sources else {}
        origins = (*(origin for origin, _ in named), *chosen)
        chain = [choice.name for choice in self._installation.ground_choices(search)]
        if not chain and not origins:
            return refuse_without_backend(question, self._installation.waiting("search"))
        gateway = self._installation.gateway()
        self._installation.begin_run()
        synced = self._synced(gateway, named, field_map)
        name = uuid.uuid4().hex
        try:
            found = ask_in_turn(gateway, chain, [SearchQuery(text=question, limit=limit)], self._progress, self._wait)
            if pages and found.links:
                fetcher = self._installation.fetcher()
                read_pages(gateway, found, fetcher, most=pages, policy=fetcher.policy, progress=self._progress)
            if chain and not found.origins and not origins:
                return refuse_without_provider(question, found.tried)
            run = self._run(name, question, (), 0)
            run.rejections.extend([*(rejection for one in synced for rejection in one.rejections), *found.rejections])
            stored = (held(gateway, source.plugin, source_name) for source_name, source in chosen.items() if not source.paths)
            run.inputs = (*(record for one in synced for record in one.inputs), *stored, *found.inputs)
            grounded = ground(gateway, run, Asked(question, origins, found))
        finally:
            self._keep_wire(name, gateway)
        if grounded.published is not None:
            self._installation.keep(run, grounded.published)
        self._published = grounded.published
        return grounded

    def _keep_wire(self, run: str, gateway: Gateway) -> None:
        """Keep the record of a run; where it cannot be written, the run goes on: its report holds the replies that it rests on."""
        self._unkept = None
        try:
            self._installation.keep_wire(run, gateway.take_wire())
        except VeridicalError as error:
            self._unkept = error

    def unkept(self) -> VeridicalError | None:
        """Why the record of what went over the wire in the last run was not kept; None when it was, or when there was nothing to keep."""
        return self._unkept

    def _nobody_to_ask(self) -> NoReturn:
        waiting = self._installation.waiting("search")
        hint = (
            f"Enable one that is installed: veridical plugins enable {waiting[0]}"
            if waiting
            else 'Install one: pip install "veridical[brave]"'
        )
        raise ConfigurationError("There is no search plugin to ask the web with, or no key for it.", hint=f"{hint}; see: veridical doctor")

    def spent(self) -> dict[tuple[str, str], Spent]:
        """What the last run cost, by plugin and model; nothing when it asked no model that is paid for."""
        return self._budget.rows() if self._budget is not None else {}

    def _gathered(self, gateway: Gateway, questions: Sequence[str], search: str | None, pages: int, *, resolve: bool) -> Gathered:
        """Ask the provider of the chat plugin where it searches by itself and no search plugin was named; else the search plugins."""
        queries = [SearchQuery(text=question) for question in questions]
        if search is None and gateway.grounds():
            found = gather_grounded(gateway, queries, self._progress)
        else:
            chain = [choice.name for choice in self._installation.search_choices(search)]
            if not chain:
                self._nobody_to_ask()
            found = gather(gateway, chain, queries, self._progress, self._wait)
        fetcher = self._installation.fetcher() if pages or resolve else None
        if fetcher is not None and resolve:
            resolve_links(found, fetcher, fetcher.policy)
        if fetcher is not None and pages:
            read_pages(gateway, found, fetcher, most=pages, policy=fetcher.policy, progress=self._progress)
        return found

    def _run(self, name: str, question: str, must_address: Sequence[str], seed: int) -> Run:
        return Run(
            run=name,
            created_at=self._now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            query=question,
            must_address=tuple(must_address),
            policy=load_policy(),
            seed=seed,
            version=version("veridical-core"),
        )

    def _synced(self, gateway: Gateway, named: Sequence[tuple[str, Inputs]], field_map: FieldMap | None) -> list[Synced]:
        self._installation.read_below(self._base)
        return [
            sync(gateway, plugin="files", origin=origin, inputs=inputs, field_map=field_map, progress=self._progress)
            for origin, inputs in named
        ]

    def _apart(self, paths: Sequence[Path | str], sources: Sequence[str]) -> tuple[list[Path | str], list[str]]:
        """Take the names of sources out of `paths`; what lies there under the same name goes first."""
        known = self._installation.settings().sources if paths else {}
        names = [path for path in paths if isinstance(path, str) and path in known and not os.path.lexists(self._base / path)]
        return [path for path in paths if path not in names], list(dict.fromkeys([*sources, *names]))


def _check_question(question: str, hint: str) -> None:
    if not question.strip():
        raise UsageError("A question is empty.", hint=hint)
    if not question.isascii() and any("\ud800" <= character <= "\udfff" for character in question):
        raise UsageError("A question is not UTF-8.", hint="Type it again in a terminal that uses UTF-8.")
