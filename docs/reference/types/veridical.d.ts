// Types of what crosses the border of veridical. Written by python -m tools.typescript; edit the docstrings instead.

/** What was found for a question that must be addressed. */
export interface Answer {
  /** in the operator's words. */
  readonly question: string;
  /** `unaddressed` says that nothing verified answers it, not that there is no answer. */
  readonly status: "answered" | "unaddressed";
  /** empty when unaddressed. Default: `[]`. */
  readonly claims?: ReadonlyArray<Claim>;
  /** why it is unaddressed. Default: `null`. */
  readonly reason?: string | null;
}

/** What became of an outcome. */
export interface Audit {
  /** `veridical.audit/1`. Default: `"veridical.audit/1"`. */
  readonly format?: "veridical.audit/1";
  /** `veridical-export`: it repeats words that may be made up, so it is no evidence when it is read back in. Default: `"veridical-export"`. */
  readonly marker?: "veridical-export";
  /** of the whole. */
  readonly outcome: "same" | "differs" | "incomplete" | "nothing";
  /** the question, as the outcome has it. */
  readonly query: string;
  /** why the outcome says nothing, as it has it; None where it is an answer. Default: `null`. */
  readonly refusal_reason?: string | null;
  /** one row for each of the outcome, in its order. Default: `[]`. */
  readonly citations?: ReadonlyArray<AuditedCitation>;
  /** claims and candidates whose words are not in the citation that they name. Default: `[]`. */
  readonly misplaced?: ReadonlyArray<MisplacedClaim>;
}

/** One row of the outcome, and what became of it. */
export interface AuditedCitation {
  /** of the row, from 0. */
  readonly citation_index: number;
  /** as the row says; None for a local document. */
  readonly url: string | null;
  /** what became of it. */
  readonly state: "same" | "changed" | "gone" | "altered" | "unreadable";
  /** why, where it is not `same`, or where the page moved; empty otherwise. Default: `""`. */
  readonly reason?: string;
  /** the URL that was read, or the identifier of the document in the store; None when there is neither. Default: `null`. */
  readonly found?: string | null;
  /** of a row that changed, the passage that is most like it now, copied from the page, which is no evidence. Default: `null`. */
  readonly nearest?: string | null;
}

/** Who wrote a record: an account, not a person. */
export interface Author {
  /** host of the document's URL, or `source:NAME` where there is none: the name space of `id`. */
  readonly site: string;
  /** the account's identifier on that site. */
  readonly id: string;
  /** the display name, when it differs. Default: `null`. */
  readonly name?: string | null;
}

/** A copy of a store, read again after it was written. */
export interface Backup {
  /** number of current documents in it. */
  readonly documents: number;
  /** of the store. */
  readonly schema_version: number;
}

/** A passage that may answer. */
export interface Candidate {
  /** identifier of its document. */
  readonly document: string;
  /** first code point of the passage in the document's text. */
  readonly start: number;
  /** one past the last. */
  readonly end: number;
  /** higher is better; only the order means something. */
  readonly score: number;
}

/** A piece of a reply that comes bit by bit. */
export interface ChatDelta {
  /** what follows the text so far; empty in the last piece. Default: `""`. */
  readonly text?: string;
  /** the whole reply, in the last piece alone. Default: `null`. */
  readonly reply?: ChatReply | null;
}

/** The reply of a chat plugin. */
export interface ChatReply {
  /** free text, all parts joined; travels only as untrusted. Default: `null`. */
  readonly text?: string | null;
  /** the parts of the text as the provider sent them, which spans are relative to. Default: `[]`. */
  readonly parts?: ReadonlyArray<string>;
  /** the structured reply to `compose`. Default: `null`. */
  readonly draft?: Draft | null;
  /** the reply to a `response_schema`, parsed. Default: `null`. */
  readonly structured?: JsonValue;
  /** what the model asks for. Default: `[]`. */
  readonly tool_calls?: ReadonlyArray<ToolCall>;
  /** of a reply to `ground`. Default: `null`. */
  readonly grounding?: Grounding | null;
  /** of a reply to `cite`. Default: `[]`. */
  readonly citations?: ReadonlyArray<PassageCitation>;
  /** why it ended: it came to its end, it asks for tools, it was cut at the limit of tokens, or the model or provider refused. Default: `"end"`. */
  readonly stop?: "end" | "tools" | "length" | "refusal";
  /** name and version of the model, as the provider names it. */
  readonly model: string;
  /** what it cost. Default: `{"input_tokens": 0, "output_tokens": 0, "cached_tokens": 0, "written_tokens": 0, "searches": 0}`. */
  readonly usage?: Usage;
}

/** A request to a chat plugin. */
export interface ChatRequest {
  /** `compose` asks for a `Draft` about `question` from `passages`; `complete` asks for text, for JSON when there is a `response_schema`; `ground` asks for text about `question` that rests on a web search of the provider's own, and `cite` for text that rests on `passages`, cited by the provider's own means. */
  readonly task: "compose" | "complete" | "ground" | "cite";
  /** the conversation; the gateway puts its own preamble before it. */
  readonly messages: ReadonlyArray<Message>;
  /** what the operator asked. Default: `""`. */
  readonly question?: string;
  /** questions that the draft has to answer, by index. Default: `[]`. */
  readonly must_address?: ReadonlyArray<string>;
  /** the evidence that may be pointed at; empty with `complete`. Default: `[]`. */
  readonly passages?: ReadonlyArray<Passage>;
  /** the themes to name and quote, each a set of passage identifiers. Default: `[]`. */
  readonly groups?: ReadonlyArray<PassageGroup>;
  /** what limits the search of `ground`. Default: `null`. */
  readonly search?: SearchQuery | null;
  /** what the model may ask for. Default: `[]`. */
  readonly tools?: ReadonlyArray<Tool>;
  /** JSON Schema of the structured reply. Default: `null`. */
  readonly response_schema?: JsonValue;
  /** per theme. Default: `3`. */
  readonly max_quotes?: number;
  /** upper bound of the reply. Default: `4096`. */
  readonly max_output_tokens?: number;
}

/** What became of some drafts. */
export interface CheckReport {
  /** `veridical.check/1`. Default: `"veridical.check/1"`. */
  readonly format?: "veridical.check/1";
  /** `veridical-export`: it repeats words that may be made up, so it is no evidence when it is read back in. Default: `"veridical-export"`. */
  readonly marker?: "veridical-export";
  /** `confirmed`: no finding is an error; `not-in-evidence`: one is; `nothing-to-check`: there are no findings. */
  readonly outcome: "confirmed" | "not-in-evidence" | "nothing-to-check";
  /** whether warnings count as errors. Default: `false`. */
  readonly strict?: boolean;
  /** in their order. */
  readonly drafts: ReadonlyArray<CheckedDraft>;
  /** in the order of the drafts and of their places. */
  readonly findings: ReadonlyArray<Finding>;
  /** how many of each. */
  readonly summary: CheckSummary;
  /** that judged. */
  readonly policy: string;
  /** of its tables. */
  readonly policy_fingerprint: string;
  /** version of the program. */
  readonly veridical: string;
  /** files that were enumerated as evidence. Default: `[]`. */
  readonly inputs?: ReadonlyArray<InputRecord>;
  /** what the store did not give back as it was admitted, and what was refused on reading. Default: `[]`. */
  readonly rejections?: ReadonlyArray<Rejection>;
  /** that took part. Default: `[]`. */
  readonly plugins?: ReadonlyArray<PluginRecord>;
}

