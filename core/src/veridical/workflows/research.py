"""Research on local evidence: gather, select, group, compose, locate, release, publish.

    question -> candidates (full text) -> documents (checked) -> selection (words, embedding, chance) -> groups -> SEAL
             -> composer proposes a Draft -> each quote is located -> the kernel releases -> the exit publishes

Everything before the release is a proposal: this module decides what is looked at, never what is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from veridical_contract import (
    Candidate,
    ChatRequest,
    Document,
    Draft,
    DraftClaim,
    DraftQuote,
    DraftTheme,
    Message,
    Passage,
    PassageGroup,
    PluginError,
    Reference,
    StoreCorruptError,
    TextQuery,
)

from veridical.gateway.shapes import WebFinding
from veridical.gateway.verified import Gateway
from veridical.kernel.exit import Published, Reread, publish
from veridical.kernel.report import Evidence
from veridical.kernel.run import Run
from veridical.kernel.texts import RefusalCode
from veridical.locate.find import Located, locate
from veridical.locate.seams import between_seams

from .cluster import ENOUGH, cluster
from .progress import Progress
from .release import Proposal, ProposedAnswer, ProposedClaim, ProposedQuote, ProposedTheme, release
from .select import COVERAGE_MINIMUM, FOCUS_MINIMUM, SelectionInput, coverage, focus, select
from .terms import query_terms, query_words, terms

__all__ = ["Brief", "research"]

_CANDIDATES = 400
_CANDIDATES_BESIDE = 60
_SHOWN_BESIDE = 6
"""Passages that are looked for, and shown, for each question that must be addressed."""
_SHOWN = 120
_LEADING = 3
"""How many of a group's best passages decide where it stands."""
_NEVER_PASSED_OVER = 10
"""How many of the best passages are shown even when they are like no group."""
_QUOTES_OF_ONE = 6
"""How many quotes there are at most when there is only one theme."""
_CITE = "Say in short sentences what these documents hold about the question, citing each; say nothing else:"
_INSTRUCTION = (
    "Name and quote the themes that the passages hold about the question. Point at passages by their identifiers and copy quotes "
    "character by character, whole sentences first. Say nothing that no quoted sentence says."
)


@dataclass(frozen=True, slots=True)
class Brief:
    """What is asked.

    Attributes:
        question: in the operator's words.
        must_address: questions that must be addressed, in the operator's words.
        origins: sources to look in.
        limit: how many passages are shown to the composer at most.
        max_quotes: per theme.
        cite: let the chat plugin's provider cite the passages by its own means, group by group, instead of asking for a draft.
        without: identifiers of documents that are no evidence any more: what they hold was read where it comes from.
        findings: what a model says about excerpts that its provider gave.
    """

    question: str
    must_address: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    limit: int = _SHOWN
    max_quotes: int = 3
    cite: bool = False
    without: frozenset[str] = frozenset()
    findings: tuple[WebFinding, ...] = ()


def research(gateway: Gateway, run: Run, brief: Brief, progress: Progress) -> Published:
    """Return the published report of `run`: themes with verified quotes, or a refusal.

    Raises:
        PluginError, StoreError: the storage plugin failed. Another plugin that fails costs only its own results.
        NotPublishableError: the store changed under the run.
    """
    return _Research(gateway, run, brief, progress).run()


