import { randomUUID } from 'node:crypto';
import { type Append, CountersignError, claimOf } from '../../vocabulary/index.ts';
import { checkAppend } from '../check-append.ts';
import { eventBody, exactText, grantBody, questionBody } from '../row-text.ts';
import type { Connections } from './connections.ts';
import { type Patience, patiently } from './patience.ts';
import type { Statements } from './statements.ts';
import { wakeText } from './wake-text.ts';

/** What an append needs of its store. */
export type AppendPort = {
  readonly connections: Connections;
  readonly statements: Statements;
  readonly patience: Patience;
  readonly channel: string;
};

/**
 * Writes one batch: `FlowStore.append`, wake included.
 *
 * When a connection breaks after the batch was sent, nobody knows whether it was written. It is sent again: had
 * the first attempt been written, the second conflicts with it, and what stands in the log under our own mark
 * tells that the conflict is with ourselves.
 *
 * @throws CountersignError `internal` for a batch that no log could hold (`checkAppend`), or with the question of
 *   another chat
 * @source ADR 0009.6
 */
export async function append(port: AppendPort, batch: Append): Promise<'appended' | 'conflict' | 'revoked'> {
  const at = checkAppend(batch);
  const mark = randomUUID();
  const values = appendValues(batch, { at, mark, channel: port.channel });
  return patiently(port.patience, async (attempt) => {
    if (await write(port, batch, values)) return 'appended';
    if (attempt > 1 && (await isWritten(port, batch, mark))) return 'appended';
    return (await isRevoked(port, batch)) ? 'revoked' : 'conflict';
  });
}

/** False when head, lease or a claim forbid it. */
async function write({ connections, statements }: AppendPort, batch: Append, values: readonly unknown[]) {
  const statement = batch.after === 0 ? statements.create : statements.move;
  try {
    return (await connections.query(statement, values)).length > 0;
  } catch (error) {
    const violated = violatedConstraint(error);
    if (violated === 'claims') return false;
    if (violated !== 'questions_by_id') throw error;
    throw new CountersignError(
      'internal',
      `A question of the batch for chat ${batch.chatId} exists in another chat.`,
      { chatId: batch.chatId },
      { cause: error },
    );
  }
}

async function isWritten({ connections, statements }: AppendPort, { chatId, after }: Append, mark: string) {
  return (await connections.query(statements.batchAt, [chatId, after + 1, mark])).length > 0;
}

/** Asked only of a batch that was refused: whether a grant that it leans on is gone. */
async function isRevoked({ connections, statements }: AppendPort, { uses = [] }: Append): Promise<boolean> {
  if (uses.length === 0) return false;
  const [row] = await connections.query(statements.countGrants, [uses.map(exactText)]);
  return Number(row?.count) < uses.length;
}

/** In the order of `appendStatement`. */
function appendValues(
  { chatId, after, events, head, lease, owner, grants = [], uses = [], ...batch }: Append,
  { at, mark, channel }: { at: number; mark: string; channel: string },
): unknown[] {
  // Asked and withdrawn in one batch: what it is now counts, and one statement may write a row only once.
  const questions = batch.questions.filter(
    ({ id }, index, all) => all.findLastIndex((each) => each.id === id) === index,
  );
  const claims = events.map(claimOf);
  const { updatedAt, seq, turnSeq, status, runId, open, auditHead } = head;
  return [
    chatId,
    after,
    ...[updatedAt, seq, turnSeq, status, runId, open && exactText(open), auditHead],
    ...[lease !== undefined, lease ? exactText(lease.owner) : null, lease?.until ?? null],
    ...[exactText(owner), at, mark],
    events.map(({ seq }) => seq),
    events.map((event) => event.at),
    events.map(({ runId }) => runId),
    claims.map((claim) => (claim === undefined ? null : exactText(claim))),
    events.map(eventBody),
    questions.map(({ id }) => exactText(id)),
    questions.map(({ ownerId }) => exactText(ownerId)),
    questions.map(({ state }) => state),
    questions.map(({ requestedAt }) => requestedAt),
    questions.map(({ deadline = null }) => deadline),
    questions.map(questionBody),
    ...[channel, wakeText({ chatId, reason: 'append', seq })],
    grants.map(({ id }) => exactText(id)),
    grants.map(({ key }) => key),
    grants.map(({ by }) => exactText(by.id)),
    grants.map((grant) => grant.chatId !== undefined),
    grants.map(({ createdAt }) => createdAt),
    grants.map(grantBody),
    uses.map(exactText),
    ...(after === 0 ? [exactText(head.ownerId), exactText(head.title), head.createdAt] : []),
  ];
}

function violatedConstraint(error: unknown): unknown {
  return error instanceof Error && 'constraint' in error ? error.constraint : undefined;
}