/** How many of each. */
export interface CheckSummary {
  /** verdict to number of findings; only those that there are. */
  readonly verdicts: { readonly [name: string]: number };
  /** findings of level `error`. */
  readonly errors: number;
  /** findings of level `warning`. */
  readonly warnings: number;
  /** of all drafts. */
  readonly sentences: number;
  /** of these, with nothing to check. */
  readonly unchecked: number;
  /** of the evidence that was looked into. */
  readonly documents: number;
}

/** A draft that was read. */
export interface CheckedDraft {
  /** its name; `-` is standard input. */
  readonly file: string;
  /** how it was read. */
  readonly format: "markdown" | "html" | "text";
  /** of its bytes. */
  readonly sha256: string;
  /** of its prose. */
  readonly sentences: number;
  /** sentences in which there is nothing to check. */
  readonly unchecked: ReadonlyArray<UncheckedSentence>;
}

/** One document that is cited or counted. */
export interface Citation {
  /** in this report, from 1. */
  readonly number: number;
  /** its identifier. */
  readonly document: string;
  /** as admitted. */
  readonly url: string | null;
  /** as admitted. */
  readonly title: string | null;
  /** as admitted. */
  readonly author: Author | null;
  /** as admitted. */
  readonly published: Moment | null;
  /** when the host read it. */
  readonly retrieved: string;
  /** where a person finds it. */
  readonly locator: Locator;
  /** the source it came from. */
  readonly origin: string;
  /** its weakest grade. */
  readonly witness: "held" | "wire" | "attested";
  /** of each field. */
  readonly grades: Grades;
  /** registrable domain of the URL, or `source:ORIGIN`. */
  readonly source_key: string;
  /** how the author is counted; `excluded` is a declared bot. */
  readonly account: "known" | "attested" | "unknown" | "excluded";
  /** `SITE/ID` after the site's own case rule; None unless the author is known or attested. */
  readonly account_key: string | null;
  /** equal for near-duplicate texts. */
  readonly origin_key: string;
  /** first 16 hexadecimal digits of the SHA-256 of its text. */
  readonly snippet_hash: string;
  /** all of it. */
  readonly text_sha256: string;
}

/** A statement and the quotes it rests on. */
export interface Claim {
  /** in this report. */
  readonly id: string;
  /** whose words `text` is. `source`: the sentence of the first quote. `model`: a model's, under the claim rule. */
  readonly wording: "source" | "kernel" | "model";
  /** `verbatim` when the words are the evidence; `attached` when quotes are attached to a model's words, which says that its numbers, names and dates stand together in one cited sentence and does not say that the statement follows. */
  readonly support: "verbatim" | "attached";
  /** the statement. */
  readonly text: string;
  /** a model's words as they were before the kernel wrote counts into their `{count:SET}` places; None for wording `source`. Default: `null`. */
  readonly template?: string | null;
  /** never empty. */
  readonly quotes: ReadonlyArray<Quote>;
}

/** A statement of the assistant's that the outcome's evidence carries. */
export interface ClaimChunk {
  /** `claim`. Default: `"claim"`. */
  readonly type?: "claim";
  /** the source's own sentence. */
  readonly text: string;
  /** whose words they are: the agent lets out those of a source alone. */
  readonly wording: "source" | "model";
  /** of its rows in the outcome's citations, from 0; never empty. */
  readonly citation_indices: ReadonlyArray<number>;
}

/** What is left to do of putting the index in order. */
export interface Compaction {
  /** number of steps that are left; 0 when there is nothing to do. */
  readonly pending: number;
}

/** The reply to a conversation. */
export interface Completion {
  /** of its newest prompt. */
  readonly topic: Topic;
  /** of a search, when the topic requires grounding. Default: `null`. */
  readonly outcome?: ResearchOutcome | null;
  /** a model's words, otherwise: in pieces, each within the limit of `Untrusted`, to be read one after the other. Default: `[]`. */
  readonly text?: ReadonlyArray<Untrusted>;
}

/** A container that was read to its end. */
export interface ContainerState {
  /** name of the source. */
  readonly origin: string;
  /** path or name of the container. */
  readonly container: string;
  /** as `PutBatch.fingerprint` gave it. */
  readonly fingerprint: string;
  /** number that it holds. */
  readonly documents: number;
}

/** Sizes of sets of documents: unions, never sums. */
export interface Counts {
  /** documents. */
  readonly mentions: number;
  /** distinct (site, account) of known authors; accounts, not people. */
  readonly accounts: number;
  /** documents whose author is not known. */
  readonly unknown_accounts: number;
  /** accounts that only a plugin vouches for; not part of `accounts`. */
  readonly attested_accounts: number;
  /** distinct registrable domains; a local source counts as one. */
  readonly sources: number;
  /** documents after near-duplicate texts are taken as one. */
  readonly origins: number;
}

/** How many documents were deleted. */
export interface DeleteReceipt {
  /** number of documents that were there and now are not. */
  readonly deleted: number;
  /** number of runs whose report went with them. Default: `0`. */
  readonly withdrawn?: number;
}

/** What to delete for good; each deleted document leaves a tombstone. */
export interface DeleteRequest {
  /** by identifier. Default: `[]`. */
  readonly documents?: ReadonlyArray<string>;
  /** every document of this source that no other source holds. Default: `null`. */
  readonly origin?: string | null;
  /** why, for the tombstone. */
  readonly reason: string;
  /** run to the documents whose words its report repeats. The bytes of the report go with the first of them that does. */
  readonly dependents?: { readonly [name: string]: ReadonlyArray<string> };
  /** whether the same record may come back when its source is read again. Default: `true`. */
  readonly returns?: boolean;
}

/** How fields follow from the record's bytes. */
export interface Derivation {
  /** layout of the record. */
  readonly format: "text" | "json" | "csv" | "mime" | "pdf" | "sse" | "html";
  /** Python name of the character encoding; with `mime` and `pdf` it is not used. Default: `"utf-8"`. */
  readonly encoding?: string;
  /** of a `csv` record, one character. Default: `","`. */
  readonly delimiter?: string;
  /** from the text atom to the visible text. Default: `"plain"`. */
  readonly projection?: "plain" | "markdown" | "html";
  /** field name (`text`, `url`, `title`, `author`, `author_name`, `published`) to the atom that holds it: an RFC 6901 pointer in a `json` record, a column number from 0 in a `csv` record, a header name, `NAME/address` (of the header's first mailbox) or `part/N` (the N-th text part, from 1) in a `mime` record, a page number from 1 in a `pdf` record, the empty string (the whole) in a `text` record; in an `sse` record a pointer into the list of its events' data; in an `html` record `N` (what stands inside the N-th start tag's element, from 0) or `N@NAME` (an attribute of it). Only the URL of a recorded reply may also be a template with pointers in braces, or `?NAME={pointer}`, a parameter of the URL that stands there. */
  readonly pointers: { readonly [name: string]: string };
}

