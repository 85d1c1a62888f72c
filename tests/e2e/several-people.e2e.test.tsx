import {
  type ChatTransport,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
  WebSocketChatTransport,
} from 'ai';
import { type FlowSettings, notTheAsker, type Principal } from 'countersign';
import { escalation } from 'countersign/plugins/escalation';
import { startFlowServer } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bidiClient, sseClient } from '../support/chat-clients.ts';
import { plain } from '../support/client-message.ts';
import { ada, ben, cleo, dan, delegating, hour } from '../support/delegation-fixture.ts';
import { openPage } from '../support/open-page.ts';
import { openQuestion } from '../support/open-question.ts';
import { recordSocket } from '../support/record-exchanges.ts';
import { userHeader } from '../support/serve-fixture.ts';
import { waitFor } from '../support/wait-for.ts';

type Predicate = (options: { messages: UIMessage[] }) => boolean;
type Connect = (url: string) => ChatTransport<UIMessage>;

const eva: Principal = { id: 'eva', name: 'Eva', role: 'manager' };
const gil: Principal = { id: 'gil', name: 'Gil', role: 'manager' };
const finn: Principal = { id: 'finn', name: 'Finn', role: 'director' };
const person = ({ id, name }: Principal) => ({ id, name });

const clients: readonly (readonly [string, Connect, Predicate])[] = [
  ['our SSE transport', (url) => sseClient.connect(url).transport, sseClient.predicate()],
  ['our BIDI transport', (url) => bidiClient.connect(url).transport, bidiClient.predicate()],
  [
    'the SDK’s HTTP transport',
    (url) => new DefaultChatTransport({ api: `${url}/api/chat` }),
    lastAssistantMessageIsCompleteWithApprovalResponses,
  ],
  [
    'the SDK’s WebSocket transport',
    (url) =>
      new WebSocketChatTransport({ url: `${url}/api/chat/socket`, webSocket: recordSocket().webSocket }),
    lastAssistantMessageIsCompleteWithApprovalResponses,
  ],
];

/** Two of three managers must approve; after an hour directors may, too. Everybody may delegate. */
const rules = {
  plugins: [escalation()],
  toolDetails: {
    pay: {
      approvers: (who, question) => who.role === 'manager' && notTheAsker(who, question),
      votes: { count: 2 },
      escalation: { steps: [{ afterMs: hour, to: ({ role }) => role === 'director', label: 'directors' }] },
    },
  },
} satisfies Partial<FlowSettings>;

