import { reportMistake } from '../../../../client/http/mistake.ts';
import { parseQuestion, type Question } from '../../../../client/question.ts';
import { isRecord } from '../../../../protocol/json.ts';
import type { StoredMessage } from '../index.ts';
import { storedConversationSchema } from '../schema.ts';
import type { AskedApproval } from './tool-events-state.ts';

/** The addresses of the server's APIs. */
export type ToolEventsApis = {
  readonly api: string;
  readonly approvalsApi: string;
  readonly chatsApi: string;
};

/** A conversation as the server has it. */
export type ReadBack = {
  readonly messages: readonly StoredMessage[];
  readonly asked?: AskedApproval;
  readonly isRunning: boolean;
  /** The id of the last frame that the messages contain. Absent from older servers. */
  readonly lastEventId?: string;
};

/** A refusal with the server's message. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What the page says about a failure of these requests. */
export function failureText(error: unknown): string {
  if (error instanceof RefusedError) return error.message;
  if (reportMistake(error)) return String(error);
  return 'Connection lost. The run continues on the server.';
}

/**
 * Sends a message, and declares that this client answers questions.
 *
 * @returns the stream of frames
 * @throws RefusedError, or a network error
 * @source A1-A26, A25, A26
 */
export async function postMessage(
  { api }: ToolEventsApis,
  message: { readonly message: string; readonly conversationId?: string },
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const headers = { 'content-type': 'application/json', 'accept-approvals': '1' };
  const response = await request(api, { method: 'POST', headers, body: JSON.stringify(message), signal });
  return bodyOf(response);
}

/** Makes a failed call again. @returns the stream of its message @throws RefusedError, or what the network throws */
export async function postRetry(
  { api }: ToolEventsApis,
  call: { readonly conversationId: string; readonly toolCallId: string },
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const headers = { 'content-type': 'application/json', 'accept-approvals': '1' };
  return bodyOf(
    await request(`${api}/retry`, { method: 'POST', headers, body: JSON.stringify(call), signal }),
  );
}

/**
 * Opens what follows in a conversation, for as long as it is read.
 *
 * @returns `undefined` if nothing was answered yet, and from a server that has no such stream
 * @throws what the network throws
 * @source A22
 */
export async function openStream(
  { api }: ToolEventsApis,
  { conversationId, lastEventId }: { readonly conversationId: string; readonly lastEventId?: string },
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | undefined> {
  if (lastEventId === undefined) return undefined;
  const headers = { 'last-event-id': lastEventId };
  const url = `${api}/stream?conversationId=${encodeURIComponent(conversationId)}&follow=1`;
  const response = await fetch(url, { headers, signal, cache: 'no-store' });
  return response.status === 200 ? bodyOf(response) : undefined;
}

function bodyOf({ body, status }: Response): ReadableStream<Uint8Array<ArrayBuffer>> {
  if (!body) throw new RefusedError(status, 'The server sent no stream.');
  return body;
}

/** Answers a question. @throws RefusedError (409: another person was first), or a network error @source H10 */
export async function postAnswer(
  { approvalsApi }: ToolEventsApis,
  { approvalId, ...answer }: { approvalId: string; approved: boolean; reason?: string },
): Promise<void> {
  await request(`${approvalsApi}/${encodeURIComponent(approvalId)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(answer),
  });
}

/** Stops the run, or withdraws the open question. @throws RefusedError, or a network error @source H5 */
export async function deleteRun({ chatsApi }: ToolEventsApis, conversationId: string): Promise<void> {
  await request(`${chatsApi}/${encodeURIComponent(conversationId)}/run`, {
    method: 'DELETE',
    headers: { 'content-type': 'application/json' },
  });
}

/**
 * Reads a conversation back from its stored blocks, with its open question.
 *
 * @throws RefusedError, or a network error
 * @source A20-A22, H4, H9
 */
export async function readConversation(
  { api, chatsApi, approvalsApi }: ToolEventsApis,
  conversationId: string,
  signal: AbortSignal,
): Promise<ReadBack> {
  const id = encodeURIComponent(conversationId);
  const readStored = async () =>
    storedConversationSchema.parse(await readJson(`${api}?conversationId=${id}`, signal));
  // The state after the blocks: a question that is asked in between comes with the stream, which continues after the blocks.
  const first = await readStored();
  const chat = await readJson(`${chatsApi}/${id}`, signal);
  // An older server has no such stream: a run that ends in between is read once more, not missed.
  const stored = first.lastEventId === undefined ? await readStored() : first;
  // That of the blocks, so that a call without a result is shown as it was then.
  const status = stored.run?.status ?? (isRecord(chat.run) ? chat.run.status : undefined);
  const open = typeof chat.open === 'string' ? chat.open : undefined;
  const asked =
    open === undefined
      ? undefined
      : parseAsked(await readJson(`${approvalsApi}/${encodeURIComponent(open)}`, signal));
  const { messages, lastEventId } = stored;
  return { messages, lastEventId, isRunning: status === 'active', asked };
}

/** Reads an output that was sent by reference. @throws RefusedError, or what the network throws @source A6 */
export async function readOutput({ api }: ToolEventsApis, outputRef: string): Promise<unknown> {
  return (await readJson(`${api}/${outputRef}`)).output;
}

/** An open question with everything that a card shows. @throws RefusedError, or a network error @source H9 */
export async function readQuestion(
  { approvalsApi }: ToolEventsApis,
  approvalId: string,
  signal: AbortSignal,
): Promise<Question | undefined> {
  return parseAsked(await readJson(`${approvalsApi}/${encodeURIComponent(approvalId)}`, signal))?.question;
}

/** A question of `GET /api/approvals/{id}`; `undefined` once it is settled. */
function parseAsked({ approval }: Record<string, unknown>): AskedApproval | undefined {
  const question = parseQuestion(approval);
  if (question?.state !== 'open') return undefined;
  const { id, toolCallId, toolName, input, repeatOf } = question;
  return { approvalId: id, toolCallId, toolName, input, repeatOf, question };
}

async function readJson(url: string, signal?: AbortSignal): Promise<Record<string, unknown>> {
  const value: unknown = await (await request(url, { signal, cache: 'no-store' })).json();
  return isRecord(value) ? value : {};
}

async function request(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => undefined);
  const message = isRecord(body) && isRecord(body.error) ? body.error.message : undefined;
  throw new RefusedError(
    response.status,
    typeof message === 'string' ? message : `The server refused this (${response.status}).`,
  );
}