/** A run of words in which evidence and draft agree or differ. The parts in order give both. */
export interface DiffPart {
  /** `same`; `missing`: only in the evidence; `added`: only in the draft. */
  readonly op: "same" | "missing" | "added";
  /** the evidence's words; None for `added`. Default: `null`. */
  readonly source?: string | null;
  /** the draft's words; None unless `added`. Default: `null`. */
  readonly draft?: string | null;
}

/** One of several people who share the name that was asked for. */
export interface DisambiguationCandidate {
  /** of the document that speaks of this one, as admitted. */
  readonly title: string | null;
  /** of it, as admitted. */
  readonly url: string | null;
  /** registrable domain of the URL, or `source:NAME`. */
  readonly domain: string;
  /** the words that tell this one from the others, copied. */
  readonly passage: string;
  /** of its row in `citations`, from 0. */
  readonly citation_index: number;
}

/** One admitted record: immutable, named by the SHA-256 of the canonical bytes of every field. */
export interface Document {
  /** the visible projection. U+001E is a hard boundary that no quote crosses; a line that starts with `> ` is quoted from somebody else. Offsets are code points. */
  readonly text: string;
  /** the admitted URL. Default: `null`. */
  readonly url?: string | null;
  /** of the record. Default: `null`. */
  readonly title?: string | null;
  /** the account. Default: `null`. */
  readonly author?: Author | null;
  /** when it was published, no later than `retrieved`. Default: `null`. */
  readonly published?: Moment | null;
  /** ISO 8601 in UTC to the second: when the host read it. */
  readonly retrieved: string;
  /** where a person finds it again. */
  readonly locator: Locator;
  /** the name of the source that the operator gave, or the plugin's name. */
  readonly origin: string;
  /** the plugin that handed it in. */
  readonly plugin: string;
  /** `FORMAT/PROJECTION/N` of the host's reader, N its version; `plugin` when the plugin made the text. */
  readonly extractor: string;
  /** which bytes it is. Default: `null`. */
  readonly raw?: Raw | null;
  /** how the fields follow from `raw`. Default: `null`. */
  readonly derivation?: Derivation | null;
  /** the witness of each field. */
  readonly grades: Grades;
}

/** The last chunk of a reply that came to its end. */
export interface DoneChunk {
  /** `done`. Default: `"done"`. */
  readonly type?: "done";
  /** the reply is whole; was cut at a limit; or the evidence was refused. */
  readonly stop: "end" | "length" | "refused";
  /** the chat plugin that answered; None when none was asked. Default: `null`. */
  readonly provider?: string | null;
}

/** What a chat plugin proposes: data from outside, whoever made it. */
export interface Draft {
  /** one per group that the composer could name, in any order. Default: `[]`. */
  readonly themes?: ReadonlyArray<DraftTheme>;
  /** one per question that it could answer. Default: `[]`. */
  readonly answers?: ReadonlyArray<DraftAnswer>;
}

/** A proposal for one question that must be addressed. */
export interface DraftAnswer {
  /** its index in `must_address`. */
  readonly question: number;
  /** what answers it; empty when nothing does. Default: `[]`. */
  readonly claims?: ReadonlyArray<DraftClaim>;
}

/** A statement and the words it rests on. */
export interface DraftClaim {
  /** the statement in the model's words; None lets the first quote speak for itself. Default: `null`. */
  readonly text?: string | null;
  /** what it rests on. */
  readonly quotes: ReadonlyArray<DraftQuote>;
}

/** Words that are said to stand in a passage. */
export interface DraftQuote {
  /** identifier of the passage. */
  readonly passage: string;
  /** the words, as the composer copied them. */
  readonly quote: string;
}

/** A proposal for one group of passages. */
export interface DraftTheme {
  /** identifier of the group. */
  readonly group: string;
  /** the theme's name in the model's words; None when `name_quote` names it. Default: `null`. */
  readonly name?: string | null;
  /** words of a passage that name the theme. Default: `null`. */
  readonly name_quote?: DraftQuote | null;
  /** what is said under it. */
  readonly claims: ReadonlyArray<DraftClaim>;
}

/** A change to a draft: the evidence's own words in place of altered ones, or a visible mark behind what is not in the evidence. */
export interface Edit {
  /** first code point that is replaced. */
  readonly start: number;
  /** one past the last; equal to `start` where nothing is replaced. */
  readonly end: number;
  /** of `start`, from 1. */
  readonly line: number;
  /** of `start` in code points, from 1. */
  readonly column: number;
  /** of `end`, from 1. */
  readonly end_line: number;
  /** of `end` in code points, from 1. */
  readonly end_column: number;
  /** what is written there, encoded for the draft's format. */
  readonly text: string;
  /** whether it puts the evidence's words in; else it is a mark. */
  readonly replaces: boolean;
}

/** One vector per text, in order, of one width, finite and not zero. */
export interface EmbeddingReply {
  /** rows of floats. */
  readonly vectors: ReadonlyArray<ReadonlyArray<number>>;
  /** name and version of the model; vectors of two identities are never compared. */
  readonly identity: string;
}

/** Texts to embed. */
export interface EmbeddingRequest {
  /** in order; never empty. */
  readonly texts: ReadonlyArray<string>;
  /** whether they are searched for or searched in; a model may embed the two differently. Default: `"document"`. */
  readonly purpose?: "query" | "document";
}

/** A document of the evidence, and a place in it. */
export interface EvidencePassage {
  /** its identifier. */
  readonly document: string;
  /** the characters, copied from the store; None when the document as a whole is meant. Default: `null`. */
  readonly span?: Span | null;
  /** the whole sentences that hold the span. Default: `null`. */
  readonly sentence?: Span | null;
  /** as admitted. Default: `null`. */
  readonly url?: string | null;
  /** as admitted. Default: `null`. */
  readonly title?: string | null;
  /** as admitted. Default: `null`. */
  readonly author?: Author | null;
  /** where a person finds the record. */
  readonly locator: Locator;
  /** in its file, from 1, where the span starts; None when that is not known. Default: `null`. */
  readonly line?: number | null;
  /** the source it came from. */
  readonly origin: string;
}

/** The last chunk of a reply that broke off. */
export interface FailedChunk {
  /** `failed`. Default: `"failed"`. */
  readonly type?: "failed";
  /** of the error, as everywhere. */
  readonly code: string;
  /** what went wrong. */
  readonly detail: Untrusted;
}

