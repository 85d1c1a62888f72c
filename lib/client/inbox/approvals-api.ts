import { isRecord } from '../../protocol/json.ts';
import { type Decision, parseQuestion, type Question } from '../question.ts';
import { type AnswerResult, parseAnswerResult } from './answer-result.ts';

/** How to reach the approvals. */
export type ApprovalsApi = {
  /** Of `GET /api/approvals`; the feed is at `{api}/events`. */
  readonly api: string;
  /** For headers or credentials of your own. Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
};

/** One page of open questions, oldest first. */
export type QuestionPage = { readonly questions: readonly Question[]; readonly cursor?: string };

const pageLimit = 100;

/**
 * Reads open questions.
 *
 * @param count at least so many, if there are: as many requests as that takes
 * @returns `undefined` when the server cannot be reached, or refuses
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

/** Answers a question. Never rejects. @source H10 */
export async function postDecision(
  { api, fetch = globalThis.fetch }: ApprovalsApi,
  asked: Question,
  decision: Decision,
): Promise<AnswerResult> {
  try {
    const response = await fetch(`${api}/${encodeURIComponent(asked.id)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(decision),
    });
    const body: unknown = await response.json().catch(() => undefined);
    return parseAnswerResult(asked, response.ok, body);
  } catch {
    return { type: 'unreachable' };
  }
}

async function readPage(request: () => Promise<Response>): Promise<QuestionPage | undefined> {
  try {
    const response = await request();
    const body: unknown = response.ok ? await response.json() : undefined;
    if (!isRecord(body) || !Array.isArray(body.approvals)) return undefined;
    const questions = body.approvals.flatMap((item: unknown) => parseQuestion(item) ?? []);
    return { questions, ...(typeof body.nextCursor === 'string' && { cursor: body.nextCursor }) };
  } catch {
    return undefined;
  }
}
