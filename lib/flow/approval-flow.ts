import type { UIMessage } from 'ai';
import type { DelegateRequest, DelegationList } from '../commands/delegate.ts';
import type { ImportRequest, ImportResult } from '../commands/import/import-request.ts';
import type { AgentRequest } from '../commands/request-approval.ts';
import type {
  AdvanceRequest,
  AnsweredQuestion,
  OutcomeRequest,
  PreviewedCall,
  PreviewRequest,
  ResolvedOutcome,
  RespondRequest,
  UpcomingCall,
  UpcomingRequest,
} from '../commands/requests.ts';
import type { AuditEntry } from '../log/seal/audit-entry.ts';
import type { ChatHead } from '../log/store-port.ts';
import type {
  AnswerRequest,
  ApprovalId,
  ChatId,
  Delegation,
  DelegationId,
  FlowEvent,
  GrantId,
  MessageId,
  Page,
  Pause,
  Person,
  Principal,
  QuestionState,
  RunId,
  RunOptions,
  ToolCallId,
  UsedGrant,
} from '../protocol/index.ts';
import type { DraftJson } from '../protocol/wire/chat/draft.ts';
import type { QuestionDetails, QuestionView } from '../rights/question-rights.ts';
import type { Rehearsal } from '../run/rehearse/rehearsal.ts';
import type { RehearseRequest } from '../run/rehearse/rehearse.ts';
import type { DataWriter } from '../settings/call/data-writer.ts';
import type { DeadDelivery } from '../subscriptions/dead-delivery.ts';
import type { LogFault } from '../views/audit/audit-entries.ts';
import type { AuditSection } from '../views/audit/export-record.ts';
import type { ErasedChat } from '../views/audit/kept-record.ts';
import type { StoredMessage } from '../views/chat/stored-chat.ts';
import type { FlowStream, StreamEnd } from '../views/flow-stream.ts';
import type { Insights } from '../views/insights/insights.ts';
import type { InsightsRequest } from '../views/insights/read-insights.ts';
import type { ApprovalFeed } from '../views/questions/feed.ts';
import type { ToolListing } from '../views/tool-listing.ts';
import type { QuestionFilter } from './question-filter.ts';
import type { Operations } from './read-operations.ts';

/** A chat, as its page displays it. @source H4 */
export type ChatView = {
  readonly id: ChatId;
  readonly title: string;
  readonly messages: readonly StoredMessage[];
  readonly draft?: string;
  /** The same as separate texts, each with its place in the last message. */
  readonly drafts?: readonly DraftJson[];
  readonly run: { readonly status: ChatHead['status'] };
  readonly open?: ApprovalId;
  /** All questions of this chat, oldest first, with their answers. */
  readonly questions: readonly QuestionView[];
};

/** A remembered approval, and when it was used. Times are epoch milliseconds. @source ADR 0015 */
export type Remembered = Omit<UsedGrant, 'key' | 'seal'>;

/** A chat's audit record, as `verifyAudit` checks it. */
export type AuditRecord = {
  readonly entries: readonly AuditEntry[];
  /** The seal of the last entry; `''` if there are no entries. */
  readonly head: string;
  /**
   * Events in the log that the record does not confirm. Empty unless someone has manipulated the database.
   */
  readonly faults: readonly LogFault[];
};

/** Every call of the flow names the principal that makes it. */
type By = { readonly principal: Principal };

type InChat = By & { readonly chatId: ChatId };

/**
 * The engine: all operations for transports and dialects. All methods throw `CountersignError`; a chat or
 * question that the principal may not see is `not-found`.
 */
