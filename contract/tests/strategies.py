"""Hypothesis strategies for every model of the contract, made from its fields: `models(Report)`."""

from __future__ import annotations

import types
from functools import cache
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

import annotated_types
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from pydantic import JsonValue
from pydantic.fields import FieldInfo
from veridical_contract import Item, Model, OutcomeCitation, OutcomeClaim, OutcomeSection, ResearchOutcome, SourceBatch, WireMap

TEXTS = st.text(max_size=6)
_FLOATS = st.floats(allow_nan=False, allow_infinity=False)
DIGESTS = st.integers(0, 2**256 - 1).map("{:064x}".format)
NAMES = st.text("ab01", min_size=1, max_size=6)
PATTERNED = {
    "^[0-9a-f]{64}$": DIGESTS,
    "^[0-9a-f]{16}$": DIGESTS.map(lambda digest: digest[:16]),
    "^[a-z0-9]+(-[a-z0-9]+)*$": NAMES,
    r"^[A-Za-z0-9_-]{1,64}$": NAMES,
    r"^https?://[^\s?#]+$": NAMES.map("https://{}.example".format),
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$": st.dates().map(str),
}
_ONE_SECTION = st.builds(OutcomeClaim, text=TEXTS, citation_index=st.just(0)).map(
    lambda claim: (OutcomeSection(heading="a.example", claims=(claim,)),)
)
_JSON = st.recursive(st.none() | st.booleans() | st.integers(-9, 9) | TEXTS, lambda inner: st.lists(inner, max_size=3), max_leaves=4)


@cache
def models(model: type[Model]) -> SearchStrategy[Model]:
    """Valid values of `model`: small ones, since a report of any size would take hypothesis seconds to draw."""
    fields = {name: _field(info) for name, info in model.model_fields.items()}
    if model is SourceBatch:  # as many keys as items, or none
        keyed = {"items": st.tuples(models(Item)), "keys": st.tuples(TEXTS)}
        return st.builds(model, **(fields | {"keys": st.just(())})) | st.builds(model, **(fields | keyed))
    if model is ResearchOutcome:  # an answer, or a refusal
        answer = {"ok": st.just(True), "sections": _ONE_SECTION, "citations": st.tuples(models(OutcomeCitation))}
        refused = {"ok": st.just(False), "sections": st.just(()), "refusal_reason": TEXTS}
        fields = fields | {"disambiguation_candidates": st.just(())}
        return st.builds(model, **(fields | answer | {"refusal_reason": st.none()})) | st.builds(model, **(fields | refused))
    return st.builds(model, **(fields | (_wire_map() if model is WireMap else {})))


def _wire_map() -> dict[str, SearchStrategy[Any]]:
    """The fields of a wire map whose form a function looks at."""
    urls = NAMES | NAMES.map("https://host.example/{{{}}}".format) | NAMES.map("?url={{{}}}".format)
    optional = {name: st.none() | NAMES for name in ("title", "author", "author_name", "published")}
    return {
        "layout": st.sampled_from(("json", "sse")),
        "item": NAMES.map("/{}/*".format),
        "url": urls,
        "text": st.tuples(NAMES),
        "slots": st.just({}),
        **optional,
    }


def _field(info: FieldInfo) -> SearchStrategy[Any]:
    return _typed(info.annotation, tuple(info.metadata))


def _typed(annotation: Any, limits: tuple[object, ...] = ()) -> SearchStrategy[Any]:
    """Values of `annotation` within `limits`, which are annotated_types and pydantic's own."""
    origin, args = get_origin(annotation), get_args(annotation)
    if annotation is JsonValue:
        return _JSON
    if origin is Annotated:
        found = [metadata for field in args[1:] for metadata in (field.metadata if isinstance(field, FieldInfo) else [field])]
        return _typed(args[0], (*found, *limits))
    if origin is Literal:
        return st.sampled_from(args)
    if origin is Union or origin is types.UnionType:
        return st.one_of(*(_typed(arg, limits) for arg in args))
    if origin is tuple:
        return _tuple(args, limits)
    if origin is dict:
        return st.dictionaries(_typed(args[0]), _typed(args[1]), max_size=2)
    return models(cast("type[Model]", annotation)) if _is_model(annotation) else _plain(annotation, limits)


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, Model)


def _tuple(args: tuple[Any, ...], limits: tuple[object, ...]) -> SearchStrategy[Any]:
    if args[1:] == (...,):
        least = next((limit.min_length for limit in limits if isinstance(limit, annotated_types.MinLen)), 0)
        return st.lists(_typed(args[0]), min_size=least, max_size=least + 1).map(tuple)
    return st.tuples(*(_typed(arg) for arg in args))


def _plain(annotation: Any, limits: tuple[object, ...]) -> SearchStrategy[Any]:
    least = next((cast("int", limit.ge) for limit in limits if isinstance(limit, annotated_types.Ge)), -(2**40))
    most = next((cast("int", limit.le) for limit in limits if isinstance(limit, annotated_types.Le)), 2**40)
    patterned = {str(vars(limit)["pattern"]) for limit in limits if "pattern" in getattr(limit, "__dict__", {})}
    shortest = next((limit.min_length for limit in limits if isinstance(limit, annotated_types.MinLen)), 0)
    strategies: dict[Any, SearchStrategy[Any]] = {
        type(None): st.none(),
        bool: st.booleans(),
        int: st.integers(least, most),
        float: st.floats(0, 1) if any(isinstance(limit, annotated_types.Le) for limit in limits) else _FLOATS,
        bytes: st.binary(max_size=8),
        str: PATTERNED[patterned.pop()] if patterned else st.text(min_size=shortest, max_size=6),
    }
    return strategies[annotation]
