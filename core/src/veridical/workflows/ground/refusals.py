"""Why nothing is said, and what would help: the four refusals of a grounded answer, each with what was tried.

Names of plugins, kinds of failure and numbers are written into constant sentences; the words of a plugin or provider never are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veridical_contract import PluginError, ProviderError

from .coverage import ENOUGH

__all__ = ["ambiguous", "insufficient", "no_backend", "providers_failed"]

_WHAT = {
    "quota": "its quota is used up",
    "rate-limit": "it is asked too often",
    "server": "the service failed",
    "timeout": "it took too long",
    "connection": "it could not be reached",
    "malformed": "its reply could not be used",
}


def no_backend(waiting: Sequence[str]) -> str:
    """Return the refusal where there is nobody to ask; `waiting` are search plugins that are installed and not enabled."""
    first = waiting[0] if waiting else "brave"
    install = "" if waiting else 'install a search plugin (pip install "veridical[brave]"), '
    return (
        "No search backend is configured, so nothing was searched and nothing is said. "
        f"To set one up, {install}enable it (veridical plugins enable {first}) and set its key: BRAVE_SEARCH_API_KEY, TAVILY_API_KEY, "
        "EXA_API_KEY, or SEARXNG_INSTANCE_URL for an instance of your own. "
        'Or name local evidence: veridical ground "QUESTION" --from PATH. What is set up: veridical doctor'
    )


def insufficient(provider: str | None, documents: int, score: float, *, local: bool, failed: Mapping[str, PluginError], pages: bool) -> str:
    """Return the refusal where what was found says too little, or nothing of it can be quoted.

    Args:
        provider: that answered; None where none did, or none was asked.
        documents: how many passages are about the question.
        score: the coverage.
        local: whether local evidence was looked in.
        failed: plugins that were asked before.
        pages: whether pages that were found could still be read.
    """
    asked = " and ".join([*([provider] if provider is not None else []), *(["your own files"] if local else [])])
    found = f"From {asked} came {documents} {'passage' if documents == 1 else 'passages'} about it that can be quoted"
    before = f" Failed before: {_chain(failed)}." if failed else ""
    enough = f"the coverage is {score:.2f}, and {ENOUGH:.2f} is needed" if score < ENOUGH else "nothing of it can be said as it stands"
    more = " Or let the pages that were found be read: --pages 5" if pages else ""
    return (
        f"There is not enough evidence to answer this.{before} {found}; {enough}. "
        f"Say more about whom or what is meant: an employer, a role or a location.{more}"
    )


def ambiguous(candidates: int) -> str:
    """Return the refusal where several people share the name."""
    return (
        f"The name is that of {candidates} different people, and what is said of one is not true of another. Ask again with what tells "
        "the one you mean from the others: an employer, a role or a location. The candidates are listed."
    )


def providers_failed(tried: Mapping[str, PluginError]) -> str:
    """Return the refusal where every provider that was asked failed."""
    last = dict([list(tried.items())[-1]])
    return (
        f"Every search provider failed, so nothing is said. Asked in this order: {_chain(tried)}. The last error: {_chain(last)}. "
        "What each said is listed. Try again later, or set up another provider: veridical doctor"
    )


def _chain(tried: Mapping[str, PluginError]) -> str:
    return ", ".join(f"{plugin} ({_failure(error)})" for plugin, error in tried.items())


def _failure(error: PluginError) -> str:
    """Return in constant words what went wrong; what the plugin says about it is labelled, elsewhere."""
    if isinstance(error, ProviderError):
        return _WHAT.get(error.failure, "the service failed")
    return "it took too long" if error.code == "plugin-timeout" else "it refused the question, or broke"
