"""Who composes when a model fails or costs too much, and what a run says that it cost."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from veridical import Veridical
from veridical_contract import ConfigurationError, UsageError

from .service import Answer, Asked, Service, as_json, service

QUESTION = "why does the printer jam"
WORDS = "The printer jams since the rollers are worn, says the log of the workshop."
DRAFT = {"themes": [{"group": "g1", "claims": [{"quotes": [{"passage": "p1", "quote": WORDS}]}]}], "answers": []}


def completion(asked: Asked) -> Answer:
    message = {"role": "assistant", "content": json.dumps(DRAFT), "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    usage = {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}
    head: dict[str, Any] = {"id": "c", "object": "chat.completion", "created": 1, "model": asked.json["model"]}
    return as_json(head | {"choices": [choice], "usage": usage})


@contextmanager
def asking(folder: Path, answer: Callable[[Asked], Answer], more: str = "") -> Generator[tuple[Veridical, Service]]:
    with service(answer) as running:
        home = folder / "home"
        home.mkdir()
        (folder / "notes").mkdir()
        (folder / "notes" / "log.txt").write_text(WORDS, "utf-8")
        (home / "settings.toml").write_text(
            f'{more}\n[plugins]\nenabled = ["openai"]\n[plugins.hosts]\nopenai = ["127.0.0.1"]\n'
            f'[plugin.openai]\nbase_url = "{running.url}/v1"\nmodel = "gpt-4.1-mini"\nretries = 0\n'
        )
        with Veridical(home=home, base=folder, environment={"OPENAI_API_KEY": "key-of-this-test"}) as veridical:
            yield veridical, running


def test_what_a_run_cost_is_counted_exactly(tmp_path: Path) -> None:
    with asking(tmp_path, completion) as (veridical, running):
        published = veridical.research(QUESTION, paths=["notes"], max_cost="0.10")
        ((plugin, model), row) = next(iter(veridical.spent().items()))
    assert published.report.outcome == "answered"
    assert (plugin, model, row.calls, row.input_tokens, row.output_tokens) == ("openai", "gpt-4.1-mini", 1, 1000, 100)
    assert row.cost == 1000 * 4 // 10 + 100 * 16 // 10  # 0.40 and 1.60 dollars for a million tokens
    assert len(running.asked) == 1


def test_a_call_that_may_pass_the_limit_is_not_made_and_the_report_says_why(tmp_path: Path) -> None:
    with asking(tmp_path, completion) as (veridical, running):
        published = veridical.research(QUESTION, paths=["notes"], max_cost="0.000001")
    assert running.asked == []
    (said,) = [row.reason.text for row in published.report.plugins if row.name == "openai" and row.reason is not None]
    assert said.startswith("openai is not asked: the call may cost $")


def test_a_model_whose_price_is_not_known_is_not_asked_where_there_is_a_limit(tmp_path: Path) -> None:
    with asking(tmp_path, completion) as (veridical, running):
        settings = tmp_path / "home" / "settings.toml"
        settings.write_text(settings.read_text().replace("gpt-4.1-mini", "a-model-of-mine"))
        with pytest.raises(ConfigurationError, match="It is not known what a-model-of-mine of openai costs"):
            veridical.research(QUESTION, paths=["notes"], max_cost="1")
    assert running.asked == []


@pytest.mark.parametrize("amount", ["", "a lot", "-1", "0.0000001", "NaN"])
def test_what_is_no_amount_of_money_is_refused(tmp_path: Path, amount: str) -> None:
    with asking(tmp_path, completion) as (veridical, _), pytest.raises(UsageError, match="is no amount of money"):
        veridical.research(QUESTION, paths=["notes"], max_cost=amount)


def test_the_next_composer_is_asked_when_one_fails_and_the_report_names_both(tmp_path: Path) -> None:
    with asking(tmp_path, lambda _: Answer(b"{}", 500), '[chat]\nname = "openai"\nfallback = ["extractive"]') as (veridical, running):
        published = veridical.research(QUESTION, paths=["notes"])
    assert running.asked
    assert published.report.outcome == "answered"
    rows = {row.name: row.status for row in published.report.plugins if row.kind == "chat"}
    assert rows == {"openai": "failed", "extractive": "ok"}
