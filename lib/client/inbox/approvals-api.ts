import { reportMistake } from '../http/mistake.ts';
import { anyItems, number, object, optional, text } from '../http/read-wire.ts';
import { type NewAnswer, parseQuestion, type Question } from '../question.ts';
import { withinAMinute } from '../transport/within-a-minute.ts';
import { type AnswerResult, parseAnswerResult } from './answer-result.ts';

/** How to reach the approvals. */
export type ApprovalsApi = {
  /** The address of `GET /api/approvals`; the feed is at `{api}/events`. */
  readonly api: string;
  /** Pass your own for custom headers or credentials. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
};

/** The default address of approvals. */
export const defaultApprovalsApi = '/api/approvals';

/** One page of questions. */
export type QuestionPage = { readonly questions: readonly Question[]; readonly cursor?: string };

/** `searched`: how many questions the server searched for the page. */
export type SearchedPage = QuestionPage & { readonly searched: number };

const pageLimit = 100;

/** Questions are parsed one by one, so that an invalid one does not hide the others. */
const readApprovals = object<{
  readonly approvals: readonly unknown[];
  readonly nextCursor?: string;
  readonly searched?: number;
}>({ approvals: anyItems, nextCursor: optional(text), searched: optional(number) });

/**
 * Reads open questions.
 *
 * @param count at least this many, if they exist, with as many requests as necessary
 * @returns `undefined` if the server cannot be reached or refuses
 * @source H9
 */
export async function readOpenQuestions(
  { api, fetch = globalThis.fetch }: ApprovalsApi,
  { cursor, count = 1 }: { cursor?: string; count?: number } = {},
): Promise<QuestionPage | undefined> {
  const questions: Question[] = [];
  let next = cursor;
  do {
    const query = new URLSearchParams({
      state: 'open',
      limit: String(pageLimit),
      ...(next && { cursor: next }),
    });
    const page = await readPage(() => fetch(`${api}?${query}`, { cache: 'no-store' }));
    if (!page) return undefined;
    questions.push(...page.questions);
    next = page.cursor;
  } while (next !== undefined && questions.length < count);
  return { questions, ...(next !== undefined && { cursor: next }) };
}

/** Answers a question. Without a reply within a minute, the server counts as unreachable. Never rejects. @source H10 */
export async function postAnswer(
  { api, fetch = globalThis.fetch }: ApprovalsApi,
  asked: Question,
  answer: NewAnswer,
): Promise<AnswerResult> {
  try {
    const response = await withinAMinute((signal) =>
      fetch(`${api}/${encodeURIComponent(asked.id)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(answer),
        signal,
      }),
    );
    const body: unknown = await response.json().catch(() => undefined);
    return parseAnswerResult(asked, response.ok, body);
  } catch (error) {
    if (!reportMistake(error)) return { type: 'unreachable' };
    return { type: 'refused', code: 'internal', message: String(error) };
  }
}

/** Parses the response to `GET /api/approvals`; `undefined` when the value is no list. */
export function parsePage(value: unknown): SearchedPage | undefined {
  const page = readApprovals(value);
  if (!page) return undefined;
  const { approvals, searched = approvals.length, nextCursor } = page;
  return { questions: approvals.flatMap((item) => parseQuestion(item) ?? []), searched, cursor: nextCursor };
}

/** @returns `undefined` if the server cannot be reached or refuses */
export async function readPage(request: () => Promise<Response>): Promise<SearchedPage | undefined> {
  try {
    const response = await request();
    return response.ok ? parsePage(await response.json()) : undefined;
  } catch (error) {
    reportMistake(error);
    return undefined;
  }
}
