import type { UIMessageChunk, WebSocketChatTransportResponse } from 'ai';
import { systemClock } from '../../protocol/clock/system-clock.ts';
import { defaultKeepAliveMs, eventStreamResponse } from '../../server/event-stream/event-stream.ts';
import { streamOf } from '../stream-of.ts';

/**
 * A response as sent over HTTP: the UI message stream as server-sent events, with `[DONE]` at the end.
 *
 *     fetch: async () => sseResponse(questionResponse(call))
 *
 * @source H1
 */
export function sseResponse(chunks: readonly UIMessageChunk[]): Response {
  const frames = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'];
  return eventStreamResponse(streamOf(frames.map((frame) => `data: ${frame}\n\n`)), {
    clock: systemClock,
    keepAliveMs: defaultKeepAliveMs,
    signal: new AbortController().signal,
    onEnd: () => {},
    watchSession: () => () => {},
    headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  });
}

/**
 * The same response as sent over a socket: the frames for the SDK's `WebSocketChatTransport`.
 *
 * @param requestId the id of the `send` or `resume` frame that it answers
 * @source H3
 */
export function bidiFrames(
  requestId: string,
  chunks: readonly UIMessageChunk[],
): WebSocketChatTransportResponse[] {
  return [
    { type: 'start', requestId },
    ...chunks.map((chunk, sequence) => ({ type: 'chunk' as const, requestId, sequence, chunk })),
    { type: 'end', requestId },
  ];
}
