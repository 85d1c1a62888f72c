import { createConcurrencyLimit } from 'countersign/http/server';
import { createFetchHandler } from 'countersign/sse/server';
import type { FlowStore } from 'countersign/store';
import { sqliteStore } from 'countersign/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createChatSocket } from '../../../lib/plugins/chat-socket/session.ts';
import { everyDialect } from '../../support/every-plugin.ts';
import { ada, flowFixture, userMessage } from '../../support/flow-fixture.ts';
import { untilIdle } from '../../support/until-idle.ts';
import { gate } from './support/gate.ts';

/** More than the events that are kept in memory, and than several pages of the log. */
const words = 600;

/** A turn that has said much and goes on, over a store that counts its reads. */
async function speaking() {
  const inner = sqliteStore({ path: ':memory:' });
  const counts = { reads: 0 };
  const store: FlowStore = {
    ...inner,
    events: {
      ...inner.events,
      read(...place) {
        counts.reads += 1;
        return inner.events.read(...place);
      },
    },
  };
  const end = gate();
  const script = [[...Array.from({ length: words }, () => ({ text: 'word ' })), { wait: () => end.passed }]];
  const { flow, id: chatId, ask, events } = flowFixture(script, { store, sweepMs: 3_600_000 });
  onTestFinished(async () => {
    end.open();
    await flow.close();
    await inner.close();
  });
  const { runId, events: response } = await ask({ message: userMessage('user-1', 'Speak.') });
  await response.cancel();
  const spoken = async () => (await events()).filter(({ type }) => type === 'text-delta');
  await expect.poll(spoken).toHaveLength(words);
  return { flow, counts, chatId, runId };
}

type Turn = Awaited<ReturnType<typeof speaking>>;

const server = {
  authorize: () => ada,
  concurrencyLimit: createConcurrencyLimit(),
  dialects: everyDialect,
};
const overHttp: [string, (turn: Turn) => string][] = [
  ['the UI stream', ({ chatId }) => `/api/chat/${chatId}/stream`],
  ['tool events', ({ chatId }) => `/api/dialects/tool-events/stream?conversationId=${chatId}`],
  ['the two-step stream', ({ chatId, runId }) => `/api/chat/stream/${chatId}.${runId}`],
  ['the Responses API', ({ chatId, runId }) => `/v1/responses/resp_${chatId}.${runId}?stream=true`],
];

describe('a reader that has stopped', () => {
  it.each(overHttp)(
    'of %s costs no read of the log, and one that reads costs a page [A22, B17, C12]',
    async (_, pathOf) => {
      const turn = await speaking();
      const path = pathOf(turn);
      const { body } = await createFetchHandler(turn.flow, server)(new Request(`http://localhost${path}`));
      const before = turn.counts.reads;
      await untilIdle();
      expect(turn.counts.reads).toBe(before);
      const reader = body?.getReader();
      onTestFinished(() => reader?.cancel());
      await reader?.read();
      await untilIdle();
      expect(turn.counts.reads).toBe(before + 1);
    },
  );

  it('of the chat socket is sent one frame [D1]', async () => {
    const { flow, counts, chatId } = await speaking();
    const sent: string[] = [];
    const socket = {
      send: (text: string) => {
        sent.push(text);
        return new Promise<void>(() => {});
      },
      close: () => {},
    };
    const session = createChatSocket(flow, server)(socket, new Request('http://localhost/'));
    onTestFinished(() => session.leave());
    session.receive(JSON.stringify({ type: 'resume', conversation_id: chatId }));
    await expect.poll(() => sent).toHaveLength(1);
    const before = counts.reads;
    await untilIdle();
    expect(sent).toHaveLength(1);
    expect(counts.reads).toBe(before);
  });
});