export type ApprovalFlow = {
  /** The `id` of its settings: the name of the agent. */
  readonly id?: string;
  /** Accepts a message, answers or outputs, and streams the response. @source H1, H6-H8, H10 */
  respond(request: RespondRequest): Promise<FlowStream>;
  /**
   * Writes data parts into a chat's running turn, for code outside of tools, such as a route that has called `respond`.
   * Tools have their own: `context.writer`. `write` rejects with `not-found` for a chat that the principal may not see, and
   * with `invalid-request` if no turn is running in it, or if another instance runs it.
   *
   * @example await flow.writer<MyMessage>({ chatId, principal }).write({ type: 'data-sources', id: 's1', data: { count: 3 } })
   * @source ADR 0031
   */
  writer<Message extends UIMessage = UIMessage>(request: InChat): DataWriter<Message>;
  /** Replays the current message, then continues live; `null` if there is nothing to resume. @source H2 */
  resume(request: InChat): Promise<FlowStream | null>;
  /** Replays one run from its start, or from an event within it; `null` if the chat has no such run. */
  follow(request: InChat & { runId: RunId; after?: number; until?: StreamEnd }): Promise<FlowStream | null>;
  /**
   * Finds the message that this principal sent with a key, in any chat; `undefined` if there is none. Pass the same key with this
   * message id and chat to `respond` to replay its turn. With another id or chat, `respond` refuses the key.
   *
   * @source ADR 0014
   */
  findMessage(
    request: By & { readonly key: string },
  ): Promise<{ readonly chatId: ChatId; readonly messageId: MessageId } | undefined>;
  /** Answers a question from outside the chat; the run continues without a reader. @source H10 */
  answer(
    request: By & Omit<AnswerRequest, 'shownInput'> & { readonly via: string },
  ): Promise<AnsweredQuestion>;
  /**
   * What an open question shows for edited arguments, for a person who may approve them; nothing is recorded.
   * Without `input`, it uses the question's own arguments, and an effect older than a minute is determined
   * again and recorded.
   *
   * @throws CountersignError `not-found`; `forbidden`; `step-up-required`; `invalid-request` if the arguments do not fit; as
   * `answer` for a question that is not open
   * @source ADR 0040
   */
  preview(request: PreviewRequest): Promise<PreviewedCall>;
  /**
   * The calls of the same step that will be asked about after an open question, in order. Contains those of
   * the next 100 whose questions this principal may answer.
   *
   * @throws CountersignError `not-found`; as `answer` for a question that is not open
   * @source ADR 0041
   */
  upcoming(request: UpcomingRequest): Promise<readonly UpcomingCall[]>;
  /**
   * Approves upcoming calls in advance, or revokes such approvals: all of them or, if one is refused, none.
   * An approval covers only its call, as it was shown. When the question is due, the approval replaces it if
   * nothing has changed. Otherwise, the question is asked.
   *
   * @returns the resulting list of upcoming calls
   * @throws CountersignError `not-found` for an unknown question or call; as `answer` for a question that is not open;
   * `question-changed` if a call is not what was shown; `paused`; `invalid-request` for a call that can be approved only when
   * its question is due
   * @source ADR 0041
   */
  approveUpcoming(request: AdvanceRequest): Promise<readonly UpcomingCall[]>;
  /**
   * Stops the active run, or cancels the open question. Does nothing if there is neither. Once it resolves, the
   * run starts no further call and asks no further question, on any instance.
   *
   * @source H5
   */
  stop(request: InChat): Promise<void>;
  /**
   * Cancels one call; its turn continues. False if nothing was cancelled, for example because the call runs on
   * another instance.
   *
   * @source D21
   */
  cancelCall(request: InChat & { readonly toolCallId: ToolCallId }): Promise<boolean>;
  /**
   * Retries a failed call; `null` if the last turn has no such call, or it may not be retried.
   *
   * @param request.clientLacks what the client of the rest of the turn cannot do. Default: the same as when the turn began
   * @source D22
   */
  retryCall(
    request: InChat &
      Pick<RunOptions, 'clientLacks'> & { readonly toolCallId: ToolCallId; readonly until?: StreamEnd },
  ): Promise<FlowStream | null>;
  /**
   * Records the outcome of a call whose outcome is unknown, as determined by a person who may answer its
   * question. The first outcome stands. It reaches the model with the chat's next message.
   *
   * @throws CountersignError `not-found`; `forbidden`; `invalid-request` if the outcome is already known;
   * `run-active`; `already-answered` with the standing `resolution`
   * @source ADR 0019
   */
  resolveOutcome(request: OutcomeRequest): Promise<ResolvedOutcome>;
  /** The tools that the model receives. */
  tools(): Promise<readonly ToolListing[]>;
  chat(request: InChat): Promise<ChatView>;
  chats(request: By & { cursor?: string; limit?: number }): Promise<Page<ChatHead & { openCount: number }>>;
  rename(request: InChat & { title: string }): Promise<void>;
  /**
   * Asks for approval of something that an agent outside this flow wants to do. The question is asked in a chat of its own,
   * whose owner is the principal. The same `key` asks once. Withdraw it with `stop`.
   *
   * @returns the id of the question
   * @throws CountersignError `not-found` without the setting `agentRequests`; `forbidden` if the policy denies it;
   * `key-reused` if the key was used for another request; `invalid-request`
   * @source ADR 0044
   */
  requestApproval(request: By & AgentRequest): Promise<ApprovalId>;
  /**
   * Imports an existing chat: `UIMessage`s that an app with the SDK alone has stored, with parts in any
   * state. Imported calls are marked, and never run. An approval that is open in the last message is asked
   * again, as a new call, and only that call can run. Importing the same messages again has no effect.
   *
   * This method checks no rights and trusts the messages. It is for operators: do not expose it to users. A
   * chat that was erased here stays erased: its messages can only be imported under a new id.
   *
   * @throws CountersignError `invalid-request` for invalid messages, with the message and the part, if the chat exists
   * with other content, and if a chat with this id was erased; `payload-too-large`
   * @source ADR 0036
   */
  importChat(request: ImportRequest): Promise<ImportResult>;
  /**
   * Pauses a tool: no call of it starts, on this instance immediately, on others within one sweep. Open
   * questions stay open; they can be denied but not approved. Running calls continue. Provider-executed calls
   * without a question cannot be held back. The pause is recorded in the flow's log. This method checks no
   * rights: check them before you call it.
   *
   * @param request.tool default: every tool
   * @param request.reason 1 to 2,000 characters; shown to people and to the model
   * @throws CountersignError `invalid-request` for a reason of invalid length
   * @source ADR 0023
   */
  pause(request: By & { readonly tool?: string; readonly reason: string }): Promise<void>;
  /**
   * Ends the pause of one tool, or, without `tool`, the pause of all tools; pauses of single tools remain. Does
   * nothing if there is no such pause. Calls that did not run meanwhile are not started now; people can retry
   * them.
   *
   * @source ADR 0023
   */
  unpause(request: By & { readonly tool?: string }): Promise<void>;
  /** All pauses, oldest first. */
  pauses(): Promise<readonly Pause[]>;
  /**
   * What needs an operator: runs without progress, calls whose outcome is unknown, and pauses, of all chats.
   * Reads the heads of at most 200 active runs, and the logs of the at most 50 chats with the latest
   * approvals. Contains no arguments and no text from chats. Calls without a question are not included.
   *
   * @throws CountersignError `not-found` unless `mayOperate` returns `true`
   */
  operations(request: By): Promise<Operations>;
  /**
   * Reports what another gate would have decided about past calls. Passes the calls through `policy`, and compares its decisions with
   * the recorded ones. The gate gets the arguments, the recorded asker and the messages before the call. It gets the flow's own context,
   * because neither `prepareCall` nor `prepareStep` is called. Reads each chat that has changed since then and has no active run.
   *
   * For operators: examples contain the arguments of everyone's calls, except values that tools keep secret. Without `principal`, no
   * rights are checked.
   *
   * @throws CountersignError `not-found` for a principal for whom `mayOperate` does not return `true`; `invalid-settings` for a gate that
   * `createApprovalFlow` would refuse; `invalid-request` for an unknown policy name, for a `since` after
   * `until`, for `examples` that are no whole number, and if the store has no `chatsChangedSince`
   * @source ADR 0046
   */
  rehearse(request: RehearseRequest): Promise<Rehearsal>;
  /**
   * Reports how people answer: how long questions wait, and how many are approved within three seconds, edited, denied or expired, by
   * tool, risk, person and hour of the day, of all chats. Periods consist of whole days, UTC, of at most the last 400 days. Questions
   * count on the day on which they were asked, once they are no longer open, and still count when their chat is erased. Contains
   * no arguments and no text from chats.
   *
   * @throws CountersignError `not-found` unless `mayOperate` returns `true`; `invalid-request` for an unknown time zone, for a `since`
   * after `until`, and if the store has no `insights`
   * @source ADR 0052
   */
  insights(request: InsightsRequest): Promise<Insights>;
  /**
   * Deliveries to subscribers that were given up after a day, last given up first, of all chats. They have no content of
   * chats.
   *
   * @throws CountersignError `not-found` unless `mayOperate` returns `true`
   * @source ADR 0043
   */
  deadDeliveries(
    request: By & { readonly cursor?: string; readonly limit?: number },
  ): Promise<Page<DeadDelivery>>;
  /**
   * Sends a dead delivery again, with the same event id. Its content is what the subscriber may see now. If it fails again
   * for a day, it is dead again.
   *
   * @throws CountersignError `not-found` if there is none, and unless `mayOperate` returns `true`
   * @source ADR 0043
   */
  redeliver(request: By & { readonly subscriber: string; readonly eventId: string }): Promise<void>;
  /**
   * Erases a chat with its log and results. With an audit key, the sealed record of its executed gated calls is
   * kept for `recordRetentionMs`.
   *
   * @throws CountersignError `not-found`
   * @source H4, ADR 0023
   */
  erase(request: InChat): Promise<void>;
  /** The records that erasure kept, most recent erasure first, of chats that this principal could see. */
  keptRecords(
    request: By & { readonly chatId?: ChatId; readonly cursor?: string; readonly limit?: number },
  ): Promise<Page<ErasedChat>>;
  /**
   * Erases a chat, including the record that erasure would keep; for an erased chat, erases the kept record.
   * The flow's log records who did it and why.
   *
   * @param request.reason 1 to 2,000 characters
   * @throws CountersignError `forbidden` unless `mayPurge` returns `true`; `not-found`; `invalid-request`
   * @source ADR 0023
   */
  purge(request: InChat & { readonly reason: string }): Promise<void>;
  /**
   * The audit record of the whole store: of each chat, of erased chats, and of the flow itself. For
   * operators: it checks no rights, so do not expose it to users. Empty without an audit key. Check it with
   * `verifyAuditStore` or `countersign verify-audit`.
   */
  auditExport(): AsyncIterable<AuditSection>;
  /**
   * The questions that this principal may answer, oldest first, with the fields of the filter that are given. The cost is
   * that of the list without a filter, up to the last item of the page; `requestedBefore` ends it.
   *
   * With `settled`: those that are no longer open, most recently asked first. With a filter, a page looks at
   * most at the next 200 questions that this principal may see (`searched`). It can be short, or empty, and
   * still have a cursor.
   *
   * @param request.state default `open`
   * @throws CountersignError `invalid-request` for another state, and for `settled`, if the store has no `settledQuestions`
   * @source H9
   */
  approvals(
    request: By & QuestionFilter & { state?: QuestionState | 'settled'; cursor?: string; limit?: number },
  ): Promise<Page<QuestionView> & { readonly searched?: number }>;
  approval(request: By & { approvalId: ApprovalId }): Promise<QuestionDetails>;
  /**
   * Opened and settled questions after a position in the feed, until cancelled.
   *
   * @param request.after a position from a feed of this principal, or `'0'` to start with the oldest. Default:
   * from now on
   * @throws CountersignError `invalid-request` for any other position
   * @source H11
   */
  approvalFeed(request: By & { after?: string }): Promise<ApprovalFeed>;
  /** The approvals that this person asked to remember, newest first. @source ADR 0015 */
  remembered(request: By & { cursor?: string; limit?: number }): Promise<Page<Remembered>>;
  /** Revokes a remembered approval: it no longer applies to any call. `not-found` if it belongs to another person. */
  forget(request: By & { grantId: GrantId }): Promise<void>;
  /**
   * Lets another person answer for this one, until a time. Rules see this person as the directory (`people`) knows them when the
   * right is used, so a role that was lost is not handed on. The other person cannot hand it on, remember approvals with it, or
   * answer what they asked for themselves. Answers name both people.
   *
   * @throws CountersignError `not-found` without the setting `delegations`; `invalid-request` if either person is not in the
   * directory, for the same person, for a time that is over or too late, and with ten live delegations already
   * @source ADR 0049
   */
  delegate(request: DelegateRequest): Promise<Delegation>;
  /** The live delegations that this person has given and received. `not-found` without the setting `delegations`. */
  delegations(request: By): Promise<DelegationList>;
  /**
   * Ends a delegation that this person has given or received. Once it resolves, no instance accepts an answer by this right,
   * except one whose rights it had already checked.
   *
   * @throws CountersignError `not-found` for a delegation of other people, and for one that has ended
   * @source ADR 0049
   */
  revokeDelegation(request: By & { readonly delegationId: DelegationId }): Promise<void>;
  /**
   * At most ten people of the directory whose names fit a text, without the person who searches. Show only their ids and names.
   *
   * @throws CountersignError `not-found` without the setting `delegations`; `invalid-request` for a text of fewer than 2 or more
   * than 100 characters
   */
  people(request: By & { readonly search: string }): Promise<readonly Person[]>;
  /**
   * Reads the text of a large result from the store, in parts; `null` if the call has none. The iterable throws
   * `not-found` if the chat is erased while the text is read.
   *
   * @throws CountersignError `not-found`
   * @source ADR 0042
   */
  resultText(request: InChat & { readonly toolCallId: ToolCallId }): Promise<AsyncIterable<string> | null>;
  /** The chat's log, without values that its tools keep secret. */
  timeline(request: InChat): Promise<readonly FlowEvent[]>;
  /**
   * The questions, answers and executions of a chat, sealed entry by entry. Empty without an audit key.
   *
   * @throws CountersignError `not-found`
   * @source ADR 0010, ADR 0023
   */
  audit(request: InChat): Promise<AuditRecord>;
  /**
   * Takes over runs whose owner has died. Call it at startup.
   *
   * @throws CountersignError `invalid-settings` if `auditKey` lacks the key that sealed the latest entries
   */
  recover(): Promise<void>;
  /**
   * True if this instance can take requests: the store has answered a small query within two seconds, and `close` was not
   * called. Never throws.
   *
   * @source H-Health
   */
  isReady(): Promise<boolean>;
  /** Ends sweeps and subscriptions, and waits until local runs have reached a durable point. Close the store after it. */
  close(): Promise<void>;
};
