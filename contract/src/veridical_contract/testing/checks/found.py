"""What a store finds: passages by their words, documents by a quote, and identifiers page by page. Only what is current."""

from __future__ import annotations

import unicodedata

from veridical_contract import Candidate, PutDocument
from veridical_contract.testing.material import container, document, parts
from veridical_contract.testing.registry import Violation, check
from veridical_contract.testing.stores import Sizes, Store, opened
from veridical_contract.testing.subject import Subject

_STORAGE = ("storage",)
_SCRIPTS = {
    "Latin": ("The roof was laid in copper in 1911.", "copper"),
    "Latin with accents": ("Le toit s'oxyde après quelques années.", "années"),
    "Greek": ("\u039f χαλκός πρασινίζει με τον καιρό.", "χαλκός"),
    "Cyrillic": ("Крыша покрыта медью.", "медью"),
    "Hebrew": ("הגג מכוסה נחושת.", "נחושת"),
    "Arabic": ("السقف مغطى بالنحاس.", "السقف"),
    "Devanagari": ("छत तांबे से ढकी है।", "तांबे"),
    "Thai": ("หลังคาทำจากทองแดง", "ทองแดง"),
    "Han": ("屋頂是用銅鋪成的。", "屋頂"),
    "Japanese": ("銅の屋根は数年で緑色になる。", "屋根"),
    "Hangul": ("지붕은 구리로 덮여 있다.", "구리로"),
    "digits": ("Bill 48213 was paid.", "48213"),
    "beyond the basic plane": ("𠮷野家の看板は古い。", "𠮷野"),
}
_QUOTE = "the printer fails after a week, and nobody at the shop wants to hear"
_LONG = f"I can say that {_QUOTE} of it any more."


@check(
    "words-found",
    "candidates finds passages by any of their words, in any script, and by the title of their document.",
    "Cut words as Unicode does, and scripts without spaces into single characters or pairs; index the title with every passage.",
    kinds=_STORAGE,
    needs=("document-kept",),
)
def words_found(subject: Subject) -> None:
    documents = {name: document(text) for name, (text, _) in _SCRIPTS.items()}
    titled = document("words that say nothing of it", title="Orchards")
    with opened(subject) as store:
        store.put(container(*documents.values(), titled))
        for name, (text, word) in _SCRIPTS.items():
            if documents[name].id not in store.found(word):
                raise Violation(f"It does not find {word!r} in {text!r} ({name}).")
            if documents[name].id not in store.found(f"zzyzx {word} qwxyz"):
                raise Violation(f"It does not find {word!r} among words that stand nowhere ({name}): any of them is enough.")
        if titled.id not in store.found("Orchards"):
            raise Violation("It does not find a document by its title.")
        if store.candidates("zzyzx"):
            raise Violation("It finds a word that stands nowhere.")


@check(
    "words-plain",
    "A query is words and no syntax: whatever stands in it, the words are looked for and nothing is raised.",
    "Quote the words of a query before your engine sees them, and leave out what is no word.",
    kinds=_STORAGE,
    needs=("words-found",),
)
def words_plain(subject: Subject) -> None:
    one = document("the copper roof")
    queries = (
        '"copper',
        "copper AND",
        "NOT copper",
        "copper OR",
        "NEAR(copper",
        "copper*",
        "title:copper",
        "(copper",
        "^copper",
        "-copper",
    )
    nothing = ("", " ", '"', "*", "()", "%_", "\x00", "'; --", "{[<>]}", "\\")
    with opened(subject) as store:
        store.put(container(one))
        for query in (*queries, "copper\x00", "copper " * 3000):
            if store.found(query) != {one.id}:
                raise Violation(f"It does not find the words of {query[:40]!r}.")
        for query in nothing:
            if store.candidates(query):
                raise Violation(f"It finds something for {query!r}, which has no words.")


@check(
    "passage-spans",
    "A candidate names a passage as it was put: a half-open span of code points.",
    "Give back the spans of PutDocument.passages; a character beyond the basic plane counts as one.",
    kinds=_STORAGE,
    needs=("words-found",),
)
def passage_spans(subject: Subject) -> None:
    first, second, third = (
        "\U0001d518\U0001d52b\U0001d526 🏳\ufe0f\u200d🌈 apples e\u0301.",
        "👩\u200d👩\u200d👧 pears \U00020000.",
        "plums.",
    )
    text = f"{first} {second} {third}"
    passages = tuple((text.index(part), text.index(part) + len(part)) for part in (first, second, third))
    one = document(text, passages=passages)
    with opened(subject) as store:
        store.put(container(one, document("\U0001d518 something else")))
        for word, span in zip(("apples", "pears", "plums"), passages, strict=True):
            if (found := _places(store.candidates(word))) != [(one.id, *span)]:
                raise Violation(f"For {word!r} it returns {[each[1:] for each in found]}, expected the passage {span}.")