/** Which column or JSON member holds which field of tabular data. */
export interface FieldMap {
  /** field name (`text`, `url`, `title`, `author`, `author_name`, `published`) to column name or JSON member; a JSON member may be an RFC 6901 pointer (`/data/body`). */
  readonly fields: { readonly [name: string]: string };
  /** how the text is marked up; None lets the plugin decide. Default: `null`. */
  readonly projection?: "plain" | "markdown" | "html" | null;
}

/** What became of one thing in a draft that can be checked. */
export interface Finding {
  /** name of the draft; `-` is standard input. */
  readonly file: string;
  /** what it is. */
  readonly kind: "quote" | "block-quote" | "url" | "number" | "citation";
  /** first code point in the draft as it was decoded; of a quotation the first inside its quotation marks. */
  readonly start: number;
  /** one past the last. */
  readonly end: number;
  /** of `start`, from 1. */
  readonly line: number;
  /** of `start` in code points, from 1. */
  readonly column: number;
  /** of `end`, from 1. */
  readonly end_line: number;
  /** of `end` in code points, from 1: one past the last. */
  readonly end_column: number;
  /** of the draft, as a reader sees them. */
  readonly words: string;
  /** what became of it. */
  readonly verdict: "exact" | "located" | "clipped" | "illustration" | "altered" | "misattributed" | "stitched" | "too-short" | "not-found" | "needs-document" | "not-shown";
  /** `error` when it is not in the evidence; `warning` when it is and misleads, or was too short to be looked for. */
  readonly level: "ok" | "warning" | "error";
  /** the kernel's rule for the nearest place, or the name of the reason. */
  readonly rule: string;
  /** the verdict in plain words. */
  readonly message: string;
  /** differences in spelling that were passed over. Default: `[]`. */
  readonly folds?: ReadonlyArray<string>;
  /** what a reader must be told of the place: the kernel's, and `speaker-unknown` (nobody of that name is an author of the evidence), `speaker-in-source` (the sentence there names the speaker), `author-unknown` (whoever wrote what was found is not known), `inner-marks` (quotation marks inside of it are written another way), `cited-not-shown` (the document that the draft cites is not in the evidence), `address-in-text` (an address that a document mentions). Default: `[]`. */
  readonly labels?: ReadonlyArray<string>;
  /** where it stands, the right source when it is misattributed, else the nearest passage. Default: `null`. */
  readonly passage?: EvidencePassage | null;
  /** for `altered`: word for word, from the evidence to the draft. Default: `[]`. */
  readonly diff?: ReadonlyArray<DiffPart>;
  /** for `stitched`: where its parts stand, in their order. Default: `[]`. */
  readonly parts?: ReadonlyArray<EvidencePassage>;
  /** how many places of the evidence it stands in. Default: `0`. */
  readonly places?: number;
  /** whom the draft says that it is by. Default: `null`. */
  readonly speaker?: string | null;
  /** addresses that the draft ties to it. Default: `[]`. */
  readonly targets?: ReadonlyArray<string>;
  /** what `--fix` does about it; None: nothing. Default: `null`. */
  readonly fix?: Edit | null;
}

/** Documents in which the words may stand. The host looks into every one: a fingerprint decides nothing. */
export interface FingerprintCandidates {
  /** identifiers of current documents, ascending. */
  readonly documents: ReadonlyArray<string>;
  /** every document in which the words stand is on one of the pages, in any spelling that differs only by what the folds of the host's policy allow. False when they are too few to be sure of that. */
  readonly guaranteed: boolean;
  /** there is another page. Default: `false`. */
  readonly more?: boolean;
}

/** Words of which nobody says in which document they stand. */
export interface FingerprintQuery {
  /** the words, as they were quoted. */
  readonly text: string;
  /** how many documents at most. Default: `100`. */
  readonly limit?: number;
  /** the last identifier of the page before; None for the first page. Default: `null`. */
  readonly after?: string | null;
  /** only current documents of these sources; empty means all. Default: `[]`. */
  readonly origins?: ReadonlyArray<string>;
}

/** How many documents were left at each step. */
export interface Funnel {
  /** current documents of the sources that were asked. */
  readonly in_scope: number;
  /** that the store proposed. */
  readonly retrieved: number;
  /** of these, whose bytes hash to their name. */
  readonly admitted: number;
  /** that were grouped. */
  readonly selected: number;
  /** that were shown to the composer. */
  readonly shown: number;
  /** that a released quote stands in. */
  readonly cited: number;
}

/** The witness of each field that a document has; None where it has no such field. */
export interface Grades {
  /** witness of the text. */
  readonly text: "held" | "wire" | "attested";
  /** of the URL. Default: `null`. */
  readonly url?: "held" | "wire" | "attested" | null;
  /** of the title. Default: `null`. */
  readonly title?: "held" | "wire" | "attested" | null;
  /** of the author. Default: `null`. */
  readonly author?: "held" | "wire" | "attested" | null;
  /** of the date. Default: `null`. */
  readonly published?: "held" | "wire" | "attested" | null;
}

/** What a provider says its reply rests on. */
export interface Grounding {
  /** pages. Default: `[]`. */
  readonly chunks?: ReadonlyArray<GroundingChunk>;
  /** stretches of the reply. Default: `[]`. */
  readonly spans?: ReadonlyArray<GroundingSpan>;
  /** what the provider searched for, in the model's words. Default: `[]`. */
  readonly queries?: ReadonlyArray<string>;
}

/** A page that the provider says its reply rests on. The provider saw it, nobody else did. */
export interface GroundingChunk {
  /** where in the recorded reply its URL and title stand; None where the host could not record it: then it is the plugin's word. Default: `null`. */
  readonly place?: WirePlace | null;
  /** as it stands there; compared by the host. */
  readonly url: string;
  /** the same. Default: `null`. */
  readonly title?: string | null;
  /** the URL is a short-lived redirect of the provider's own. Default: `false`. */
  readonly redirect?: boolean;
}

/** A stretch of the reply, in the model's words, and the chunks that the provider says it rests on. */
export interface GroundingSpan {
  /** which of the reply's parts it stands in, from 0. */
  readonly part: number;
  /** first, in `unit`, from the start of that part. */
  readonly start: number;
  /** one past the last. */
  readonly end: number;
  /** of `start` and `end`. */
  readonly unit: "codepoint" | "utf8" | "utf16";
  /** what the provider says stands there; compared by the host, exactly. Default: `null`. */
  readonly text?: string | null;
  /** indices into the chunks. */
  readonly chunks: ReadonlyArray<number>;
  /** where in the recorded reply words stand that the provider says it took from a page; often cut. Default: `[]`. */
  readonly excerpts?: ReadonlyArray<WirePlace>;
}

/** One file that the host enumerated and hashed before any plugin was loaded. */
export interface InputFile {
  /** as the operator gave it, or found below what the operator gave; what locators show. */
  readonly path: string;
  /** of the bytes on disk. */
  readonly sha256: string;
  /** in bytes. */
  readonly size: number;
}

