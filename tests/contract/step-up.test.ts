import { once } from 'node:events';
import type { FlowSettings } from 'countersign';
import { remembered } from 'countersign/plugins/remembered';
import { fakeClock, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Principal } from '../../lib/protocol/index.ts';
import { ada, flowFixture, questionIn } from '../support/flow-fixture.ts';
import { serveAll } from './support/serve-all.ts';

const maxAgeMs = 60_000;
const json = { 'content-type': 'application/json' };
const silent = { warn: () => {}, error: () => {} };
const pay: ScriptedStep = [{ call: 'pay', input: { to: 'Alice', amount: 30 } }];
const done: ScriptedStep = [{ text: 'Done.' }];
const sseChat = { id: 'chat', trigger: 'submit-message' };

/** Who makes a request: Ada, as far as the header `x-proof` (JSON) says proved. */
function authorize(request: Request): Principal {
  return { ...ada, ...JSON.parse(request.headers.get('x-proof') ?? '{}') };
}

/** A flow whose payments need a recent sign-in, behind every transport, with an open question. */
async function asked(
  stepUp: object = { maxAgeMs },
  script: ScriptedStep[] = [pay, done],
  more: Partial<FlowSettings> = {},
) {
  const clock = fakeClock();
  const settings = {
    clock,
    toolDetails: { pay: { stepUp } },
    logger: silent,
    plugins: [remembered()],
    ...more,
  };
  const fixture = flowFixture(script, settings as Partial<FlowSettings>);
  const { flow } = fixture;
  onTestFinished(() => flow.close());
  const url = await serveAll(flow, { authorize });
  const send = async (path: string, proof: object, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { ...json, 'x-proof': JSON.stringify(proof) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const firstFrame = async (path: string, proof: object, frame: object) => {
    const headers = { 'x-proof': JSON.stringify(proof) };
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers });
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    socket.send(JSON.stringify(frame));
    return { status: 0, text: String((await once(socket, 'message'))[0]) };
  };
  const chunks = await fixture.chat().say('Pay Alice.');
  return { ...fixture, clock, send, firstFrame, chunks, approvalId: questionIn(chunks) };
}

type Asked = Awaited<ReturnType<typeof asked>>;
type Answered = { readonly status: number; readonly text: string };
type Door = (world: Asked, proof: object, approved: boolean) => Promise<Answered>;

const doors: [name: string, status: number, refusal: string, answer: Door][] = [
  [
    'HTTP, as the inbox and the dialects A and B answer',
    403,
    'step-up-required',
    ({ send, approvalId }, proof, approved) => send(`/api/approvals/${approvalId}`, proof, { approved }),
  ],
  [
    'the chat over SSE',
    403,
    'step-up-required',
    ({ send, approvalId }, proof, approved) =>
      send('/api/chat', proof, { ...sseChat, answers: [{ approvalId, approved }] }),
  ],
  [
    'the chat over SSE, with a new message',
    403,
    'step-up-required',
    ({ send, approvalId }, proof, approved) =>
      send('/api/chat', proof, {
        ...sseChat,
        answers: [{ approvalId, approved }],
        message: { id: 'u9', role: 'user', parts: [{ type: 'text', text: 'And?' }] },
      }),
  ],
  [
    'the chat over a WebSocket',
    0,
    'step-up-required',
    ({ firstFrame, approvalId }, proof, approved) =>
      firstFrame('/api/chat/socket', proof, {
        ...sseChat,
        ...{ type: 'send', requestId: 'r1', messages: [], headers: {} },
        body: { answers: [{ approvalId, approved }] },
      }),
  ],
  [
    'dialect C, the Responses API',
    403,
    'step-up-required',
    ({ send, approvalId }, proof, approve) => {
      const approval_request_id = `mcpr_chat.${approvalId}`;
      return send('/v1/responses', proof, {
        input: [{ type: 'mcp_approval_response', approval_request_id, approve }],
      });
    },
  ],
  [
    'dialect D, the chat socket',
    0,
    'ACCESS_DENIED',
    ({ firstFrame, approvalId }, proof, approved) =>
      firstFrame('/api/dialects/chat-socket', proof, {
        type: 'tool_approval_response',
        approval_id: approvalId,
        approved,
      }),
  ],
];

