import { isRecord } from '../../protocol/json.ts';
import type { ResolutionJson } from '../../protocol/wire/resolution.ts';
import { parseResolution } from '../calls/resolution.ts';
import { reportMistake } from '../http/mistake.ts';
import { number, object, oneOf, optional, text, time } from '../http/read-wire.ts';
import { parseQuestion, type Question, type Repeat } from '../question.ts';
import { readOutcome } from '../read-question.ts';

/** How to reach questions and chats. */
export type QuestionApi = {
  /** Default `/api/approvals`; a question is at `{api}/{id}`. */
  readonly api?: string;
  /** Default `/api/chat`; a chat's sealed record is at `{chatApi}/{chatId}/audit`. */
  readonly chatApi?: string;
  /** Pass your own for custom headers or credentials. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
};

/** One line of the sealed record about the call of a question. `at` is ISO 8601; `seq` is its place in the chat's log. */
export type SealedLine = {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly seal: string;
};

/** A question with what the sealed record says about its call: nothing without an audit key, or without the right to see the chat. */
export type LoadedQuestion =
  | {
      readonly type: 'loaded';
      readonly question: Question;
      /** Digest of the tool that the question is about. @source ADR 0020 */
      readonly digest?: string;
      /** The withdrawn question that this one replaces. */
      readonly replaces?: string;
      readonly record: readonly SealedLine[];
      /** What came of the call of an approved question. Absent if it did not run. */
      readonly outcome?: Repeat['outcome'];
      /** The outcome was recorded as unknown, and this person may record what it is. */
      readonly mayRecord?: true;
      /** What became known then. */
      readonly resolution?: ResolutionJson;
    }
  /** There is no such question, or this person may not see it. */
  | { readonly type: 'missing' }
  | { readonly type: 'failed' };

type Loaded = Extract<LoadedQuestion, { readonly type: 'loaded' }>;

const readBinding = object<Pick<Loaded, 'digest' | 'replaces'>>({
  digest: optional(text),
  replaces: optional(text),
});
const readCall = object<Pick<Loaded, 'outcome' | 'mayRecord' | 'resolution'>>({
  outcome: optional(readOutcome),
  mayRecord: optional(oneOf(true)),
  resolution: optional(parseResolution),
});
const readLine = object<SealedLine & { readonly toolCallId: string }>({
  seq: number,
  at: time,
  type: text,
  toolCallId: text,
  seal: text,
});

/** Loads a question and the sealed record of its call. Never rejects. @source H9, S10 */
export async function loadQuestion(
  id: string,
  { api = '/api/approvals', chatApi = '/api/chat', fetch = globalThis.fetch }: QuestionApi = {},
): Promise<LoadedQuestion> {
  const read = async (url: string) => {
    const response = await fetch(url, { cache: 'no-store' });
    const body: unknown = response.ok ? await response.json() : undefined;
    return { status: response.status, body: isRecord(body) ? body : {} };
  };
  try {
    const { status, body } = await read(`${api}/${encodeURIComponent(id)}`);
    if (status === 404 || status === 400) return { type: 'missing' };
    const question = parseQuestion(body.approval);
    if (!question) return { type: 'failed' };
    const record = await read(`${chatApi}/${encodeURIComponent(question.chatId)}/audit`);
    return {
      type: 'loaded',
      question,
      ...readBinding(body.approval),
      ...readCall(body),
      record: linesOf(question, record.body.entries),
    };
  } catch (error) {
    reportMistake(error);
    return { type: 'failed' };
  }
}

function linesOf({ toolCallId }: Question, entries: unknown): readonly SealedLine[] {
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown) => {
    const line = readLine(entry);
    if (line?.toolCallId !== toolCallId) return [];
    return [{ seq: line.seq, at: line.at, type: line.type, seal: line.seal }];
  });
}