/** One file that was enumerated. */
export interface InputRecord {
  /** as the operator gave it, or found below. */
  readonly path: string;
  /** of its bytes; None when they could not be read. */
  readonly sha256: string | null;
  /** in bytes. */
  readonly size: number;
  /** `omitted` means that the plugin was handed it and never spoke of it. */
  readonly status: "read" | "unchanged" | "unreadable" | "unsupported" | "omitted" | "derived";
  /** that it holds. Default: `0`. */
  readonly documents?: number;
  /** why it could not be read. Default: `null`. */
  readonly reason?: Untrusted | null;
}

/** One record as a source or search plugin hands it in. A field that `derivation.pointers` names is derived by the host from the record's bytes; where the plugin gives a value too, the two must be equal. An item that ends up without text is a link, which is never evidence. */
export interface Item {
  /** the visible text. Default: `null`. */
  readonly text?: string | null;
  /** where the record can be opened, http or https. Default: `null`. */
  readonly url?: string | null;
  /** of the record. Default: `null`. */
  readonly title?: string | null;
  /** the account's identifier on the site of the URL. Default: `null`. */
  readonly author?: string | null;
  /** the display name. Default: `null`. */
  readonly author_name?: string | null;
  /** as the source wrote it: ISO 8601, or epoch seconds as an int. Default: `null`. */
  readonly published?: string | number | null;
  /** where a person finds it again. */
  readonly locator: Locator;
  /** which bytes it is; None when the host did not read them. Default: `null`. */
  readonly raw?: Raw | null;
  /** how the fields follow from `raw`; goes with it. Default: `null`. */
  readonly derivation?: Derivation | null;
  /** where in a recorded reply it stands; the host derives every field that the wire map names. Instead of `raw`. Default: `null`. */
  readonly place?: WirePlace | null;
}

export type JsonValue = unknown;

/** Where a person finds a record again. */
export interface Locator {
  /** the file's path as the operator gave it, or the URL of the reply. */
  readonly container: string;
  /** first line of the record, from 1. Default: `null`. */
  readonly line?: number | null;
  /** number of the data row, from 1, the header not counted. Default: `null`. */
  readonly row?: number | null;
  /** page of a paginated file, from 1. Default: `null`. */
  readonly page?: number | null;
  /** the Message-ID of a mail. Default: `null`. */
  readonly message?: string | null;
}

/** One turn of a conversation. */
export interface Message {
  /** who speaks. */
  readonly role: "system" | "user" | "assistant";
  /** what is said. */
  readonly text: string;
  /** what an assistant's turn asks for. Default: `[]`. */
  readonly tool_calls?: ReadonlyArray<ToolCall>;
  /** what a user's turn answers it with, one for each call of the turn before. Default: `[]`. */
  readonly tool_results?: ReadonlyArray<ToolResult>;
}

/** What opening the store did to its schema: forward only. */
export interface Migration {
  /** version of the schema that was found; 0 when there was none. */
  readonly before: number;
  /** version of the schema now. */
  readonly after: number;
}

/** A claim or the passage of a candidate that does not stand in the citation that it names. */
export interface MisplacedClaim {
  /** of it, as the outcome has it. */
  readonly text: string;
  /** of the row that it names, from 0. */
  readonly citation_index: number;
}

/** A point in time no more precise than it was given. */
export interface Moment {
  /** ISO 8601 to the precision (`2026`, `2026-06`, `2026-06-01`, `2026-06-01T12:00:00Z`). */
  readonly value: string;
  /** of `value`. */
  readonly precision: "year" | "month" | "day" | "second";
  /** whether `value` carries a zone; dates do not need one. Default: `true`. */
  readonly zone_known?: boolean;
}

/** One document that is cited. */
export interface OutcomeCitation {
  /** as admitted; None for a local document that has none. */
  readonly url: string | null;
  /** as admitted. */
  readonly title: string | null;
  /** the words that are cited, copied from the document: what an audit looks for again. */
  readonly snippet: string;
  /** when the host read it, ISO 8601 in UTC to the second. */
  readonly retrieved_at: string;
  /** first 16 hexadecimal digits of the SHA-256 of `snippet` in UTF-8. */
  readonly snippet_hash: string;
  /** all of them. */
  readonly snippet_sha256: string;
  /** its place among what was found, from 1. */
  readonly rank: number;
  /** registrable domain of the URL, or `source:NAME`. */
  readonly domain: string;
  /** its weakest grade: what stands behind it. */
  readonly witness: "held" | "wire" | "attested";
}

/** A statement in the words of a source. */
export interface OutcomeClaim {
  /** a sentence of the cited document, copied. */
  readonly text: string;
  /** of its row in `citations`, from 0. */
  readonly citation_index: number;
}

/** What one domain says. */
export interface OutcomeSection {
  /** the registrable domain, or `source:NAME` for local evidence. */
  readonly heading: string;
  /** never empty. */
  readonly claims: ReadonlyArray<OutcomeClaim>;
}

/** A stretch of evidence that a chat plugin may point at. */
export interface Passage {
  /** opaque, made for this run. */
  readonly id: string;
  /** visible text of the passage. */
  readonly text: string;
  /** of its document. Default: `null`. */
  readonly title?: string | null;
  /** where it stands, for a person. Default: `""`. */
  readonly origin?: string;
}

/** A stretch of the reply that the provider says rests on a passage that it was sent. */
export interface PassageCitation {
  /** identifier of the passage. */
  readonly passage: string;
  /** first character in the passage's text, in code points; None with `end` when the whole passage is cited. Default: `null`. */
  readonly start?: number | null;
  /** one past the last. Default: `null`. */
  readonly end?: number | null;
  /** what the provider says stands there; compared by the host. Default: `null`. */
  readonly text?: string | null;
  /** which of the reply's parts rests on it, from 0. Default: `0`. */
  readonly part?: number;
}

/** Passages that were found to belong together; a theme is named and quoted from one group. */
export interface PassageGroup {
  /** opaque, made for this run. */
  readonly id: string;
  /** identifiers of its passages. */
  readonly passages: ReadonlyArray<string>;
}

/** One plugin that took part. */
export interface PluginRecord {
  /** of its entry point. */
  readonly name: string;
  /** which hooks it has. */
  readonly kind: string;
  /** the package that brought it. */
  readonly distribution: string;
  /** of that package. */
  readonly version: string;
  /** `quarantined` after it passed a deadline. */
  readonly status: "ok" | "failed" | "quarantined";
  /** what it raised, when it failed. Default: `null`. */
  readonly reason?: Untrusted | null;
  /** it ran in a process of its own, `sandboxed` or with the rights of its user; left out of one that ran in the host's. Default: `null`. */
  readonly isolated?: "sandboxed" | "unsandboxed" | null;
}

