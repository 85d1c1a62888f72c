import type { Question } from '../question.ts';
import { type ApprovalsApi, readPage, type SearchedPage } from './approvals-api.ts';
import { filterQuestions, type InboxFilter } from './filter-questions.ts';

const pageLimit = 50;
const longestText = 200;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Reads settled questions that match a filter, most recently asked first. The filter's order does not apply.
 *
 * @returns `undefined` if the server cannot be reached or refuses
 * @source H9
 */
export async function readSettledQuestions(
  { api, fetch = globalThis.fetch }: ApprovalsApi,
  filter: InboxFilter,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<SearchedPage | undefined> {
  const query = new URLSearchParams({ state: 'settled', limit: String(pageLimit), ...paramsOf(filter) });
  if (cursor !== undefined) query.set('cursor', cursor);
  return readPage(() => fetch(`${api}?${query}`, { cache: 'no-store', signal }));
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
