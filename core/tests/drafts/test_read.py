"""What is found in a draft, one example per rule."""

# ruff: noqa: RUF001 - look-alike marks are what this is about

import pytest
from veridical.drafts import Piece, read_draft
from veridical_contract import UnreadableError


def pieces(text: str, kind: str, name: str = "draft.txt") -> list[Piece]:
    return [piece for piece in read_draft(text.encode(), name=name).pieces if piece.kind == kind]


def words(text: str, kind: str, name: str = "draft.txt") -> list[str]:
    return [piece.text for piece in pieces(text, kind, name)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('Ann said "it leaks," and left.', ["it leaks"]),
        ("it's the dogs' 'quoted words' of the '90s, rock 'n' roll", ["quoted words"]),
        ("'the dogs' bones are here' he said", ["the dogs' bones are here"]),
        ("‘don’t do it’ she said", ["don’t do it"]),
        ("«\u00a0bonjour le monde\u00a0» dit-il", ["bonjour le monde"]),
        ("»guten Tag« und „hallo ‚du‘ da“ und „so”", ["guten Tag", "hallo ‚du‘ da", "so"]),
        ("‹ab› und ›cd‹ och ”ef”", ["ab", "cd", "ef"]),
        ("他说“你好吗”。「你好『内』吧」《书名》", ["你好吗", "你好『内』吧", "书名"]),
        ('他说"你好吗"了', ["你好吗"]),
        ("``tex quotes'' and ''wiki''", ["tex quotes", "wiki"]),
        ('a 5" pipe, a 6\'2" man: "no 15" screen here" ok', ['no 15" screen here']),
        ('in "2015" and "a 2016"', ["2015", "a 2016"]),
        ('"unclosed here. And more "closed" words.', ["unclosed here", "closed"]),
        ("an unclosed 'single goes on", []),
        ("“first para.\n\n“second para” end", ["first para", "second para"]),
        ("“over\ntwo lines”", ["over\ntwo lines"]),
        ("“open para\n\nstill on” and", ["open para", "still on"]),
        ("She said \"He said 'no way' to me.\" ok", ["He said 'no way' to me"]),
        ('"foo"—"bar","baz"', ["foo", "bar", "baz"]),
        ('"U.S." and "wait..." and "really?"', ["U.S.", "wait...", "really?"]),
        ('see "https://x.example"', []),
        ('He said"it leaks a lot"and left', ["it leaks a lot"]),
        ('Il dit " au revoir ", puis " merci ".', ["au revoir", "merci"]),
        ('“it leaks a lot" and „es tropft" and "so it goes”', ["it leaks a lot", "es tropft", "so it goes"]),
        ('“he said "x y" and left”', ['he said "x y" and left']),
        ("❝one a❞ ❛two b❜ 🙶three c🙷 ″four d″ ʺfive eʺ", ["one a", "two b", "three c", "four d", "five e"]),
        (',,six f\'\' <<seven g>> ｢eight h｣ 〈nine i〉 ""ten j""', ["six f", "seven g", "eight h", "nine i", "ten j"]),
        ('set x="" and y="" then 12″ × 14″ or a 5 " pipe and a 6 " pipe, 1 << 3, 8 >> 2', []),
    ],
)
def test_quoted_strings(text, expected):
    assert expected == words(text, "quote")


def test_code_comments_and_struck_out_text_hold_no_pieces():
    text = 'A `"code" 12` b\n\n```\n"fence" 13\n```\n\n    "indented"\n\nx <!-- "comment" --> ~~"struck" 14~~\n'
    assert () == read_draft(text.encode(), name="a.md").pieces


@pytest.mark.parametrize(
    "address", ["//x.example/1", "https:x.example/1", "HTTPS:\\\\x.example", "ht\ntps://x.example", "ftp://x.example", "data:text/html,x"]
)
def test_a_link_is_an_address_wherever_a_browser_would_go(address):
    assert [address] == words(f'<p>see <a href="{address}">it</a>', "url", "a.html")


