import { claimOf } from '../../../log/events/event-table.ts';
import type { Append, AppendResult, UnexpectedRecord } from '../../../log/store/index.ts';
import { CountersignError } from '../../../protocol/index.ts';
import { atOf, beginsImport, guardedRuns, markOf } from '../../batch.ts';
import { firstUnexpected, nameColumns, recordNames, toRecord } from '../../record-rows.ts';
import { exactText } from '../../row-text.ts';
import type { Connections } from '../connection/connections.ts';
import { type RetryLimit, withRetry } from '../connection/retry.ts';
import type { Statement, Statements } from '../statements.ts';
import { type AskedAppend, appendTables, type MarkedAppend } from './append-rows.ts';
import type { OnLocked } from './append-statement.ts';

export type AppendPort = {
  readonly connections: Connections;
  readonly statements: Statements;
  readonly retryLimit: RetryLimit;
  readonly channel: string;
};

/**
 * Writes batches, each of another chat, in one transaction: `FlowStore.append`, including notifications. A batch that
 * is not written with the others (refused, or its chat is locked by another transaction) is retried alone. That finds
 * out the reason and keeps no other batch waiting.
 *
 * @param asked each batch has passed `checkAppend`
 * @returns the outcome of each batch; some may resolve later
 * @source ADR 0009, ADR 0017
 */
export async function appendTogether(
  port: AppendPort,
  asked: readonly AskedAppend[],
): Promise<readonly Promise<AppendResult>[]> {
  const appends = asked.map((each) => ({ ...each, mark: markOf(each.batch) }));
  const isFirstTo = firstToEachRecord();
  const together = appends.filter(({ batch }) => !beginsImport(batch) && isFirstTo(batch));
  const written = await writeTogether(port, together);
  return appends.map(async (each) => {
    const place = together.indexOf(each) + 1;
    if (written?.has(place)) return 'appended';
    return appendAlone(port, each, place > 0 && !written);
  });
}

/**
 * If a connection breaks after a batch was sent, it is unknown whether it was written, so it is sent again. If the
 * first attempt was written, the second conflicts with it, and the mark in the log shows that the conflict is with the
 * same batch.
 *
 * The same happens when the caller sends it again later with the same `id`.
 *
 * @param wasSent the batch may have been written already
 * @throws CountersignError `internal` if a question belongs to another chat
 * @source ADR 0009.6
 */
function appendAlone(port: AppendPort, append: MarkedAppend, wasSent: boolean): Promise<AppendResult> {
  const { batch } = append;
  return withRetry(port.retryLimit, async (attempt) => {
    const result = await writeAlone(port, append);
    if (result !== undefined) return result;
    const mayBeWritten = wasSent || attempt > 1 || batch.id !== undefined;
    if (mayBeWritten && (await isWritten(port, append))) return 'appended';
    if (await isStopped(port, batch)) return 'stopped';
    return (await unexpectedIn(port, batch)) ?? 'conflict';
  });
}

async function writeTogether(
  port: AppendPort,
  together: readonly MarkedAppend[],
): Promise<ReadonlySet<number> | undefined> {
  if (together.length === 0) return undefined;
  return write(port, 'skip', together).catch(() => undefined);
}

/** One statement can write a record once: returns false for a batch that writes one of an earlier batch. */
function firstToEachRecord(): (batch: Append) => boolean {
  const seen = new Set<string>();
  return ({ records = [] }) => {
    const names = records.map((record) => recordNames(record).join());
    const isFirst = !names.some((name) => seen.has(name));
    for (const name of names) seen.add(name);
    return isFirst;
  };
}

/** Returns nothing if the head, the lease, a claim, a stop request or a record forbids it. */
async function writeAlone(port: AppendPort, append: MarkedAppend): Promise<AppendResult | undefined> {
  try {
    if (beginsImport(append.batch)) return await importAlone(port, append);
    return (await write(port, 'wait', [append])).size > 0 ? 'appended' : undefined;
  } catch (error) {
    const violated = violatedConstraint(error);
    if (violated === 'claims' || violated === 'records_by_key') return undefined;
    if (violated !== 'questions_by_id') throw error;
    const { chatId } = append.batch;
    throw new CountersignError(
      'internal',
      `A question of the batch for chat ${chatId} exists in another chat.`,
      { chatId },
      { cause: error },
    );
  }
}

/**
 * Writes a batch that begins an imported chat, unless its id was erased. A statement does not see an erasure that is committed
 * while it runs, so erasures wait until an import is written. Several imports do not wait for each other.
 *
 * @source ADR 0036
 */
function importAlone(port: AppendPort, append: MarkedAppend): Promise<AppendResult | undefined> {
  const { connections, statements } = port;
  return connections.use(async (client) => {
    await client.query('begin');
    await client.query(statements.lockErasures);
    const { rows } = await client.query({ ...statements.erasedAt, values: [append.batch.chatId] });
    const isErased = rows.some(({ at }) => at !== null);
    const query = queryOf(port, 'wait', [append]);
    const isWritten = !isErased && (await client.query(query)).rows.length > 0;
    await client.query(isWritten ? 'commit' : 'rollback');
    return isWritten ? 'appended' : undefined;
  });
}

async function write(
  port: AppendPort,
  onLocked: OnLocked,
  appends: readonly MarkedAppend[],
): Promise<Set<number>> {
  const { values, ...statement } = queryOf(port, onLocked, appends);
  const rows = await port.connections.query(statement, values);
  return new Set(rows.map(({ place }) => Number(place)));
}

function queryOf(
  { statements, channel }: AppendPort,
  onLocked: OnLocked,
  appends: readonly MarkedAppend[],
): Statement & { readonly values: unknown[] } {
  const { used, values } = appendTables(appends);
  return { ...statements.append(onLocked, used), values: [channel, ...values] };
}

async function isWritten(
  { connections, statements }: AppendPort,
  { batch: { chatId, after }, mark }: MarkedAppend,
): Promise<boolean> {
  return (await connections.query(statements.batchAt, [chatId, after + 1, mark])).length > 0;
}

/** For a refused batch only: a record that is not as it expects. */
async function unexpectedIn(
  { connections, statements }: AppendPort,
  { records = [] }: Append,
): Promise<UnexpectedRecord | undefined> {
  if (records.length === 0) return undefined;
  const found = (await connections.query(statements.records, nameColumns(records))).map(toRecord);
  return firstUnexpected(records, found);
}

/** For a refused batch only: whether a stop request is the only reason. */
async function isStopped({ connections, statements }: AppendPort, batch: Append): Promise<boolean> {
  const { chatId, after, events, owner } = batch;
  const runs = guardedRuns(batch);
  if (runs.length === 0) return false;
  const claims = events.flatMap((event) => claimOf(event) ?? []).map(exactText);
  const values = [chatId, after, exactText(owner), atOf(batch), runs, claims];
  return (await connections.query(statements.stopAlone, values)).length > 0;
}

function violatedConstraint(error: unknown): unknown {
  return error instanceof Error && 'constraint' in error ? error.constraint : undefined;
}
