"""What a reply is said to rest on: pages that the provider found, and passages that it was sent. Where, which, and in whose words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import JsonValue
from veridical.kernel.policy import load_policy
from veridical.kernel.spans import SpanError, to_codepoints

from veridical_contract import Grounding, GroundingChunk, GroundingSpan, Item, Locator, PassageCitation, SearchQuery, VeridicalError
from veridical_contract.testing.judging import Judge, Judged
from veridical_contract.testing.leaves import Leaf, around, documents, leaves, request_leaves, standing, stretch, strings
from veridical_contract.testing.registry import NotApplicable, Violation, check
from veridical_contract.testing.subject import Subject

from .conversations import REQUESTS, Answered, does, replies, reply_of

_CHAT = ("chat",)
_QUERY = SearchQuery(text="chapel")
_NOWHERE = Locator(container="")


@check(
    "ground-asked",
    "A search of the provider's own is asked for with `ground`, and with nothing else.",
    "Send the search tool when request.task is `ground`, and not otherwise.",
    kinds=_CHAT,
    needs=("answers",),
)
def ground_asked(subject: Subject) -> None:
    request = REQUESTS["ground"]
    for found in _grounded(subject):
        if not found.outcome.asked:
            raise NotApplicable("It asks no service.")
        sent = [text for each in found.outcome.asked for text in request_leaves(each.body)]
        if standing([request.question], sent) is not None:
            raise Violation("The question did not reach the service.")
        if not does(subject, "complete"):
            continue
        plain = found.live.call("chat", "not-ground", request=request.model_copy(update={"task": "complete"}))
        replied = reply_of(plain)
        if [one.body for one in plain.asked] == [one.body for one in found.outcome.asked]:
            raise Violation("It sends the same request for `complete` as for `ground`.")
        if replied.grounding is not None or replied.usage.searches:
            raise Violation("A reply to `complete` has a grounding, or counts searches.")


@check(
    "ground-limits",
    "Domains and dates that limit a search are passed on, or refused.",
    "Pass request.search on; where the service takes no such limit, raise PluginError before anything is sent.",
    kinds=_CHAT,
    needs=("ground-asked",),
)
def ground_limits(subject: Subject) -> None:
    for found in _grounded(subject):
        if found.hook != "chat" or not found.outcome.asked:
            continue
        for name, limits in (
            ("domains", {"include_domains": ("example.org",)}),
            ("dates", {"since": "2025-01-01", "until": "2025-12-31"}),
        ):
            search = (found.request.search or _QUERY).model_copy(update=limits)
            outcome = found.live.call("chat", f"ground-{name}", request=found.request.model_copy(update={"search": search}))
            if isinstance(outcome.error, VeridicalError) and not outcome.asked:
                continue
            outcome.result()
            if [one.body for one in outcome.asked] == [one.body for one in found.outcome.asked]:
                raise Violation(f"It was asked for a search that {name} limit, and sent the request that it sends without.")


@check(
    "grounding",
    "A reply to `ground` names the pages that were found, and the stretches of the text that rest on them.",
    "return ChatReply(grounding=Grounding(chunks=..., spans=...), ...).",
    kinds=_CHAT,
    needs=("reply-shape",),
)
def grounding(subject: Subject) -> None:
    for found in _grounded(subject):
        rests = found.reply.grounding
        if rests is None or not rests.chunks or not rests.spans:
            raise Violation("Its reply to `ground` names no page, or no stretch that rests on one.")


@check(
    "chunk-placed",
    "Every page says where in the reply it stands: without a place it is the plugin's word alone.",
    "Give the class wire maps as `wire`, and each GroundingChunk its place.",
    kinds=_CHAT,
    needs=("grounding",),
)
def chunk_placed(subject: Subject) -> None:
    for _, rests in _rests(subject):
        if loose := [chunk.url for chunk in rests.chunks if chunk.place is None]:
            raise Violation(f"{len(loose)} pages have no place in a reply: {loose[0]!r}.")


@check(
    "chunk-invented",
    "Every page stands where it says, in a reply that was recorded.",
    "Count the items of the reply as they came: a page that is put together from elsewhere has no place.",
    kinds=_CHAT,
    needs=("chunk-placed",),
)
def chunk_invented(subject: Subject) -> None:
    for found, rests in _rests(subject):
        for chunk in rests.chunks:
            judged = _judged(found, chunk)
            if judged.rule.startswith("wire-") and judged.rule != "wire-echo":
                raise Violation(f"The page {chunk.url!r} stands in no recorded reply where it says ({judged.rule}).")


@check(
    "chunk-url",
    "The URL of a page is its own, as it stands in the reply.",
    "Hand in the URL of the item at the place, to the last character.",
    kinds=_CHAT,
    needs=("chunk-invented",),
)
def chunk_url(subject: Subject) -> None:
    for found, rests in _rests(subject):
        for chunk in rests.chunks:
            if (judged := _judged(found, chunk, url=chunk.url)).rule not in ("", "wire-echo"):
                raise Violation(f"The URL {chunk.url!r} is not what stands at its place ({judged.rule}).")


@check(
    "chunk-title",
    "The title of a page is its own, as it stands in the reply.",
    "Hand in the title of the item at the place, to the last character; None where it has none.",
    kinds=_CHAT,
    needs=("chunk-invented",),
)
def chunk_title(subject: Subject) -> None:
    for found, rests in _rests(subject):
        for chunk in rests.chunks:
            if chunk.title is not None and (judged := _judged(found, chunk, title=chunk.title)).rule not in ("", "wire-echo"):
                raise Violation(f"The title {chunk.title!r} is not what stands at its place ({judged.rule}).")


@check(
    "span-off",
    "Every span lies in its part, in the unit that it names, and holds the words that it says.",
    "Hand the offsets on as they came, and say in which unit they are: bytes are no characters, and UTF-16 is neither.",
    kinds=_CHAT,
    needs=("grounding",),
)
def span_off(subject: Subject) -> None:
    for found, rests in _rests(subject):
        for span in rests.spans:
            if span.part >= len(found.reply.parts):
                raise Violation(f"A span stands in part {span.part}, and there are {len(found.reply.parts)} parts.")
            try:
                to_codepoints(found.reply.parts[span.part], span.start, span.end, span.unit, policy=load_policy(), expected=span.text)
            except SpanError as error:
                where = f"{span.start} to {span.end} of part {span.part}, in {span.unit}"
                raise Violation(f"The span from {where} is not {span.text!r} ({error.rule}).") from None


@check(
    "span-text",
    "The words that a span is said to hold are the provider's: they tell an offset that is off from one that is right.",
    "Hand in the words that the provider sends with the offsets; None where it sends none. Do not cut them out of the part yourself.",
    kinds=_CHAT,
    needs=("grounding",),
)
def span_text(subject: Subject) -> None:
    for found, rests in _rests(subject):
        said = {leaf.text for leaf in leaves(found.outcome.records)}
        for span in rests.spans:
            if span.text is not None and span.text not in said and span.text not in found.reply.parts:
                raise Violation(f"The reply does not hold the words {span.text!r} of a span.")


@check(
    "span-swapped",
    "A span names the pages that the provider names for it.",
    "Hand in the numbers of the chunks as they stand beside the span; where pages are left out, count anew.",
    kinds=_CHAT,
    needs=("span-off", "chunk-invented"),
)
def span_swapped(subject: Subject) -> None:
    for found, rests in _rests(subject):
        for span in rests.spans:
            if wrong := [number for number in span.chunks if not 0 <= number < len(rests.chunks)]:
                raise Violation(f"A span names chunk {wrong[0]}, and there are {len(rests.chunks)}.")
            if not span.chunks:
                raise Violation("A span names no chunk.")
            named = _named(found, rests, span)
            if named and not set(span.chunks) <= named:
                raise Violation(f"The span {span.text!r} names {_urls(rests, span.chunks)}; beside it stand {_urls(rests, sorted(named))}.")


@check(
    "excerpt-off",
    "The words of a page that a span brings stand where it says, and are of a page that it names.",
    "Give the place of the words that the provider quotes beside the page.",
    kinds=_CHAT,
    needs=("span-swapped", "chunk-url"),
)
def excerpt_off(subject: Subject) -> None:
    seen = False
    for found, rests in _rests(subject):
        judge = Judge(found.live)
        for span in rests.spans:
            for place in span.excerpts:
                seen = True
                judged = judge.item(Item(locator=_NOWHERE, place=place), _QUERY, found.outcome.records)
                if judged.rule and judged.rule != "wire-echo":
                    raise Violation(f"No words of a page stand at {place.item} ({judged.rule}).")
                pages = [link.url for number in span.chunks for link in _judged(found, rests.chunks[number]).batch.links]
                if strange := [each.document.url for each in judged.batch.documents if each.document.url not in pages]:
                    raise Violation(f"The words at {place.item} are of {strange[0]}, and the span rests on {', '.join(pages)}.")
    if not seen:
        raise NotApplicable("Its provider quotes no words of a page.")


@check(
    "finding",
    "The host keeps what the reply rests on: every span becomes a finding.",
    "Hand in the pages where the search lists them, not where they are cited.",
    kinds=_CHAT,
    needs=("span-swapped", "chunk-url", "chunk-title"),
)
def finding(subject: Subject) -> None:
    for found, rests in _rests(subject):
        for span in rests.spans:
            alone = found.reply.model_copy(update={"grounding": rests.model_copy(update={"spans": (span,)})})
            if not Judge(found.live).grounded(alone, found.request, found.outcome.records).findings:
                raise Violation(f"The host drops {span.text!r}: none of its pages is one that the search found.")


@check(
    "citation",
    "A reply to `cite` cites passages that were sent.",
    "return ChatReply(citations=...), each with the identifier of its passage.",
    kinds=_CHAT,
    needs=("reply-shape",),
)
def citation(subject: Subject) -> None:
    for found in replies(subject, "cite"):
        if not found.reply.citations:
            raise Violation("Its reply to `cite` cites nothing.")
        known = {passage.id for passage in found.request.passages}
        if strange := [each.passage for each in found.reply.citations if each.passage not in known]:
            raise Violation(f"It cites {strange[0]!r}, which is no passage that was sent.")
        sent = [text for each in found.outcome.asked for text in request_leaves(each.body)]
        lost = [passage.id for passage in found.request.passages if standing([passage.text], sent) is not None]
        if found.outcome.asked and lost:
            raise Violation(f"The passage {lost[0]} did not reach the service.")


@check(
    "citation-off",
    "A citation holds the words that it says, where it says, in code points of the passage.",
    "Turn the provider's unit into code points exactly; leave start and end out when it cites the whole passage.",
    kinds=_CHAT,
    needs=("citation",),
)
def citation_off(subject: Subject) -> None:
    for found in replies(subject, "cite"):
        for each in found.reply.citations:
            alone = found.reply.model_copy(update={"citations": (each,)})
            if not Judge(found.live).cited(alone, found.request, found.outcome.records):
                raise Violation(
                    f"From {each.start} to {each.end} the passage {each.passage} is not {each.text!r}, or there is no part {each.part}."
                )


@check(
    "citation-text",
    "The words of a citation are the provider's: they tell an offset that is off from one that is right.",
    "Hand in the words that the provider sends with the location; None where it sends none.",
    kinds=_CHAT,
    needs=("citation",),
)
def citation_text(subject: Subject) -> None:
    for found in replies(subject, "cite"):
        said = {leaf.text for leaf in leaves(found.outcome.records)}
        for each in found.reply.citations:
            if said and each.text is not None and each.text not in said:
                raise Violation(f"The reply does not hold the words {each.text!r} of a citation.")


@check(
    "citation-moved",
    "Citations come in the provider's order, each with the part that it stands with.",
    "Go through the parts in their order, and number them as they are in `parts`.",
    kinds=_CHAT,
    needs=("citation-off", "citation-text"),
)
def citation_moved(subject: Subject) -> None:
    for found in replies(subject, "cite"):
        there = leaves(found.outcome.records)
        parts = _parts(found, there)
        places: list[int] = []
        for each in found.reply.citations:
            first = places[-1] + 1 if places else 0
            place = next((number for number in range(first, len(there)) if there[number].text == each.text), None)
            if each.text is None or not there:
                continue
            if place is None:
                raise Violation(f"The citation {each.text!r} stands before another one in the reply, and after it here.")
            places.append(place)
            _check_part(each, there[place], parts)


def _grounded(subject: Subject) -> Iterator[Answered]:
    return replies(subject, "ground")


def _rests(subject: Subject) -> Iterator[tuple[Answered, Grounding]]:
    for found in _grounded(subject):
        if found.reply.grounding is not None:
            yield found, found.reply.grounding


def _judged(found: Answered, chunk: GroundingChunk, *, url: str | None = None, title: str | None = None) -> Judged:
    return Judge(found.live).item(Item(locator=_NOWHERE, place=chunk.place, url=url, title=title), _QUERY, found.outcome.records)


def _named(found: Answered, rests: Grounding, span: GroundingSpan) -> set[int]:
    """Return the chunks that the reply names beside the words of a span: by their URL, by an identifier, or by their number."""
    named: set[int] = set()
    for document in documents(found.outcome.records):
        for above in (1, 2):
            for beside in around(document, span.text or "", above):
                if not isinstance(document, list):  # events that follow each other stand beside nothing
                    named |= _numbers(rests, beside)
            if named:
                return named
    return named


def _numbers(rests: Grounding, beside: JsonValue) -> set[int]:
    said, listed = set(strings(beside)), set(_integers(beside))
    places = [chunk.place.item.split("/") if chunk.place is not None else [] for chunk in rests.chunks]
    last = [next((int(token) for token in reversed(place) if token.isdecimal()), None) for place in places]
    return {number for number, chunk in enumerate(rests.chunks) if chunk.url in said or last[number] in listed}


def _integers(value: JsonValue) -> Iterator[int]:
    """Yield the members of lists of integers: a list of them says which, a single one may say anything."""
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for member in members:
        if type(member) is int and isinstance(value, list):
            yield member
        yield from _integers(member)


def _urls(rests: Grounding, numbers: Sequence[int]) -> str:
    return ", ".join(rests.chunks[number].url for number in numbers)


def _parts(found: Answered, there: Sequence[Leaf]) -> list[tuple[str, ...]]:
    """Return where each part stands in the reply; empty where that is not one string."""
    places: list[tuple[str, ...]] = []
    start = 0
    for part in found.reply.parts:
        numbers = stretch(part, there, start)
        start = numbers[-1] + 1 if numbers else start
        places.append(there[numbers[0]].path if numbers and len(numbers) == 1 else ())
    return places


def _check_part(each: PassageCitation, leaf: Leaf, parts: Sequence[tuple[str, ...]]) -> None:
    shared = [_shared(leaf.path, place) for place in parts]
    if all(parts) and shared[each.part] < max(shared):
        raise Violation(f"The citation {each.text!r} stands with part {shared.index(max(shared))} in the reply, and with {each.part} here.")


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    return next((number for number, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