@check(
    "candidates-ordered",
    "Candidates come best first, and ties in the order of document and start.",
    "Sort by (-score, document, start).",
    kinds=_STORAGE,
    needs=("words-found", "passage-spans"),
)
def candidates_ordered(subject: Subject) -> None:
    equal = [document("same words. same words.", passages=((0, 11), (12, 23)), author=str(number)) for number in range(15)]
    others = [document(f"same {'other ' * number}end") for number in range(1, 6)]
    with opened(subject) as store:
        store.put(container(*equal, *others))
        found = store.candidates("same words")
        if (order := [(-each.score, each.document, each.start) for each in found]) != sorted(order):
            raise Violation("They are not in the order of score, document and start.")
        expected = sorted((each.id, start, start + 11) for each in equal for start in (0, 12))
        if [place for place in _places(found) if place in expected] != expected:
            raise Violation("Passages that are as good as each other are not in the order of document and start, or are left out.")


@check(
    "candidates-limit",
    "There are as many candidates as there are, and never more than the limit: the best ones.",
    "Apply the limit last: after what is not current or of another source was left out, and after the order was made.",
    kinds=_STORAGE,
    needs=("candidates-ordered",),
)
def candidates_limit(subject: Subject) -> None:
    rows = Sizes.of(subject).rows
    with opened(subject) as store:
        _fill(store, [document(f"zebra {number}") for number in range(rows)])
        everything = store.candidates("zebra", limit=10_000)
        if len(everything) != rows:
            raise Violation(f"Of {rows} passages that hold the word it returns {len(everything)}, with a limit of 10000.")
        for limit in (1, 7, 1000, rows):
            if store.candidates("zebra", limit=limit) != everything[:limit]:
                raise Violation(f"With a limit of {limit} it does not return the best {limit}.")
        store.put(container(document("a zebra of the mail among many other words"), origin="mail"))
        if len(store.candidates("zebra", limit=1, origins=("mail",))) != 1:
            raise Violation("The limit is used up by passages of other sources.")


@check(
    "candidates-origins",
    "Asked for some sources, candidates and candidates_by_fingerprint return current documents of those alone.",
    "A document is of every source of which a container holds it now.",
    kinds=_STORAGE,
    needs=("words-found", "container-dropped"),
)
def candidates_origins(subject: Subject) -> None:
    with opened(subject) as store:
        documents = _in_three_sources(store)
        for origins, expected in _OF_ORIGINS.items():
            ids = {documents[name].id for name in expected}
            for hook, found in (
                ("candidates", store.found(_QUOTE, origins=origins)),
                ("candidates_by_fingerprint", _quoted(store, _QUOTE, origins=origins)),
            ):
                if found != ids:
                    raise Violation(f"Asked for {', '.join(origins) or 'all'}, {hook} returns {len(found)} documents, expected {len(ids)}.")


@check(
    "candidates-current",
    "What is not current any more is not found any more, at once.",
    "Look up what is current with every query: no result may be kept over a write.",
    kinds=_STORAGE,
    needs=("words-found", "container-dropped"),
)
def candidates_current(subject: Subject) -> None:
    old, new = (document(f"{_LONG} It is {word}.") for word in ("old", "new"))
    with opened(subject) as store:
        store.put(container(old, last=False))
        _current(store, set(), "before the last batch of a container")
        store.put(container(first=False))
        _current(store, {old.id}, "after the last batch")
        store.put(container(new, fingerprint="f2"))
        _current(store, {new.id}, "after a new reading")
        store.drop("a.txt")
        _current(store, set(), "after the container was dropped")


def _current(store: Store, expected: set[str], when: str) -> None:
    for hook, found in (("candidates", store.found(_QUOTE)), ("candidates_by_fingerprint", _quoted(store, _QUOTE))):
        if found != expected:
            more, less = len(found - expected), len(expected - found)
            raise Violation(f"{hook} returns, {when}, {more} documents that are not current, and leaves out {less} that are.")


@check(
    "fingerprint-pages",
    "The documents of a quote come in ascending pages, each after the last identifier of the one before.",
    "Sort by identifier, begin after `after`, return at most `limit`, and say with `more` whether there is another page.",
    kinds=_STORAGE,
    needs=("document-kept",),
)
def fingerprint_pages(subject: Subject) -> None:
    documents = [document(f"{_LONG} Number {number}.") for number in range(Sizes.of(subject).rows)]
    expected = sorted(each.id for each in documents)
    with opened(subject) as store:
        _fill(store, documents)
        for limit in (1000, 400, 10_000):
            pages = store.fingerprint_pages(_QUOTE, limit=limit)
            found = [name for page in pages for name in page.documents]
            if found != expected or any(len(page.documents) > limit for page in pages):
                raise Violation(
                    f"Of {len(expected)} documents there are {len(found)} on {len(pages)} pages of at most {limit}, ascending or not."
                )


