import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { UIMessage } from 'ai';
import { createBidiTransport } from 'countersign/bidi';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { watchedTransport } from '../../lib/client/chat/requests/watched-transport.ts';
import { pay } from '../support/chat-fixture.ts';
import { messageOf } from '../support/client-message.ts';
import { serveFixture } from '../support/serve-fixture.ts';

/** A network in front of a server that can hang: it keeps what the client sends until it goes on. */
async function network(target: string) {
  const open: { client: Socket; server: Socket }[] = [];
  const proxy = createServer((client) => {
    const server = connect(Number(new URL(target).port), '127.0.0.1');
    open.push({ client, server });
    client.pipe(server).pipe(client);
    client.on('error', () => server.destroy());
    server.on('error', () => client.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    for (const { client } of open) client.destroy();
    proxy.close();
  });
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    url: `ws://127.0.0.1:${address.port}/api/chat/socket`,
    hang() {
      for (const { client, server } of open) client.unpipe(server).pause();
    },
    goOn() {
      for (const { client, server } of open) client.pipe(server);
    },
  };
}

it('an answer in a socket that hangs is given up after a minute, and does not count when the network returns [0038.10]', async () => {
  const served = await serveFixture([[pay('Alice', 30)], [{ text: 'Done.' }]]);
  const { url, hang, goOn } = await network(served.url);
  const received: string[] = [];
  const bidi = createBidiTransport({ url, webSocket: WebSocket as never });
  const transport = watchedTransport(() => bidi, {
    began() {},
    resuming() {},
    asked() {},
    leftOpen() {},
    answers: () => [],
    replied: () => void received.push('replied'),
    acknowledged: () => void received.push('acknowledged'),
  });
  const common = { chatId: 'chat', messageId: undefined, abortSignal: undefined };
  const user: UIMessage = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Pay.' }] };
  const asked = await transport.sendMessages({ ...common, trigger: 'submit-message', messages: [user] });
  const message = await messageOf(await Array.fromAsync(asked));
  const answered = {
    ...message,
    parts: message?.parts.map((part) =>
      'approval' in part && part.approval
        ? { ...part, state: 'approval-responded', approval: { id: part.approval.id, approved: true } }
        : part,
    ),
  } as UIMessage;

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  hang();
  const sent = transport.sendMessages({ ...common, trigger: 'submit-message', messages: [user, answered] });
  const failed = expect(sent).rejects.toThrow('no reply within a minute');
  await vi.advanceTimersByTimeAsync(60_000);
  await failed;
  expect(received).toEqual([]);

  goOn();
  // Requests of a socket begin in their order.
  expect(await transport.reconnectToStream({ chatId: 'nothing' })).toBeNull();
  await served.flow.close();
  const log = await served.store.events.read('chat' as never, 0);
  expect(log.map(({ type }) => type)).not.toContain('approval-answered');
  expect(served.ran).toEqual([]);
});