class _Research:
    def __init__(self, gateway: Gateway, run: Run, brief: Brief, progress: Progress) -> None:
        self._gateway = gateway
        self._run = run
        self._brief = brief
        self._progress = progress
        self._passages: dict[str, SelectionInput] = {}

    def run(self) -> Published:
        found = self._retrieve()
        selected = self._select(self._brief.question, found[0], self._brief.limit)
        refuse = self._thin(selected)
        groups = self._group(selected) if refuse is None else ()
        beside = self._beside(found[1:]) if refuse is None else ()
        self._show(selected, groups, beside)
        cited = self._show_cited() if groups else {}
        self._run.seal()
        draft = (self._cite(groups) if self._brief.cite else self._compose(groups)) if groups else Draft()
        if cited:
            draft = draft.model_copy(update={"themes": (*draft.themes, self._cited_theme(f"g{len(groups) + 1}", cited))})
            groups = (*groups, tuple(cited))
        again = self._gateway.fetch(self._run.documents)
        self._run.rejections.extend(again.rejections)
        evidence = Evidence(self._run, again.documents)
        proposal = self._locate(draft, groups, evidence, refuse)
        self._run.plugins = self._gateway.records()
        report = release(proposal, evidence)
        return publish(report, self._run, self._gateway.store())

    def _retrieve(self) -> list[list[SelectionInput]]:
        """Ask the store each question, read what it proposes, and admit what is as it was admitted before."""
        asked = [(self._brief.question, _CANDIDATES), *((question, _CANDIDATES_BESIDE) for question in self._brief.must_address)]
        proposed = [
            self._gateway.candidates(TextQuery(text=" ".join(query_words(text)) or text, limit=limit, origins=self._brief.origins))
            for text, limit in asked
        ]
        self._run.in_scope = self._gateway.in_scope(self._brief.origins)
        every = dict.fromkeys(candidate.document for candidates in proposed for candidate in candidates)
        names = [name for name in every if name not in self._brief.without]
        self._run.retrieved = len(names)
        fetched = self._gateway.fetch(names, self._brief.origins)
        self._run.rejections.extend(fetched.rejections)
        if names and not fetched.documents and all(one.rule == "document-added" for one in fetched.rejections):
            raise StoreCorruptError(
                f"None of the {len(names)} documents that the store proposes was admitted by this installation.",
                hint="Restore the admission key that belongs to the store, or move the store away and read the sources again.",
            )
        for name in fetched.documents:
            self._run.admit(name)
        self._run.in_scope = max(self._run.in_scope, len(fetched.documents))
        self._progress.step("retrieving", len(fetched.documents), len(names))
        return [_passages(candidates, fetched.documents) for candidates in proposed]

    def _select(self, question: str, found: Sequence[SelectionInput], limit: int) -> tuple[SelectionInput, ...]:
        if not found:
            return ()
        asked: tuple[float, ...] | None = None
        try:
            vectors = self._gateway.embed([passage.text for passage in found], "document")
            asked = self._gateway.embed([question], "query")[0]
        except PluginError:
            # It costs only its own results: the words alone select, and the plugin's row in the report says why.
            vectors = (None,) * len(found)
        with_vectors = [replace(passage, vector=vector) for passage, vector in zip(found, vectors, strict=True)]
        self._progress.step("selecting", len(found), len(found))
        return select(with_vectors, query_terms(question), asked, limit=limit, seed=self._run.seed).selected

    def _thin(self, selected: Sequence[SelectionInput]) -> RefusalCode | None:
        if not selected:
            return "no-evidence"
        wanted = query_terms(self._brief.question)
        texts = [f"{passage.title or ''}\n{passage.text}" for passage in selected]
        if coverage(wanted, texts) < COVERAGE_MINIMUM or focus(wanted, texts) < FOCUS_MINIMUM:
            return "insufficient-evidence"
        return None

    def _beside(self, found: Sequence[Sequence[SelectionInput]]) -> tuple[SelectionInput, ...]:
        """A few passages for each question that must be addressed: they belong to no theme, and may answer it."""
        return tuple(
            passage
            for question, candidates in zip(self._brief.must_address, found, strict=True)
            for passage in self._select(question, candidates, _SHOWN_BESIDE)
        )

    def _group(self, selected: Sequence[SelectionInput]) -> tuple[tuple[str, ...], ...]:
        self._passages = {f"p{number}": passage for number, passage in enumerate(selected, 1)}
        names = list(self._passages)
        if len(names) < ENOUGH:
            # Too few to tell themes apart: one group, in which nothing that was found is passed over.
            return (tuple(names),) if names else ()
        groups = list(cluster([(name, passage.vector, terms(passage.text)) for name, passage in self._passages.items()]))
        grouped = {name for group in groups for name in group}
        left = tuple(name for name in names[:_NEVER_PASSED_OVER] if name not in grouped)
        return tuple(sorted([*groups, left] if left else groups, key=self._standing))

    def _standing(self, group: Sequence[str]) -> tuple[int, float]:
        """Where a group stands, whatever its size: by the passage that holds most of the question, then by its best passages' places."""
        place = {name: at for at, name in enumerate(self._passages)}
        held = focus(query_terms(self._brief.question), [self._passages[name].text for name in group])
        return -held, fmean(sorted(place[name] for name in group)[:_LEADING])

    def _show(self, selected: Sequence[SelectionInput], groups: Sequence[Sequence[str]], beside: Sequence[SelectionInput]) -> None:
        # What was left out of every group is not shown, so that it cannot be cited either.
        shown = {name: self._passages[name] for group in groups for name in group}
        held = {passage.key for passage in shown.values()}
        more = {passage.key: passage for passage in beside if passage.key not in held}
        self._passages = shown | {f"q{number}": passage for number, passage in enumerate(more.values(), 1)}
        self._run.shown = tuple(dict.fromkeys(passage.document for passage in self._passages.values()))
        self._run.selected = len({passage.document for passage in (*selected, *more.values())})

    def _show_cited(self) -> dict[str, str]:
        """Show the excerpts that findings rest on, whole; return the name of each passage by its document."""
        names = dict.fromkeys(name for finding in self._brief.findings for name in finding.documents if name not in self._brief.without)
        fetched = self._gateway.fetch(list(names))
        self._run.rejections.extend(fetched.rejections)
        cited = {f"w{number}": name for number, name in enumerate(fetched.documents, 1)}
        for passage, name in cited.items():
            text = fetched.documents[name].text
            self._run.admit(name)
            self._passages[passage] = SelectionInput(document=name, start=0, end=len(text), text=text, score=0.0, title=None)
        self._run.shown = tuple(dict.fromkeys((*self._run.shown, *cited.values())))
        return cited

    def _cited_theme(self, group: str, cited: Mapping[str, str]) -> DraftTheme:
        """A proposal from findings: each is said in the model's words, and rests on the longest piece of each of its excerpts."""
        names = {document: passage for passage, document in cited.items()}
        claims = tuple(
            DraftClaim(
                text=finding.text.strip(), quotes=tuple(self._longest_piece(names[name]) for name in finding.documents if name in names)
            )
            for finding in self._brief.findings
        )
        return DraftTheme(group=group, claims=tuple(claim for claim in claims if claim.quotes))

    def _longest_piece(self, passage: str) -> DraftQuote:
        """Quote the longest piece between the seams of an excerpt, without the words at its seams, which may be cut in half."""
        text = self._passages[passage].text
        return DraftQuote(
            passage=passage, quote=max((text[start:end] for start, end in between_seams(text, 0, len(text))), key=len, default="")
        )

    def _cite(self, groups: Sequence[Sequence[str]]) -> Draft:
        """Ask about each group apart, and take what its provider cites for a proposal."""
        themes: list[DraftTheme] = []
        for number, group in enumerate(groups, 1):
            passages = tuple(Passage(id=name, text=self._passages[name].text, title=self._passages[name].title) for name in group)
            asked = ChatRequest(
                task="cite",
                messages=(Message(role="user", text=f"{_CITE}\n\n{self._brief.question}"),),
                question=self._brief.question,
                passages=passages,
                max_quotes=self._brief.max_quotes,
            )
            try:
                themes.append(DraftTheme(group=f"g{number}", claims=self._gateway.cite(asked)))
            except PluginError:
                continue  # it costs its own group; the plugin's row says why
            self._progress.step("composing", number, len(groups))
        return Draft(themes=tuple(themes))

    def _compose(self, groups: Sequence[Sequence[str]]) -> Draft:
        request = ChatRequest(
            task="compose",
            messages=(Message(role="user", text=f"{_INSTRUCTION}\n\nQuestion: {self._brief.question}"),),
            question=self._brief.question,
            must_address=self._brief.must_address,
            passages=tuple(Passage(id=name, text=passage.text, title=passage.title) for name, passage in self._passages.items()),
            groups=tuple(PassageGroup(id=f"g{number}", passages=tuple(group)) for number, group in enumerate(groups, 1)),
            response_schema=Draft.model_json_schema(),
            max_quotes=self._brief.max_quotes if len(groups) > 1 else _QUOTES_OF_ONE,
        )
        self._progress.step("composing", 0, len(groups))
        try:
            draft = self._gateway.compose(request)
        except PluginError:
            # Nothing proposed, nothing released: the refusal says what would help, the plugin's row what went wrong.
            draft = Draft()
        self._progress.step("composing", len(groups), len(groups))
        return draft

    def _locate(self, draft: Draft, groups: Sequence[Sequence[str]], evidence: Evidence, refuse: RefusalCode | None) -> Proposal:
        members = {f"g{number}": self._members(group) for number, group in enumerate(groups, 1)}
        proposed = {theme.group: theme for theme in reversed(draft.themes)}
        finder = _Finder(self._gateway, evidence, self._passages)
        return Proposal(
            plugin=self._gateway.composer,
            hook="chat",
            themes=tuple(_theme(finder, proposed[group], places) for group, places in members.items() if group in proposed),
            answers=tuple(
                ProposedAnswer(answer.question, tuple(finder.claim(claim) for claim in answer.claims)) for answer in draft.answers
            ),
            refuse=refuse,
        )

    def _members(self, group: Iterable[str]) -> tuple[Reference, ...]:
        found: dict[str, Reference] = {}
        for name in group:
            passage = self._passages[name]
            found.setdefault(passage.document, Reference(document=passage.document, start=passage.start, end=passage.end))
        return tuple(found.values())


