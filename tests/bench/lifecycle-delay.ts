import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { UIMessageChunk } from 'ai';
import { createBidiTransport } from 'countersign/bidi';
import { createSseTransport } from 'countersign/sse';
import WebSocket from 'ws';
import { type Distribution, distributionOf } from './support/distribution.ts';

/** One row of the table. */
export type LifecycleDelay = {
  readonly transport: 'SSE' | 'WebSocket';
  readonly busyRuns: number;
} & Distribution;

const busyRuns = 100;

/**
 * From a change of a call (the moment its event was made, before it was durable) to its receipt by a client in
 * another process, over loopback; with nothing else going on, and beside runs that stream text.
 *
 * @param turns how many calls are watched for each row; each gives three changes or more
 * @source A23
 */
export async function lifecycleDelay(turns: number): Promise<LifecycleDelay[]> {
  const server = fork(new URL('./workers/lifecycle-server.ts', import.meta.url), {
    execArgv: ['-C', 'countersign-source'],
  });
  try {
    const [{ url }] = await once(server, 'message');
    const rows: LifecycleDelay[] = [];
    for (const transport of ['SSE', 'WebSocket'] as const) {
      rows.push({ transport, busyRuns: 0, ...(await watch(url, transport, turns)) });
      const quiet = keepBusy(url);
      rows.push({ transport, busyRuns, ...(await watch(url, transport, turns)) });
      await quiet();
    }
    return rows;
  } finally {
    server.disconnect();
  }
}

async function watch(
  url: string,
  transport: LifecycleDelay['transport'],
  turns: number,
): Promise<Distribution> {
  const client = clientOf(url, transport);
  const delays: number[] = [];
  // Code that never ran and a hundred runs that begin at once are not what a turn in between meets.
  const warmUp = Math.ceil(turns / 5);
  for (let turn = -warmUp; turn < turns; turn += 1) {
    for await (const chunk of await send(client, crypto.randomUUID(), 'call')) {
      if (turn >= 0 && chunk.type === 'data-tool-lifecycle') delays.push(now() - changedAt(chunk));
    }
  }
  if ('close' in client) client.close();
  return distributionOf(delays);
}

/** Starts runs that stream text for seconds, and more as they end; returns a function that ends it. */
function keepBusy(url: string): () => Promise<void> {
  let stopped = false;
  const runs = Array.from({ length: busyRuns }, async () => {
    const client = clientOf(url, 'SSE');
    while (!stopped)
      for await (const _ of await send(client, crypto.randomUUID(), 'busy')) if (stopped) break;
  });
  return async () => {
    stopped = true;
    await Promise.all(runs);
  };
}

function clientOf(url: string, transport: LifecycleDelay['transport']) {
  const api = `${url}/api/chat`;
  if (transport === 'SSE') return createSseTransport({ api });
  return createBidiTransport({ url: `${api}/socket`, api, webSocket: WebSocket as never });
}

function send(client: ReturnType<typeof clientOf>, chatId: string, text: string) {
  const message = {
    id: crypto.randomUUID(),
    role: 'user' as const,
    parts: [{ type: 'text' as const, text }],
  };
  return client.sendMessages({
    chatId,
    trigger: 'submit-message',
    messageId: undefined,
    messages: [message],
    abortSignal: undefined,
  });
}

function changedAt(chunk: UIMessageChunk): number {
  const { data } = chunk as { data: { at: string } };
  return Date.parse(data.at);
}

/** Epoch milliseconds with a fraction, as in the other process. */
function now(): number {
  return performance.timeOrigin + performance.now();
}
