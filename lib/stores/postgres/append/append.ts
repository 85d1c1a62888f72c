import { claimOf } from '../../../log/events/event-table.ts';
import type { Append, AppendResult } from '../../../log/store/index.ts';
import { CountersignError } from '../../../protocol/index.ts';
import { markOf } from '../../batch-mark.ts';
import { beginsImport } from '../../begins-import.ts';
import { atOf } from '../../check-append.ts';
import { guardedRuns } from '../../guarded-runs.ts';
import { exactText } from '../../row-text.ts';
import type { Connections } from '../connection/connections.ts';
import { type RetryLimit, withRetry } from '../connection/retry.ts';
import { writeRecords } from '../methods/records.ts';
import type { Statement, Statements } from '../statements.ts';
import { type AskedAppend, appendValues, type MarkedAppend } from './append-rows.ts';

/** What an append needs from its store. */
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
  const together = appends.filter(({ batch }) => !hasTransaction(batch));
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
    if (await isRevoked(port, batch)) return 'revoked';
    return (await isStopped(port, batch)) ? 'stopped' : 'conflict';
  });
}

/** The places of the batches that were written; nothing if that is unknown. */
async function writeTogether(
  port: AppendPort,
  together: readonly MarkedAppend[],
): Promise<ReadonlySet<number> | undefined> {
  if (together.length === 0) return undefined;
  return write(port, port.statements.appendTogether, together).catch(() => undefined);
}

/** Whether a batch is written in a transaction of several statements. */
function hasTransaction(batch: Append): boolean {
  return beginsImport(batch) || (batch.records ?? []).length > 0;
}

/** Returns nothing if the head, the lease, a claim or a stop request forbids it. */
async function writeAlone(port: AppendPort, append: MarkedAppend): Promise<AppendResult | undefined> {
  try {
    if (hasTransaction(append.batch)) return await writeInTransaction(port, append);
    return (await write(port, port.statements.append, [append])).size > 0 ? 'appended' : undefined;
  } catch (error) {
    const violated = violatedConstraint(error);
    if (violated === 'claims') return undefined;
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
 * Writes a batch that begins an imported chat, unless its id was erased, or that has records of plugins, unless one is not as
 * expected. A statement does not see an erasure that is committed while it runs, so erasures wait until an import is written.
 * Several imports do not wait for each other.
 *
 * @source ADR 0036
 */
function writeInTransaction(
  { connections, statements, channel }: AppendPort,
  append: MarkedAppend,
): Promise<AppendResult | undefined> {
  const { chatId, records = [] } = append.batch;
  return connections.use(async (client) => {
    await client.query('begin');
    if (beginsImport(append.batch)) {
      await client.query(statements.lockErasures);
      const { rows } = await client.query({ ...statements.erasedAt, values: [chatId] });
      if (rows.some(({ at }) => at !== null)) {
        await client.query('rollback');
        return undefined;
      }
    }
    // The chat's row first, like every append, so that two of them do not wait for each other in a circle.
    const values = [...appendValues([append]), channel];
    const written = await client.query({ ...statements.append, values });
    const isWritten = written.rows.length > 0;
    const unexpected = isWritten ? await writeRecords(client, statements, records, chatId) : undefined;
    await client.query(unexpected ? 'rollback' : 'commit');
    return unexpected ?? (isWritten ? 'appended' : undefined);
  });
}

/** The places of the written batches, from 1. */
async function write(
  { connections, channel }: AppendPort,
  statement: Statement,
  appends: readonly MarkedAppend[],
): Promise<Set<number>> {
  const rows = await connections.query(statement, [...appendValues(appends), channel]);
  return new Set(rows.map(({ place }) => Number(place)));
}

async function isWritten(
  { connections, statements }: AppendPort,
  { batch: { chatId, after }, mark }: MarkedAppend,
): Promise<boolean> {
  return (await connections.query(statements.batchAt, [chatId, after + 1, mark])).length > 0;
}

/** For a refused batch only: whether a grant that it uses was revoked. */
async function isRevoked({ connections, statements }: AppendPort, { uses = [] }: Append): Promise<boolean> {
  if (uses.length === 0) return false;
  const [row] = await connections.query(statements.countGrants, [uses.map(exactText)]);
  return Number(row?.count) < uses.length;
}

/** For a refused batch only: whether a stop request is the only reason. */
async function isStopped({ connections, statements }: AppendPort, batch: Append): Promise<boolean> {
  const { chatId, after, events, owner } = batch;
  const runs = guardedRuns(events);
  if (runs.length === 0) return false;
  const claims = events.flatMap((event) => claimOf(event) ?? []).map(exactText);
  const values = [chatId, after, exactText(owner), atOf(batch), runs, claims];
  return (await connections.query(statements.stopAlone, values)).length > 0;
}

function violatedConstraint(error: unknown): unknown {
  return error instanceof Error && 'constraint' in error ? error.constraint : undefined;
}
