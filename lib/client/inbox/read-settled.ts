import { z } from 'zod';
import { approvalsSchema } from '../../protocol/wire/approvals-page.ts';
import { reportMistake } from '../http/mistake.ts';
import { readWire, tolerant } from '../http/read-wire.ts';
import { parseQuestion, type Question } from '../question.ts';
import type { ApprovalsApi } from './approvals-api.ts';
import { filterQuestions, type InboxFilter } from './filter-questions.ts';

/**
 * One page of settled questions, most recently asked first. `searched`: how many the server searched for it.
 */
export type SettledPage = {
  readonly questions: readonly Question[];
  readonly searched: number;
  readonly cursor?: string;
};

const pageLimit = 50;
const longestText = 200;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const readablePage = tolerant(approvalsSchema.extend({ approvals: z.array(z.unknown()) }));

/**
 * Reads settled questions that match a filter. The filter's order does not apply.
 *
 * @returns `undefined` if the server cannot be reached or refuses
 * @source H9
 */
export async function readSettledQuestions(
  { api, fetch = globalThis.fetch }: ApprovalsApi,
  filter: InboxFilter,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<SettledPage | undefined> {
  const query = new URLSearchParams({ state: 'settled', limit: String(pageLimit), ...paramsOf(filter) });
  if (cursor !== undefined) query.set('cursor', cursor);
  try {
    const response = await fetch(`${api}?${query}`, { cache: 'no-store', signal });
    const page = readWire(readablePage, response.ok ? await response.json() : undefined);
    if (!page) return undefined;
    const { approvals, searched = approvals.length, nextCursor } = page;
    const questions = approvals.flatMap((item) => parseQuestion(item) ?? []);
    return { questions, searched, ...(nextCursor !== undefined && { cursor: nextCursor }) };
  } catch (error) {
    reportMistake(error);
    return undefined;
  }
}

/** Whether a question that was settled now belongs to a list with this filter. Like the server, it does not search arguments. */
export function isInSettled(question: Question, { sort: _, ...filter }: InboxFilter): boolean {
  return filterQuestions([{ ...question, input: undefined }], filter).length > 0;
}

function paramsOf({ tool, risk, asker, age, text }: InboxFilter): Record<string, string> {
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
  const words = text?.trim().slice(0, longestText);
  return {
    ...(tool && { toolName: tool }),
    ...(risk && { risk }),
    ...(asker && { askedBy: asker }),
    ...(age === 'hour' && { requestedSince: ago(hourMs) }),
    ...(age === 'day' && { requestedSince: ago(dayMs) }),
    ...(age === 'older' && { requestedBefore: ago(dayMs) }),
    ...(words && { text: words }),
  };
}
