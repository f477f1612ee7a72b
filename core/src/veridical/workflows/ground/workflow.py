"""A question about the world: search, admit, compose by rules, release, publish. No model has a part in it.

    chain --ask in turn--> hits, pages --`--from`: local passages--> about the question? --> coverage --too little--> refusal
          `--all failed-> refusal     of somebody else? left out                          `--> people who share a name? --> candidates
                                                                                          `--> sections by domain --> answer

What is answered comes out of a report that the exit let out, like every other: it can be saved, verified, and read again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from veridical_contract import Document, PluginError, Reference, ResearchOutcome, TextQuery

from veridical.gateway.verified import Gateway
from veridical.kernel.domains import registrable_domain
from veridical.kernel.exit import Published, Reread, publish
from veridical.kernel.policy import Policy
from veridical.kernel.report import Evidence
from veridical.kernel.run import Run
from veridical.kernel.sentences import injected
from veridical.kernel.texts import RefusalCode
from veridical.kernel.urls import url_host
from veridical.workflows.pages import ORIGIN as PAGES
from veridical.workflows.release import Proposal, ProposedClaim, ProposedQuote, ProposedTheme, release
from veridical.workflows.terms import query_words
from veridical.workflows.web import Gathered

from .compose import Origin, Passage, about, best_spans, origins
from .coverage import ENOUGH, coverage_score
from .outcome import STORE, answer, candidates, refused
from .people import Mention, Person, distinct_people, others
from .refusals import insufficient, no_backend, providers_failed

__all__ = ["Asked", "Grounded", "ground", "refuse_without_backend", "refuse_without_provider"]

_Found = TypeVar("_Found")
_HOOK = "ground"
_CANDIDATES = 400
_EXCERPT = 2_000
"""Code points of an excerpt from which it is read like a page, passage by passage."""
_LOCAL = 20
"""Local documents that are looked at, at most."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked.

    Attributes:
        question: in the operator's words.
        origins: local sources to look in; none unless they were named.
        found: what a search of the web brought, and who failed.
    """

    question: str
    origins: tuple[str, ...]
    found: Gathered


@dataclass(frozen=True, slots=True)
class Grounded:
    """What came of a question.

    Attributes:
        outcome: for whoever asked.
        published: the report that it was taken from; None where nothing was searched, or nobody answered.
        evidence: the run and the documents that the report rests on; None where there is none.
    """

    outcome: ResearchOutcome
    published: Published | None = None
    evidence: Evidence | None = None


def refuse_without_backend(question: str, waiting: Sequence[str]) -> Grounded:
    """Return the refusal where there is nobody to ask; `waiting` are search plugins that only wait to be enabled."""
    return Grounded(refused(question, no_backend(waiting), {}))


def refuse_without_provider(question: str, tried: Mapping[str, PluginError]) -> Grounded:
    """Return the refusal where everybody who was asked failed."""
    return Grounded(refused(question, providers_failed(tried), tried))


def ground(gateway: Gateway, run: Run, asked: Asked) -> Grounded:
    """Return what the evidence says about the question, or why nothing is said.

    Raises:
        StoreError: the store cannot be read.
        NotPublishableError: the store changed under the run.
    """
    return _Ground(gateway, run, asked).run()


class _Ground:
    def __init__(self, gateway: Gateway, run: Run, asked: Asked) -> None:
        self._gateway = gateway
        self._run = run
        self._asked = asked
        self._provider = next((name for name in asked.found.origins if name != PAGES), STORE if asked.origins else None)

    def run(self) -> Grounded:
        question, policy = self._asked.question, self._run.policy
        found = about(question, self._passages(), policy)
        strangers = others(question, _mentions(found))
        passages = [passage for index, passage in enumerate(found) if index not in strangers]
        quotable = [passage for passage in passages if passage.is_quotable]
        score = coverage_score(question, [passage.witness for passage in quotable], policy)
        people = distinct_people(question, _mentions(passages)) if score >= ENOUGH else ()
        self._seal(passages)
        again = self._gateway.fetch(self._run.documents)
        self._run.rejections.extend(again.rejections)
        groups = origins(quotable) if score >= ENOUGH and not people else ()
        themes = self._candidates(people, passages) if people else tuple(map(self._theme, groups))
        held = Evidence(self._run, again.documents)
        published = self._publish(themes, held, refuse="insufficient-evidence" if passages else "no-evidence")
        outcome = self._outcome(published, passages, len(quotable), score, shared=bool(people))
        return Grounded(outcome, published, held)

    def _publish(self, themes: tuple[ProposedTheme, ...], held: Evidence, *, refuse: RefusalCode) -> Published:
        self._run.plugins = self._gateway.records()
        proposal = Proposal(plugin=self._provider or STORE, hook=_HOOK, themes=themes, refuse=None if themes else refuse)
        return publish(release(proposal, held), self._run, self._gateway.store())

    def _outcome(self, published: Published, passages: Sequence[Passage], quotable: int, score: float, *, shared: bool) -> ResearchOutcome:
        ranks = {passage.name: passage.rank for passage in reversed(passages)}
        tried, themes = self._asked.found.tried, published.report.themes
        if shared and len(themes) > 1:
            return candidates(published, ranks, tried, provider=self._provider, score=score)
        if themes and not shared:
            return answer(published, ranks, tried, provider=self._provider, score=score)
        web = self._provider if self._provider != STORE else None
        unread = web is not None and not self._asked.found.pages
        reason = insufficient(web, quotable, score, local=bool(self._asked.origins), failed=tried, pages=unread)
        return refused(self._asked.question, reason, tried, inputs=published.report.inputs, provider=self._provider, score=score)

    # What was found

    def _passages(self) -> Iterator[Iterator[Passage]]:
        """Yield the passages of each document that was found, best first: of the web in the order of the search, then local ones."""
        local = self._local_spans() if self._asked.origins else {}
        places: dict[str, int] = {}
        for name, rank in (*self._of_the_web(), *((name, len(self._asked.found.links) + at) for at, name in enumerate(local, 1))):
            places.setdefault(name, rank)
        fetched = self._gateway.fetch(list(places))
        self._run.rejections.extend(fetched.rejections)
        self._run.retrieved = len(places)
        self._run.in_scope = max(self._gateway.in_scope(self._asked.origins) if self._asked.origins else 0, len(places))
        documents = {name: fetched.documents[name] for name in places if name in fetched.documents}
        # A provider may name a page twice, or give an excerpt of it twice.
        for name, document in _first_of_each(documents.items(), lambda one: (one[1].url or one[0], one[1].text)):
            domain = _domain(document, self._run.policy)
            spans = local.get(name) or self._spans(name, document)
            yield (Passage(name, document, *span, places[name], domain) for span in spans if span[1] <= len(document.text))

    def _of_the_web(self) -> Iterator[tuple[str, int]]:
        """Yield (identifier, rank) for each page that was read, and for each excerpt of a page that was not."""
        found = self._asked.found
        for rank, link in enumerate(found.links, 1):
            yield from ((name, rank) for name, url in found.pages.items() if url == link.url)
            for name, excerpt in found.excerpts.items():
                if excerpt.document.url == link.url and name not in found.superseded:
                    yield name, rank

    def _spans(self, name: str, document: Document) -> tuple[tuple[int, int], ...]:
        """Return the passages of a page, best first; of an excerpt, as a rule, all of it."""
        whole = ((0, len(document.text)),)
        if name not in self._asked.found.main and len(document.text) <= _EXCERPT:
            return whole
        return best_spans(self._asked.question, document.text, self._asked.found.main.get(name, whole))

    def _local_spans(self) -> dict[str, list[tuple[int, int]]]:
        """Return the passages of each local document, best first, as the index has them."""
        words = " ".join(query_words(self._asked.question)) or self._asked.question
        best: dict[str, list[tuple[int, int]]] = {}
        for candidate in self._gateway.candidates(TextQuery(text=words, limit=_CANDIDATES, origins=self._asked.origins)):
            if candidate.document in best or len(best) < _LOCAL:
                best.setdefault(candidate.document, []).append((candidate.start, candidate.end))
        return best

    def _seal(self, passages: Sequence[Passage]) -> None:
        for passage in passages:
            self._run.admit(passage.name)
        self._run.shown = tuple(dict.fromkeys(passage.name for passage in passages))
        self._run.selected = len(self._run.shown)
        self._run.seal()

    # What is proposed

    def _theme(self, group: Sequence[Origin]) -> ProposedTheme:
        claims = [self._claim(origin.passage, span) for origin in group for span in origin.chosen]
        members = {one.name: one.place for origin in group for one in (origin.passage, *origin.copies)}
        return ProposedTheme(None, None, tuple(claims), tuple(members.values()))

    def _candidates(self, people: Sequence[Person], passages: Sequence[Passage]) -> tuple[ProposedTheme, ...]:
        """Return the people who can be shown, without words that speak to a program; none where that leaves one alone."""
        shown = [person for person in people if not self._is_for_a_program(person, passages)]
        return tuple(self._person(person, passages) for person in shown) if len(shown) > 1 else ()

    def _is_for_a_program(self, person: Person, passages: Sequence[Passage]) -> bool:
        words = passages[person.mention].text[person.start : person.end]
        return injected(words, 0, len(words), policy=self._run.policy)

    def _person(self, person: Person, passages: Sequence[Passage]) -> ProposedTheme:
        shown = passages[person.mention]
        claim = self._claim(shown, (shown.start + person.start, shown.start + person.end))
        members = {one.name: one.place for one in (shown, *(passages[index] for index in person.mentions))}
        return ProposedTheme(None, None, (claim,), tuple(members.values()))

    def _claim(self, passage: Passage, span: tuple[int, int]) -> ProposedClaim:
        text = passage.document.text
        words = text[slice(*span)]
        reread = self._gateway.reread(passage.document)
        quote = ProposedQuote(
            words,
            Reference(document=passage.name, start=span[0], end=span[1]),
            occurrences=text.count(words),
            headings=_headings(passage, reread, span[0]),
            line=reread.line(span[0]) if reread is not None else None,
        )
        return ProposedClaim(None, (quote,))


def _first_of_each(found: Iterable[_Found], key: Callable[[_Found], object]) -> list[_Found]:
    first: dict[object, _Found] = {}
    for one in found:
        first.setdefault(key(one), one)
    return list(first.values())


def _mentions(passages: Sequence[Passage]) -> list[Mention]:
    return [Mention(one.document.title, one.text, one.document.url, one.domain) for one in passages]


def _domain(document: Document, policy: Policy) -> str:
    host = url_host(document.url, policy) if document.url is not None else None
    return registrable_domain(host, policy=policy) if host else f"source:{document.origin}"


def _headings(passage: Passage, reread: Reread | None, start: int) -> tuple[Reference, ...]:
    spans = reread.headings(start) if reread is not None else ()
    return tuple(Reference(document=passage.name, start=first, end=last) for first, last in spans)
