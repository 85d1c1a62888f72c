import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { claimOf } from '../../log/events/event-table.ts';
import type { Append, AppendResult, Lease } from '../../log/store/index.ts';
import { CountersignError } from '../../protocol/index.ts';
import { atOf, beginsImport, guardedRuns, markBytesOf } from '../batch.ts';
import { eventBody, exactText, questionBody, runText } from '../row-text.ts';
import { questionOfNotice } from '../subscription-rows.ts';
import { writeRecords } from './methods/records.ts';
import { erasedAt, hourOf, secondOf } from './rows.ts';
import type { Statements } from './statements.ts';
import { transaction } from './transaction.ts';
import { isLocked } from './transient.ts';
import { whenFree } from './when-free.ts';

/** A chat's state in the database at the time of the append. */
type Standing = {
  readonly chat: number;
  readonly seq: number;
  /** An id may be reused after an erasure. Then it is another chat. */
  readonly createdAt: number;
  readonly hour: number;
  readonly second: number;
  readonly lease: Lease | null;
  /** Some run of this chat has a stop request. */
  readonly hasStops: boolean;
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
  const now = atOf(batch);
  const standing = standingOf(statements, batch);
  const isAnother = standing !== undefined && standing.createdAt !== batch.head.createdAt;
  if ((standing?.seq ?? 0) !== batch.after || isAnother || fenced(standing, batch.owner, now)) {
    return isWritten(statements, batch, standing) ? appended : late;
  }
  if (beginsImport(batch) && erasedAt(statements, batch.chatId) !== undefined) return late;
  const chat = writeHead(statements, batch, standing);
  if (!writeEvents(statements, batch, chat)) return taken;
  if (isStopped(statements, batch, standing)) return stopped;
  writeQuestions(statements, batch, chat);
  writeNotices(statements, batch, chat);
  writeCalls(statements, batch, chat);
  const unexpected = batch.records && writeRecords(statements, batch.records, chat);
  return unexpected ? { keep: false, result: unexpected } : appended;
}

function standingOf(statements: Statements, { chatId }: Append): Standing | undefined {
  const row = statements.standing.get(chatId);
  if (!row) return undefined;
  const lease =
    row.lease_until === null ? null : { owner: String(row.lease_owner), until: Number(row.lease_until) };
  return {
    chat: Number(row.chat),
    seq: Number(row.seq),
    createdAt: Number(row.created_at),
    hour: Number(row.hour),
    second: Number(row.second),
    lease,
    hasStops: row.has_stops === 1,
  };
}

/** True when an earlier attempt with the same id was written, even if the log has grown since. */
function isWritten(statements: Statements, batch: Append, standing: Standing | undefined): boolean {
  if (batch.id === undefined || !standing) return false;
  return statements.batchAt.get(standing.chat, batch.after + 1, markBytesOf(batch.id)) !== undefined;
}

function isStopped(statements: Statements, batch: Append, standing: Standing | undefined): boolean {
  if (!standing?.hasStops) return false;
  return guardedRuns(batch).some((run) => statements.stopOf.get(standing.chat, run) !== undefined);
}

function fenced(standing: Standing | undefined, owner: string, now: number): boolean {
  const lease = standing?.lease;
  return lease != null && lease.owner !== owner && lease.until > now;
}

/** The first batch sets the chat's owner, creation time and title: a later head may be older than a rename. */
function writeHead(statements: Statements, batch: Append, standing: Standing | undefined): number | bigint {
  const { id, ownerId, title, createdAt, updatedAt, ...head } = batch.head;
  const lease = batch.lease === undefined ? (standing?.lease ?? null) : batch.lease;
  const position = [updatedAt, head.seq, head.turnSeq, head.status, head.runId, head.open, head.auditHead];
  const [hour, second] = [hourOf(updatedAt), secondOf(updatedAt)];
  const leased = [lease?.owner ?? null, lease?.until ?? null];
  if (standing) {
    const { chat } = standing;
    if (standing.second === second) statements.moveHead.run(...position, ...leased, chat);
    else statements.moveHeadAndSecond.run(...position, ...leased, second, chat);
    if (standing.hour !== hour) statements.moveHour.run(hour, chat);
    return chat;
  }
  const named = [id, exactText(ownerId), exactText(title), createdAt];
  return statements.createChat.run(...named, ...position, ...leased, hour, second).lastInsertRowid;
}

/** Returns false if a claim is taken. */
function writeEvents(statements: Statements, batch: PreparedAppend, chat: number | bigint): boolean {
  const claims = batch.events.flatMap((event) => claimOf(event) ?? []);
  const claimed = insertAll(
    statements.claims,
    claims.map((claim) => [chat, exactText(claim)]),
  );
  if (claimed < claims.length) return false;
  const rows = batch.events.map((event, index) => {
    const mark = index === 0 && batch.id !== undefined ? markBytesOf(batch.id) : null;
    return [chat, event.seq, event.at, runText(event), mark, batch.bodies?.[index] ?? eventBody(event)];
  });
  insertAll(statements.addEvents, rows);
  return true;
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

function writeQuestions(statements: Statements, { questions, chatId }: Append, chat: number | bigint): void {
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

/** Each takes the next place of the feed. Without a subscription, nobody would read them. */
function writeNotices(statements: Statements, { notices = [], events }: Append, chat: number | bigint): void {
  if (notices.length === 0 || !statements.hasSubscription.get()) return;
  let place = Number(statements.lastChange.get()?.last);
  for (const seq of notices) {
    place += 1;
    statements.addNotice.run(place, chat, seq, questionOfNotice(events, seq) ?? null);
  }
  statements.moveFeed.run(place);
}

function writeCalls(statements: Statements, { calls = [] }: Append, chat: number | bigint): void {
  for (const { toolCallId, digest, askerId, at } of calls) {
    statements.addCall.run(chat, exactText(toolCallId), digest, exactText(askerId), at);
  }
}
