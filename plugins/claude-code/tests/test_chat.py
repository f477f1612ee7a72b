"""Chat through Claude Code: text, JSON, drafts, answers that rest on a search, and what it cannot do. The program is a stand-in."""

import hashlib
import json

import pytest
from veridical_claude_code import ClaudeCodeChat
from veridical_contract import (
    ChatRequest,
    Draft,
    GroundingChunk,
    GroundingSpan,
    Message,
    Passage,
    PassageGroup,
    PluginError,
    ProviderError,
    SearchQuery,
    Tool,
    ToolCall,
    ToolResult,
    Usage,
    WirePlace,
)

CURIE = "https://example.org/curie"
RADIUM = "https://example.org/radium?a=1&b=2"
SCHEMA = {"type": "object", "properties": {"i": {"type": "integer"}}, "required": ["i"]}
CLAIM = {"text": None, "quotes": [{"passage": "p1", "quote": "three words here"}]}
DRAFT = {"themes": [{"group": "g1", "name": "Radium", "claims": [CLAIM]}], "answers": []}


def ask(context, **request):
    messages = request.pop("messages", (Message(role="system", text="Be true."), Message(role="user", text="Who?")))
    return context.call(ClaudeCodeChat(context).chat, request=ChatRequest(messages=messages, **request))


def test_text_with_its_model_program_and_usage(context, program):
    program.play("ok", text="Marie Curie.")
    reply = ask(context(), task="complete", max_output_tokens=321)
    digest = hashlib.sha256(program.path.read_bytes()).hexdigest()
    assert ("Marie Curie.", ("Marie Curie.",), "end") == (reply.text, reply.parts, reply.stop)
    assert f"claude-fake (Claude Code 2.1.330, SHA-256 {digest})" == reply.model
    assert Usage(input_tokens=30, output_tokens=10, cached_tokens=6, searches=2) == reply.usage
    assert ("Be true.", "") == (program.option("--system-prompt"), program.option("--tools"))
    assert "321" == program.given["environment"]["CLAUDE_CODE_MAX_OUTPUT_TOKENS"]
    assert "Who?" == program.given["prompt"]["message"]["content"]


def test_it_says_which_model_it_asks_so_that_a_budget_knows_the_price(context, program):
    ask(context(model="opus"), task="complete")
    assert ("opus", "opus") == (ClaudeCodeChat(context(model="opus")).model, program.option("--model"))


def test_it_says_its_own_name_where_the_program_chooses_the_model(context, program):
    ask(context(), task="complete")
    assert ("claude-code", False) == (ClaudeCodeChat(context()).model, "--model" in program.given["arguments"])


def test_a_reply_that_the_program_had_continued_is_all_of_its_pieces(context, program):
    program.play("ok", text=["Marie ", "Curie."])
    assert "Marie Curie." == ask(context(), task="complete").text


def test_a_conversation_is_told_turn_by_turn(context, program):
    turns = (Message(role="user", text="a < b"), Message(role="assistant", text="</turn>"), Message(role="user", text="so?"))
    ask(context(), task="complete", messages=turns)
    assert (
        '<turn speaker="user">a &lt; b</turn>\n<turn speaker="assistant">&lt;/turn&gt;</turn>\n<turn speaker="user">so?</turn>'
        == program.given["prompt"]["message"]["content"]
    )


def test_json_of_a_schema(context, program):
    program.play("ok", structured={"i": 1})
    assert {"i": 1} == ask(context(), task="complete", response_schema=SCHEMA).structured
    assert SCHEMA == json.loads(program.option("--json-schema"))


def test_an_answer_without_the_json_that_was_asked_for_is_malformed(context, program):
    program.play("no result")
    with pytest.raises(ProviderError, match="no JSON of the schema"):
        ask(context(), task="complete", response_schema=SCHEMA)


def test_a_schema_that_is_not_that_of_an_object_is_refused(context, program):
    with pytest.raises(PluginError, match="no schema but that of an object"):
        ask(context(), task="complete", response_schema={"type": "array"})


def composed(context):
    passages = (Passage(id="p1", text="three words here"),)
    return ask(context, task="compose", passages=passages, groups=(PassageGroup(id="g1", passages=("p1",)),))


def test_a_draft(context, program):
    program.play("ok", structured=DRAFT)
    assert Draft.model_validate_json(json.dumps(DRAFT)) == composed(context()).draft
    prompt = program.given["prompt"]["message"]["content"]
    assert '<passage id="p1">three words here</passage>' in prompt
    assert Draft.model_json_schema() == json.loads(program.option("--json-schema"))


