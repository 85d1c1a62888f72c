import type { ToolSet } from 'ai';
import { type FlowSettings, notTheAsker } from 'countersign';
import { fakeClock, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { type FlowEvent, parseChatId } from '../../lib/protocol/index.ts';
import type { QuestionJson } from '../../lib/protocol/wire/question.ts';
import { connectSse } from '../support/connect-sse.ts';
import { countingTools, questionIn, types } from '../support/flow-fixture.ts';
import { modes } from '../support/modes.ts';
import { type ConnectRaw, rawChat } from '../support/raw-client.ts';
import { serveFixture, userHeader } from '../support/serve-fixture.ts';

const pay = (amount: number, to = 'alice') => ({ call: 'pay', input: { to, amount } });
const done = { text: 'Done.' };
const fourEyes: Partial<FlowSettings> = { toolDetails: { pay: { approvers: notTheAsker } } };

/** A chat of Ada's behind real servers, and everything that others can ask over HTTP. */
async function served(connect: ConnectRaw, script: ScriptedStep[], settings: Partial<FlowSettings>) {
  const fixture = await serveFixture(script, { auditKey: 'a key of the test only', ...settings });
  const ada = rawChat(await connect(fixture.url));
  const send = async (user: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${fixture.url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', [userHeader]: user },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    ...fixture,
    ada,
    send,
    approve: (user: string, id: string, more: object = {}) =>
      send(user, 'POST', `/approvals/${id}`, { approved: true, ...more }),
    inboxOf: async (user: string): Promise<QuestionJson[]> =>
      (await send(user, 'GET', '/approvals')).body.approvals,
  };
}

describe.each(modes)('%s: a tool’s rule decides who may answer', (_mode, connect) => {
  it('refuses the asker, whatever the client shows, and accepts the answer of another person', async () => {
    const { ada, approve, inboxOf, send, ran } = await served(connect, [[pay(5_000)], [done]], fourEyes);
    const asked = await ada.say('Pay.');
    const id = questionIn(asked);
    expect(asked.find(({ type }) => type === 'tool-approval-request')).toMatchObject({
      approvalDescriptor: { mayAnswer: false, mayEdit: false, mayRemember: false },
    });
    await expect(ada.answer(id, true)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(ada.answer(id, false)).rejects.toMatchObject({ code: 'forbidden' });
    const own = await approve('ada', id);
    expect([own.status, own.body.error.code]).toEqual([403, 'forbidden']);
    expect(ran).toEqual([]);

    expect(await inboxOf('bob')).toMatchObject([{ id, mayAnswer: true, mayEdit: false, mayRemember: false }]);
    expect(await inboxOf('ada')).toMatchObject([{ id, mayAnswer: false }]);
    expect((await send('bob', 'GET', '/chat/chat')).status).toBe(404);
    expect((await send('bob', 'GET', '/chat/chat/stream')).status).toBe(204);
    const answered = await approve('bob', id);
    expect([answered.status, answered.body.approval.answer.by]).toEqual([200, { id: 'bob', name: 'bob' }]);
    expect(types((await ada.resume()) ?? [])).toContain('tool-output-available');
    expect(ran).toHaveLength(1);
  });

  it('does not let an approver read the response of a chat', async () => {
    const { ada, url, ran } = await served(connect, [[pay(5_000)], [done]], fourEyes);
    const id = questionIn(await ada.say('Pay.'));
    const bob = rawChat(await connect(url, 'bob'));
    await expect(bob.answer(id, true)).rejects.toMatchObject({ code: 'not-found' });
    await expect(bob.say('Hello.')).rejects.toMatchObject({ code: 'not-found' });
    expect(ran).toEqual([]);
  });

  it('asks the next question in the asker’s name too, no matter who answered the last one', async () => {
    const script = [[pay(5_000), pay(6_000)], [pay(7_000)], [done]];
    const { ada, approve, inboxOf, ran } = await served(connect, script, fourEyes);
    let id = questionIn(await ada.say('Pay.'));
    for (let paid = 1; paid <= 3; paid += 1) {
      expect(await inboxOf('bob')).toMatchObject([{ id, askedBy: { id: 'ada' } }]);
      await expect(ada.answer(id, true)).rejects.toMatchObject({ code: 'forbidden' });
      expect((await approve('bob', id)).status).toBe(200);
      const seen = (await ada.resume()) ?? [];
      expect(ran).toHaveLength(paid);
      id =
        seen.flatMap((chunk) => (chunk.type === 'tool-approval-request' ? [chunk.approvalId] : [])).at(-1) ??
        '';
    }
  });

  it('lets no one approve arguments that they wrote themselves, and applies the rule to edited arguments', async () => {
    const upTo1000: FlowSettings['mayAnswer'] = (principal, question) => {
      const { amount } = question.input as { amount: number };
      return amount <= 1_000 ? principal.id === question.askedBy.id : notTheAsker(principal, question);
    };
    const script = [[pay(5_000)], [done], [pay(900)], [done]];
    const { ada, approve, send, ran } = await served(connect, script, {
      toolDetails: { pay: { approvers: upTo1000 } },
    });
    const large = questionIn(await ada.say('Pay.'));
    const edit = { input: { to: 'bob', amount: 9_000 } };
    expect((await approve('bob', large, edit)).status).toBe(403);
    expect((await approve('eve', large, edit)).status).toBe(403);
    const unchanged = { input: { amount: 5_000, to: 'alice' } };
    expect((await approve('bob', large, unchanged)).status).toBe(200);
    await ada.resume();

    const small = questionIn(await ada.say('Pay.'));
    expect((await send('ada', 'GET', `/approvals/${small}`)).body).toMatchObject({
      approval: { mayAnswer: true, mayEdit: true },
      inputSchema: { type: 'object' },
    });
    expect((await approve('ada', small, { input: { to: 'alice', amount: 50_000 } })).status).toBe(403);
    await expect(ada.answer(small, true, { input: { to: 'alice', amount: 50_000 } })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await ada.answer(small, true, { input: { to: 'alice', amount: 800 } });
    expect(ran.map(({ input }) => (input as { amount: number }).amount)).toEqual([5_000, 800]);
  });

  it('refuses edited arguments of a call that the client executes, and the effect of such an edit [H10]', async () => {
    const { execute: _server, ...ofClient } = countingTools().tools.pay;
    const tools = { pay: ofClient } as ToolSet;
    const { ada, approve, send, view } = await served(connect, [[pay(3_000)], [done]], { tools });
    const id = questionIn(await ada.say('Transfer.'));
    expect((await send('ada', 'GET', `/approvals/${id}`)).body.approval).toMatchObject({ mayEdit: false });
    const edit = { input: { to: 'alice', amount: 100 } };
    expect((await approve('ada', id, edit)).status).toBe(400);
    expect((await send('ada', 'POST', `/approvals/${id}/preview`, edit)).status).toBe(400);
    await expect(ada.answer(id, true, edit)).rejects.toMatchObject({ code: 'invalid-request' });
    await ada.answer(id, true);
    expect((await view()).messages.at(-1)?.parts.at(-1)).toMatchObject({ input: { amount: 3_000 } });
  });

  it('refuses edited arguments that do not fit the schema, and edits by a person who may not answer', async () => {
    const { ada, approve, ran } = await served(connect, [[pay(5)], [done]], {});
    const id = questionIn(await ada.say('Pay.'));
    for (const [input, path] of [
      [{ to: 'alice' }, '/amount'],
      [{ to: 'alice', amount: 'much' }, '/amount'],
      ['everything', ''],
      [null, ''],
    ]) {
      const fieldErrors = [{ path, message: expect.stringMatching(/^Invalid input/) }];
      const refused = await approve('ada', id, { input });
      expect(refused).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid-request', fieldErrors } },
      });
      await expect(ada.answer(id, true, { input })).rejects.toMatchObject({ code: 'invalid-request' });
    }
    expect((await approve('eve', id, { input: { to: 'eve', amount: 5 } })).status).toBe(404);
    expect(ran).toEqual([]);
    await ada.answer(id, true, { input: { to: 'alice', amount: 4 } });
    expect(ran).toMatchObject([{ input: { amount: 4 } }]);
  });

  it('requires both rules to agree if the flow and the tool have one', async () => {
    const { ada, approve, inboxOf, ran } = await served(connect, [[pay(5_000)], [done]], {
      ...fourEyes,
      mayAnswer: ({ id }) => id === 'ada' || id === 'bob',
    });
    const id = questionIn(await ada.say('Pay.'));
    expect(await inboxOf('eve')).toEqual([]);
    expect((await approve('eve', id)).status).toBe(404);
    expect((await approve('ada', id)).status).toBe(403);
    expect((await approve('bob', id)).status).toBe(200);
    await ada.resume();
    expect(ran).toHaveLength(1);
  });

  it('tells an approver who answers after the deadline that the question has expired', async () => {
    const clock = fakeClock();
    const { ada, approve, ran, flow } = await served(connect, [[pay(5_000)], [done]], {
      ...fourEyes,
      clock,
      deadlineMs: 1_000,
    });
    const id = questionIn(await ada.say('Pay.'));
    clock.advance(1_000);
    const late = await approve('bob', id, { input: { to: 'alice', amount: 1 } });
    expect([late.status, late.body.error.code]).toEqual([409, 'expired']);
    await flow.recover();
    await expect.poll(async () => types((await ada.resume()) ?? [])).toContain('tool-output-denied');
    expect(ran).toEqual([]);
  });

  it('records the proposed, approved and executed arguments in the timeline and in the audit record', async () => {
    const { ada, send, flow } = await served(connect, [[pay(5)], [done]], {});
    const of = { chatId: parseChatId(ada.id), principal: { id: 'ada', name: 'Ada' } };
    const inputsIn = (event: FlowEvent) => 'input' in event && [event.type, event.input];
    const id = questionIn(await ada.say('Pay.'));
    const edited = { to: 'bob', amount: 4 };
    await ada.answer(id, true, { input: edited });
    const { entries } = (await send('ada', 'GET', '/chat/chat/audit')).body;
    expect(entries).toMatchObject([
      { type: 'asked', input: { to: 'alice', amount: 5 } },
      { type: 'answered', by: { id: 'ada' }, input: edited },
      { type: 'started', input: edited },
      { type: 'ended', outcome: 'completed' },
    ]);
    const timeline = JSON.stringify((await send('ada', 'GET', '/chat/chat/timeline')).body);
    expect(timeline).toContain(JSON.stringify(edited));
    expect((await flow.chats.timeline(of)).map(inputsIn).filter(Boolean)).toEqual([
      ['tool-requested', { to: 'alice', amount: 5 }],
      ['approval-answered', edited],
      ['tool-started', edited],
    ]);
    expect((await send('ada', 'GET', '/chat/chat')).body.questions).toMatchObject([
      { input: { to: 'alice', amount: 5 }, answer: { input: edited } },
    ]);
  });
});

describe('the inbox of an approver', () => {
  it('shows live which questions others asked, and how they were settled', async () => {
    const { ada, approve, url } = await served(connectSse, [[pay(5_000)], [done]], fourEyes);
    const feed = await fetch(`${url}/api/approvals/events`, { headers: { [userHeader]: 'bob' } });
    const reader = feed.body?.pipeThrough(new TextDecoderStream()).getReader();
    const id = questionIn(await ada.say('Pay.'));
    await approve('bob', id);
    let told = '';
    while (!told.includes('event: settled')) told += (await reader?.read())?.value ?? '';
    await reader?.cancel();
    expect(told).toMatch(/event: opened\ndata: .*"mayAnswer":true/);
    expect(told).toMatch(/event: settled\ndata: .*"state":"approved"/);
  });
});
