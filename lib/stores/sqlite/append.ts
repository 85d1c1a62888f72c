import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { claimOf } from '../../log/events/event-table.ts';
import type { Append, AppendResult } from '../../log/store/index.ts';
import { CountersignError } from '../../protocol/index.ts';
import { atOf, beginsImport, digestOf, guardedRuns } from '../batch.ts';
import { eventBody, exactText, questionBody, runText } from '../row-text.ts';
import type { Row } from '../rows.ts';
import { questionOfNotice } from '../subscription-rows.ts';
import { writeRecords } from './methods/records.ts';
import { erasedAt, hourOf, secondOf } from './rows.ts';
import type { Statements } from './statements.ts';
import { transaction } from './transaction.ts';
import { isLocked } from './transient.ts';
import { whenFree } from './when-free.ts';

/** The chat that an append belongs to, as the append found it. */
type ChatRow = {
  readonly chat: number;
  /** Some run of this chat has a stop request. */
  readonly hasStops: boolean;
  readonly hasSubscription: boolean;
};

/** The result of a batch, and whether its writes are kept. */
type Outcome = { readonly keep: boolean; readonly result: AppendResult };

const appended: Outcome = { keep: true, result: 'appended' };
/** Nothing was written. */
const late: Outcome = { keep: true, result: 'conflict' };
const taken: Outcome = { keep: false, result: 'conflict' };
const stopped: Outcome = { keep: false, result: 'stopped' };

const isKept = ({ keep }: Outcome) => keep;

/** A batch whose events may already be serialized: serializing a long event within the transaction would block other writers. */
export type PreparedAppend = Append & { readonly bodies?: readonly string[] };

/**
 * Writes one batch in one transaction, completely or not at all: `FlowStore.append` without the notification.
 *
 * @param batch checked by `checkAppend`
 * @throws CountersignError `internal` if a question belongs to another chat
 * @source ADR 0001, ADR 0005.4
 */
export function append(db: DatabaseSync, statements: Statements, batch: PreparedAppend): AppendResult {
  return transaction(db, () => write(statements, batch), isKept).result;
}

/**
 * Writes batches in one transaction, with one fsync. Each batch is written completely or not at all, independently of
 * the others.
 *
 * @returns the outcome of each batch; some may resolve later
 * @throws if the database is not writable now; then no batch was written. Also the error of a single batch.
 * @source ADR 0017
 */
export function appendTogether(
  db: DatabaseSync,
  statements: Statements,
  batches: readonly PreparedAppend[],
  retryMs?: number,
): readonly (AppendResult | Promise<AppendResult>)[] {
  const [first, second] = batches;
  if (first && !second) return [append(db, statements, first)];
  try {
    const areKept = (outcomes: readonly Outcome[]) => outcomes.every(isKept);
    const outcomes = transaction(db, () => batches.map((batch) => write(statements, batch)), areKept);
    if (areKept(outcomes)) return outcomes.map(({ result }) => result);
  } catch (error) {
    if (isLocked(error)) throw error;
  }
  // One of them cannot be written, and all were rolled back. Writing each alone shows which one. In order, because
  // several may belong to one chat.
  let earlier: Promise<unknown> = Promise.resolve();
  return batches.map((batch) => {
    const result = earlier.then(() => whenFree(() => append(db, statements, batch), retryMs));
    earlier = result.catch(() => undefined);
    return result;
  });
}

function write(statements: Statements, batch: PreparedAppend): Outcome {
  if (beginsImport(batch) && erasedAt(statements, batch.chatId) !== undefined) return late;
  const chatRow = batch.after === 0 ? createChat(statements, batch) : moveHead(statements, batch);
  if (!chatRow) return isWritten(statements, batch) ? appended : late;
  if (!writeEvents(statements, batch, chatRow)) return taken;
  if (isStopped(statements, batch, chatRow)) return stopped;
  writeQuestions(statements, batch, chatRow);
  if (chatRow.hasSubscription) writeNotices(statements, batch, chatRow);
  writeCalls(statements, batch, chatRow);
  const unexpected = batch.records && writeRecords(statements, batch.records, chatRow.chat);
  return unexpected ? { keep: false, result: unexpected } : appended;
}

