"""What a check says of one thing in a draft, rule by rule, on a small store."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from veridical import Veridical
from veridical_contract import Finding

RECORDS = (
    {
        "url": "https://a.example/1",
        "author": "Ann Lee",
        "published": "2024-05-01",
        "text": "The battery lasts 4 hours in summer. Charging it takes 2 hours. It costs $40 in the shop.",
    },
    {
        "url": "https://a.example/2",
        "author": "Bob Stone",
        "text": "Support answered after 3 days. In 2019 the company sold 1,000 printers. I'd never buy it again.",
    },
    {
        "url": "https://b.example/page?id=7&utm_source=x",
        "author": "Carla Diaz",
        "title": "Notes on a loud fan",
        "text": "The fan is loud at night, and nobody at the shop could fix it for me.",
    },
    {
        "url": "https://b.example/8",
        "author": "Dan Wu",
        "text": 'Eve Moss told me: "The belt slips when it rains." I have not seen that. See https://maker.example/belt for more.',
    },
    {
        "url": "https://b.example/9",
        "author": "Eve Moss",
        "published": "2024-06-02",
        "text": "> The drum squeaks in the cold.\n\nMine is quiet. Seven of nine rollers were worn after a year. "
        "The workshop reopened on 3 May 2019 and closes at 14:30 for 5\u20137 days.",
    },
    {
        "url": "https://b.example/10",
        "author": "Fay Orr",
        "text": "My note says 'the tank leaks at the seam' and I agree with that. "
        "\u96fb\u6c60\u304c\u3059\u3050\u306b\u5207\u308c\u308b\u306e\u3067\u56f0\u3063\u3066\u3044\u307e\u3059\u3002",
    },
)


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Veridical]:
    folder = tmp_path_factory.mktemp("check")
    (folder / "posts.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in RECORDS))
    with Veridical(home=folder / "home", base=folder) as opened:
        opened.add_source("posts", ["posts.jsonl"])
        yield opened


def found(installation: Veridical, draft: str) -> list[Finding]:
    return list(installation.check([("draft.md", draft.encode())]).report.findings)


def one(installation: Veridical, draft: str, kind: str) -> Finding:
    (finding,) = [each for each in found(installation, draft) if each.kind == kind]
    return finding


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        ("The battery lasts 4 hours.", "exact"),
        ("In summer the battery lasts four hours; charging takes 2 hours.", "exact"),
        ("The company sold 1000 printers.", "located"),
        ("The company sold 1,000 printers.", "exact"),
        ("The battery lasts 5 hours.", "altered"),
        ("The battery lasts 4 days in summer.", "altered"),
        ("Support answered after 3 weeks.", "altered"),
        ("The company sold 2,000 printers.", "altered"),
        ("It costs $40 in the shop.", "exact"),
        ("It costs $45 in the shop.", "altered"),
        ("The museum owns 312 paintings.", "not-found"),
        ("The zoo bought 3 elephants.", "not-found"),
        ("The battery lasts 2 hours in summer.", "altered"),
        ("Of the rollers, 7 of nine were worn.", "located"),
        ("The workshop reopened on 3 May 2019.", "exact"),
        ("The workshop reopened on 3 May 2024.", "altered"),
        ("The workshop reopened on 3 June 2019.", "altered"),
        ("The workshop reopened on 4 May 2019.", "altered"),
        ("The workshop closes at 14:30.", "exact"),
        ("The workshop closes at 14:45.", "altered"),
        ("The workshop closes for 5-7 days.", "exact"),
        ("The workshop closes for 5-9 days.", "altered"),
        ("The battery lasts 4 million hours in summer.", "altered"),
        ("The battery lasts 4\u00bd hours in summer.", "altered"),
        ("The battery lasts -4 hours in summer.", "altered"),
        ("The battery lasts <4 hours in summer.", "altered"),
        ("The company sold 1,000 million printers.", "altered"),
        ("The company sold one thousand and 1k printers.", "located"),
        ("It costs $40 million in the shop.", "altered"),
        ("# 5 % of rollers were worn", "not-found"),
    ],
)
def test_a_number_stands_with_its_unit_and_with_what_it_counts_in_one_sentence(installation: Veridical, draft: str, verdict: str) -> None:
    numbers = [each for each in found(installation, draft) if each.kind == "number"]
    assert verdict == numbers[0].verdict, numbers[0]


def test_a_number_is_looked_for_in_the_document_that_is_cited_for_it(installation: Veridical) -> None:
    assert "exact" == one(installation, "It takes 2 hours ([a](https://a.example/1)).", "number").verdict
    assert "not-found" == one(installation, "The belt takes 2 hours ([a](https://b.example/8)).", "number").verdict
    assert "not-shown" == one(installation, "The zoo bought 3 elephants ([a](https://zoo.example/)).", "number").verdict


@pytest.mark.parametrize(
    ("url", "verdict", "label"),
    [
        ("https://a.example/1", "exact", None),
        ("HTTPS://A.example:443/1", "located", "url-canonical"),
        ("https://b.example/page?id=7", "located", "url-tracking"),
        ("https://a.example/1#part-2", "located", "url-fragment"),
        ("https://a.example/1#/other", "not-found", None),
        ("//a.example/1", "exact", None),
        ("//a.example/3", "not-found", None),
        ("https:a.example/1", "not-found", None),
        ("https://a.example/1/", "not-found", None),
        ("https://www.a.example/1", "not-found", None),
        ("https://maker.example/belt", "located", "address-in-text"),
        ("https://maker.example/bel", "not-found", None),
        ("http://localhost/x", "not-found", None),
    ],
)
def test_an_address_is_that_of_a_document_by_the_rules_for_urls(installation: Veridical, url: str, verdict: str, label: str | None) -> None:
    finding = one(installation, f"See [it]({url}).", "url")
    assert (verdict, label) == (finding.verdict, next(iter(finding.folds + finding.labels), None))


@pytest.mark.parametrize(
    ("draft", "verdict", "labels"),
    [
        ('"Charging it takes 2 hours," said Ann Lee.', "exact", ()),
        ('"Charging it takes 2 hours," said Bob Stone.', "misattributed", ()),
        ('"Charging it takes 2 hours," said Zoe Quill.', "exact", ("speaker-unknown",)),
        ('"The belt slips when it rains," said Eve Moss.', "exact", ("speaker-in-source",)),
        ('"The belt slips when it rains," said Ann Lee.', "misattributed", None),
        ('"The drum squeaks in the cold," said Eve Moss.', "exact", ("author-unknown", "quoted-not-authored")),
        ('"Charging it takes 2 hours" ([a](https://a.example/1)).', "exact", ()),
        ('"Charging it takes 2 hours" ([a](https://a.example/2)).', "misattributed", ()),
        ('"Charging it takes 2 hours" ([a](https://zoo.example/)).', "exact", ("cited-not-shown",)),
        ('"The elephants sleep all day long in the zoo" ([a](https://zoo.example/)).', "not-shown", ()),
        ('He wrote "nobody at the shop could fix it".', "exact", None),
        ('He wrote "My note says \u2018the tank leaks at the seam\u2019 and I agree".', "located", None),
        ('He wrote "My note says \u201cthe tank leaks at the seam\u201d and I agree".', "located", None),
        ('He calls it "loud".', "illustration", None),
        ('He calls it "zygomorphic".', "too-short", ()),
        ("He refers to \u201cNotes on a loud fan\u201d here.", "exact", ("field:title",)),
        (
            "\u300c\u96fb\u6c60\u304c\u3059\u3050\u306b\u5207\u308c\u308b\u306e\u3067\u56f0\u3063\u3066\u300d\u3068\u3044\u3046\u3002",
            "exact",
            None,
        ),
        ('He wrote "I would buy it again at once".', "not-found", ()),
        ('He wrote "I\'d buy it again".', "altered", ()),
        ('He wrote "Support answered ... the company sold 1,000 printers".', "stitched", ()),
        ('He wrote "[T]he battery lasts 4 hours".', "located", ("editor-brackets",)),
        ('He wrote "The battery lasts [sic] 4 hours in summer[^1]".', "located", ("editor-brackets",)),
        ('He wrote "The battery lasts 4 hours in summer \u2026 Charging it takes 2 hours".', "stitched", ("elided",)),
        ('He wrote "The battery lasts 4 hours in summer [...] It costs $40 in the shop".', "stitched", ("elided",)),
        ('He wrote "Charging it [at home] takes 2 hours".', "stitched", ()),
        ('He wrote "[Mine] lasts 4 hours in summer [or so]. Charging it takes 2 hours".', "stitched", ("elided",)),
        ('He wrote "The battery lasts 4 hours [but not] in summer. Charging it takes 2 hours".', "stitched", ()),
        ('He wrote "[Dis]charging it takes 2 hours. It costs $40 in the shop".', "stitched", ()),
        ('He wrote "[re]The battery lasts 4 hours ... It costs $40 in the shop".', "stitched", ()),
        ('He wrote "The battery lasts 4[4] hours in summer".', "stitched", ()),
        ('He wrote "Charging it takes 2 hours ... The battery lasts 4 hours".', "stitched", ()),
        ('He wrote "the company sold 1,000 printers ... buy it again".', "stitched", ()),
        ('"The battery lasts 4 hours in summer ... It costs $40 in the shop," said Bob Stone.', "misattributed", ()),
    ],
)
def test_a_quotation_has_one_verdict(installation: Veridical, draft: str, verdict: str, labels: tuple[str, ...] | None) -> None:
    finding = one(installation, draft, "quote")
    assert verdict == finding.verdict, finding
    assert labels in (None, finding.labels)


def test_what_a_draft_leaves_out_openly_between_clauses_is_a_warning(installation: Veridical) -> None:
    assert "warning" == one(installation, 'He wrote "The battery lasts 4 hours in summer ... It costs $40 in the shop".', "quote").level
    assert "error" == one(installation, 'He wrote "The battery lasts ... costs $40 in the shop".', "quote").level


def test_words_that_their_author_quotes_are_a_warning(installation: Veridical) -> None:
    assert "warning" == one(installation, 'Somebody says "The drum squeaks in the cold" there.', "quote").level


@pytest.mark.parametrize(
    ("link", "verdict"),
    [
        ("[https://a.example/2](https://a.example/1)", "misattributed"),
        ("[a.example/2](https://a.example/1)", "misattributed"),
        ("[a.example/1](https://a.example/1)", "located"),
        ("[https://a.example](https://a.example/1)", "located"),
    ],
)
def test_the_text_of_a_link_shows_no_other_address_than_it_leads_to(installation: Veridical, link: str, verdict: str) -> None:
    assert verdict == next(each for each in found(installation, f"See {link}.") if each.kind == "url").verdict


@pytest.mark.parametrize(
    ("words", "verdict", "level"),
    [
        ("\u2068Charging it takes 2 hours\u2069", "located", "ok"),
        ("Charging it \u202etakes\u202c 2 hours", "altered", "error"),
        ("\u2067\u2066Charging it\u2069 \u2066takes 2 hours\u2069\u2069", "altered", "error"),
        ("\u2068Charging it\u2069 \u2068takes 2 hours\u2069", "located", "warning"),
    ],
)
def test_marks_that_turn_the_order_of_words_are_no_spelling(installation: Veridical, words: str, verdict: str, level: str) -> None:
    finding = one(installation, f'He wrote "{words}".', "quote")
    assert (verdict, level) == (finding.verdict, finding.level)


def test_a_citation_leads_to_an_author_and_a_year_or_nowhere(installation: Veridical) -> None:
    assert ("located", "https://a.example/1") == _cited(one(installation, "It is known (Lee 2024).", "citation"))
    assert ("located", "https://a.example/1") == _cited(one(installation, "As Lee (2024) knows.", "citation"))
    assert ("not-found", None) == _cited(one(installation, "It is known (Lee 2023).", "citation"))
    assert ("not-found", None) == _cited(one(installation, "It is known [3].", "citation"))


def _cited(finding: Finding) -> tuple[str, str | None]:
    return finding.verdict, finding.passage.url if finding.passage is not None else None


def test_what_is_said_twice_gets_one_verdict_at_two_places(installation: Veridical) -> None:
    first, second = found(installation, '"Charging it takes 2 hours" and again "Charging it takes 2 hours".')
    same = {"start", "end", "line", "column", "end_line", "end_column"}
    assert first.model_dump(exclude=same) == second.model_dump(exclude=same)
    assert first.start < second.start
