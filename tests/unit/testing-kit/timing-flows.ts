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

/** A turn of two questions whose last response has these parts. */
export const endingWith = (...parts: UIMessageChunk[]) => [
  firstQuestion,
  secondQuestion,
  kit.response(yes('b'), parts),
];

/** The last response of a turn of one question, approved or denied, with these outcomes. */
export const approvedEnd = (...outcomes: UIMessageChunk[]) => kit.finalResponse({ ...yes('a'), outcomes });
export const deniedEnd = (...outcomes: UIMessageChunk[]) => kit.finalResponse({ ...no('a'), outcomes });

/** A turn of one response that asks nothing, and shows these outcomes. */
export const only = (...outcomes: UIMessageChunk[]) => [kit.finalResponse({ outcomes })];
export const saysHi = kit.finalResponse({ texts: ['Hi.'] });

/** The first question with chunks put in before its call, or at its end. */
export const firstAfter = (...planted: UIMessageChunk[]) => [
  before(firstQuestion, 'tool-input-start', ...planted),
];
export const firstThen = (...planted: UIMessageChunk[]) => [before(firstQuestion, 'finish-step', ...planted)];

/** A turn whose second question comes after these chunks. */
export const secondAfter = (...planted: UIMessageChunk[]) => [
  firstQuestion,
  before(secondQuestion, 'tool-input-start', ...planted),
  ending,
];

export const source: UIMessageChunk = { type: 'source-url', sourceId: 's', url: 'https://example.com/' };
export const answerToFirst: UIMessageChunk = {
  type: 'tool-approval-response',
  approvalId: 'approval-a',
  approved: true,
};
/** Options of a turn with a tool that the client executes. */
export const onClient: kit.TimingOptions = { clientTools: ['get_location'] };

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
