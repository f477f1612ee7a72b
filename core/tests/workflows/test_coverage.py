"""How much of a question independent evidence speaks of: by property, whatever the evidence."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st
from veridical.kernel.policy import load_policy
from veridical.kernel.wire import is_echo
from veridical.workflows.ground import Witness, coverage_score

POLICY = load_policy()
QUESTION = "when did Marie Curie discover radium in Paris"
_WORDS = [*QUESTION.split(), "pitchblende", "polonium", "laboratory", "shed", "she", "worked", "with", "tons", "of", "ore", "for", "years"]
texts = st.lists(st.sampled_from(_WORDS), max_size=14).map(" ".join)
witnesses = st.builds(Witness, st.sampled_from(["a.example", "b.example", "c.example", "d.example"]), texts, st.none() | texts)


def score(*found: Witness, question: str = QUESTION) -> float:
    return coverage_score(question, found, POLICY)


@given(st.lists(witnesses, max_size=8), witnesses)
def test_more_evidence_never_lowers_the_score(found: list[Witness], another: Witness) -> None:
    assert score(*found) <= score(*found, another) <= 1


@given(st.lists(witnesses, max_size=6), st.randoms())
def test_the_order_of_the_evidence_makes_no_difference(found: list[Witness], chance: object) -> None:
    mixed = list(found)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert score(*found) == score(*mixed)


@given(st.lists(witnesses, max_size=5), st.sampled_from(["", "Results for ", "You asked: "]), st.sampled_from(["", ".", "?", " ..."]))
def test_repeating_the_question_does_not_raise_the_score(found: list[Witness], before: str, after: str) -> None:
    echo = Witness("echo.example", f"{before}{QUESTION}{after}")
    assume(is_echo(echo.text, [QUESTION], policy=POLICY))
    assert score(*found) == score(*found, echo)


def test_an_answer_in_the_words_of_the_question_is_no_echo_of_it() -> None:
    question = "Who is the head of the harbour of Eastport?"
    assert 0.6 == score(Witness("source:notes", "Ann Lee is the head of the harbour of Eastport."), question=question)
    assert 0.0 == score(Witness("source:notes", "Results: who is the head of the harbour of Eastport"), question=question)


@given(st.lists(witnesses, min_size=1, max_size=5))
def test_the_same_passage_again_does_not_raise_the_score(found: list[Witness]) -> None:
    assert score(*found) == score(*found, *found)


@given(texts)
def test_copies_on_other_domains_count_as_one(text: str) -> None:
    assert score(Witness("a.example", text)) == score(Witness("a.example", text), Witness("b.example", text))


def test_independent_domains_that_agree_raise_it_to_one() -> None:
    said = (
        Witness("a.example", "Marie Curie discovered radium together with her husband, in a shed in Paris."),
        Witness("b.example", "It was in Paris that radium was discovered, and Marie Curie isolated it from ore."),
        Witness("c.example", "By 1898 Marie Curie had discovered what she is best known for, which is radium: in Paris."),
    )
    scores = [score(*said[:count]) for count in range(4)]
    assert [0.0, 0.6, 0.85, 1.0] == scores


def test_several_pages_of_one_domain_count_as_one() -> None:
    one = Witness("a.example", "Marie Curie discovered radium in Paris.")
    other = Witness("a.example", "Radium: discovered in Paris, as everybody knows, by Marie Curie and her husband.")
    assert 0.6 == score(one, other)


def test_a_title_speaks_for_its_passage() -> None:
    said = "She worked in a shed for years."
    assert 0.0 == score(Witness("a.example", said))
    assert 0.0 < score(Witness("a.example", said, "Marie Curie"))


def test_a_question_without_words_has_no_coverage() -> None:
    assert 0.0 == score(Witness("a.example", "Anything."), question="?!")
