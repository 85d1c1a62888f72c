import type { NewAnswer } from '../question.ts';
import type { AnswerResult } from './answer-result.ts';

/** The result of answering several questions: each id is in one of these. */
export type BatchResult = {
  readonly approved: readonly string[];
  readonly denied: readonly string[];
  /** Already decided by someone else. */
  readonly settled: readonly string[];
  readonly failed: readonly { readonly id: string; readonly result: AnswerResult }[];
};

/** Leaves browser connections free for other requests. */
const atOnce = 4;

/** Answers questions, each with a separate request, a few at a time. */
export async function answerEach(
  answers: ReadonlyMap<string, NewAnswer>,
  send: (id: string, answer: NewAnswer) => Promise<AnswerResult>,
): Promise<BatchResult> {
  const queue = [...answers];
  const approved: string[] = [];
  const denied: string[] = [];
  const settled: string[] = [];
  const failed: { id: string; result: AnswerResult }[] = [];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [id, answer] = next;
      const result = await send(id, answer);
      if (result.type === 'answered') (answer.approved ? approved : denied).push(id);
      else if (result.type === 'settled') settled.push(id);
      else failed.push({ id, result });
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, queue.length) }, work));
  return { approved, denied, settled, failed };
}

/** The same denial for several questions. @param reason shared with the model */
export function denials(ids: readonly string[], reason: string | undefined): ReadonlyMap<string, NewAnswer> {
  return new Map(ids.map((id) => [id, { approved: false, reason: reason || undefined }]));
}
