import { tool } from 'ai';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { createToolEventsSession } from '../../../lib/plugins/tool-events/client/conversation/tool-events-session.ts';
import {
  emptyToolEventsState,
  reduceToolEvents,
  type ToolEventsState,
} from '../../../lib/plugins/tool-events/client/conversation/tool-events-state.ts';
import { gate } from './support/gate.ts';
import { musicTools, ServiceError } from './support/music-catalogue.ts';
import { answerOverHttp, serveDialects } from './support/serve-dialects.ts';

/** A page without a browser: the session, and its state once it is what a test waits for. */
function openPage(url: string) {
  let state: ToolEventsState = emptyToolEventsState;
  let check = () => {};
  const apis = {
    api: `${url}/api/dialects/tool-events`,
    approvalsApi: `${url}/api/approvals`,
    chatsApi: `${url}/api/chat`,
  };
  const session = createToolEventsSession(apis, (action) => {
    state = reduceToolEvents(state, action);
    check();
  });
  onTestFinished(() => session.close());
  return {
    session,
    until: (isIt: (state: ToolEventsState) => boolean) =>
      new Promise<ToolEventsState>((resolve) => {
        check = () => {
          if (isIt(state)) resolve(state);
        };
        check();
      }),
  };
}

const texts = ({ messages }: ToolEventsState) =>
  messages.map(({ content }) => content.map((block) => (block.type === 'text' ? block.text : '')).join(''));
const states = ({ messages }: ToolEventsState) =>
  messages.flatMap(({ invocations }) => [...invocations.values()].map(({ status }) => status));
const isIdle = ({ isRunning, asked, conversationId }: ToolEventsState) =>
  !isRunning && !asked && conversationId !== undefined;

describe('the client of tool events', () => {
  it('shows a running call after a reload, then its end, and what another page sends [A22]', async () => {
    const held = gate();
    const slow = tool({
      inputSchema: z.object({}),
      execute: async () => {
        await held.passed;
        return ['found'];
      },
    });
    const script = [[{ call: 'slow', id: 's' }], [{ text: 'Done.' }], [{ text: 'Again.' }]];
    const { url } = await serveDialects(script, { tools: { slow } });
    const first = openPage(url);
    void first.session.send('Go');
    const { conversationId = '' } = await first.until((state) => states(state).includes('executing'));
    const second = openPage(url);
    void second.session.open(conversationId);
    expect(states(await second.until(({ messages }) => messages.length > 1))).toEqual(['executing']);
    held.open();
    const ended = await second.until((state) => isIdle(state) && states(state).includes('completed'));
    expect(texts(ended)).toEqual(['Go', 'Done.']);
    await first.until(isIdle);
    void first.session.send('And?');
    const followed = await second.until((state) => isIdle(state) && texts(state).length === 4);
    expect(texts(followed)).toEqual(['Go', 'Done.', 'And?', 'Again.']);
    expect(texts(await first.until((state) => isIdle(state) && texts(state).length === 4))).toEqual(
      texts(followed),
    );
  });

  it('shows a question with its evidence, and follows an answer that is given elsewhere [A22, A25]', async () => {
    const pay = { call: 'pay', id: 'pay', input: { to: 'Alice', amount: 30 } };
    const toolDetails = { pay: { risk: { level: 'high' as const, reason: 'new payee' } } };
    const { url } = await serveDialects([[pay], [{ text: 'Paid.' }]], { toolDetails });
    const first = openPage(url);
    void first.session.send('Pay');
    const asked = await first.until(({ asked }) => asked !== undefined);
    expect(asked.asked?.question).toMatchObject({ riskReason: 'new payee', mayAnswer: true });
    const second = openPage(url);
    void second.session.open(asked.conversationId ?? '');
    await second.until(({ asked }) => asked !== undefined);
    await answerOverHttp(url, asked.asked?.approvalId ?? '', { approved: true });
    for (const { until } of [first, second]) {
      const ended = await until((state) => isIdle(state) && states(state).length > 0);
      expect([texts(ended).at(-1), states(ended)]).toEqual(['Paid.', ['completed']]);
    }
  });

  it('shows a question that is asked while the conversation is read [A22, A25]', async () => {
    const held = gate();
    const pay = { call: 'pay', id: 'pay', input: { to: 'Alice', amount: 30 } };
    const { url } = await serveDialects([[{ text: 'One moment. ' }, { wait: held.passed }, pay], []]);
    const first = openPage(url);
    void first.session.send('Pay');
    const { conversationId = '' } = await first.until((state) => texts(state).includes('One moment. '));

    // The second page gets the state of before the question, and goes on when it has been asked.
    const original = globalThis.fetch;
    const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
      const response = await original(...request);
      if (!String(request[0]).endsWith(`/api/chat/${conversationId}`)) return response;
      spy.mockRestore();
      held.open();
      await first.until(({ asked }) => asked !== undefined);
      return response;
    });
    onTestFinished(() => spy.mockRestore());
    const second = openPage(url);
    void second.session.open(conversationId);
    const asked = await second.until((state) => state.asked !== undefined);
    expect(asked.asked?.toolCallId).toBe('pay');
  });

  it('makes a failed call again in the same message [A11]', async () => {
    const { tools } = musicTools([new ServiceError('Try later.', 400, true)]);
    const search = { call: 'tidalSearch', id: 'tidal', input: { query: 'blue' } };
    const { url } = await serveDialects([[search], [{ text: 'Closed.' }], [{ text: 'Found.' }]], { tools });
    const { session, until } = openPage(url);
    void session.send('Find');
    await until((state) => isIdle(state) && states(state).includes('failed'));
    void session.retryCall('tidal');
    const ended = await until((state) => isIdle(state) && states(state).includes('completed'));
    expect(states(ended)).toEqual(['failed', 'completed']);
    expect(texts(ended)).toEqual(['Find', 'Closed.Found.']);
  });

  it('shows why a message was refused, and still follows the conversation [A22, A26]', async () => {
    const { url } = await serveDialects([[{ text: 'One.' }], [{ text: 'Two.' }]]);
    const first = openPage(url);
    void first.session.send('Hi');
    const { conversationId = '' } = await first.until(isIdle);
    const second = openPage(url);
    void second.session.open(conversationId);
    await second.until(isIdle);
    void second.session.send(' ');
    expect((await second.until(({ failure }) => failure !== undefined)).failure).toContain('message');
    void first.session.send('And?');
    expect(texts(await second.until((state) => isIdle(state) && texts(state).length === 4)).at(-1)).toBe(
      'Two.',
    );
  });
});
