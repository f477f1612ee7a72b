"""What a plugin of any kind can do wrong, in the honest search plugin: packaging, import, secrets, failures."""

from __future__ import annotations

from tests.distributions import Distribution

from . import Broken, broken
from .search import HONEST

__all__ = ["BROKEN"]

_MADE = "        self._context = context\n"
_CALLED = '        parameters = {"q": query.text, "n": str(query.limit), "page": str(query.page)}\n'
_GET = "        reply = self._http.get(self._url, params=parameters).raise_for_status()\n"
_KEY = 'self._http = context.http(headers={"X-Key": context.secret("ACME_API_KEY")})'


def _pointing_elsewhere() -> Broken:
    honest = HONEST.distribution()
    distribution = Distribution(
        honest.name, honest.version, honest.modules, {"veridical.v1.search": {"acme": "acme_search:Acne"}}, honest.requires
    )
    return Broken("entry-point", "has an entry point that names nothing", distribution, "search", {})


def _swallows(status: str) -> tuple[str, str]:
    return (
        _GET,
        f"        reply = self._http.get(self._url, params=parameters)\n        if reply.status_code == {status}:\n            return []\n        reply.raise_for_status()\n",
    )


def _catches(error: str) -> tuple[str, str]:
    return (
        _GET,
        f"        import httpx\n        try:\n            reply = self._http.get(self._url, params=parameters).raise_for_status()\n"
        f"        except {error}:\n            return []\n",
    )


_QUIETLY = """        from veridical_contract import ProviderError, provider_call
        try:
            with provider_call("Acme"):
                reply = self._http.get(self._url, params=parameters).raise_for_status()
        except ProviderError as error:
            raise error from None  # what caused it names the URL
"""

