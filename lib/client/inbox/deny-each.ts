import type { Decision } from '../question.ts';
import type { AnswerResult } from './answer-result.ts';

/** What came of denying several questions. Ids; together they are all that were given. */
export type BatchResult = {
  readonly denied: readonly string[];
  /** Others were first. */
  readonly settled: readonly string[];
  readonly failed: readonly { readonly id: string; readonly result: AnswerResult }[];
};

/** Few enough to leave the browser its other connections. */
const atOnce = 4;

/**
 * Denies questions one by one, a few at a time.
 *
 * @param reason told to the model
 */
export async function denyEach(
  ids: readonly string[],
  reason: string | undefined,
  decide: (id: string, decision: Decision) => Promise<AnswerResult>,
): Promise<BatchResult> {
  const queue = [...ids];
  const denied: string[] = [];
  const settled: string[] = [];
  const failed: { id: string; result: AnswerResult }[] = [];
  const decision: Decision = { approved: false, ...(reason && { reason }) };
  const work = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      const result = await decide(id, decision);
      if (result.type === 'answered') denied.push(id);
      else if (result.type === 'settled') settled.push(id);
      else failed.push({ id, result });
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, ids.length) }, work));
  return { denied, settled, failed };
}
