import type {
  AnsweredQuestion,
  OutcomeRequest,
  ResolvedOutcome,
  RespondRequest,
} from '../commands/requests.ts';
import type { AuditEntry } from '../log/seal/audit-entry.ts';
import type { ChatHead } from '../log/store-port.ts';
import type {
  AnswerRequest,
  ApprovalId,
  ChatId,
  FlowEvent,
  GrantId,
  Page,
  Pause,
  Principal,
  QuestionState,
  RunId,
  ToolCallId,
  UsedGrant,
} from '../protocol/index.ts';
import type { QuestionDetails, QuestionView } from '../rights/question-rights.ts';
import type { LogFault } from '../views/audit/audit-entries.ts';
import type { AuditSection } from '../views/audit/export-record.ts';
import type { ErasedChat } from '../views/audit/kept-record.ts';
import type { StoredMessage } from '../views/chat/stored-chat.ts';
import type { FlowStream, StreamEnd } from '../views/flow-stream.ts';
import type { ApprovalFeed } from '../views/questions/feed.ts';
import type { ToolListing } from '../views/tool-listing.ts';

/** A chat as its page shows it. @source contract H4 */
export type ChatView = {
  readonly id: ChatId;
  readonly title: string;
  readonly messages: readonly StoredMessage[];
  readonly draft?: string;
  readonly run: { readonly status: ChatHead['status'] };
  readonly open?: ApprovalId;
  /** Every question that was asked here, oldest first, with its answer. */
  readonly questions: readonly QuestionView[];
};

/** An approval that a person had remembered, and what came of it. Times are epoch milliseconds. @source ADR 0015 */
export type Remembered = Omit<UsedGrant, 'key' | 'seal'>;

/** A chat's audit record: what `verifyAudit` checks. */
export type AuditRecord = {
  readonly entries: readonly AuditEntry[];
  /** The seal of the last entry; `''` when there is none. */
  readonly head: string;
  /** Events of the log that the record does not vouch for. Empty unless somebody wrote to the database. */
  readonly faults: readonly LogFault[];
};

/** A call of the flow always names who acts. */
type By = { readonly principal: Principal };

type InChat = By & { readonly chatId: ChatId };

/**
 * The engine: everything a transport or a dialect can ask of it. All methods throw `CountersignError`;
 * a chat or question that the principal may not see is `not-found`.
 */
