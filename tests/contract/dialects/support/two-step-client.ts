import { EventSource } from 'eventsource';
import { onTestFinished } from 'vitest';
import { readStreamEvent } from '../../../../lib/plugins/two-step-stream/client/read-message.ts';
import {
  messageResponseSchema,
  type StreamEvent,
  streamEventSchemas,
} from '../../../../lib/plugins/two-step-stream/client/schema.ts';
import { rawFrames } from './raw-frames.ts';
import { jsonHeaders } from './serve-dialects.ts';

/** The first step. */
export function postMessage(url: string, body: object, user?: string) {
  return fetch(`${url}/api/chat/message`, {
    method: 'POST',
    headers: jsonHeaders(user),
    body: JSON.stringify(body),
  });
}

/** The first step, and the stream it names. */
export async function startStream(url: string, message: string, more: object = {}) {
  const response = await postMessage(url, { message, ...more });
  if (response.status !== 200) throw new Error(await response.text());
  return messageResponseSchema.parse(await response.json());
}

/** Says that a client takes approvals. @source B18 */
const acceptApprovals = { 'accept-approvals': '1' };

/** The headers of a client that does not say so. */
export const older = { 'accept-approvals': '0' };

/** The second step by `fetch`, as a client that takes approvals: what stands on the wire. */
export function getStream(url: string, streamId: string, headers: Record<string, string> = {}) {
  return fetch(`${url}/api/chat/stream/${streamId}`, { headers: { ...acceptApprovals, ...headers } });
}

/** One frame as it stands on the wire. */
export type WireFrame = { readonly id: string; readonly event: StreamEvent };

/** All frames of a stream, held to the letter of the wire and to their schemas. */
export function streamFrames(url: string, streamId: string, headers: Record<string, string> = {}) {
  return Array.fromAsync(arrivingFrames(url, streamId, headers));
}

/** The same frames, each as soon as it arrives. */
export async function* arrivingFrames(
  url: string,
  streamId: string,
  headers: Record<string, string> = {},
): AsyncGenerator<WireFrame> {
  const response = await getStream(url, streamId, headers);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  for await (const frame of rawFrames(response)) yield parseFrame(frame);
}

/** All events of a stream. */
export async function streamEvents(
  url: string,
  streamId: string,
  headers: Record<string, string> = {},
): Promise<StreamEvent[]> {
  return (await streamFrames(url, streamId, headers)).map(({ event }) => event);
}

/** Reads one frame. @throws Error for what breaks the wire's rules */
function parseFrame(frame: string): WireFrame {
  const match = /^id: (\S+)\nevent: (\w+)\ndata: ([^\n]+)$/.exec(frame);
  const [, id, type, data] = match ?? [];
  if (id === undefined || type === undefined || data === undefined || !(type in streamEventSchemas)) {
    throw new Error(`This is no frame of dialect B: ${frame}`);
  }
  const schema = streamEventSchemas[type as StreamEvent['type']];
  const value: unknown = JSON.parse(data);
  const parsed = schema.strict().parse(value);
  return { id, event: { type, data: parsed } as StreamEvent };
}

/** Lets an `EventSource` reconnect immediately: by itself, it waits for three seconds. */
function reconnecting(fetchStream: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await fetchStream(input, init);
    if (!response.body || response.status !== 200) return response;
    const soon = new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('retry: 1\n\n')),
    });
    return new Response(response.body.pipeThrough(soon), response);
  };
}

/** The second step by an unmodified `EventSource`. `end` resolves when it stops for good, or `done` comes. */
export function listenToStream(url: string, streamId: string, fetchStream: typeof fetch = fetch) {
  const address = `${url}/api/chat/stream/${streamId}?accept_approvals=1`;
  const source = new EventSource(address, { fetch: reconnecting(fetchStream) });
  onTestFinished(() => source.close());
  const events: StreamEvent[] = [];
  const ids: string[] = [];
  const lost: number[] = [];
  const end = Promise.withResolvers<'done' | 'closed'>();
  const waiting = new Set<() => void>();

  const take = (message: { type: string; data?: unknown; lastEventId?: string }) => {
    const event = readStreamEvent(message);
    if (!event) {
      lost.push(events.length);
      if (source.readyState === source.CLOSED) end.resolve('closed');
    } else {
      events.push(event as StreamEvent);
      ids.push(message.lastEventId ?? '');
      if (event.type === 'done') end.resolve('done');
    }
    for (const look of waiting) look();
  };
  for (const type of Object.keys(streamEventSchemas)) {
    if (type !== 'error') source.addEventListener(type, take);
  }
  source.addEventListener('error', take as never);

  return {
    source,
    events,
    ids,
    /** How many events had come each time the connection was lost. */
    lost,
    end: end.promise,
    /** Resolves once enough has come. */
    until: (isEnough: () => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => isEnough() && waiting.delete(look) && resolve();
        waiting.add(look);
        look();
      }),
  };
}
