"""What every reading of a source has in common: what was read is counted, what was forgotten stays out, each container gets its line."""

from __future__ import annotations

from dataclasses import dataclass, field

from veridical_contract import ConfigurationError, InputRecord, PluginError, Rejection, Untrusted, VeridicalError

from veridical.gateway.shapes import ReadBatch
from veridical.gateway.verified import Gateway

from .storing import Keyed, record_of

__all__ = ["Intake", "Synced", "check_asked"]

_ATTESTED, _NO_TEXT = "attested-not-allowed", "no-text"
_LONGEST_REASON = 2000


@dataclass(slots=True)
class Synced:
    """What a sync did.

    Attributes:
        inputs: one record per file, in their order; of a source that has no files one per container that it speaks of.
        added: documents that were new to the store.
        dropped_fields: rule to how many fields were refused alone (an inadmissible URL, an impossible date).
        refused: rule to how many records were refused as a whole.
        rejections: of both, for the report of a run.
        withheld: records that were left out because they were forgotten.
        beside: records that were left out because the recorded reply that they stand in holds one that was forgotten.
        followed: it is a source that has no files.
        failure: why it stopped half-way; what was read before is kept, and the next sync goes on from there. None when it did not.
    """

    inputs: tuple[InputRecord, ...] = ()
    added: int = 0
    dropped_fields: dict[str, int] = field(default_factory=dict[str, int])
    refused: dict[str, int] = field(default_factory=dict[str, int])
    withheld: int = 0
    beside: int = 0
    rejections: list[Rejection] = field(default_factory=list[Rejection])
    followed: bool = False
    failure: VeridicalError | None = None


def check_asked(batch: ReadBatch, plugin: str) -> None:
    """Raise when nothing was kept because of whom the plugin asked, which is no matter of what it found.

    Raises:
        ConfigurationError: it asked without TLS.
        PluginError: it asked somebody else than it was approved to ask.
    """
    rules = set(batch.refused)
    if batch.documents or batch.links or not rules or not rules <= {"wire-no-tls", "wire-origin", "wire-status"}:
        return
    if "wire-no-tls" in rules:
        hint = f"Set an https address, or list the host in the settings file, [plugins.hosts] {plugin} = [HOST]; see: veridical doctor"
        raise ConfigurationError(f"{plugin} is asked without TLS, and nothing that it finds counts then.", hint=hint)
    raise PluginError(
        f"{plugin}: none of its {len(batch.refused)} results came, with success, from where it was approved to ask.",
        plugin=plugin,
        hint=f"See where that is: veridical plugins show {plugin}",
    )


class Intake:
    """What one sync took in so far.

    Args:
        gateway: to the store.
        plugin: the source plugin, whose words reasons are.
        forgotten: take back what was forgotten. Otherwise a record that was forgotten stays out.
    """

    def __init__(self, gateway: Gateway, plugin: str, *, forgotten: bool) -> None:
        self.synced = Synced()
        self._gateway = gateway
        self._plugin = plugin
        self._forgotten = forgotten
        self._records: dict[str, InputRecord] = {}
        self._replies: set[str | None] = set()

    def count(self, batch: ReadBatch) -> None:
        """Count what of `batch` was refused.

        Raises:
            ConfigurationError: all of it, since the operator did not let the plugin's word count.
        """
        if not batch.documents and {*batch.refused} - {_NO_TEXT} == {_ATTESTED}:
            # Before anything is put: where it ended must not be kept, or the same records would not come again once it counts.
            raise ConfigurationError(
                f"{self._plugin}: what it reads is evidence on its word alone, which the settings do not allow: nothing of it was kept.",
                hint=f'To allow it, write in the settings file: [plugins] attested = ["{self._plugin}"]',
            )
        for rule in batch.refused:
            self.synced.refused[rule] = self.synced.refused.get(rule, 0) + 1
        for rule in batch.dropped:
            self.synced.dropped_fields[rule] = self.synced.dropped_fields.get(rule, 0) + 1
        self.synced.rejections.extend(batch.rejections)

    def not_forgotten(self, found: list[Keyed]) -> list[Keyed]:
        """Leave out what somebody deleted: a new reading gives it a new name, so it is known by its key, or by its record's bytes.

        A record whose bytes are in the store was taken back, or another source holds it too.
        """
        if self._forgotten:
            return found
        names = [one.key or record_of(one.admission) or one.admission.id for one in found]
        found_gone = zip(names, self._gateway.tombstones(names), strict=True)
        gone = {name for name, tombstone in found_gone if tombstone is not None and not tombstone.returns}
        gone -= self._gateway.records_held(sorted(gone))
        kept = [one for one, name in zip(found, names, strict=True) if name not in gone]
        self.synced.withheld += len(found) - len(kept)
        return self._without_their_replies(kept, [one for one, name in zip(found, names, strict=True) if name in gone])

    def _without_their_replies(self, kept: list[Keyed], gone: list[Keyed]) -> list[Keyed]:
        """Leave out what stands in the same recorded reply as a forgotten record: a reply is kept as it came, with those words."""
        self._replies.update(record_of(one.admission) for one in gone if one.admission.document.grades.text == "wire")
        apart = [one for one in kept if (reply := record_of(one.admission)) is None or reply not in self._replies]
        self.synced.beside += len(kept) - len(apart)
        return apart

    def note(
        self, path: str, status: str, reason: str | None = None, *, sha256: str | None = None, size: int = 0, documents: int = 0
    ) -> None:
        """Say what became of a file or container."""
        said = Untrusted(origin=self._plugin, text=reason[:_LONGEST_REASON]) if reason is not None else None
        self._records[path] = InputRecord.model_validate(
            {"path": path, "sha256": sha256, "size": size, "status": status, "documents": documents, "reason": said}
        )

    def done(self) -> Synced:
        """Return what the sync did."""
        self.synced.inputs = tuple(self._records[path] for path in sorted(self._records))
        return self.synced