@pytest.mark.parametrize("address", ["/1", "other.html", "#part", "mailto:a@x.example", "tel:1", "javascript:void(0)"])
def test_a_link_that_leads_to_no_other_place_is_no_address(address):
    assert [] == words(f'<p>see <a href="{address}">it</a>', "url", "a.html")


def test_a_bare_address_is_seen_through_characters_that_nobody_sees():
    assert ["ht\u200btps\u200b://x.example/1"] == words("see ht\u200btps\u200b://x.example/1 there", "url")


F = "the motor burned down"


@pytest.mark.parametrize(
    "html",
    [
        f'<svg><text>"{F}"</text></svg>',
        f'<noscript><p>"{F}"</noscript>',
        f'<textarea>"{F}"</textarea>',
        f'<title>"{F}"</title>',
        f'<p aria-hidden="true">"{F}"</p>',
        f'<div hidden>a<div>b</div>"{F}"</div>',
        f'<p hidden>a<p hidden>"{F}"<p>x',
        f'<p>a <span style="opacity:0">"{F}"</span>',
    ],
)
def test_a_quotation_in_what_may_be_shown_after_all_is_read_by_itself(html):
    assert [F] == words(html, "quote", "a.html")


@pytest.mark.parametrize("html", [f'<del>"{F}"</del>', f'<p style="text-decoration:line-through">"{F}"', f'<template>"{F}"</template>'])
def test_what_was_taken_back_is_not_read(html):
    assert [] == words(html, "quote", "a.html")


@pytest.mark.parametrize(
    "style", ["font-size:0", "color: white", "opacity:0.0", "display&colon;none", "display:/**/none", "position:absolute;left:-9999px"]
)
def test_words_that_nobody_sees_are_no_part_of_a_quotation(style):
    assert ["I would buy it"] == words(f'<p>"I would <span style="{style}">not</span> buy it"', "quote", "a.html")


@pytest.mark.parametrize("style", ["font-size:0.9em;opacity:0.8", "color:white;background:navy", "left:-2px"])
def test_words_that_are_styled_are_seen(style):
    assert ["I would not buy it"] == words(f'<p>"I would <span style="{style}">not</span> buy it"', "quote", "a.html")


def test_a_sentence_in_the_dress_of_code_is_a_quotation():
    assert [F] == words(f'Say "`{F}`", "`--strict`", "`pip install x`" and "`a = b + c + d`".', "quote", "a.md")


def test_lines_between_rules_that_are_no_fields_are_text():
    assert [F] == words(f'---\nHe said "{F}"\n---\nx\n', "quote", "a.md")


def test_a_footnote_that_cites_nothing_is_a_remark():
    text = "One[^a] two[^b] three[^c].\n\n[^a]: As was said above.\n\n[^b]: Smith, Journal, 2019.\n"
    assert ["[^b]", "[^c]"] == words(text, "citation", "a.md")


def test_a_year_behind_a_name_is_a_citation():
    text = "As Smith (2019) and M\u00fcller et al. (2020, p. 3) have it."
    assert ["Smith (2019)", "M\u00fcller et al. (2020, p. 3)"] == words(text, "citation", "a.md")
    assert [] == words(text, "number", "a.md")


def test_the_text_of_a_link_that_is_an_address_knows_where_the_link_leads():
    text = "[x.example/a](https://y.example/b) [https://x.example/c](https://y.example/d) [README.md](https://y.example/e)"
    found = [(piece.text, piece.targets) for piece in pieces(text, "url", "a.md")]
    assert ("x.example/a", ("https://y.example/b",)) in found
    assert ("https://x.example/c", ("https://y.example/d",)) in found
    assert 5 == len(found)


def test_front_matter_is_not_read_and_offsets_stay():
    draft = read_draft(b'---\ntitle: "t" 12\n---\nSay "three small words".\n', name="a.md")
    assert [("three small words", (4, 6))] == [(piece.text, draft.place(piece.start)) for piece in draft.pieces]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "> It *leaks*\n> always.\n> -- Ann Lee, 2023\n"),
        ("a.md", "Ann Lee wrote:\n\n> It *leaks*\n> always.\n"),
        ("a.md", "> It *leaks* always. — Ann Lee\n"),
        ("a.txt", "> It leaks\n> always.\n\n— Ann Lee\n"),
        ("a.html", "<blockquote><p>It <b>leaks</b> always.<footer>— <cite>Ann Lee</cite></footer></blockquote>"),
        ("a.html", "<blockquote>“It leaks always.”<br>— Ann Lee</blockquote>"),
    ],
)
def test_block_quotations_and_who_signed_them(name, text):
    assert [("It leaks always.", "Ann Lee")] == [(piece.text, piece.speaker) for piece in pieces(text, "block-quote", name)]