BROKEN = [
    _pointing_elsewhere(),
    broken(HONEST, "contract-range", "fits every contract that will ever be", requires=("veridical-contract>=0.1",)),
    broken(HONEST, "typed", "has no py.typed", files={}),
    broken(
        HONEST,
        "import-quiet",
        "reads a variable when it is imported",
        ('"""Acme search."""\n\nfrom', '"""Acme search."""\n\nfrom'),
        ("class Settings(Model):", "import os\n\nREGION = os.environ.get('ACME_REGION', 'eu')\n\n\nclass Settings(Model):"),
    ),
    broken(
        HONEST,
        "construct",
        "wants more than a context",
        ("def __init__(self, context: PluginContext) -> None:", "def __init__(self, context: PluginContext, region: str) -> None:"),
    ),
    broken(
        HONEST,
        "construct-quiet",
        "reads a file of the user when it is made",
        (_MADE, _MADE + "        from pathlib import Path\n        Path('/etc/hosts').read_text()\n"),
    ),
    broken(HONEST, "hooks", "marks its hook to be the first", ("@hookimpl\n", "@hookimpl(tryfirst=True)\n")),
    broken(
        HONEST,
        "secret-missing",
        "says something of a key error",
        ('context.secret("ACME_API_KEY")', "self._key(context)"),
        (
            "    @hookimpl\n",
            "    def _key(self, context: PluginContext) -> str:\n        try:\n            return context.secret('ACME_API_KEY')\n        except Exception:\n            raise KeyError('key') from None\n\n    @hookimpl\n",
        ),
    ),
    broken(
        HONEST,
        "context-only",
        "looks into a file of its own at every search",
        (_CALLED, _CALLED + "        from pathlib import Path\n        Path('/etc/hosts').read_text()\n"),
    ),
    broken(
        HONEST,
        "context-only",
        "looks into a file in a thread of its own",
        (
            _CALLED,
            _CALLED + "        import threading\n        from pathlib import Path\n"
            "        thread = threading.Thread(target=lambda: Path('/etc/hosts').read_text())\n        thread.start()\n        thread.join()\n",
        ),
    ),
    broken(
        HONEST,
        "context-only",
        "reads a variable as bytes",
        (_CALLED, _CALLED + "        import os\n        os.environb.get(b'ACME_REGION')\n"),
    ),
    broken(
        HONEST,
        "context-only",
        "makes a folder of its own",
        (
            _CALLED,
            _CALLED + "        from pathlib import Path\n        made = Path.cwd() / 'made-by-acme'\n"
            "        made.mkdir(exist_ok=True)\n        made.rmdir()\n",
        ),
    ),
    broken(HONEST, "answers", "raises when it is called", (_CALLED, "        raise NotImplementedError\n" + _CALLED)),
    broken(
        HONEST,
        "deterministic",
        "changes what it returns from call to call",
        (_MADE, _MADE + "        self._calls = 0\n"),
        (
            "        return found[: query.limit]\n",
            "        self._calls += 1\n        return found[: query.limit] if self._calls % 2 else found[: query.limit][::-1]\n",
        ),
    ),
    broken(
        HONEST,
        "instances-apart",
        "keeps the limit of a call in the class",
        ("    def __init__(self, context", "    limit = 0\n\n    def __init__(self, context"),
        (_CALLED, _CALLED + "        import time\n        Acme.limit = query.limit\n        time.sleep(0.05)\n"),
        ("        return found[: query.limit]\n", "        return found[: Acme.limit]\n"),
    ),
    broken(HONEST, "time-limit", "waits for ever", ("params=parameters)", "params=parameters, timeout=None)")),
    broken(
        HONEST,
        "secret-silence",
        "puts its headers into what it says of a failure",
        (
            _GET,
            "        reply = self._http.get(self._url, params=parameters)\n        if reply.is_error:\n            self._context.logger.warning('%s: %s', reply.status_code, dict(self._http.headers))\n        reply.raise_for_status()\n",
        ),
    ),
    broken(
        HONEST,
        "secret-silence",
        "logs its key backwards, with a logger of its own",
        (
            _CALLED,
            _CALLED + "        import logging\n        logging.getLogger('acme').warning(self._context.secret('ACME_API_KEY')[::-1])\n",
        ),
    ),
    broken(
        HONEST,
        "secret-silence",
        "keeps its key in a file",
        (_CALLED, _CALLED + "        (self._context.data_dir / 'key').write_text(self._context.secret('ACME_API_KEY'))\n"),
    ),
    broken(
        HONEST,
        "secret-silence",
        "says its key in a note on what it raises when it is told to wait",
        (
            _GET,
            "        import httpx\n        try:\n            reply = self._http.get(self._url, params=parameters).raise_for_status()\n"
            "        except httpx.HTTPStatusError as error:\n            if error.response.status_code == 429:\n"
            "                error.add_note(self._context.secret('ACME_API_KEY'))\n            raise\n",
        ),
    ),
    broken(
        HONEST,
        "secret-in-header",
        "sends its key in the URL",
        (_GET, _QUIETLY),
        ('"q": query.text,', '"q": query.text, "key": self._context.secret("ACME_API_KEY"),'),
    ),
    broken(
        HONEST,
        "closed",
        "leaves a thread behind",
        (
            _MADE,
            _MADE
            + "        import threading\n        threading.Thread(target=threading.Event().wait, args=(15,), daemon=True, name='acme').start()\n",
        ),
    ),
    broken(HONEST, "process-untouched", "goes to another folder", (_CALLED, _CALLED + "        import os\n        os.chdir('/')\n")),
    broken(HONEST, "prints-nothing", "prints what it is asked", (_CALLED, _CALLED + "        print(query.text)\n")),
    broken(
        HONEST,
        "no-secret-kept",
        "ships a key",
        files={"py.typed": "", "notes.txt": "the key is acme-0123456789abcdef"},
        options={"secrets": {"ACME_API_KEY": "acme-0123456789abcdef"}},
    ),
    broken(HONEST, "fails-auth", "finds nothing when its key is refused", _swallows("401")),
    broken(HONEST, "fails-forbidden", "finds nothing when it is not allowed to", _swallows("403")),
    broken(
        HONEST,
        "fails-rate-limit",
        "does not say how long to wait",
        (
            _GET,
            "        from veridical_contract import ProviderError\n        reply = self._http.get(self._url, params=parameters)\n"
            "        if reply.status_code == 429:\n            return []\n        reply.raise_for_status()\n",
        ),
    ),
    broken(HONEST, "fails-server", "finds nothing when the service is in trouble", _swallows("500")),
    broken(HONEST, "fails-any-status", "finds nothing when the service does not know the address", _swallows("404")),
    broken(HONEST, "fails-timeout", "finds nothing when nothing comes in time", _catches("httpx.TimeoutException")),
    broken(HONEST, "fails-connection", "finds nothing when nobody is reached", _catches("httpx.ConnectError")),
    broken(HONEST, "fails-truncated", "finds nothing in half of a reply", _catches("httpx.RemoteProtocolError")),
    broken(
        HONEST,
        "fails-malformed",
        "finds nothing in a page of HTML",
        (
            "        found = self.wire.items(reply.json(), query=query)\n",
            "        try:\n            found = self.wire.items(reply.json(), query=query)\n        except ValueError:\n            return []\n",
        ),
    ),
]
