import type { Append, AppendResult } from '../../log/store-port.ts';
import { CountersignError, claimOf } from '../../protocol/index.ts';
import { markOf } from '../batch-mark.ts';
import { atOf } from '../check-append.ts';
import { guardedRuns } from '../guarded-runs.ts';
import { exactText } from '../row-text.ts';
import { appendValues, type MarkedAppend } from './append-rows.ts';
import type { Connections } from './connections.ts';
import { type Patience, patiently } from './patience.ts';
import type { Statement, Statements } from './statements.ts';

/** What an append needs of its store. */
export type AppendPort = {
  readonly connections: Connections;
  readonly statements: Statements;
  readonly patience: Patience;
  readonly channel: string;
};

/**
 * Writes batches, each of another chat, in one transaction: `FlowStore.append`, wakes included. What is not written
 * with the others (refused, or its chat is held by another transaction) is tried by itself, which tells why and keeps
 * nobody else waiting.
 *
 * @param batches each has passed `checkAppend`
 * @returns the outcome of each, which may come later
 * @source ADR 0009, 0017
 */
export async function appendTogether(
  port: AppendPort,
  batches: readonly Append[],
): Promise<readonly Promise<AppendResult>[]> {
  const appends = batches.map((batch) => ({ batch, mark: markOf(batch) }));
  try {
    const places = await write(port, port.statements.appendTogether, appends);
    return appends.map(async (each, index) =>
      places.has(index + 1) ? 'appended' : appendAlone(port, each, false),
    );
  } catch {
    return appends.map((each) => appendAlone(port, each, true));
  }
}

/**
 * When a connection breaks after a batch was sent, nobody knows whether it was written. It is sent again: had the first
 * attempt been written, the second conflicts with it, and what stands in the log under our own mark tells that the
 * conflict is with ourselves.
 *
 * So it is when the caller sends it again later, under the same `id`.
 *
 * @param wasSent it may have been written already
 * @throws CountersignError `internal` with the question of another chat
 * @source ADR 0009.6
 */
function appendAlone(port: AppendPort, append: MarkedAppend, wasSent: boolean): Promise<AppendResult> {
  const { batch } = append;
  return patiently(port.patience, async (attempt) => {
    if (await writeAlone(port, append)) return 'appended';
    const mayBeWritten = wasSent || attempt > 1 || batch.id !== undefined;
    if (mayBeWritten && (await isWritten(port, append))) return 'appended';
    if (await isRevoked(port, batch)) return 'revoked';
    return (await isStopped(port, batch)) ? 'stopped' : 'conflict';
  });
}

/** False when head, lease, a claim or a stop request forbid it. */
async function writeAlone(port: AppendPort, append: MarkedAppend): Promise<boolean> {
  try {
    return (await write(port, port.statements.append, [append])).size > 0;
  } catch (error) {
    const violated = violatedConstraint(error);
    if (violated === 'claims') return false;
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

/** The places of those that were written, from 1. */
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

/** Asked only of a batch that was refused: whether a grant that it leans on is gone. */
async function isRevoked({ connections, statements }: AppendPort, { uses = [] }: Append): Promise<boolean> {
  if (uses.length === 0) return false;
  const [row] = await connections.query(statements.countGrants, [uses.map(exactText)]);
  return Number(row?.count) < uses.length;
}

/** Asked only of a batch that was refused: whether nothing but a stop request forbids it. */
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