/** The flow behind a real server. A request without a user is Ada's. */
async function served(settings: Partial<FlowSettings> = {}, me: Principal = ada) {
  const here = delegating(undefined, { ...rules, sweepMs: 1e9, ...settings });
  for (const each of [me, eva, gil, finn]) here.known.set(each.id, each);
  const silent = { warn: () => {}, error: () => {} };
  const { url, close } = await startFlowServer({
    flow: here.flow,
    authorize: (request) => here.known.get(request.headers.get(userHeader) ?? 'ada') ?? null,
    logger: silent,
  });
  onTestFinished(close);
  async function send({ id }: Principal, method: string, path: string, body?: object) {
    const headers = { 'content-type': 'application/json', [userHeader]: id };
    const given = body && { body: JSON.stringify(body) };
    const response = await fetch(`${url}/api${path}`, { method, headers, ...given });
    const text = await response.text();
    return { status: response.status, text, body: /^[{[]/.test(text) ? JSON.parse(text) : undefined };
  }
  const until = new Date(here.clock.now() + 2 * hour).toISOString();
  return {
    ...{ url, send },
    ran: here.ran,
    delegate: async (from: Principal, to: Principal): Promise<string> => {
      const { status, body } = await send(from, 'POST', '/delegations', { to: to.id, until });
      expect(status).toBe(201);
      return body.delegation.id;
    },
    vote: (who: Principal, id: string, approved = true) =>
      send(who, 'POST', `/approvals/${id}`, { approved }),
    stored: async () => (await send(me, 'GET', '/chat/chat')).body,
    /** An hour later. */
    async escalate() {
      here.clock.advance(hour);
      await here.flow.recover();
    },
  };
}

/** The parts of each message, without what they contain. */
function shapeOf(messages: readonly UIMessage[]): string[][] {
  return messages.map(({ parts }) => parts.map(({ type }) => type));
}

describe.each(clients)('useChat over %s', (_name, connect, predicate) => {
  it('shows one question until a delegate and a director have approved it, and then one result', async () => {
    const { url, send, ran, delegate, vote, stored, escalate } = await served();
    const page = openPage({ id: 'chat', transport: connect(url), sendAutomaticallyWhen: predicate });
    page.send('Pay.');
    await page.waitForQuestion('pay');
    await page.waitForStatus('ready');
    const id = openQuestion(page.messages);
    const asked = plain(page.messages);

    // Who asked, who has no right, and whose right was taken back.
    expect((await vote(ada, id)).status).toBe(403);
    expect((await vote(cleo, id)).status).toBe(404);
    const back = await delegate(eva, dan);
    expect((await send(dan, 'GET', '/approvals')).body.approvals).toMatchObject([{ id, mayAnswer: true }]);
    expect((await send(eva, 'DELETE', `/delegations/${back}`)).status).toBe(204);
    expect((await vote(dan, id)).status).toBe(404);

    // Nobody answers for an hour.
    expect((await vote(finn, id)).status).toBe(404);
    await escalate();
    expect((await send(finn, 'GET', '/approvals')).body.approvals).toMatchObject([
      { id, plugins: { votes: { needed: 2 }, escalation: { label: 'directors' } } },
    ]);
    const made = await delegate(ben, cleo);
    const forBen = { approved: true, by: person(cleo), onBehalfOf: person(ben) };
    expect(await vote(cleo, id)).toMatchObject({
      status: 200,
      body: { approval: { state: 'open', plugins: { votes: { needed: 2 } }, answers: [forBen] } },
    });
    expect((await vote(cleo, id, false)).status).toBe(409);
    expect((await vote(ben, id, false)).status).toBe(409);
    // The same answer again is no second vote, and a vote outlasts the delegation that it was given with.
    expect((await send(ben, 'DELETE', `/delegations/${made}`)).status).toBe(204);
    expect((await vote(ben, id)).body.approval).toMatchObject({ state: 'open', answers: [forBen] });

    await page.chat.resumeStream();
    await page.waitForStatus('ready');
    expect(openQuestion(page.messages)).toBe(id);
    expect(shapeOf(page.messages)).toEqual(shapeOf(asked));
    expect(ran).toEqual([]);
    expect(await vote(finn, id)).toMatchObject({
      status: 200,
      body: { approval: { state: 'approved', answers: [forBen], answer: { by: person(finn) } } },
    });
    expect((await vote(eva, id)).status).toBe(409);

    await page.chat.resumeStream();
    await page.waitForText('Done.');
    await waitFor(() => expect(ran).toHaveLength(1));
    await waitFor(async () => expect((await stored()).run).toEqual({ status: 'idle' }));
    expect(page.messages).toHaveLength(2);
    const calls = page.messages[1]?.parts.filter(({ type }) => type === 'tool-pay');
    expect(calls).toMatchObject([{ state: 'output-available', approval: { id, approved: true } }]);
    expect((await stored()).messages).toEqual(plain(page.messages));
  });

  it('gives the vote that settles, after that of a delegate, and shows the result by itself', async () => {
    const manager = { ...ada, role: 'manager' };
    const { url, send, ran, delegate, vote, stored, escalate } = await served(
      { mayRead: () => true },
      manager,
    );
    const parts = [{ type: 'text', text: 'Pay.' }];
    const message = { id: 'm-1', role: 'user', parts };
    await send(gil, 'POST', '/chat', { id: 'chat', message, trigger: 'submit-message' });
    const { messages, open: id } = await stored();
    const page = openPage({
      id: 'chat',
      transport: connect(url),
      sendAutomaticallyWhen: predicate,
      messages,
    });
    await escalate();
    await delegate(ben, cleo);
    expect((await vote(cleo, id)).body.approval).toMatchObject({ state: 'open' });
    expect(ran).toEqual([]);
    await page.approve('pay');
    await page.waitForText('Done.');
    expect(ran).toHaveLength(1);
    expect((await send(ada, 'GET', `/approvals/${id}`)).body.approval).toMatchObject({
      state: 'approved',
      answers: [{ by: person(cleo), onBehalfOf: person(ben) }],
      answer: { by: person(ada) },
    });
    expect(page.messages).toHaveLength(2);
    // Only the other vote is missing in the message of the page, which has not resumed since.
    await waitFor(async () => expect(shapeOf((await stored()).messages)).toEqual(shapeOf(page.messages)));
  });
});