def test_one_piece_for_each_paragraph_of_a_block_quotation_and_none_of_its_sentences():
    draft = read_draft(b"> one two three\n>\n> four five six\n", name="a.md")
    assert ["one two three", "four five six"] == [piece.text for piece in draft.pieces]
    assert () == draft.sentences


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "a.txt",
            "See http://x.org/a_(b), (https://y.org/c). <https://z.org/?q=1&r> ann@x.org",
            ["http://x.org/a_(b)", "https://y.org/c", "https://z.org/?q=1&r"],
        ),
        (
            "a.md",
            '[a](https://x.org/?a&amp;b\\_c "t") <https://y.org> [m](mailto:a@b.c) [r](x.md)',
            ["https://x.org/?a&b_c", "https://y.org"],
        ),
        ("a.md", "[a][r] and [r]\n\n[r]: <https://x.org/ü>\n", ["https://x.org/ü"]),
        ("a.md", "https://x.org/_a_/b and **https://y.org**", ["https://x.org/_a_/b", "https://y.org"]),
        ("a.md", "[https://shown.org](https://real.org)", ["https://shown.org", "https://real.org"]),
        ("a.html", "<a href=' https://x.org/?a=1&amp;b=2 '>x</a><a href='#n'>n</a>", ["https://x.org/?a=1&b=2"]),
    ],
)
def test_addresses(name, text, expected):
    assert expected == words(text, "url", name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("37 % of users, 1,5 Millionen Euro und 12 Kommentare", ["37 %", "1,5 Millionen Euro", "12 Kommentare"]),
        ("Only 12 comments said so, $1,200 in all, 5-7 km.", ["12 comments", "$1,200", "5-7 km"]),
        ("GPT-4, v1.2, section 3, page 12, #5, A4, COVID-19, 192.168.0.1", []),
        ("-5 °C at 14:30 on 3. Mai 2024, or 2024-05-03", ["-5 °C", "14:30", "3. Mai 2024", "2024-05-03"]),
        ("1. First\n2. Second in 2019", ["2019"]),
        ("3 of 5 people; 1 in 10 users; 4.5/5", ["3 of 5 people", "1 in 10 users", "4.5/5"]),
        ("May 2024, and 12 may come", ["May 2024", "12 may"]),
        ("Es waren 1.200,50 € und 20 Prozent der Nutzer", ["1.200,50 €", "20 Prozent"]),
        ("It has 12 active Reddit users complaining", ["12 active Reddit users"]),
    ],
)
def test_numbers(text, expected):
    assert expected == words(text, "number")


