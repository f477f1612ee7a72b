"""A run: what was asked, what was admitted for it, and the seal.

    Run(...)  --admit*-->  seal()  --shown, released-->  exit

Before anything is phrased the evidence set is fixed: a hash chain over the admitted identifiers in their order, kept by the host
outside plugin storage. After the seal nothing is admitted, and only what was admitted can be cited. The chain is

    h(0) = SHA-256 of the canonical bytes of {"policy", "policy_fingerprint", "run"}
    h(i) = SHA-256 of the 32 bytes of h(i-1) followed by the 32 bytes of the i-th identifier
"""

from __future__ import annotations

from collections.abc import Iterable

from veridical_contract import InputRecord, PluginRecord, Rejection, Report, RunRecord

from .canonical import canonical_bytes, digest
from .policy import Policy

__all__ = ["CHAIN_FORMAT", "Run", "SealError", "chain_digest"]

CHAIN_FORMAT = "veridical.chain/1"


class SealError(ValueError):
    """A document was to be admitted after the seal, or the seal was asked for before it was made."""


def chain_digest(run: str, policy: str, fingerprint: str, documents: Iterable[str]) -> str:
    """Return the last hash of the chain over `documents`, 64 hexadecimal digits."""
    head = digest(canonical_bytes({"run": run, "policy": policy, "policy_fingerprint": fingerprint}))
    for document in documents:
        head = digest(bytes.fromhex(head) + bytes.fromhex(document))
    return head


class Run:
    """The facts of one run, of which a report may only repeat.

    Args:
        run: identifier, made by the host.
        created_at: ISO 8601 in UTC to the second.
        query: the operator's question, verbatim.
        must_address: the questions that must be addressed, verbatim.
        policy: that judges everything in this run.
        seed: of the random quota.
        version: of the program.
    """

    def __init__(
        self, *, run: str, created_at: str, query: str, must_address: tuple[str, ...], policy: Policy, seed: int, version: str
    ) -> None:
        self.id = run
        self.created_at = created_at
        self.query = query
        self.must_address = must_address
        self.policy = policy
        self.seed = seed
        self.version = version
        self.inputs: tuple[InputRecord, ...] = ()
        self.plugins: tuple[PluginRecord, ...] = ()
        self.in_scope = 0
        self.retrieved = 0
        self.selected = 0
        self.shown: tuple[str, ...] = ()
        self.rejections: list[Rejection] = []
        self._documents: dict[str, None] = {}
        self._seal: str | None = None
        self._released: set[str] = set()

    @property
    def documents(self) -> tuple[str, ...]:
        """Admitted identifiers in their order."""
        return tuple(self._documents)

    def admit(self, document: str) -> None:
        """Add an identifier to the evidence set; a second time changes nothing.

        Raises:
            SealError: the set is sealed.
        """
        if self._seal is not None:
            raise SealError(f"document {document} came after the evidence of run {self.id} was sealed")
        self._documents[document] = None

    def seal(self) -> str:
        """Fix the evidence set and return the seal; asked again, return the same."""
        if self._seal is None:
            self._seal = chain_digest(self.id, self.policy.name, self.policy.fingerprint, self._documents)
        return self._seal

    def holds(self, document: str) -> bool:
        """Whether `document` is part of the sealed set."""
        return self._seal is not None and document in self._documents

    def release(self, report: Report) -> Report:
        """Remember `report`, and return it: the exit lets out nothing else, so that not even what cannot be derived again can be edited."""
        self._released.add(_name(report))
        return report

    def released(self, report: Report) -> bool:
        """Whether exactly this report was released in this run."""
        return _name(report) in self._released

    def record(self) -> RunRecord:
        """What a report says of this run.

        Raises:
            SealError: the set is not sealed.
        """
        if self._seal is None:
            raise SealError(f"run {self.id} is not sealed")
        return RunRecord(
            id=self.id,
            created_at=self.created_at,
            seal=self._seal,
            sealed=len(self._documents),
            policy=self.policy.name,
            policy_fingerprint=self.policy.fingerprint,
            seed=self.seed,
            veridical=self.version,
        )

    def chain_bytes(self) -> bytes:
        """Return the canonical bytes of the chain, as a bundle holds it.

        Raises:
            SealError: the set is not sealed.
        """
        return canonical_bytes(
            {
                "format": CHAIN_FORMAT,
                "run": self.id,
                "policy": self.policy.name,
                "policy_fingerprint": self.policy.fingerprint,
                "documents": self.documents,
                "seal": self.record().seal,
            }
        )


def _name(report: Report) -> str:
    return digest(canonical_bytes(report.model_dump(mode="json")))