/** Returns nothing if there is a chat with this id. */
function createChat(statements: Statements, { head, lease }: Append): ChatRow | undefined {
  const named = [head.id, exactText(head.ownerId), exactText(head.title), head.createdAt];
  const listed = [hourOf(head.updatedAt), secondOf(head.updatedAt)];
  return toChatRow(
    statements.createChat.get(...named, ...positionOf(head), ...leaseColumns(lease), ...listed),
  );
}

/**
 * Returns nothing if the chat has moved on, is another one that reuses the id of an erased chat, is leased to another
 * instance, or has another owner and no active run. Changes neither owner nor title: a later head may be older than a rename.
 */
function moveHead(statements: Statements, batch: Append): ChatRow | undefined {
  const { after, chatId, head, lease, owner } = batch;
  const place = [chatId, after, head.createdAt, exactText(head.ownerId), owner, atOf(batch)];
  if (lease === undefined) return toChatRow(statements.moveHead.get(...positionOf(head), ...place));
  return toChatRow(statements.moveLeasedHead.get(...positionOf(head), ...leaseColumns(lease), ...place));
}

function positionOf({ updatedAt, seq, turnSeq, status, runId, open, auditHead }: Append['head']) {
  return [updatedAt, seq, turnSeq, status, runId, open, auditHead];
}

function leaseColumns(lease: Append['lease']) {
  return [lease?.owner ?? null, lease?.until ?? null];
}

function toChatRow(row: Row | undefined): ChatRow | undefined {
  if (!row) return undefined;
  const { chat, has_stops: hasStops, has_subscription: hasSubscription } = row;
  return { chat: Number(chat), hasStops: hasStops === 1, hasSubscription: hasSubscription === 1 };
}

/** True when an earlier attempt with the same id was written, even if the log has grown since. */
function isWritten(statements: Statements, { id, chatId, after }: Append): boolean {
  if (id === undefined) return false;
  return statements.batchAt.get(chatId, after + 1, digestOf(id)) !== undefined;
}

function isStopped(statements: Statements, batch: Append, { chat, hasStops }: ChatRow): boolean {
  return hasStops && guardedRuns(batch).some((run) => statements.stopOf.get(chat, run) !== undefined);
}

/** Returns false if a claim is taken. */
function writeEvents(statements: Statements, batch: PreparedAppend, { chat }: ChatRow): boolean {
  const rows = batch.events.map((event, index) => {
    const mark = index === 0 && batch.id !== undefined ? digestOf(batch.id) : null;
    const claim = claimOf(event);
    const claimed = claim === undefined ? null : digestOf(claim);
    const body = batch.bodies?.[index] ?? eventBody(event);
    return [chat, event.seq, event.at, runText(event), mark, claimed, body];
  });
  return insertAll(statements.addEvents, rows) === rows.length;
}

/** Inserts rows, as many at a time as there are statements: the first inserts one. @returns how many */
function insertAll(
  statements: readonly StatementSync[],
  rows: readonly (readonly SQLInputValue[])[],
): number {
  let inserted = 0;
  for (let first = 0; first < rows.length; first += statements.length) {
    const now = rows.slice(first, first + statements.length);
    inserted += Number(statements[now.length - 1]?.run(...now.flat()).changes);
  }
  return inserted;
}

function writeQuestions(statements: Statements, { questions, chatId }: Append, { chat }: ChatRow): void {
  for (const question of questions) {
    const { id, ownerId, state, requestedAt, deadline = null } = question;
    const row = [id, chat, exactText(ownerId), requestedAt, deadline, questionBody(question)];
    if (statements.putQuestion.run(...row, state, state).changes > 0) continue;
    throw new CountersignError('internal', `Question ${id} of chat ${chatId} exists in another chat.`, {
      approvalId: id,
      chatId,
    });
  }
}

/** Each takes the next place of the feed. Without a subscription, they would not be read. */
function writeNotices(statements: Statements, { notices = [], events }: Append, { chat }: ChatRow): void {
  if (notices.length === 0) return;
  let place = Number(statements.lastChange.get()?.last);
  for (const seq of notices) {
    place += 1;
    statements.addNotice.run(place, chat, seq, questionOfNotice(events, seq) ?? null);
  }
  statements.moveFeed.run(place);
}

function writeCalls(statements: Statements, { calls = [] }: Append, { chat }: ChatRow): void {
  for (const { toolCallId, digest, askerId, at } of calls) {
    statements.addCall.run(chat, exactText(toolCallId), digest, exactText(askerId), at);
  }
}
