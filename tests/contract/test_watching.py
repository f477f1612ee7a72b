"""Watching what a plugin does behind the host's back: it begins, it ends, and nothing of it is left."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from veridical_contract.testing.watching import stop, watching

HERE = Path(__file__).parent
PLAIN = type(os.environ)


def test_a_variable_that_is_read_is_told_to_everybody_who_watches_and_once_to_each(tmp_path: Path) -> None:
    with watching(HERE, inside=tmp_path) as outer:
        with watching(HERE, inside=tmp_path) as inner:
            assert os.environ["HOME"]
        assert os.environ["PATH"]
    assert (["HOME", "PATH"], ["HOME"]) == (outer.variables, inner.variables)


def test_nothing_is_left_when_the_watch_is_over_in_whatever_order_it_ends(tmp_path: Path) -> None:
    one, other = watching(HERE, inside=tmp_path), watching(HERE, inside=tmp_path)
    first, second = one.__enter__(), other.__enter__()
    one.__exit__(None, None, None)
    assert os.environ["HOME"]
    other.__exit__(None, None, None)
    assert os.environ["PATH"]
    assert ([], ["HOME"]) == (first.variables, second.variables)
    assert type(os.environ) is PLAIN


def test_a_thread_that_never_comes_back_is_given_up_and_watched_no_longer(tmp_path: Path) -> None:
    inside, over = threading.Event(), threading.Event()
    seen = []

    def hangs() -> None:
        with watching(HERE, inside=tmp_path) as watch:
            seen.append(watch)
            inside.set()
            over.wait(30)

    thread = threading.Thread(target=hangs, daemon=True)
    thread.start()
    assert inside.wait(30)
    for _ in range(50):
        with watching(HERE, inside=tmp_path):
            pass
    assert len(type(os.environ).__mro__) == len(PLAIN.__mro__) + 1  # once, however often
    stop(seen[0])
    assert type(os.environ) is PLAIN
    assert os.environ["HOME"]
    assert [] == seen[0].variables
    over.set()
    thread.join(30)
    assert type(os.environ) is PLAIN