def _passages(candidates: Iterable[Candidate], documents: Mapping[str, Document]) -> list[SelectionInput]:
    return [
        SelectionInput(
            document=candidate.document,
            start=candidate.start,
            end=candidate.end,
            text=document.text[candidate.start : candidate.end],
            score=candidate.score,
            title=document.title,
        )
        for candidate in candidates
        if (document := documents.get(candidate.document)) is not None and candidate.end <= len(document.text)
    ]


def _theme(finder: _Finder, draft: DraftTheme, members: tuple[Reference, ...]) -> ProposedTheme:
    named = finder.quote(draft.name_quote, illustration=True) if draft.name_quote is not None else None
    return ProposedTheme(draft.name, named, tuple(finder.claim(claim) for claim in draft.claims), members)


class _Finder:
    """Finds where proposed words stand, in the passage they are said to stand in and nowhere else."""

    def __init__(self, gateway: Gateway, evidence: Evidence, passages: Mapping[str, SelectionInput]) -> None:
        self._gateway = gateway
        self._evidence = evidence
        self._passages = passages
        self._rereads: dict[str, Reread | None] = {}

    def claim(self, draft: DraftClaim) -> ProposedClaim:
        return ProposedClaim(draft.text, tuple(self.quote(quote) for quote in draft.quotes))

    def quote(self, draft: DraftQuote, *, illustration: bool = False) -> ProposedQuote:
        passage = self._passages.get(draft.passage)
        if passage is None:
            return ProposedQuote(draft.quote, None, miss="not-shown")
        document = self._evidence.documents.get(passage.document)
        if document is None:
            return ProposedQuote(draft.quote, None, miss="not-shown")
        found = locate(document.text, draft.quote, policy=self._evidence.policy, illustration=illustration)
        if not isinstance(found, Located):
            return ProposedQuote(draft.quote, None, miss=found.rule)
        reread = self._reread(passage.document, document)
        headings = reread.headings(found.start) if reread is not None else ()
        return ProposedQuote(
            draft.quote,
            Reference(document=passage.document, start=found.start, end=found.end),
            occurrences=found.occurrences,
            headings=tuple(Reference(document=passage.document, start=start, end=end) for start, end in headings),
            line=reread.line(found.start) if reread is not None else None,
        )

    def _reread(self, name: str, document: Document) -> Reread | None:
        if name not in self._rereads:
            self._rereads[name] = self._gateway.reread(document)
        return self._rereads[name]
