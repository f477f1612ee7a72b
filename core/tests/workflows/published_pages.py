"""A report on pages that were fetched, made with the kernel and the exit alone, and its bundle."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from veridical.bundle import write_bundle
from veridical.kernel.admission import Admission, admission_tag
from veridical.kernel.exit import Store, publish
from veridical.kernel.policy import load_policy
from veridical.kernel.report import Evidence
from veridical.kernel.run import Run
from veridical.wire.fetching import Fetcher, Page, admit_page
from veridical.wire.reading import Reader
from veridical.workflows.release import Proposal, ProposedClaim, ProposedQuote, ProposedTheme, release
from veridical_contract import Reference, Report

KEY = bytes(32)


def write_pages(path: Path, fetcher: Fetcher, cited: Sequence[tuple[str, str]], *, now: datetime) -> Report:
    """Fetch the pages of `cited`, (URL, words on it), and write the bundle of a report that quotes the words."""
    policy = load_policy()
    admissions: dict[str, tuple[Admission, Page]] = {}
    themes: list[ProposedTheme] = []
    for url, words in cited:
        page = fetcher.fetch(url)
        assert isinstance(page, Page)
        found = list(admit_page(page, origin="web", policy=policy, hosts=fetcher.hosts))
        admissions |= {one.id: (one, page) for one in found}
        themes.append(_theme(next(one for one in found if words in one.document.text), page, words))
    run = _run(list(admissions), now)
    report = release(
        Proposal("tester", "chat", tuple(themes)), Evidence(run, {name: one.document for name, (one, _) in admissions.items()})
    )
    raws = {page.digest: page.body for _, page in admissions.values()}
    store = Store(
        documents=lambda names: [(admissions[name][0].body, admission_tag(name, KEY)) for name in names],
        raws=lambda names: [raws[name] for name in names],
        reread=Reader().reread,
        key=KEY,
    )
    write_bundle(publish(report, run, store), path)
    return report


def _theme(admission: Admission, page: Page, words: str) -> ProposedTheme:
    document = admission.document
    start = document.text.index(words)
    again = Reader().reread(document, page.body)
    above = tuple(Reference(document=admission.id, start=low, end=high) for low, high in again.headings(start))
    at = Reference(document=admission.id, start=start, end=start + len(words))
    quote = ProposedQuote(words, at, headings=above, line=again.line(start))
    return ProposedTheme(None, None, (ProposedClaim(None, (quote,)),), (Reference(document=admission.id, start=0, end=len(document.text)),))


def _run(names: Sequence[str], now: datetime) -> Run:
    created = (now + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    run = Run(run="run-1", created_at=created, query="What dies?", must_address=(), policy=load_policy(), seed=0, version="0.1.0")
    for name in names:
        run.admit(name)
    run.in_scope = run.retrieved = run.selected = len(names)
    run.shown = tuple(names)
    run.seal()
    return run