describe('a tool that requires a recent sign-in', () => {
  it.each(doors)('over %s: refuses an answer without one, and loses nothing', async (...row) => {
    const [, status, refusal, answer] = row;
    const world = await asked();
    for (const approved of [true, false]) {
      for (const proof of [{}, { authenticatedAt: world.clock.now() - maxAgeMs - 1 }]) {
        const refused = await answer(world, proof, approved);
        expect(refused).toMatchObject({ status, text: expect.stringContaining(refusal) });
      }
    }
    expect((await world.chat().view()).open).toBe(world.approvalId);
    expect(world.ran).toEqual([]);

    const answered = await answer(world, { authenticatedAt: world.clock.now() }, true);
    expect(answered.text).not.toContain(refusal);
    await world.chat().resume();
    expect(world.ran).toHaveLength(1);
  });

  it.each<[string, (now: number) => object, number]>([
    ['a sign-in at this moment', (now) => ({ authenticatedAt: now }), 200],
    ['one exactly at the age limit', (now) => ({ authenticatedAt: now - maxAgeMs }), 200],
    ['one that is older', (now) => ({ authenticatedAt: now - maxAgeMs - 1 }), 403],
    ['one in the future', (now) => ({ authenticatedAt: now + 1 }), 403],
    ['a time as a string', (now) => ({ authenticatedAt: new Date(now).toISOString() }), 403],
    ['no time', () => ({ authenticatedAt: null }), 403],
  ])('accepts or refuses %s, by the server’s clock', async (_what, proof, status) => {
    const { send, clock, approvalId } = await asked();
    clock.advance(maxAgeMs * 2);
    const answered = await send(`/api/approvals/${approvalId}`, proof(clock.now()), { approved: true });
    expect(answered.status).toBe(status);
  });

  it.each<[string, readonly string[] | undefined, number]>([
    ['one of the methods', ['pwd', 'otp'], 200],
    ['another method', ['pwd'], 403],
    ['no method', undefined, 403],
    ['a text that contains the name', 'not-otp-at-all' as never, 403],
  ])('requires a second factor if configured, and gets %s', async (_what, authenticationMethods, status) => {
    const { send, clock, approvalId } = await asked({ maxAgeMs, methods: ['otp', 'hwk'] });
    const proof = { authenticatedAt: clock.now(), authenticationMethods };
    expect((await send(`/api/approvals/${approvalId}`, proof, { approved: true })).status).toBe(status);
  });

  it('states the requirement on the wire: in the chat, in lists, and in the refusal', async () => {
    const { send, chunks, clock, approvalId } = await asked();
    const needed = { maxAgeMs, needed: true };
    const descriptor = chunks.find((chunk) => chunk.type === 'tool-approval-request');
    expect(descriptor).toMatchObject({ approvalDescriptor: { mayAnswer: true, stepUp: needed } });
    for (const path of ['/api/approvals', `/api/approvals/${approvalId}`]) {
      expect((await send(path, {})).text).toContain(`"stepUp":${JSON.stringify(needed)}`);
      const proof = { authenticatedAt: clock.now() };
      expect((await send(path, proof)).text).toContain(`"stepUp":{"maxAgeMs":${maxAgeMs},"needed":false}`);
    }
    const refused = await send(`/api/approvals/${approvalId}`, {}, { approved: true });
    expect(JSON.parse(refused.text).error).toMatchObject({ code: 'step-up-required', approvalId, maxAgeMs });
  });

  it('does not state it to a person who may not answer', async () => {
    const { chunks } = await asked({ maxAgeMs }, [pay], { mayAnswer: () => false });
    expect(JSON.stringify(chunks)).not.toContain('stepUp');
  });
});

describe('a remembered approval of such a tool', () => {
  const remember = { scope: 'me', match: 'tool' } as const;
  const twice: ScriptedStep[] = [pay, done, pay, done];

  it('is not created without a recent sign-in', async () => {
    const { send, approvalId } = await asked();
    const body = { approved: true, plugins: { remembered: remember } };
    expect((await send(`/api/approvals/${approvalId}`, {}, body)).status).toBe(403);
    expect(JSON.parse((await send('/api/remembered', {})).text)).toEqual({ remembered: [] });
  });

  it('applies while the person’s sign-in is recent, and not later', async () => {
    const { send, chat, clock, ran, approvalId } = await asked({ maxAgeMs }, [...twice, pay, done]);
    const proved = { ...ada, authenticatedAt: clock.now() };
    await send(`/api/approvals/${approvalId}`, proved, { approved: true, plugins: { remembered: remember } });
    await chat().resume();
    await chat('second', proved).say('Pay Alice again.');
    expect(ran).toHaveLength(2);
    clock.advance(maxAgeMs + 1);
    questionIn(await chat('third', proved).say('Pay Alice once more.'));
    expect(ran).toHaveLength(2);
  });

  it('does not cover a tool that required a sign-in only later', async () => {
    const { store, chat } = flowFixture([pay, done], { plugins: [remembered()] });
    await chat().answer(questionIn(await chat().say('Pay.')), true, { plugins: { remembered: remember } });
    const clock = fakeClock();
    const toolDetails = { pay: { stepUp: { maxAgeMs } } };
    const later = flowFixture([pay], { store, clock, toolDetails, plugins: [remembered()] });
    const proved = { ...ada, authenticatedAt: clock.now() };
    questionIn(await later.chat('second', proved).say('Pay.'));
    expect(later.ran).toEqual([]);
  });
});

describe('the settings of step-up', () => {
  it.each<[string, object, string]>([
    ['no age', {}, 'toolDetails.pay.stepUp.maxAgeMs'],
    ['an age of 0', { maxAgeMs: 0 }, 'toolDetails.pay.stepUp.maxAgeMs'],
    ['no method at all', { maxAgeMs, methods: [] }, 'toolDetails.pay.stepUp.methods'],
    ['a misspelt one', { maxAgeMs, method: ['otp'] }, 'toolDetails.pay.stepUp.method'],
  ])('are refused with %s', (_what, stepUp, path) => {
    const settings = { toolDetails: { pay: { stepUp } } } as never;
    expect(() => flowFixture([], settings)).toThrow(
      expect.objectContaining({ code: 'invalid-settings', fields: expect.objectContaining({ path }) }),
    );
  });
});
