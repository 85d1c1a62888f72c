import type { UIMessageChunk } from 'ai';
import * as kit from '../../../lib/testing/index.ts';

/** Turns that keep every rule, from which the tests plant what breaks one. */
export const search = { id: 'a', tool: 'search_database', input: { query: 'users' } };
export const update = { id: 'b', tool: 'update_database' };
export const weather = { id: 'w', tool: 'get_weather' };
export const locate = { id: 'g', tool: 'get_location' };

export const yes = (id: string) => ({ continues: { approvalId: `approval-${id}`, approved: true } });
export const no = (id: string) => ({
  continues: { approvalId: `approval-${id}`, approved: false, reason: 'no' },
});

export const firstQuestion = kit.questionResponse(search);
export const secondQuestion = kit.questionResponse(update, yes('a'));
export const ending = kit.finalResponse({
  ...yes('b'),
  texts: ['Let me look.', 'Found 10 users.', 'Database updated.'],
  outcomes: [kit.output('a'), kit.output('b')],
});
export const twoApprovals: UIMessageChunk[][] = [firstQuestion, secondQuestion, ending];

/** A response with chunks put in before the one of this type (the first of them). */
export function before(
  chunks: UIMessageChunk[],
  type: UIMessageChunk['type'],
  ...planted: UIMessageChunk[]
): UIMessageChunk[] {
  const place = chunks.findIndex((chunk) => chunk.type === type);
  return chunks.toSpliced(place, 0, ...planted);
}

/** A response without its chunks of one type. */
export function without(chunks: UIMessageChunk[], type: UIMessageChunk['type']): UIMessageChunk[] {
  return chunks.filter((chunk) => chunk.type !== type);
}

/** A response cut short: its end is replaced by these chunks. */
export function brokenOff(chunks: UIMessageChunk[], ...end: UIMessageChunk[]): UIMessageChunk[] {
  return [...chunks.slice(0, -2), ...end];
}

/** A turn and what is known beside it. */
export type Sound = [title: string, responses: UIMessageChunk[][], options?: kit.TimingOptions];

/** A turn with one fault: the rule it breaks and where (`T1@0`), and the fault. */
export type Planted = [
  rule: string,
  title: string,
  responses: UIMessageChunk[][],
  options?: kit.TimingOptions,
];

export const error: UIMessageChunk = { type: 'error', errorText: 'The model failed.' };
export const abort: UIMessageChunk = { type: 'abort', reason: 'stopped' };