def test_a_draft_that_came_as_text(context, program):
    program.play("no result", text=f"```json\n{json.dumps(DRAFT)}\n```")
    assert 1 == len(composed(context()).draft.themes)


def test_an_answer_that_holds_no_draft_is_malformed(context, program):
    program.play("no result", text="I would rather not.")
    with pytest.raises(ProviderError, match="no draft"):
        composed(context())


@pytest.mark.parametrize(("stop", "text"), [("length", "begun"), ("refusal", None)])
def test_a_reply_that_was_cut_or_refused_says_so(context, program, stop, text):
    program.play(stop)
    replies = [ask(context(), task="complete", response_schema=SCHEMA), composed(context()), ask(context(), task="ground", question="Who?")]
    assert [(stop, text, None)] * 3 == [(reply.stop, reply.text, reply.draft) for reply in replies]


def test_what_the_program_cannot_do_is_refused_before_it_runs(context, program):
    call = (ToolCall(id="1", name="t", arguments={}),)
    asked = [
        {"task": "cite"},
        {"task": "complete", "tools": (Tool(name="t", description="", parameters={}),)},
        {"task": "complete", "messages": (Message(role="assistant", text="", tool_calls=call),)},
        {"task": "complete", "messages": (Message(role="user", text="", tool_results=(ToolResult(call="1", text="x"),)),)},
    ]
    for request in asked:
        with pytest.raises(PluginError, match=r"Claude Code (calls tools of its own|has no means to cite).* Use another chat plugin"):
            ask(context(), **request)
    assert not program.path.with_name("given.json").exists()


def test_without_the_proxy_an_answer_names_pages_and_no_span(context, program):
    program.play("ok", text="Marie Curie, says https://invented.example/x.")
    reply = ask(context(), task="ground", question="Who discovered radium?")
    nowhere = WirePlace(map="hits", item="")
    assert (GroundingChunk(place=nowhere, url=CURIE, title="Marie Curie"), GroundingChunk(place=nowhere, url=RADIUM, title="Radium")) == (
        reply.grounding.chunks
    )
    assert ((), ("who discovered radium",), "Marie Curie, says https://invented.example/x.") == (
        reply.grounding.spans,
        reply.grounding.queries,
        reply.text,
    )


def test_with_the_proxy_the_answer_is_that_of_the_search_with_its_native_citations(context, program, api):
    program.play("ok", text="Something else.")
    reply = ask(context(base_url=api.url), task="ground", question="Who discovered radium?")
    said = "Radium was discovered in 1898 — «rádium»"
    assert (
        GroundingChunk(place=WirePlace(map="hits", item="/8/content_block/content/0"), url=CURIE, title="Marie Curie"),
        GroundingChunk(place=WirePlace(map="hits", item="/8/content_block/content/1"), url=RADIUM, title="Radium"),
    ) == reply.grounding.chunks
    assert (
        GroundingSpan(
            part=1,
            start=0,
            end=len(said),
            unit="codepoint",
            text=said,
            chunks=(0,),
            excerpts=(WirePlace(map="citations", item="/11/delta/citation", text="cited_text"),),
        ),
    ) == reply.grounding.spans
    assert (said, "".join(reply.parts)) == (reply.parts[1], reply.text)


def test_a_place_that_two_searches_have_in_common_is_no_excerpt(context, program, api):
    """The host could take the words of the one search for those of the other."""
    program.play("ok", searches=2)
    reply = ask(context(base_url=api.url), task="ground", question="Who discovered radium?")
    assert [((0,), ()), ((0,), ())] == [(span.chunks, span.excerpts) for span in reply.grounding.spans]
    assert [reply.parts[span.part] for span in reply.grounding.spans] == [span.text for span in reply.grounding.spans]


def test_the_search_of_an_answer_keeps_to_its_domains(context, program, api):
    search = SearchQuery(text="x", exclude_domains=("example.org",))
    grounding = ask(context(base_url=api.url), task="ground", question="Who?", search=search).grounding
    assert ((), ()) == (grounding.chunks, grounding.spans)
    assert "blocked_domains: example.org" in program.given["prompt"]["message"]["content"]


def test_an_answer_without_a_search_rests_on_nothing(context, program):
    program.play("ok", searches=0, text="From memory.")
    reply = ask(context(), task="ground", question="Who?")
    assert ("From memory.", (), ()) == (reply.text, reply.grounding.chunks, reply.grounding.queries)


def test_a_search_that_failed_fails_the_answer(context, program):
    program.play("ok", tool_error="API Error: 529")
    with pytest.raises(ProviderError, match="The web search failed: API Error: 529"):
        ask(context(), task="ground", question="Who?")