/** What one container holds, or a part of it; written in one transaction. Nothing that a container holds is current before its last batch is written, and then all of it is, at once. */
export interface PutBatch {
  /** name of the source. */
  readonly origin: string;
  /** path or name of the container. */
  readonly container: string;
  /** what the container and the way of reading it are known by; equal means nothing to read again. */
  readonly fingerprint: string;
  /** in their order. Default: `[]`. */
  readonly documents?: ReadonlyArray<PutDocument>;
  /** bytes that the documents name, unless the store has them. Default: `[]`. */
  readonly raws?: ReadonlyArray<PutRaw>;
  /** this is the container's first batch: what the container held before stops being current with the last one; without a first batch, what comes is added to it. Default: `false`. */
  readonly first?: boolean;
  /** this is its last batch: from now on `fingerprint` is known. Default: `false`. */
  readonly last?: boolean;
}

/** One document to keep. */
export interface PutDocument {
  /** SHA-256 of `body`. */
  readonly id: string;
  /** the canonical bytes of the document. */
  readonly body: string;
  /** the host's admission tag, opaque; given back beside the body. */
  readonly tag: string;
  /** its text, for the full-text index. */
  readonly text: string;
  /** its title, for the full-text index. Default: `null`. */
  readonly title?: string | null;
  /** half-open code-point spans of `text` to index one by one; they cover what is to be found. */
  readonly passages: ReadonlyArray<readonly [number, number]>;
  /** digest of the record's bytes, when they are kept. Default: `null`. */
  readonly raw?: string | null;
  /** what the record is known by in its source, the same for all of its versions: once the container's last batch is written, documents of the same container and key that earlier readings brought stop being current. None: it replaces nothing. Default: `null`. */
  readonly key?: string | null;
}

/** Bytes of a record, named by their SHA-256. */
export interface PutRaw {
  /** SHA-256 of `body`. */
  readonly digest: string;
  /** the bytes. */
  readonly body: string;
}

/** How many documents were new, and how many were there already. */
export interface PutReceipt {
  /** documents that were new. */
  readonly added: number;
  /** documents that were there already. */
  readonly known: number;
}

/** A quote that the kernel confirmed, with what stands around it. */
export interface Quote {
  /** the quoted characters. */
  readonly span: Span;
  /** how they were confirmed; `clipped` and `illustration` support nothing. */
  readonly verdict: "exact" | "located" | "clipped" | "illustration";
  /** which differences between the proposed and the released characters were passed over. Default: `[]`. */
  readonly folds?: ReadonlyArray<string>;
  /** what a reader should know (`quoted-not-authored`, `clipped-context:negation`, ...). Default: `[]`. */
  readonly labels?: ReadonlyArray<string>;
  /** the whole sentence or sentences that hold the span. */
  readonly sentence: Span;
  /** the sentence before, in the same block. Default: `null`. */
  readonly before?: Span | null;
  /** the sentence after, in the same block. Default: `null`. */
  readonly after?: Span | null;
  /** the headings above it, outermost first. Default: `[]`. */
  readonly headings?: ReadonlyArray<Span>;
  /** in the file that holds the record, from 1, where the quoted characters start; None when that is not known. Default: `null`. */
  readonly line?: number | null;
}

/** The bytes that a record is. */
export interface Raw {
  /** SHA-256 of the record's own bytes. */
  readonly digest: string;
  /** their number. */
  readonly size: number;
  /** SHA-256 of the whole file or reply, as it lay on disk or came over the wire. */
  readonly container: string;
  /** first byte of the record in the container after decompression. */
  readonly offset: number;
}

/** One record of a file that the host read. */
export interface Record {
  /** which bytes it is. */
  readonly raw: Raw;
  /** how they are laid out. */
  readonly format: "text" | "json" | "csv" | "mime" | "pdf" | "sse" | "html";
  /** the character encoding that the host found. Default: `"utf-8"`. */
  readonly encoding?: string;
  /** of a `csv` record. Default: `","`. */
  readonly delimiter?: string;
  /** column name or JSON member to the pointer of its atom (see `Derivation.pointers`); header names and `part/N` of a mail. */
  readonly names?: { readonly [name: string]: string };
  /** where a person finds the record again. */
  readonly locator: Locator;
}

/** A place in a document, without its characters. */
export interface Reference {
  /** identifier of the document. */
  readonly document: string;
  /** first code point of its text. */
  readonly start: number;
  /** one past the last. */
  readonly end: number;
}

/** Why there is no answer, and what would help. */
export interface Refusal {
  /** for a program. */
  readonly code: "no-evidence" | "insufficient-evidence" | "nothing-verified" | "no-backend" | "ambiguous-name" | "providers-failed";
  /** for a person, shown verbatim. */
  readonly text: string;
  /** in order. */
  readonly tried: ReadonlyArray<Tried>;
  /** what to do next, most promising first. */
  readonly help: ReadonlyArray<string>;
}

/** Something that was proposed and not released; its words stay in the operator's log. */
export interface Rejection {
  /** of the kernel that refused it. */
  readonly rule: string;
  /** that proposed it. */
  readonly plugin: string;
  /** through which. */
  readonly hook: string;
  /** of the rejected words, in code points. */
  readonly length: number;
  /** SHA-256 of the rejected words. */
  readonly digest: string;
}

/** The result of a run. `themes` and `refusal` exclude each other. */
export interface Report {
  /** `veridical.report/1`. Default: `"veridical.report/1"`. */
  readonly format?: "veridical.report/1";
  /** `veridical-export`. Default: `"veridical-export"`. */
  readonly marker?: "veridical-export";
  /** whether there is an answer. */
  readonly outcome: "answered" | "refused";
  /** the question, verbatim. */
  readonly query: string;
  /** which run this is. */
  readonly run: RunRecord;
  /** what was found. Default: `[]`. */
  readonly themes?: ReadonlyArray<Theme>;
  /** one per question that must be addressed, in their order. Default: `[]`. */
  readonly answers?: ReadonlyArray<Answer>;
  /** by number; every document that is quoted or counted. Default: `[]`. */
  readonly citations?: ReadonlyArray<Citation>;
  /** how many documents were left at each step. */
  readonly funnel: Funnel;
  /** documents that were shown to the composer and not cited. Default: `[]`. */
  readonly not_cited?: ReadonlyArray<string>;
  /** what was not released. Default: `[]`. */
  readonly rejections?: ReadonlyArray<Rejection>;
  /** files that were enumerated for this run. Default: `[]`. */
  readonly inputs?: ReadonlyArray<InputRecord>;
  /** that took part. Default: `[]`. */
  readonly plugins?: ReadonlyArray<PluginRecord>;
  /** instead of themes. Default: `null`. */
  readonly refusal?: Refusal | null;
}