def test_list_ordinals_and_numbers_of_headings_are_no_numbers():
    assert ["12 tests"] == words("# 3.1 Results of 12 tests\n\n7. one\n8. two\n", "number", "a.md")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('Ann Lee said "it leaks a lot." Bob Ray said "it does not."', ["Ann Lee", "Bob Ray"]),
        ('"It leaks," said Ann Lee. "It always did."', ["Ann Lee", "Ann Lee"]),
        ('"It leaks," Ann Lee said, "and it did."', ["Ann Lee", "Ann Lee"]),
        ('According to Ann Lee, the thing "leaks daily".', ["Ann Lee"]),
        ('Ann Lee, a plumber from Ohio, said on Monday: "it leaks".', ["Ann Lee"]),
        ('As u/foo_bar puts it: "never again".', ["u/foo_bar"]),
        ('He said "it leaks". The author wrote "it does".', [None, None]),
        ("„Es tropft immer“, sagte Anna Müller.", ["Anna Müller"]),
        ("Laut Anna Müller „tropft es immer“.", ["Anna Müller"]),
        ("« Ça fuit », a déclaré Jean Dupont.", ["Jean Dupont"]),
        ("Selon Jean Dupont, « ça fuit ».", ["Jean Dupont"]),
        ('Ann: "It leaks"', ["Ann"]),
        ('"It leaks." Ann Lee said.', ["Ann Lee"]),
        ('"It leaks" — Ann Lee', ["Ann Lee"]),
        ("“First,” he said. “Second,” said Ann.", [None, "Ann"]),
        ('"A b c d" (Ann Lee).', ["Ann Lee"]),
        ('"A b c d" (see above) and "e f g h" (Lee 2024).', [None, None]),
        ('Ann Lee\'s first view: "a b c d"', ["Ann Lee"]),
        ('According to user Ann Lee, "a b c d".', ["Ann Lee"]),
    ],
)
def test_speakers(text, expected):
    assert expected == [piece.speaker for piece in pieces(text, "quote")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", '["three small words"](https://x.org) and [else](https://y.org).'),
        ("a.md", 'See [else](https://y.org): "three small words" ([x](https://x.org)) ok.'),
        ("a.md", 'Say "three small words."[^1] Other.\n\n[^1]: In <https://x.org>.\n'),
        ("a.txt", 'Say "three small words" [2].\n\nReferences\n[1] https://y.org\n[2] Foo, https://x.org.\n'),
        ("a.md", 'Say "three small words" [2].\n\n## References\n\n1. https://y.org\n2. https://x.org\n'),
        ("a.md", 'Say "three small words" (Smith 2020).\n\n## References\n\nSmith, A. (2020). https://x.org\n'),
        ("a.html", '<p>Say <q>three small words</q><a href="#n">[1]</a><ol><li id="n"><a href="https://x.org">x</a></ol>'),
        ("a.html", '<p>Say <q cite="https://x.org">three small words</q>'),
    ],
)
def test_what_leads_to_an_address_is_a_target_and_no_citation(name, text):
    assert [("three small words", ("https://x.org",))] == [(piece.text, piece.targets) for piece in pieces(text, "quote", name)]
    assert [] == words(text, "citation", name)


def test_citations_that_lead_nowhere_are_pieces():
    text = "One [3], two [^note], three (Smith 2024), four [@key, p. 3], five [sic]."
    assert ["[3]", "[^note]", "(Smith 2024)", "[@key, p. 3]"] == words(text, "citation", "a.md")


def test_sentences_are_those_of_prose_with_offsets_into_the_draft():
    draft = read_draft(b"# Head\n\nDr. Lee *came* at 5 p.m. on &amp; on. She left!\n\n> Quoted. Words.\n\n- item\n", name="a.md")
    assert ["Dr. Lee came at 5 p.m. on & on.", "She left!", "item"] == [sentence.text for sentence in draft.sentences]
    assert ["Dr. Lee *came* at 5 p.m. on &amp; on.", "She left!", "item"] == [draft.text[one.start : one.end] for one in draft.sentences]


def test_formats_go_by_suffix_and_those_of_standard_input_by_content():
    text = b"# Head\n\n> quoted words here\n"
    assert ["markdown", "text"] == [read_draft(text, name=name).format for name in ("a.MD", "a.rst")]
    assert ["markdown", "html", "text"] == [read_draft(one, name="-").format for one in (text, b"<!doctype html><p>x", b"It is so.")]
    assert "text" == read_draft(text, name="a.md", format="text").format


def test_byte_order_marks_and_declarations_are_followed():
    assert "größer" == read_draft("größer".encode("utf-8-sig"), name="a.md").text
    assert "größer" == read_draft("größer".encode("utf-16"), name="a.md").text
    page = '<meta charset="iso-8859-1"><p>größer'
    assert page == read_draft(page.encode("cp1252"), name="a.html").text


@pytest.mark.parametrize("data", [b"gr\xf6\xdfer", b"a\0b", b"\xff\xfea"])
def test_bytes_that_are_no_text_are_refused_in_one_line(data):
    with pytest.raises(UnreadableError, match=r"^note\.md cannot be read: it[^\n]+$"):
        read_draft(data, name="note.md")
