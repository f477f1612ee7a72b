"""The rules by name, and the sentence that each gives as its reason. Reasons are constants: nothing of a prompt stands in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from veridical_contract import TopicKind

__all__ = ["REASONS", "Finding", "Rule"]

Rule = Literal[
    "who",
    "life",
    "named-person",
    "role",
    "impersonation",
    "person-pointer",
    "same-person",
    "same-topic",
    "release",
    "fact",
    "fact-in-work",
    "factual-text",
    "question",
    "doubt",
    "disguised",
    "work",
    "code",
    "text",
    "small-talk",
    "assistant",
    "reckoning",
    "wording",
    "own-words",
    "same-work",
    "like-questions",
    "like-work",
]

REASONS: dict[Rule, str] = {
    "who": "It asks who somebody is or who did something.",
    "life": "It asks about somebody's life: birth, death, family, age, career or a biography.",
    "named-person": "It names a person and asks for something about them.",
    "role": "It asks about whoever holds a role or an office.",
    "impersonation": "It asks to speak as a person, which is to say things about that person.",
    "person-pointer": "It points at a person with a pronoun.",
    "same-person": "It goes on about the person that the conversation was about.",
    "same-topic": "It goes on about what the conversation was about.",
    "release": "It asks about a program's makers, licence, versions, price or security, which are facts of the world.",
    "fact": "It asks for a fact of the world: a place, an organisation, an event, law, medicine, science, prices or news.",
    "fact-in-work": "The work that it orders would have to hold facts of the world.",
    "factual-text": "It orders a text about something in the world that the user has not given.",
    "question": "It is a question, and nothing shows that it is about the user's own work.",
    "doubt": "Nothing shows that it is about the user's own work.",
    "disguised": "What is encoded or spelled in it asks for facts.",
    "work": "It orders work on what the user gives or invents.",
    "code": "It is about code or the use of a tool.",
    "text": "It is about a text that the user gives.",
    "small-talk": "It is small talk.",
    "assistant": "It is about the assistant or the conversation.",
    "reckoning": "It is arithmetic or a conversion of units.",
    "wording": "It is about words and grammar.",
    "own-words": "It says something of the user's own and asks for no fact.",
    "same-work": "It goes on about the user's own work.",
    "like-questions": "Its wording is that of questions about people and the world.",
    "like-work": "Its wording is that of work on the user's own things.",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule says.

    Attributes:
        kind: of the topic.
        rule: which rule.
        sure: other sentences of the prompt do not change it.
        points: it can be understood from what was said before only.
    """

    kind: TopicKind
    rule: Rule
    sure: bool = True
    points: bool = False