export type ApprovalFlow = {
  /** Takes a message, answers or outputs, and streams the response. @source H1, H6-H8, H10 */
  respond(request: RespondRequest): Promise<FlowStream>;
  /** Replays the current message, then goes on live; `null` when there is nothing to resume. @source H2 */
  resume(request: InChat): Promise<FlowStream | null>;
  /** Reads one run again, from its start or after an event of it; `null` when the chat has no such run. */
  follow(request: InChat & { runId: RunId; after?: number; until?: StreamEnd }): Promise<FlowStream | null>;
  /** Answers a question from anywhere; the run goes on without a reader. @source H10 */
  answer(
    request: By & Omit<AnswerRequest, 'shownInput'> & { readonly via: string },
  ): Promise<AnsweredQuestion>;
  /**
   * Ends the active run, or withdraws the open question. No error when nothing runs. Once it resolves, the run starts no
   * call and asks nothing, on any instance. @source H5
   */
  stop(request: InChat): Promise<void>;
  /** Ends one call, and lets its turn go on. False when nothing was ended, also for a call that runs on another instance. @source D21 */
  cancelCall(request: InChat & { readonly toolCallId: ToolCallId }): Promise<boolean>;
  /** Makes a call again that failed and may be tried again; `null` when the last turn has no such call. @source D22 */
  retryCall(
    request: InChat & { readonly toolCallId: ToolCallId; readonly until?: StreamEnd },
  ): Promise<FlowStream | null>;
  /**
   * Records what became of a call whose outcome is unknown, as a person found out who may answer such a question. The
   * first one stands. It reaches the model with the chat's next message.
   *
   * @throws CountersignError `not-found`, `forbidden`, `invalid-request` when the outcome is not unknown, `run-active`,
   *   or `already-answered` with the standing `resolution`
   * @source ADR 0019
   */
  resolveOutcome(request: OutcomeRequest): Promise<ResolvedOutcome>;
  /** The tools that the model is given. */
  tools(): Promise<readonly ToolListing[]>;
  chat(request: InChat): Promise<ChatView>;
  chats(request: By & { cursor?: string; limit?: number }): Promise<Page<ChatHead & { openCount: number }>>;
  rename(request: InChat & { title: string }): Promise<void>;
  /**
   * Lets no call of a tool start, on any instance: here from now on, elsewhere within a sweep. Open questions stay open
   * and can be denied, not approved. Calls that run go on. Provider-executed calls that were not asked about cannot be
   * held back. Recorded in the flow's log. Anybody who can call this can pause: check the right first.
   *
   * @param request.tool default: every tool
   * @param request.reason 1 to 2,000 characters; shown to people, and told to the model
   * @throws CountersignError `invalid-request` for a reason of another length
   * @source ADR 0023
   */
  pause(request: By & { readonly tool?: string; readonly reason: string }): Promise<void>;
  /**
   * Ends a pause of one tool, or, without `tool`, the pause of all; pauses of single tools stay. Nothing happens when
   * there is none. What was not run meanwhile is not run now: people try it again.
   *
   * @source ADR 0023
   */
  unpause(request: By & { readonly tool?: string }): Promise<void>;
  /** What is paused, the oldest first. */
  pauses(): Promise<readonly Pause[]>;
  /**
   * Erases chat, log and results. With an audit key the sealed record of its executed gated calls is kept, for
   * `recordRetentionMs`.
   *
   * @throws CountersignError `not-found`
   * @source contract H4; ADR 0023
   */
  erase(request: InChat): Promise<void>;
  /** The records that erasure kept, the newest erasure first: of chats that this principal could see. */
  keptRecords(
    request: By & { readonly chatId?: ChatId; readonly cursor?: string; readonly limit?: number },
  ): Promise<Page<ErasedChat>>;
  /**
   * Erases a chat and the record that erasure would keep; for an erased chat, the kept record. The flow's log says who
   * did it and why.
   *
   * @param request.reason 1 to 2,000 characters
   * @throws CountersignError `forbidden` unless `mayPurge` says `true`; `not-found`; `invalid-request`
   * @source ADR 0023
   */
  purge(request: InChat & { readonly reason: string }): Promise<void>;
  /**
   * The audit record of the whole store: of each chat, of erased ones, and of the flow itself. For operators: it asks
   * nobody's rights, so do not serve it to users. Empty without an audit key. `verifyAuditStore` and
   * `countersign verify-audit` check it.
   */
  auditExport(): AsyncIterable<AuditSection>;
  approvals(
    request: By & { state: QuestionState; cursor?: string; limit?: number },
  ): Promise<Page<QuestionView>>;
  approval(request: By & { approvalId: ApprovalId }): Promise<QuestionDetails>;
  /**
   * Opened and settled questions after a place in the feed, until cancelled.
   *
   * @param request.after a place that a feed of this principal gave, or `'0'`: from the oldest on. Default: from now on
   * @throws CountersignError `invalid-request` for any other place
   * @source H11
   */
  approvalFeed(request: By & { after?: string }): Promise<ApprovalFeed>;
  /** What this person had remembered, the newest first. @source ADR 0015 */
  remembered(request: By & { cursor?: string; limit?: number }): Promise<Page<Remembered>>;
  /** Takes back a remembered approval: from now on it applies to no call. `not-found` for one of somebody else. */
  forget(request: By & { grantId: GrantId }): Promise<void>;
  /** The chat's log, without what its tools keep secret. */
  timeline(request: InChat): Promise<readonly FlowEvent[]>;
  /**
   * What was asked, answered and run, sealed entry by entry. Empty without an audit key.
   *
   * @throws CountersignError `not-found`
   * @source ADR 0010, ADR 0023
   */
  audit(request: InChat): Promise<AuditRecord>;
  /**
   * Takes over runs whose owner is gone. Call at boot.
   *
   * @throws CountersignError `invalid-settings` when `auditKey` lacks the key that sealed what was written last
   */
  recover(): Promise<void>;
  /** Ends subscriptions and waits for local runs to reach a durable point. */
  close(): Promise<void>;
};
