"""What readers type finds what writers wrote, in any script, and no query is syntax."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from veridical_contract import Candidate, TextQuery
from veridical_sqlite import SqliteStorage, words

from plugins.sqlite.tests.kit import Context, batch, document, found


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Neural Networks are hard", "network"),
        ("the network is hard", "NETWORKS"),
        ("un résumé", "resume"),
        ("un re\u0301sume\u0301", "RÉSUMÉ"),
        ("tiếng Việt", "tieng viet"),
        ("die STRASSE", "straße"),
        ("the \ufb01ne print", "fine"),
        ("\uff26\uff35\uff2c\uff2c width", "full"),
        ("soft\u00adhyphen", "softhyphen"),
        ("zero\u200bwidth", "zerowidth"),
        ("שָׁלוֹם", "שלום"),
        ("كِتَاب", "كتاب"),
        ("हिन्दी भाषा", "हिन्दी"),
        ("state-of-the-art", "art"),
        ("snake_case_name", "case"),
        ("don't", "don't"),
        ("version C++ 17", "c++"),
        ("神经网络很难", "网络"),
        ("神经网络很难", "难"),
        ("神经网络很难", "经"),
        ("使用GPT模型", "GPT"),
        ("使用GPT模型", "模型"),
        ("機械学習はむずかしい", "学習"),
        ("カタカナ", "ﾀｶﾅ"),
        ("การเรียนรู้ของเครื่อง", "เครื่อง"),
        ("신경망은 어렵다", "신경망"),
        ("𠀀𠀁𠀂", "𠀁𠀂"),
        ("nul\x00byte", "byte"),
    ],
)
def test_a_reader_finds_what_was_written(store: SqliteStorage, text: str, query: str) -> None:
    store.put(batch(document(text), document("something else altogether")))
    assert found(store, query) == [text]


@pytest.mark.parametrize(("text", "query"), [("神经网络", "网神"), ("therapist", "the rapist"), ("हिन्दी", "न"), ("one", "two")])
def test_other_words_do_not_find_it(store: SqliteStorage, text: str, query: str) -> None:
    store.put(batch(document(text)))
    assert found(store, query) == []


@pytest.mark.parametrize("query", ["", " ", "?!", '"', "*", "\u0301", "\ud7ff", "( ) : ^ -", "\x00"])
def test_a_query_without_words_finds_nothing(store: SqliteStorage, query: str) -> None:
    store.put(batch(document("some words ?! * \x00")))
    assert store.candidates(TextQuery(text=query)) == ()


@pytest.mark.parametrize(
    "query",
    [
        '"unclosed',
        'a" OR "b',
        "words NOT some",
        "wor*",
        "words:some",
        "{words} : some",
        "NEAR(some words)",
        "^some",
        "- some",
        "'; DROP TABLE",
    ],
)
def test_query_syntax_is_only_words(store: SqliteStorage, query: str) -> None:
    store.put(batch(document("some words"), document("not near or drop table a b")))
    plain = "".join(c if c.isalnum() else " " for c in query)
    assert found(store, query) == found(store, plain)


def test_words_of_the_query_are_looked_up_once_each() -> None:
    assert words.looked_up("Two two TWO 网络网 网 \u7db2") == ['"two"', '"网络"', '"络网"', '"网" *', '"網" *']


@given(texts=st.lists(st.text(max_size=60), min_size=1, max_size=4), query=st.text(max_size=60))
@example(texts=["ΑΣ ας"], query="ΑΣ")
@example(texts=["\u0149 \u01f0 \u0390"], query="\u0390")
def test_any_query_is_answered_and_any_text_can_be_taken_out_again(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], query: str
) -> None:
    store = SqliteStorage(Context(tmp_path_factory.mktemp("store")))
    store.put(batch(*(document(text, title=query) for text in texts)))
    assert all(type(candidate) is Candidate for candidate in store.candidates(TextQuery(text=query)))
    assert store.state(depth="whole").problems == ()
    store.put(batch(last=False))
    store.put(batch(*(document(f"{text} {query}") for text in texts), last=False))
    store.put(batch())
    assert store.state(depth="whole").problems == ()


@given(text=st.text(st.characters(max_codepoint=0x80)), title=st.none() | st.text(st.characters(max_codepoint=0x80)), data=st.data())
@example(text='a "quoted" line\n\t\x00\x7f', title="", data=None)
def test_words_that_follow_from_a_body_are_those_that_were_indexed(text: str, title: str | None, data: st.DataObject | None) -> None:
    start, end = sorted((data.draw(st.integers(0, len(text))), data.draw(st.integers(0, len(text))))) if data else (0, len(text))
    assert words.follow_from(document(text, title=title).body, title, text) == (text + (title or "")).isascii()
    if words.follow_from(document(text, title=title).body, title, text):
        assert words.of_body(document(text, title=title).body, start, end) == words.indexed(title, text[start:end])


def test_words_of_another_body_do_not_follow_from_it() -> None:
    assert not words.follow_from(document("one").body, None, "two")
    assert not words.follow_from(document("one").body, "Title", "one")
    assert not words.follow_from(b"no document", None, "one")


letters = st.characters(categories=("Ll", "Lu", "Nd"), max_codepoint=0x52F)


@given(word=st.text(letters, min_size=1, max_size=12), before=st.text(letters, max_size=5), after=st.text(letters, max_size=5))
def test_a_word_of_an_alphabet_finds_the_passage_that_holds_it(
    tmp_path_factory: pytest.TempPathFactory, word: str, before: str, after: str
) -> None:
    store = SqliteStorage(Context(tmp_path_factory.mktemp("store")))
    text = f"{before} {word}, {after}"
    store.put(batch(document(text)))
    assert found(store, word) == [text]


@given(run=st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FA5), min_size=1, max_size=12), data=st.data())
def test_any_part_of_a_run_without_spaces_finds_it(tmp_path_factory: pytest.TempPathFactory, run: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(run) - 1))
    end = data.draw(st.integers(start + 1, len(run)))
    store = SqliteStorage(Context(tmp_path_factory.mktemp("store")))
    store.put(batch(document(f"前\u3001{run}\u3002")))
    assert found(store, run[start:end]) == [f"前\u3001{run}\u3002"]
