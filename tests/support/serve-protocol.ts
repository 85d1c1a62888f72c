import { once } from 'node:events';
import { tool } from 'ai';
import { createApprovalFlow, type FlowSettings } from 'countersign';
import { createUpgradeHandler } from 'countersign/bidi/server';
import { remembered } from 'countersign/plugins/remembered';
import { createFetchHandler } from 'countersign/sse/server';
import { sqliteStore } from 'countersign/store';
import { type FakeClock, fakeClock, type ScriptedStep, scriptedModel } from 'countersign/testing';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { serve } from '../../lib/testing/server/serve.ts';
import { everyDialect } from './every-plugin.ts';
import { ada } from './flow-fixture.ts';

/** A question about the weather, and a payment that needs approval. */
export const weatherAndPayment: readonly ScriptedStep[] = [
  [{ text: 'Let me see.' }, { call: 'get_weather', id: 'call_1', input: { city: 'Tokyo' } }],
  [{ call: 'pay', id: 'call_2', input: { to: 'Alice', amount: 30 } }],
  [{ text: 'It is sunny in Tokyo.' }],
];

const silent = { warn: () => {}, error: () => {} };

/**
 * All endpoints of the protocol on one port. Its clock moves only while a tool runs, and its ids are counters,
 * so that the same requests always get the same bytes.
 */
export async function serveProtocol(
  script: readonly ScriptedStep[],
  {
    release = 'final',
    store = sqliteStore({ path: ':memory:' }),
    clock = fakeClock(Date.UTC(2026, 0, 5, 9)),
    firstId = 1,
  }: Partial<Pick<FlowSettings, 'release' | 'store'>> & {
    readonly clock?: FakeClock;
    readonly firstId?: number;
  } = {},
) {
  let ids = firstId - 1;
  const flow = createApprovalFlow({
    store,
    clock,
    release,
    logger: silent,
    plugins: [remembered()],
    model: scriptedModel(script),
    random: () => String(++ids).padStart(22, '0'),
    tools: {
      get_weather: tool({
        inputSchema: z.object({ city: z.string() }),
        execute: async ({ city }) => {
          clock.advance(120);
          return { city, sky: 'sunny' };
        },
      }),
      pay: tool({
        inputSchema: z.object({ to: z.string(), amount: z.number() }),
        needsApproval: true,
        execute: async ({ amount }) => {
          clock.advance(250);
          return { paid: amount };
        },
      }),
      get_location: tool({
        inputSchema: z.object({}),
        outputSchema: z.object({ lat: z.number(), lng: z.number() }),
      }),
      search_database: tool({
        inputSchema: z.object({ query: z.string() }),
        needsApproval: true,
        execute: async () => ({ rows: 10 }),
      }),
      update_database: tool({
        inputSchema: z.object({ set: z.string() }),
        needsApproval: true,
        execute: async () => ({ updated: 10 }),
      }),
    },
    toolDetails: {
      get_weather: { title: 'Weather', describe: ({ city }) => `Look up the weather in ${city}.` },
      pay: {
        title: 'Payment',
        risk: 'medium',
        describe: ({ to, amount }) => `Pay ${to} ${amount}.`,
        summarize: ({ paid }) => ({ summary: `Paid ${paid}` }),
      },
    },
  });
  const settings = { authorize: () => ada, logger: silent, dialects: everyDialect };
  const sockets = createUpgradeHandler(flow, settings);
  const served = await serve({ upgrade: sockets.handleUpgrade, fetch: createFetchHandler(flow, settings) });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      await flow.close();
      await sockets.close();
      await served.close();
      await store.close();
    })();
    return closing;
  };
  onTestFinished(close);
  const { url } = served;
  const json = { 'content-type': 'application/json' };

  return {
    url,
    flow,
    clock,
    /** Ends it as a deploy does: runs are handed over, and streams and sockets are closed. */
    close,
    post: (path: string, body: object, headers: Record<string, string> = {}, signal?: AbortSignal) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { ...json, ...headers },
        body: JSON.stringify(body),
        signal,
      }),
    get: (path: string, headers: Record<string, string> = {}, signal?: AbortSignal) =>
      fetch(`${url}${path}`, { headers, signal }),
    async connect(path: '/api/chat/socket' | '/api/dialects/chat-socket') {
      const socket = new WebSocket(`${url.replace('http:', 'ws:')}${path}`);
      onTestFinished(() => socket.terminate());
      const lines: string[] = [];
      const waiting = new Set<() => void>();
      socket.on('message', (data) => {
        lines.push(`← ${data}`);
        for (const look of waiting) look();
      });
      await once(socket, 'open');
      return {
        /** Everything sent and received so far, one frame per line. */
        text: () => lines.join('\n'),
        /** Breaks the connection. */
        cut: () => socket.terminate(),
        /** Resolves when the server has closed it. */
        closed: () => once(socket, 'close'),
        send(frame: object) {
          lines.push(`→ ${JSON.stringify(frame)}`);
          socket.send(JSON.stringify(frame));
        },
        /** Resolves with the last received frame that contains this text. */
        received: (part: string) =>
          new Promise<string>((resolve) => {
            const look = () => {
              const found = lines.findLast((line) => line.startsWith('←') && line.includes(part));
              if (found === undefined) return;
              waiting.delete(look);
              resolve(found.slice(2));
            };
            waiting.add(look);
            look();
          }),
      };
    },
  };
}
