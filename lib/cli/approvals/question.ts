import { z } from 'zod';
import { isRecord } from '../../protocol/index.ts';
import { approvalsSchema } from '../../protocol/wire/approvals-page.ts';
import { type QuestionJson, questionSchema } from '../../protocol/wire/question.ts';
import { contextSchema } from '../../protocol/wire/question-context.ts';
import { Refusal } from './exit-code.ts';
import type { Server } from './server.ts';

const stepSchema = z.object({
  state: z.string(),
  at: z.string().optional(),
  by: z.object({ id: z.string(), name: z.string() }).optional(),
  via: z.string().optional(),
});

/** Fields may be added: those that are not known are kept for `--json`, and not shown. */
const detailsSchema = z.looseObject({
  approval: questionSchema,
  history: z.array(stepSchema).default([]),
  context: contextSchema.optional(),
  inputSchema: z.unknown().optional(),
  outcome: z.string().optional(),
});

/** One question, with what `GET /api/approvals/{id}` says about it. @source S8 */
export type Details = z.infer<typeof detailsSchema>;

/** Reads a question. @throws Refusal */
export async function readQuestion(server: Server, id: string): Promise<Details> {
  return detailsOf(await server.request('GET', pathOf(id)));
}

/** Parses a response that contains a question. @throws Refusal */
export function detailsOf(value: unknown): Details {
  const { data } = detailsSchema.safeParse(value);
  if (data) return data;
  throw new Refusal({ code: 'internal', message: 'The server sent no question. Check the address.' });
}

/** The path of a question in the API. */
export function pathOf(id: string): string {
  return `/approvals/${encodeURIComponent(id)}`;
}

const mostPages = 10;

/**
 * The questions of a state, and the JSON as the server sent it.
 *
 * @returns `isCut` if there are more than these
 * @throws Refusal
 * @source H9
 */
export async function readQuestions(
  server: Server,
  state: string,
): Promise<{
  readonly questions: readonly QuestionJson[];
  readonly raw: unknown[];
  readonly isCut: boolean;
}> {
  const raw: unknown[] = [];
  const questions: QuestionJson[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const query = new URLSearchParams({ state, limit: '100', ...(cursor !== undefined && { cursor }) });
    const body = await server.request('GET', `/approvals?${query}`);
    const { data } = approvalsSchema.safeParse(body);
    if (!data)
      throw new Refusal({ code: 'internal', message: 'The server sent no list. Check the address.' });
    if (isRecord(body) && Array.isArray(body.approvals)) raw.push(...body.approvals);
    questions.push(...data.approvals);
    cursor = data.nextCursor;
    if (cursor === undefined) return { questions, raw, isCut: false };
  }
  return { questions, raw, isCut: true };
}

/**
 * A digest of what is shown: of the question, and of its effect. `approve --digest` refuses a question that is not this one.
 *
 * @source ADR 0044.4
 */
export function shownDigest({ digest = '', preview }: Pick<QuestionJson, 'digest' | 'preview'>): string {
  return preview?.state === 'made' ? `${digest}.${preview.digest}` : digest;
}
