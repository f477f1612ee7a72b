"""The verb that looks for the citations of a saved outcome again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from veridical_contract import Audit, ResearchOutcome

from veridical.installation import Installation
from veridical.kernel.policy import load_policy
from veridical.workflows.audit import audit_outcome, read_outcome
from veridical.workflows.progress import Progress

__all__ = ["AuditVerbs"]


class AuditVerbs:
    """What `Veridical` does with outcomes that were saved."""

    _installation: Installation
    _base: Path
    _progress: Progress

    def audit(self, outcome: ResearchOutcome | Path | str, *, hosts: Sequence[str] = ()) -> Audit:
        """Look for what an outcome cites where it is said to stand: a page is fetched, a local document is read again from the store.

        Args:
            outcome: what `ground` returned, or a file that holds it as JSON.
            hosts: private hosts that may be read besides those of the settings, `host` or `host:port`.

        Raises:
            UsageError: there is no such file, or it holds no outcome.
            ConfigurationError, PluginError, StoreError: a local document is cited, and the store cannot be read.
        """
        found = outcome if isinstance(outcome, ResearchOutcome) else read_outcome(self._base / outcome)
        return audit_outcome(
            found,
            fetcher=lambda: self._installation.fetcher(hosts),
            gateway=self._installation.gateway,
            policy=load_policy(),
            progress=self._progress,
        )
