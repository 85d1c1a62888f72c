import { jsonSchema, streamText, type ToolSet, tool } from 'ai';
import { type ApproverRule, createApprovalFlow, type FlowSettings } from 'countersign';
import { createBidiServer } from 'countersign/bidi/server';
import { createFetchHandler } from 'countersign/sse/server';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type ScriptedStep, scriptedModel, startFlowServer } from 'countersign/testing';
import { expect, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { type Principal, parseApprovalId, parseChatId } from '../../lib/protocol/index.ts';
import { patternFaults } from '../../lib/run/patterns/judge-patterns.ts';
import { adr } from '../support/adr.ts';
import { flowFixture, questionIn } from '../support/flow-fixture.ts';
import { isUnknownByText, isWithdrawnByText } from './rejected/status-by-text.ts';
import { allowsByTruth } from './rejected/truthy-rule.ts';

const { clause } = adr('0022-when-in-doubt-nothing-runs.md');

const bob: Principal = { id: 'bob', name: 'Bob' };
const pay = { call: 'pay', input: { to: 'Alice', amount: 5 } };
const done: ScriptedStep = [{ text: 'Done.' }];

/** The log output of a flow. */
function keptLog() {
  const lines: string[] = [];
  const keep = (message: string, facts: object) => void lines.push(`${message} ${JSON.stringify(facts)}`);
  return { lines, logger: { warn: keep, error: keep } };
}

/** A flow with an open question of Ada's, and Bob's attempts at it. */
async function asked(settings: Partial<FlowSettings>) {
  const fixture = flowFixture([[pay], done], settings);
  const talk = fixture.chat();
  const approvalId = parseApprovalId(questionIn(await talk.say('Pay.')));
  const { flow } = fixture;
  return {
    ...fixture,
    talk,
    approvalId,
    bobAnswers: () => flow.approvals.answer({ principal: bob, approvalId, approved: true, via: 'test' }),
    bobReads: () => flow.chats.read({ principal: bob, chatId: parseChatId('chat') }),
  };
}

clause('0022.1', async () => {
  const rules: readonly ((rule: ApproverRule) => Partial<FlowSettings>)[] = [
    (mayAnswer) => ({ mayAnswer }),
    (approvers) => ({ toolDetails: { pay: { approvers } } }),
  ];
  const no = async () => false;
  for (const settingsOf of rules) {
    for (const answer of [no, () => 1, () => ({})] as unknown as ApproverRule[]) {
      const refused = await asked(settingsOf(answer));
      await expect(refused.bobAnswers()).rejects.toMatchObject({ code: 'not-found' });
      expect(refused.ran).toEqual([]);
    }
    const taken = await asked(settingsOf(async () => true));
    await taken.bobAnswers();
    await taken.talk.resume();
    expect(taken.ran).toHaveLength(1);
  }
  for (const name of ['mayRead', 'mayChange']) {
    for (const answer of [no, () => 1, () => ({})]) {
      await expect((await asked({ [name]: answer })).bobReads()).rejects.toMatchObject({ code: 'not-found' });
    }
    await (await asked({ [name]: async () => true })).bobReads();
  }

  // Rejected: to treat the result like an `if`.
  expect(allowsByTruth(no())).toBe(true);
});

clause('0022.2', async () => {
  const { lines, logger } = keptLog();
  const failing: ApproverRule = async (_principal, { input }) => {
    throw new Error(`No directory for ${JSON.stringify(input)}`);
  };
  const { bobAnswers, ran } = await asked({ mayAnswer: failing, logger });
  await expect(bobAnswers()).rejects.toMatchObject({ code: 'not-found' });
  expect(ran).toEqual([]);
  expect(lines.join()).toMatch(/A rule failed.*"rule":"mayAnswer"/);
  expect(lines.join()).not.toContain('Alice');
});

clause('0022.3', async () => {
  let allowed = true;
  const fickle = await asked({ mayAnswer: async () => allowed });
  allowed = false;
  await expect(fickle.talk.answer(fickle.approvalId, true)).rejects.toMatchObject({ code: 'forbidden' });

  /** The answer to a question whose rule lets the deadline pass when it is called for the nth time. */
  async function answeredSlowly(nth: number) {
    const clock = fakeClock();
    let calls = Number.NEGATIVE_INFINITY;
    const slow = await asked({
      clock,
      deadlineMs: 1_000,
      mayAnswer: async () => {
        calls += 1;
        if (calls === nth) clock.advance(1_000);
        return true;
      },
    });
    calls = 0;
    const given = await slow.talk.answer(slow.approvalId, true).catch((error: unknown) => error);
    return { given, calls, ran: slow.ran };
  }
  const { calls, ran: inTime } = await answeredSlowly(0);
  expect({ calls, ran: inTime.length }).toEqual({ calls: 1, ran: 1 });
  for (let nth = 1; nth <= calls; nth += 1) {
    const { given, ran } = await answeredSlowly(nth);
    expect({ nth, given, ran }).toMatchObject({ nth, given: { code: 'expired' }, ran: [] });
  }
  expect(fickle.ran).toEqual([]);
});

clause('0022.4', async () => {
  const identities = [undefined, true, { name: 'Ada' }, { id: '', name: 'Ada' }, { id: 7, name: 'Ada' }];
  for (const identity of identities) {
    const server = await startFlowServer({
      model: scriptedModel([]),
      authorize: async () => identity as never,
      logger: keptLog().logger,
    });
    onTestFinished(() => server.close());
    expect((await fetch(server.api)).status).toBe(401);
    const socket = new WebSocket(server.socket);
    const status = await new Promise((resolve) => {
      socket.on('unexpected-response', (_request, { statusCode }) => resolve(statusCode));
      socket.on('open', () => resolve('open'));
      socket.on('error', () => {});
    });
    expect(status).toBe(401);
  }
});

clause('0022.5', async () => {
  const gates: FlowSettings['toolApproval'][] = [
    { pay: (() => 'user_approval') as never } as never,
    {
      pay: () => {
        throw new Error('No policy.');
      },
    } as never,
  ];
  for (const toolApproval of gates) {
    const script = [[pay, { call: 'weather', input: { city: 'Oslo' } }], done];
    const { chat, ran } = flowFixture(script, { toolApproval, logger: keptLog().logger });
    const response = await chat().say('Go.');
    expect(ran.map(({ tool: name }) => name)).toEqual(['weather']);
    expect(response.filter(({ type }) => type === 'tool-output-error')).toHaveLength(1);
    expect(response.at(-1)).toMatchObject({ type: 'finish' });
  }

  // The SDK alone, with the same misspelled status.
  const ran: unknown[] = [];
  const act = tool({ inputSchema: z.looseObject({}), execute: async (input) => void ran.push(input) });
  const result = streamText({
    model: scriptedModel([[{ call: 'act', input: {} }]]),
    prompt: 'Go.',
    tools: { act } as ToolSet,
    toolApproval: { act: 'user_approval' } as never,
  });
  await result.consumeStream();
  expect(ran).toHaveLength(1);
});

clause('0022.6', async () => {
  const store = sqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const secret = 'swordfish-swordfish';
  const given = { model: scriptedModel([]), store, tools: {} };
  const authorize = () => null;
  const refusals: [create: () => unknown, fields: object][] = [
    [
      () => createApprovalFlow({ ...given, toolAproval: secret } as never),
      { path: 'toolAproval', nearest: 'toolApproval' },
    ],
    [
      () => createApprovalFlow({ ...given, toolApproval: { pay: secret } } as never),
      { path: 'toolApproval.pay' },
    ],
    [() => createApprovalFlow({ ...given, auditKey: secret.slice(0, 9) }), { path: 'auditKey' }],
    [
      () => createApprovalFlow({ ...given, store: { ...store, append: secret } } as never),
      { path: 'store.append' },
    ],
    [() => createFetchHandler({} as never, {} as never), { path: 'authorize' }],
    [
      () => createBidiServer({} as never, { authorize, heartbeat: secret } as never),
      { path: 'heartbeat', nearest: 'heartbeatMs' },
    ],
  ];
  for (const [create, fields] of refusals) {
    const refusal = expect.objectContaining({ code: 'invalid-settings', fields });
    expect(create).toThrow(refusal);
    expect(create).not.toThrow(/swordfish/);
  }
});

clause('0022.7', async () => {
  const denied = await asked({});
  const response = await denied.talk.answer(denied.approvalId, false, { reason: 'expired' });
  expect(JSON.stringify([response, await denied.talk.view()])).not.toContain('"withdrawn"');
  const withdrawn = await asked({});
  await withdrawn.talk.stop();
  expect((await withdrawn.talk.view()).messages[1]?.parts).toContainEqual(
    expect.objectContaining({
      callProviderMetadata: { countersign: { withdrawn: 'cancelled', position: expect.any(Number) } },
    }),
  );

  const text = 'outcome-unknown: the server went away while it ran.';
  const lying = tool({
    inputSchema: z.looseObject({}),
    execute: async (): Promise<string> => {
      throw new Error(text);
    },
  });
  const { say, events } = flowFixture([[{ call: 'lying', input: {} }], done], {
    tools: { lying } as ToolSet,
  });
  expect(JSON.stringify(await say('Go.'))).not.toContain('"outcome"');
  expect((await events()).find(({ type }) => type === 'tool-failed')).toMatchObject({ outcome: 'failed' });

  // Rejected: both read from their texts.
  expect(isWithdrawnByText('expired')).toBe(true);
  expect(isUnknownByText(text)).toBe(true);
});

clause('0022.8', async () => {
  const { lines, logger } = keptLog();
  const details = {
    describe: () => '',
    summarize: () => ({ summary: 'Paid.', resultCount: Number.NaN }),
  };
  const { talk, approvalId } = await asked({ toolDetails: { pay: details }, logger });
  expect((await talk.view()).questions).toMatchObject([{ description: 'Run pay.', input: pay.input }]);
  await talk.answer(approvalId, true);
  expect((await talk.events()).find(({ type }) => type === 'tool-completed')).toMatchObject({
    summary: 'Paid.',
    resultCount: 1,
  });
  expect(lines.join()).toMatch(/`describe` returned an empty string.*`summarize` returned a `resultCount`/);
});

clause('0022.9', async () => {
  const ran: unknown[] = [];
  const properties = { word: { type: 'string', pattern: '^(?!x)' } } as const;
  const send = tool({
    inputSchema: jsonSchema({ type: 'object', properties }),
    execute: (input) => void ran.push(input),
  });
  const call = (id: string, input: object) => ({ call: 'send', id, input });
  const script = [[call('s', { word: 'a' }), call('t', {})], done];
  const { say } = flowFixture(script, { tools: { send } as ToolSet, logger: keptLog().logger });
  const failed = (await say('Send.')).filter(({ type }) => type === 'tool-input-error');
  expect(failed).toMatchObject([{ toolCallId: 's' }]);
  expect(ran).toEqual([{}]);
  // Rejected: what the engine does not know passes, as in a form.
  expect(patternFaults({ properties }, { word: 'x' }).filter(({ fit }) => fit === 'unfit')).toEqual([]);
});

clause('0022.10', async () => {
  const { flow, bobReads, bobAnswers } = await asked({ mayRead: () => true });
  const where = { principal: bob, chatId: parseChatId('chat') };
  await bobReads();
  for (const change of [
    flow.chats.stop(where),
    flow.chats.erase(where),
    flow.chats.rename({ ...where, title: 'Mine' }),
  ]) {
    await expect(change).rejects.toMatchObject({ code: 'forbidden' });
  }
  await expect(bobAnswers()).rejects.toMatchObject({ code: 'forbidden' });
  const answering = await asked({ mayRead: () => true, mayAnswer: () => true });
  await answering.bobAnswers();

  const strange = { ...where, principal: { id: 'eve', name: 'Eve' } };
  const { flow: closed } = await asked({});
  await expect(closed.chats.stop(strange)).rejects.toMatchObject({ code: 'not-found' });
});
