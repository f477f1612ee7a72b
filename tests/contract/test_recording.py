"""`pytest --record`: what a fake provider answers becomes a cassette without a secret in it, which is replayed from then on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from base64 import b64encode
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.contract.broken.search import HONEST

KEY = "s3cr3t/of+acme==0123456789"
_TEST = """
from contextlib import contextmanager
from tests.providers.service import as_json, service
from veridical_contract.testing import contract_suite

SITES = ("www.example.com", "example.org", "docs.example.net")

def answer(asked):
    words, page, n = asked.query["q"], int(asked.query["page"]), int(asked.query["n"])
    hits = [] if "zzqx" in words else range(n * (page - 1), n * page)
    rows = [
        {"link": f"https://{SITES[hit % 3]}/{hit}", "name": f"Row {hit}", "body": f"Gutter {hit} was cleared.", "day": "2025-03-03"}
        for hit in hits
    ]
    return as_json({"rows": rows, "account": asked.headers["x-key"]}, X_Account=asked.headers["x-key"])

@contextmanager
def server():
    with service(answer) as running:
        yield running.url

WAIVED = {"secret-in-header": "it is sent twice, to see it taken out", "secret-silence": "the client names the URL when it fails"}
TestAcme = contract_suite("acme", kind="search", server=server, waive=WAIVED)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a plugin that sends its key in a header and in the URL."""
    source = HONEST.source.replace('"q": query.text,', '"q": query.text, "key": self._context.secret("ACME_API_KEY"),')
    quiet = source.replace(
        "        reply = self._http.get(self._url, params=parameters).raise_for_status()\n",
        "        from veridical_contract import provider_call\n\n        with provider_call('Acme'):\n"
        "            reply = self._http.get(self._url, params=parameters).raise_for_status()\n",
    )
    from dataclasses import replace

    replace(HONEST, source=quiet).distribution().install(tmp_path / "site")
    tests = tmp_path / "project" / "tests"
    tests.mkdir(parents=True)
    (tests / "test_contract.py").write_text(_TEST, "utf-8")
    (tests.parent / "pyproject.toml").write_text("[project]\nname = 'acme'\n", "utf-8")
    return tests.parent


def _pytest(project: Path, *options: str) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(project.parent / "site"), str(root))), "ACME_API_KEY": KEY}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *options]
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, timeout=120, check=False)


def test_a_recording_holds_no_secret_and_is_replayed(project: Path) -> None:
    recorded = _pytest(project, "--record")
    assert 0 == recorded.returncode, recorded.stdout
    path = project / "tests" / "cassettes" / "search-acme.json"
    text = path.read_text("utf-8")
    forms = (KEY, quote(KEY, safe=""), b64encode(KEY.encode()).decode(), json.dumps(KEY)[1:-1])
    assert [] == [form for form in forms if form in text]
    cassette = json.loads(text)
    (first,) = cassette["scenarios"]["ordinary"]
    assert "key=%5BACME_API_KEY%5D" in first["url"] or "key=[ACME_API_KEY]" in first["url"]
    assert first["url"].startswith("https://api.acme.example/v1/search?")
    assert "[ACME_API_KEY]" == dict(first["headers"])["x-account"] == json.loads(first["body"])["account"]

    before = path.read_bytes()
    replayed = _pytest(project, "--contract-report", "report.json")
    assert 0 == replayed.returncode, replayed.stdout
    assert before == path.read_bytes()
    (report,) = json.loads((project / "report.json").read_text("utf-8"))
    outcomes = {result["check"]: result["outcome"] for result in report["results"]}
    assert ["secret-silence", "secret-in-header"] == [check for check, outcome in outcomes.items() if outcome == "waived"]
    assert {"passed", "waived"} == set(outcomes.values())
    assert "waived: acme (search): secret-in-header: it is sent twice, to see it taken out" in replayed.stdout
    assert f"veridical contract: acme (search): {len(outcomes) - 2} passed, 2 waived, kit {report['kit']}" in replayed.stdout


def test_a_request_that_the_cassette_does_not_hold_says_how_to_record_it(project: Path) -> None:
    path = project / "tests" / "cassettes" / "search-acme.json"
    assert 0 == _pytest(project, "--record").returncode
    cassette = json.loads(path.read_text("utf-8"))
    cassette["scenarios"]["ordinary"][0]["url"] = "https://api.acme.example/v2/search"
    path.write_text(json.dumps(cassette), "utf-8")
    done = _pytest(project)
    assert 1 == done.returncode
    assert "GET https://api.acme.example/v1/search was asked, which the cassette does not hold. Type: pytest --record" in done.stdout


def test_a_file_that_is_no_cassette_is_named(project: Path) -> None:
    path = project / "tests" / "cassettes" / "search-acme.json"
    path.parent.mkdir()
    path.write_text("{}", "utf-8")
    done = _pytest(project)
    assert 1 == done.returncode
    assert "search-acme.json is no cassette" in done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("kind='serch'", "kind is 'serch', expected one of chat, search, embedding, storage, source"),
        ("kind='search', cassete=1", "there is no option 'cassete'"),
        ("kind='search', waive={'limits': 'why'}", "waive names 'limits', which is no check of kind search"),
        ("kind='search', waive={'limit': ' '}", "waive gives no reason for limit"),
    ],
)
def test_what_the_suite_is_told_is_looked_at_when_it_is_made(project: Path, options: str, said: str) -> None:
    line = f"from veridical_contract.testing import contract_suite\nTestAcme = contract_suite('acme', {options})\n"
    (project / "tests" / "test_contract.py").write_text(line, "utf-8")
    done = _pytest(project)
    assert done.returncode
    assert said in done.stdout
