import { isDeepStrictEqual } from 'node:util';
import { collect } from 'countersign/testing';
import { type ToolEvent, toolEventSchema } from '../../../../lib/plugins/tool-events/client/schema.ts';
import { rawFrames } from './raw-frames.ts';
import { jsonHeaders } from './serve-dialects.ts';

/** What a client of dialect A may say beside the message. */
export type ToolEventsRequest = {
  readonly conversationId?: string;
  readonly acceptApprovals?: boolean;
  readonly user?: string;
  readonly signal?: AbortSignal;
};

/** Posts a message. */
export function postToolEvents(url: string, message: unknown, request: ToolEventsRequest = {}) {
  const { conversationId, acceptApprovals = false, user, signal } = request;
  return fetch(`${url}/api/dialects/tool-events`, {
    method: 'POST',
    headers: { ...jsonHeaders(user), ...(acceptApprovals ? { 'accept-approvals': '1' } : {}) },
    body: JSON.stringify({ conversationId, message }),
    signal,
  });
}

/** Asks for a failed call to be made again. */
export function retryToolEvents(
  url: string,
  body: object,
  { acceptApprovals = false, user }: ToolEventsRequest = {},
) {
  return fetch(`${url}/api/dialects/tool-events/retry`, {
    method: 'POST',
    headers: { ...jsonHeaders(user), ...(acceptApprovals ? { 'accept-approvals': '1' } : {}) },
    body: JSON.stringify(body),
  });
}

/** A client of dialect A by `fetch`: each frame as it arrives, held to the letter of the wire and to its schema. */
export async function openToolEvents(
  url: string,
  message: string,
  request: ToolEventsRequest = {},
): Promise<AsyncGenerator<ToolEvent, void, void>> {
  const response = await postToolEvents(url, message, request);
  if (response.status !== 200) throw new Error(await response.text());
  return framesOf(response);
}

/** All frames of one message. */
export async function toolEvents(url: string, message: string, request: ToolEventsRequest = {}) {
  return collect(await openToolEvents(url, message, request));
}

/** The frames of a response, each as it arrives. */
export async function* framesOf(response: Response): AsyncGenerator<ToolEvent, void, void> {
  for await (const frame of rawFrames(response)) {
    if (!/^data: [^\n]+$/.test(frame)) throw new Error(`This is no frame of dialect A: ${frame}`);
    const value: unknown = JSON.parse(frame.slice('data: '.length));
    const parsed = toolEventSchema.parse(value);
    if (!isDeepStrictEqual(parsed, value)) throw new Error(`Unknown fields: ${frame}`);
    yield parsed;
  }
}

/** A frame of the stream that can be resumed. */
export type FrameWithId = { readonly id: string | undefined; readonly event: ToolEvent };

/** Opens the stream of a conversation that can be resumed. */
export function resumeToolEvents(
  url: string,
  conversationId: string,
  {
    lastEventId,
    follow,
    user,
    signal,
  }: { lastEventId?: string; follow?: true; user?: string; signal?: AbortSignal } = {},
): Promise<Response> {
  const headers = {
    ...jsonHeaders(user),
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  };
  const query = `conversationId=${conversationId}${follow ? '&follow=1' : ''}`;
  return fetch(`${url}/api/dialects/tool-events/stream?${query}`, { headers, signal });
}

/** The frames of such a stream, each with its id, held to the letter of the wire and to its schema. */
export async function* framesWithIds(response: Response): AsyncGenerator<FrameWithId, void, void> {
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  for await (const frame of rawFrames(response)) {
    const [, id, json = ''] = /^(?:id: ([^\n]+)\n)?data: ([^\n]+)$/.exec(frame) ?? [];
    yield { id, event: toolEventSchema.parse(JSON.parse(json)) };
  }
}

/** Reads on until a frame of a type comes. */
export async function untilFrame<Type extends ToolEvent['type']>(
  frames: AsyncGenerator<ToolEvent, void, void>,
  type: Type,
): Promise<Extract<ToolEvent, { type: Type }>> {
  for (let next = await frames.next(); !next.done; next = await frames.next()) {
    if (next.value.type === type) return next.value as Extract<ToolEvent, { type: Type }>;
  }
  throw new Error(`The stream ended without ${type}.`);
}

/** The types of frames, runs of text as one. */
export function frameTypes(frames: readonly ToolEvent[]): string[] {
  return frames
    .map(({ type }) => type)
    .filter((type, index, all) => type !== 'text_delta' || all[index - 1] !== type);
}
