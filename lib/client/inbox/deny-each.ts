import type { Decision } from '../question.ts';
import type { AnswerResult } from './answer-result.ts';

/** The result of denying several questions: each id is in one of these. */
export type BatchResult = {
  readonly denied: readonly string[];
  /** Already decided by someone else. */
  readonly settled: readonly string[];
  readonly failed: readonly { readonly id: string; readonly result: AnswerResult }[];
};

/** Leaves the browser connections for other requests. */
const atOnce = 4;

/**
 * Denies questions one by one, a few at a time.
 *
 * @param reason shared with the model
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
