import type { Page, WebSocket } from 'playwright-core';
import { z } from 'zod';
import type { Mode } from './person.ts';

const news = z.object({
  message: z.object({ id: z.string() }).optional(),
  answers: z.array(z.object({ approvalId: z.string(), approved: z.boolean() })).optional(),
  outputs: z.array(z.object({ toolCallId: z.string() })).optional(),
});

const frame = z.object({ type: z.string(), body: news.optional() });

/** One request for a response: its new content and its transport. */
export type Sent = z.infer<typeof news> & { readonly via: Mode };

/** Records each request for a response that the page sends from now on, over HTTP and WebSocket. */
export function watchTraffic(page: Page) {
  const sent: Sent[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST' || new URL(request.url()).pathname !== '/api/chat') return;
    sent.push({ via: 'SSE', ...news.parse(request.postDataJSON()) });
  });
  page.on('websocket', (socket: WebSocket) => {
    socket.on('framesent', ({ payload }) => {
      const { type, body } = frame.parse(JSON.parse(payload.toString()));
      if (type === 'send') sent.push({ via: 'BIDI', ...body });
    });
  });
  return {
    /** All of them, oldest first. */
    sent: sent as readonly Sent[],
    /** The requests with an answer. */
    answers: () => sent.filter(({ answers = [] }) => answers.length > 0),
  };
}