@check(
    "compact",
    "Putting the index in order comes to an end, and changes nothing that is found, before, between and after its steps.",
    "One short transaction a step; `pending` falls while nobody writes, and is 0 when there is nothing to do.",
    kinds=_STORAGE,
    needs=("words-found", "fingerprint-pages"),
)
def compact(subject: Subject) -> None:
    documents = [document(f"{_LONG} Number {number}.") for number in range(300)]
    with opened(subject) as store:
        _fill(store, documents)
        expected = _answers(store)
        for _ in range(5):
            store.compact()
            if _answers(store) != expected:
                raise Violation("After a step something else is found.")
        left = _compacted(store)
        if _answers(store) != expected:
            raise Violation("After all steps something else is found.")
        if left != sorted(left, reverse=True):
            raise Violation(f"`pending` does not fall: {left[:10]}.")
        store.put(container(document(f"{_LONG} After that."), name="after.txt"))
        if len(_answers(store)[0]) != len(expected[0]) + 1:
            raise Violation("What is put afterwards is not found.")
        store.whole("After all steps")


_SPELLED = {
    "as it is": (_LONG, _QUOTE),
    "over several lines": (_LONG.replace(" ", "\n"), _QUOTE),
    "with other spaces": (_LONG, _QUOTE.replace(" ", "\u00a0 ")),
    "hyphenated at the end of a line": (_LONG.replace("nobody", "no-\nbody"), _QUOTE),
    "with soft hyphens": (_LONG.replace("nobody", "no\u00adbody"), _QUOTE.replace("printer", "prin\u00adter")),
    "with a ligature": (_LONG.replace("fails", "\ufb01les and fails"), _QUOTE.replace("fails", "files and fails")),
    "in wide letters": (_LONG.replace("shop", "".join(chr(ord(letter) + 0xFEE0) for letter in "shop")), _QUOTE),
    "with a capital at its beginning": (_LONG, "T" + _QUOTE[1:]),
    "with typographic marks": (_LONG.replace("week,", "\u201cweek\u201d \u2013"), _QUOTE.replace("week,", '"week" -')),
    "in another normal form": (_LONG.replace("after", "après"), unicodedata.normalize("NFD", _QUOTE.replace("after", "après"))),
    "from the middle of a long text": (f"{'Before. ' * 400}{_LONG}{' Afterwards.' * 400}", _QUOTE),
    "without spaces": (
        "電池は一週間で壊れてしまい、店の人は誰も聞いてくれません。修理は断られました。",
        "一週間で壊れてしまい、店の人は誰も聞いてくれません",
    ),
}


@check(
    "fingerprint-sure",
    "Where it says that it is sure, every document in which the words stand is on a page, however the folds let them be spelled.",
    "Index what is left of a text when everything is taken away that a fold may pass over; guaranteed=False for words that are too few.",
    kinds=_STORAGE,
    needs=("compact",),
)
def fingerprint_sure(subject: Subject) -> None:
    documents = {name: document(text) for name, (text, _) in _SPELLED.items()}
    with opened(subject) as store:
        store.put(container(*documents.values(), document("Something else, which is long enough to be looked up as well.")))
        for put_in_order in (False, True):
            if put_in_order:
                _compacted(store)
            for name, (_, quote) in _SPELLED.items():
                _look(store, documents[name], quote, name)
            for words in range(1, len(_QUOTE.split())):
                _look(store, documents["as it is"], " ".join(_QUOTE.split()[-words:]), f"the last {words} words")
        if not store.fingerprints(_QUOTE).guaranteed:
            raise Violation(f"It is not sure of {len(_QUOTE)} letters, although nothing is left to be put in order.")
        if (
            page := store.fingerprints("no text that was put holds these words, of which there are enough to be sure")
        ).guaranteed and page.more:
            raise Violation("It says that there is another page of documents that hold words which stand nowhere.")