/** What was found for a question, or why nothing is said. */
export interface ResearchOutcome {
  /** whether there is an answer; then there are sections and no refusal. */
  readonly ok: boolean;
  /** the question, verbatim. */
  readonly query: string;
  /** how much was found, in the kernel's words and computed numbers; empty when refused. Default: `""`. */
  readonly summary?: string;
  /** by domain, best first. Default: `[]`. */
  readonly sections?: ReadonlyArray<OutcomeSection>;
  /** rows that claims and candidates point at. Default: `[]`. */
  readonly citations?: ReadonlyArray<OutcomeCitation>;
  /** what plugins said that failed, in the order in which they were asked: labelled, never evidence. Default: `[]`. */
  readonly unverified_notes?: ReadonlyArray<Untrusted>;
  /** of an ambiguous name. Default: `[]`. */
  readonly disambiguation_candidates?: ReadonlyArray<DisambiguationCandidate>;
  /** for a person, shown verbatim: what was tried and how to go on. Default: `null`. */
  readonly refusal_reason?: string | null;
  /** from 0 to 1, how much of the question independent evidence speaks of. Default: `0.0`. */
  readonly coverage_score?: number;
  /** the search plugin that answered, `store` when only local evidence did; None when nothing did. Default: `null`. */
  readonly provider_used?: string | null;
}

/** Which run this is. */
export interface RunRecord {
  /** of the run. */
  readonly id: string;
  /** ISO 8601 in UTC, to the second. */
  readonly created_at: string;
  /** last hash of the chain of admitted documents. */
  readonly seal: string;
  /** how many documents the chain holds. */
  readonly sealed: number;
  /** name of the policy. */
  readonly policy: string;
  /** of its tables. */
  readonly policy_fingerprint: string;
  /** of the random quota in the selection. */
  readonly seed: number;
  /** version of the program. */
  readonly veridical: string;
}

/** A page of the identifiers of documents, in ascending order. */
export interface ScanRequest {
  /** the last identifier of the page before; None for the first page. Default: `null`. */
  readonly after?: string | null;
  /** how many at most. Default: `1000`. */
  readonly limit?: number;
  /** only documents of these sources; empty means all. Default: `[]`. */
  readonly origins?: ReadonlyArray<string>;
  /** `current`, or `past`: documents that were current once and are not any more. Default: `"current"`. */
  readonly state?: "current" | "past";
}

/** A search. */
export interface SearchQuery {
  /** what to look for, in the words of the operator or of a brief. */
  readonly text: string;
  /** how many results at most. Default: `10`. */
  readonly limit?: number;
  /** from 1. Default: `1`. */
  readonly page?: number;
  /** BCP 47 tag that results should be in. Default: `null`. */
  readonly language?: string | null;
  /** first day of publication, `YYYY-MM-DD`. Default: `null`. */
  readonly since?: string | null;
  /** last day of publication, `YYYY-MM-DD`. Default: `null`. */
  readonly until?: string | null;
  /** only these hosts and those below them. Default: `[]`. */
  readonly include_domains?: ReadonlyArray<string>;
  /** none of these. Default: `[]`. */
  readonly exclude_domains?: ReadonlyArray<string>;
}

/** Some records of one container. */
export interface SourceBatch {
  /** path of the input, or the name of what was read. */
  readonly container: string;
  /** records in their order in the container. Default: `[]`. */
  readonly items?: ReadonlyArray<Item>;
  /** no more batches of this container will come. Default: `false`. */
  readonly done?: boolean;
  /** why (the rest of) the container could not be read, in one line; None when it could. Default: `null`. */
  readonly problem?: string | null;
  /** where a later read may start: everything before it was handed in, this batch too. None where only the whole can be read; that of the last batch counts. Default: `null`. */
  readonly cursor?: string | null;
  /** what each item is known by in its container, one for each item, or none at all. An item takes the place of what earlier batches brought under its key, so all items of one key come in one batch. Default: `[]`. */
  readonly keys?: ReadonlyArray<string>;
}

/** A request to read. */
export interface SourceRequest {
  /** the name of the source that the operator gave. */
  readonly origin: string;
  /** the files to read, in order; empty for a source that has none. Default: `[]`. */
  readonly inputs?: ReadonlyArray<InputFile>;
  /** what the operator named, verbatim, for a source that reads something else than files; often nothing. Default: `[]`. */
  readonly locations?: ReadonlyArray<string>;
  /** the field map for tabular data. Default: `null`. */
  readonly map?: FieldMap | null;
  /** where the last read ended, as this plugin said; None when everything is to be read: the first time, after a change of the plugin or of its settings for this source, and when the operator asks for it. Default: `null`. */
  readonly cursor?: string | null;
}

/** Characters of a document. */
export interface Span {
  /** identifier of the document. */
  readonly document: string;
  /** of the document from which they are copied. Default: `"text"`. */
  readonly field?: "text" | "title";
  /** first code point. */
  readonly start: number;
  /** one past the last. */
  readonly end: number;
  /** exactly the characters `start` to `end` of that field. */
  readonly text: string;
}

/** Something in the store that is not as it should be. */
export interface StoreProblem {
  /** kind of thing. */
  readonly what: "file" | "document" | "raw" | "run" | "index";
  /** its identifier. */
  readonly name: string;
  /** in one line. */
  readonly detail: string;
  /** of a document: the digest of its record's bytes, where that is still known. Default: `null`. */
  readonly raw?: string | null;
  /** of a document: others that were put around the same time, the nearest first. Default: `[]`. */
  readonly near?: ReadonlyArray<string>;
  /** of a document: the (source, container) pairs that hold it. Default: `[]`. */
  readonly containers?: ReadonlyArray<readonly [string, string]>;
}

/** What the store holds and what is wrong with it. */
export interface StoreState {
  /** file or address, for a person. */
  readonly location: string;
  /** of the store. */
  readonly schema_version: number;
  /** number of current documents. */
  readonly documents: number;
  /** name of each source to its number of current documents. */
  readonly origins: { readonly [name: string]: number };
  /** empty when all is well; filled only when a check was asked for. Default: `[]`. */
  readonly problems?: ReadonlyArray<StoreProblem>;
}

/** A document as it was put. */
export interface StoredDocument {
  /** the canonical bytes of the document. */
  readonly body: string;
  /** the host's admission tag. */
  readonly tag: string;
}

/** One step of a run, kept so that the run can be resumed and its report read again. */
export interface StoredRun {
  /** identifier of the run. */
  readonly run: string;
  /** number of the step in the run, from 0, without a gap. */
  readonly step: number;
  /** what `body` is. */
  readonly kind: "begin" | "seal" | "report";
  /** canonical JSON bytes; none when it repeated words of a document that was deleted. */
  readonly body: string;
  /** SHA-256 of the body of the step before; 64 zeros at step 0. */
  readonly previous: string;
}

/** Words of the model about a topic that requires no grounding. */
export interface TextChunk {
  /** `text`. Default: `"text"`. */
  readonly type?: "text";
  /** the words, which follow those of the chunk before. */
  readonly text: Untrusted;
}

/** A full-text query over passages. */
export interface TextQuery {
  /** words to look for, any of them; no query syntax. */
  readonly text: string;
  /** how many candidates at most. Default: `100`. */
  readonly limit?: number;
  /** only current documents of these sources; empty means all. Default: `[]`. */
  readonly origins?: ReadonlyArray<string>;
}

