import type { Page, Request, WebSocket } from 'playwright-core';
import { z } from 'zod';
import type { Mode } from './person.ts';

const news = z.object({
  message: z.object({ id: z.string() }).optional(),
  answers: z.array(z.object({ approvalId: z.string(), approved: z.boolean() })).optional(),
  outputs: z.array(z.object({ toolCallId: z.string() })).optional(),
});

const frame = z.object({ type: z.string(), body: news.optional().catch(undefined) });

/** One request for a response: its new content and its transport. */
export type Sent = z.infer<typeof news> & { readonly via: Mode };

/** Records each request for a response that the page sends from now on, over HTTP and WebSocket. */
export function watchTraffic(page: Page) {
  const sent: Sent[] = [];
  let ended = 0;
  page.on('request', (request) => {
    if (request.method() !== 'POST' || new URL(request.url()).pathname !== '/api/chat') return;
    sent.push({ via: 'SSE', ...news.parse(request.postDataJSON()) });
  });
  // A page may cancel a response that it has read to its end.
  const end = (request: Request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/api/chat') ended += 1;
  };
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  page.on('websocket', (socket: WebSocket) => {
    socket.on('framereceived', ({ payload }) => {
      if (frame.parse(JSON.parse(payload.toString())).type === 'end') ended += 1;
    });
    socket.on('framesent', ({ payload }) => {
      const { type, body } = frame.parse(JSON.parse(payload.toString()));
      if (type === 'send') sent.push({ via: 'BIDI', ...body });
    });
  });
  return {
    /** All of them, oldest first. */
    sent: sent as readonly Sent[],
    /** How many of them have their whole response. */
    ended: () => ended,
    /** The requests with an answer. */
    answers: () => sent.filter(({ answers = [] }) => answers.length > 0),
  };
}