@check(
    "scan-pages",
    "scan returns all current documents in ascending pages, however many there are.",
    "WHERE id > :after ORDER BY id LIMIT :limit; an empty page means that there are no more.",
    kinds=_STORAGE,
    needs=("document-kept",),
)
def scan_pages(subject: Subject) -> None:
    documents = [document(f"row {number}") for number in range(Sizes.of(subject).rows)]
    expected = sorted(each.id for each in documents)
    with opened(subject) as store:
        _fill(store, documents)
        for limit in (1000, 333, 10_000):
            if (found := store.scanned(limit=limit)) != expected:
                raise Violation(f"Of {len(expected)} documents {len(set(found))} are on the pages of {limit}, in ascending order or not.")
        if store.scan(limit=2) != tuple(expected[:2]) or store.scan(after=expected[-1]) or store.scan(after=expected[1])[0] != expected[2]:
            raise Violation("A page does not begin after the identifier that it is asked for, or is longer than it may be.")


@check(
    "scan-past",
    "scan returns, when it is asked for them, the documents that were current once and are not any more.",
    "state='past': of containers that were replaced or dropped, unless another one holds the document now.",
    kinds=_STORAGE,
    needs=("scan-pages", "container-dropped"),
)
def scan_past(subject: Subject) -> None:
    names = ("replaced", "stays", "dropped", "held elsewhere", "never", "new")
    documents = {name: document(f"past or not: {name}") for name in names}
    with opened(subject) as store:
        store.put(container(documents["replaced"], documents["stays"]), container(documents["stays"], documents["new"], fingerprint="f2"))
        store.put(container(documents["dropped"], documents["held elsewhere"], name="b.txt"))
        store.put(container(documents["held elsewhere"], origin="mail"), container(documents["never"], name="c.txt", last=False))
        store.drop("b.txt")
        expected = sorted(documents[name].id for name in ("replaced", "dropped"))
        if (found := store.scanned(state="past", limit=1)) != expected:
            said = [name for name, each in documents.items() if each.id in found]
            raise Violation(f"It returns as past {said}, expected replaced and dropped.")


@check(
    "scan-origins",
    "Asked for some sources, scan returns documents of those alone, current and past.",
    "A document is of every source of which a container holds it, or held it.",
    kinds=_STORAGE,
    needs=("scan-past",),
)
def scan_origins(subject: Subject) -> None:
    with opened(subject) as store:
        documents = _in_three_sources(store)
        for origins, expected in _OF_ORIGINS.items():
            if (found := store.scanned(origins=origins)) != sorted(documents[name].id for name in expected):
                raise Violation(f"Asked for {', '.join(origins) or 'all'} it returns {len(found)} documents, expected {len(expected)}.")
        for origins, past in ((("web",), ["web"]), (("notes", "mail"), [])):
            if store.scanned(origins=origins, state="past") != [documents[name].id for name in past]:
                raise Violation(f"Asked for what is past of {', '.join(origins)} it returns something else.")


_OF_ORIGINS = {
    (): ("notes", "both", "mail"),
    ("notes",): ("notes", "both"),
    ("mail",): ("mail", "both"),
    ("notes", "mail", "web"): ("notes", "both", "mail"),
    ("web",): (),
    ("nobody",): (),
}


def _in_three_sources(store: Store) -> dict[str, PutDocument]:
    documents = {name: document(f"{_LONG} Of {name}.") for name in ("notes", "both", "mail", "web")}
    store.put(container(documents["notes"], documents["both"]), container(documents["mail"], documents["both"], origin="mail"))
    store.put(container(documents["web"], origin="web"))
    store.drop("a.txt", "web")
    return documents


def _fill(store: Store, documents: list[PutDocument]) -> None:
    for number, part in enumerate(parts(documents, 500)):
        store.put(container(*part, name=f"{number}.txt"))


def _compacted(store: Store) -> list[int]:
    """Put the index in order to the end, and return what was left after each step."""
    left = [store.compact().pending]
    while left[-1]:
        left.append(store.compact().pending)
        if len(left) > _MOST_STEPS:
            raise Violation(f"After {_MOST_STEPS} steps compact still says that {left[-1]} are left.")
    return left


_MOST_STEPS = 2_000


def _answers(store: Store) -> tuple[set[str], list[tuple[str, int, int]], tuple[str, ...]]:
    return _quoted(store, _QUOTE), _places(store.candidates("printer week", limit=1000)), store.scan()


def _quoted(store: Store, quote: str, *, origins: tuple[str, ...] = ()) -> set[str]:
    return {name for page in store.fingerprint_pages(quote, origins=origins) for name in page.documents}


def _look(store: Store, one: PutDocument, quote: str, how: str) -> None:
    pages = store.fingerprint_pages(quote)
    if all(page.guaranteed for page in pages) and not any(one.id in page.documents for page in pages):
        raise Violation(f"It is sure, and leaves out a document in which the words stand ({how}): {quote[:60]!r}.")


def _places(candidates: tuple[Candidate, ...]) -> list[tuple[str, int, int]]:
    return [(each.document, each.start, each.end) for each in candidates]
