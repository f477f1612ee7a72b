"""What can go wrong, as a tree. Every error is one line for a person and a stable `code` for a program.

VeridicalError
|-- UsageError               the caller's words are off (a path that is not there, an unknown name)
|-- ConfigurationError       a run could not work as things are set up
|   |-- MissingSecretError   a plugin needs a key that is not set
|   |-- MissingExtraError    a plugin needs a package that is not installed
|   `-- IncompatibleError    a package is installed in a version that does not fit
|-- PluginError              a plugin raised, hung, or returned what its hook does not allow
|   |-- PluginTimeoutError   it passed its deadline
|   `-- ProviderError        the service behind it failed: auth, quota, rate-limit, server, timeout, connection, malformed
|-- UnreadableError          a file or record cannot be read; it costs nothing else
|-- StoreError               the store cannot be opened, read or written
|   |-- StoreCorruptError    something in it does not hash to its name, or is missing
|   `-- StoreFullError       there is no room left to write
|-- NotPublishableError      a report does not follow from its evidence
`-- CancelledError           the caller asked to stop
"""

from __future__ import annotations

from typing import ClassVar, Literal

ProviderFailure = Literal["auth", "quota", "rate-limit", "server", "timeout", "connection", "malformed"]


class VeridicalError(Exception):
    """Base of all errors.

    Args:
        message: who, what came and what was expected, in one line, without secrets.
        hint: the next command to type, or the next thing to do; may be empty.
    """

    code: ClassVar[str] = "error"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".rstrip() if self.hint else self.message


class UsageError(VeridicalError):
    """The caller's words are off."""

    code = "usage"


class ConfigurationError(VeridicalError):
    """A run could not work as things are set up."""

    code = "configuration"


class MissingSecretError(ConfigurationError):
    """A plugin needs a key that is not set."""

    code = "missing-secret"


class MissingExtraError(ConfigurationError):
    """A plugin needs a package that is not installed; the hint is the exact install command."""

    code = "missing-extra"


class IncompatibleError(ConfigurationError):
    """A package is installed in a version that does not fit; the message names the version."""

    code = "incompatible"


class PluginError(VeridicalError):
    """A plugin raised, hung, or returned what its hook does not allow.

    Args:
        message: one line, without secrets.
        plugin: the plugin's name.
        hook: the hook that was called; empty at load.
        hint: the next command to type.
    """

    code = "plugin"

    def __init__(self, message: str, *, plugin: str = "", hook: str = "", hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.plugin = plugin
        self.hook = hook


class PluginTimeoutError(PluginError):
    """A plugin passed its deadline and is quarantined for the rest of the run."""

    code = "plugin-timeout"


class ProviderError(PluginError):
    """The service behind a plugin failed.

    Args:
        message: one line, without secrets.
        failure: what kind of failure it was.
        retry_after: seconds the service asked to wait, when it said so.
        plugin: the plugin's name; the gateway fills it in when it is empty.
        hook: the hook that was called; the gateway fills it in when it is empty.
        hint: the next command to type.
    """

    code = "provider"

    def __init__(
        self,
        message: str,
        *,
        failure: ProviderFailure,
        retry_after: float | None = None,
        plugin: str = "",
        hook: str = "",
        hint: str = "",
    ) -> None:
        super().__init__(message, plugin=plugin, hook=hook, hint=hint)
        self.failure: ProviderFailure = failure
        self.retry_after = retry_after


class UnreadableError(VeridicalError):
    """A file or record cannot be read; it costs nothing else."""

    code = "unreadable"


class StoreError(VeridicalError):
    """The store cannot be opened, read or written."""

    code = "store"


class StoreCorruptError(StoreError):
    """Something in the store does not hash to its name, or is missing; the message names it."""

    code = "store-corrupt"


class StoreFullError(StoreError):
    """There is no room left to write; what was written before is whole."""

    code = "store-full"


class NotPublishableError(VeridicalError):
    """A report does not follow from its evidence; the message names the first item that does not."""

    code = "not-publishable"


class CancelledError(VeridicalError):
    """The caller asked to stop; what was done before is kept."""

    code = "cancelled"