/** Passages that belong together. That they do is a judgement; the quotes and counts are not. */
export interface Theme {
  /** in this report. */
  readonly id: string;
  /** of the theme. */
  readonly name: ThemeName;
  /** never empty. */
  readonly claims: ReadonlyArray<Claim>;
  /** the passages that were grouped here, one per document at most; the counts are of them. */
  readonly members: ReadonlyArray<Reference>;
  /** over the documents of `members`. */
  readonly counts: Counts;
}

/** The name of a theme. */
export interface ThemeName {
  /** whose words they are. */
  readonly wording: "source" | "kernel" | "model";
  /** the name. */
  readonly text: string;
  /** where the words stand, for wording `source`. Default: `null`. */
  readonly span?: Span | null;
}

/** What is left of a document that was deleted. */
export interface Tombstone {
  /** its identifier. */
  readonly document: string;
  /** why it was deleted. */
  readonly reason: string;
  /** when, ISO 8601 in UTC. */
  readonly deleted: string;
  /** whether its record may come back when its source is read again. */
  readonly returns: boolean;
}

/** Something that a model may ask the caller to do. */
export interface Tool {
  /** of the tool. */
  readonly name: string;
  /** what it does, for the model. */
  readonly description: string;
  /** JSON Schema of its arguments, an object. */
  readonly parameters: JsonValue;
}

/** A model asks for a tool. */
export interface ToolCall {
  /** of the call, as the provider gave it. */
  readonly id: string;
  /** of the tool. */
  readonly name: string;
  /** an object, as the model wrote it. */
  readonly arguments: JsonValue;
}

/** A tool is called. */
export interface ToolCallChunk {
  /** `tool_call`. Default: `"tool_call"`. */
  readonly type?: "tool_call";
  /** made by the host. */
  readonly id: string;
  /** of the tool. */
  readonly name: string;
  /** the model asked for it, or the host did because the topic requires it. */
  readonly asked_by: "model" | "host";
}

/** What the caller did for a model. */
export interface ToolResult {
  /** identifier of the call. */
  readonly call: string;
  /** the result. */
  readonly text: string;
  /** whether it is an error. Default: `false`. */
  readonly failed?: boolean;
}

/** What a tool brought. */
export interface ToolResultChunk {
  /** `tool_result`. Default: `"tool_result"`. */
  readonly type?: "tool_result";
  /** of the call. */
  readonly id: string;
  /** of the tool. */
  readonly name: string;
  /** of the search. */
  readonly outcome: ResearchOutcome;
}

/** What the newest prompt of a conversation is about. */
export interface Topic {
  /** `biographical` asks about a person, `external` about anything else in the world, `workspace` about the user's own work, code, or the conversation itself. */
  readonly kind: "biographical" | "external" | "workspace";
  /** it is answered from a search, not from a model's memory. */
  readonly requires_grounding: boolean;
  /** the prompt before it was of another kind. Default: `false`. */
  readonly shifted?: boolean;
  /** which rule spoke. */
  readonly why: string;
  /** whom or what the question is about, in the user's words, where the prompt only points at it ("she", "the company"). Default: `null`. */
  readonly subject?: string | null;
}

/** The first chunk. */
export interface TopicChunk {
  /** `topic`. Default: `"topic"`. */
  readonly type?: "topic";
  /** what the prompt is about. */
  readonly topic: Topic;
}

/** A step that was taken before refusing, and what it gave. */
export interface Tried {
  /** the step. */
  readonly what: string;
  /** of what it gave. */
  readonly count: number;
}

/** Something that was said, or put beside what was said. */
export interface Turn {
  /** who said it. */
  readonly role: "user" | "assistant";
  /** what was said. */
  readonly text: string;
  /** it is context of the user's own work (a file, a selection, earlier work): it is not sent to a model while the topic is biographical or external. Default: `false`. */
  readonly workspace?: boolean;
}

/** A sentence of a draft in which there is nothing to check. */
export interface UncheckedSentence {
  /** from 1. */
  readonly line: number;
  /** in code points, from 1. */
  readonly column: number;
  /** its visible words. */
  readonly text: string;
}

/** Words of a plugin or provider: labelled, never linked, never evidence. */
export interface Untrusted {
  /** the plugin or provider that said it. */
  readonly origin: string;
  /** its words, at most 2,000 code points. */
  readonly text: string;
}

/** What a call cost, as the provider counted it. */
export interface Usage {
  /** of the request; of several requests (a turn that was continued) their sum. Default: `0`. */
  readonly input_tokens?: number;
  /** of the reply. Default: `0`. */
  readonly output_tokens?: number;
  /** of the request, those that the provider had kept from before and that cost less. Default: `0`. */
  readonly cached_tokens?: number;
  /** of the request, those that the provider now keeps for later and that cost more. Default: `0`. */
  readonly written_tokens?: number;
  /** of the provider's own. Default: `0`. */
  readonly searches?: number;
}

/** Where the replies of one endpoint hold hits. */
export interface WireMap {
  /** what the URL of the request starts with: its origin is what the operator approves. */
  readonly base_url: string;
  /** of the reply. Default: `"json"`. */
  readonly layout?: "json" | "sse" | "html";
  /** pointer to a hit; `*` stands for any member or index (`/web/results/*`). With `html`: the compound selector of the element of a hit (`div.web-result`). */
  readonly item: string;
  /** pointer within the hit; or a URL template whose slots are pointers within the hit (`https://host/item?id={objectID}`); or the query parameter of a link (`?uddg={href}`). With `html` a pointer is a compound selector and an attribute (`a.title@href`). */
  readonly url: string;
  /** pointer within the hit; with `html` a compound selector. Default: `null`. */
  readonly title?: string | null;
  /** pointers within the hit to words of the source, not of a model, each of which is a text of its own. Default: `[]`. */
  readonly text?: ReadonlyArray<string>;
  /** pointer within the hit. Default: `null`. */
  readonly author?: string | null;
  /** pointer within the hit. Default: `null`. */
  readonly author_name?: string | null;
  /** pointer within the hit. Default: `null`. */
  readonly published?: string | null;
  /** pattern for the value of each slot of a template, by its pointer; letters, digits, `_` and `-` where nothing is said. */
  readonly slots?: { readonly [name: string]: string };
  /** how the texts are marked up. Default: `"plain"`. */
  readonly projection?: "plain" | "markdown" | "html";
  /** the event name, type or data after which a stream of events is whole although it was not read to its end. Default: `null`. */
  readonly end?: string | null;
}

/** Where in a reply, which the host recorded during this call, a hit stands. */
export interface WirePlace {
  /** name of the plugin's wire map, where it has several. Default: `""`. */
  readonly map?: string;
  /** pointer to the hit; of an HTML reply its number among the elements that the map calls hits, from 0 (`/3`). */
  readonly item: string;
  /** pointer within the hit to its text; None for a link. Default: `null`. */
  readonly text?: string | null;
}

/** What stands in the place of words that were not released. */
export interface WithheldChunk {
  /** `withheld`. Default: `"withheld"`. */
  readonly type?: "withheld";
  /** how many. */
  readonly statements: number;
  /** for a person, shown verbatim. */
  readonly reason: string;
}
