import { tool, type UIMessageChunk } from 'ai';
import { checkResponseTiming, collect, type ScriptedPart } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseApprovalId, parseJson } from '../../../lib/protocol/index.ts';
import { uiMessageChunks } from '../../../lib/views/index.ts';
import { askingFixture, book } from '../../support/asking-fixture.ts';
import { messageOf, plain } from '../../support/client-message.ts';
import { ada, flowFixture, lasting, questionIn, types, userMessage } from '../../support/flow-fixture.ts';
import { nested } from '../../support/nested.ts';

const pay = (amount: number): ScriptedPart => ({ call: 'pay', input: { to: 'alice', amount } });
const eve = { id: 'eve', name: 'Eve' };
const settledIn = (chunks: readonly UIMessageChunk[]) =>
  chunks.flatMap((chunk) => (chunk.type === 'tool-approval-response' ? [chunk] : []));

describe('the first answer wins [H10]', () => {
  it.each(['approvals', 'denials', 'both'])(
    'accepts one of 100 %s at once, from the chat and the inbox [H10]',
    async (kind) => {
      const { flow, ran, model, say, answer, events } = flowFixture([[pay(1)], [{ text: 'Done.' }]]);
      const id = questionIn(await say('Go.'));
      const approvalId = parseApprovalId(id);
      const results = await Promise.allSettled(
        Array.from({ length: 100 }, async (_, index) => {
          const approved = kind === 'both' ? index % 4 < 2 : kind === 'approvals';
          if (index % 2 === 0) return settledIn(await answer(id, approved)).map((chunk) => chunk.approved);
          await flow.approvals.answer({ approvalId, principal: ada, approved, via: 'http' });
          return 'counted';
        }),
      );
      const answers = (await events()).filter((event) => event.type === 'approval-answered');
      expect(answers).toHaveLength(1);
      const approved = answers[0]?.type === 'approval-answered' && answers[0].approved;
      expect(ran).toHaveLength(approved ? 1 : 0);
      expect(model.calls).toHaveLength(2);
      const counted = results.filter(({ status, ...rest }) => 'value' in rest && rest.value === 'counted');
      const viaHttp = answers[0]?.type === 'approval-answered' && answers[0].via === 'http';
      expect(counted).toHaveLength(viaHttp ? 1 : 0);
      for (const [index, result] of results.entries()) {
        if (index % 2 === 0) expect(result).toEqual({ status: 'fulfilled', value: [approved] });
        else if (result.status === 'rejected') {
          expect(result.reason).toMatchObject({
            code: 'already-answered',
            fields: { approvalId: id, answer: { approved, by: { id: 'ada' } } },
          });
        }
      }
    },
  );

  it('answers a repeated answer with the standing one and everything after it, under one start [H10]', async () => {
    const { ran, model, say, answer, view } = flowFixture([[pay(1), pay(2)], [{ text: 'Done.' }]]);
    const first = questionIn(await say('Go.'));
    const second = await answer(first, true);
    const again = await answer(first, false, { reason: 'Changed my mind.' });
    expect(lasting(again).filter((chunk) => chunk.type !== 'tool-approval-request')).toEqual(
      lasting(second).filter((chunk) => chunk.type !== 'tool-approval-request'),
    );
    expect(settledIn(again)).toMatchObject([{ approvalId: first, approved: true }]);
    const third = await answer(questionIn(second), false);
    const late = await answer(first, true);
    expect(types(late).filter((type) => type === 'start')).toHaveLength(1);
    expect(settledIn(late)).toHaveLength(2);
    expect(lasting(late).slice(-4)).toEqual(lasting(third).slice(-4));
    expect(ran).toHaveLength(1);
    expect(model.calls).toHaveLength(2);
    expect((await view()).run.status).toBe('idle');
  });

  it('streams the active run live to a repeated answer [H10]', async () => {
    const { promise: open, resolve: release } = Promise.withResolvers<void>();
    const { ran, say, answer, ask } = flowFixture([[pay(1)], [{ wait: open }, { text: 'Done.' }]]);
    const id = questionIn(await say('Go.'));
    const approvalId = parseApprovalId(id);
    const first = await ask({ answers: [{ approvalId, approved: true }] });
    const second = answer(id, true);
    release();
    const [one, two] = [await collect(uiMessageChunks(first)), await second];
    expect(lasting(two)).toEqual(lasting(one));
    expect(ran).toHaveLength(1);
  });

  it('returns the standing answer to the inbox [H10]', async () => {
    const { flow, say, view } = flowFixture([[pay(1)], [{ text: 'Done.' }]]);
    const approvalId = parseApprovalId(questionIn(await say('Go.')));
    const given = { approvalId, principal: ada, via: 'http' };
    const answered = await flow.approvals.answer({ ...given, approved: false, reason: 'No.' });
    expect(answered).toMatchObject({ state: 'denied', answer: { approved: false, reason: 'No.', by: ada } });
    await expect(flow.approvals.answer({ ...given, approved: false, reason: 'No.' })).rejects.toMatchObject({
      code: 'already-answered',
      fields: { answer: { approved: false, reason: 'No.' } },
    });
    await expect.poll(async () => (await view()).run.status).toBe('idle');
  });
});

describe('refused answers change nothing [H10, H1]', () => {
  it.each<[string, (id: string) => string, Record<string, unknown>, string]>([
    ['to a question that was never asked', () => 'apr_forged', {}, 'not-found'],
    ['that shows other arguments', (id) => id, { shownInput: { to: 'alice', amount: 2 } }, 'input-mismatch'],
    ['with an edit that does not fit', (id) => id, { input: { to: 'alice' } }, 'invalid-request'],
  ])('refuses an answer %s [H10]', async (_case, idOf, more, code) => {
    const { ran, say, answer, events, view } = flowFixture([[pay(1)], [{ text: 'Done.' }]]);
    const id = questionIn(await say('Go.'));
    const before = await events();
    await expect(answer(idOf(id), true, more)).rejects.toMatchObject({ code });
    expect(await events()).toEqual(before);
    expect(ran).toEqual([]);
    expect((await view()).open).toBe(id);
  });

  it('accepts the shown arguments with their keys in another order [H10]', async () => {
    const { ran, say, answer } = flowFixture([[pay(1)], [{ text: 'Done.' }]]);
    await answer(questionIn(await say('Go.')), true, { shownInput: { amount: 1, to: 'alice' } });
    expect(ran).toHaveLength(1);
  });

  it('refuses the whole request if one of its answers is forged [H10]', async () => {
    const { ran, say, answers } = flowFixture([[pay(1)], [{ text: 'Done.' }]]);
    const id = questionIn(await say('Go.'));
    const both = answers([
      { approvalId: parseApprovalId(id), approved: true },
      { approvalId: parseApprovalId('apr_forged'), approved: true },
    ]);
    await expect(both).rejects.toMatchObject({ code: 'not-found' });
    expect(ran).toEqual([]);
  });

  it('does not find a question of another chat in this one [H10]', async () => {
    const { chat, ran } = flowFixture([[pay(1)], [pay(2)]]);
    const [one, two] = [chat('one'), chat('two')];
    const id = questionIn(await one.say('Go.'));
    await two.say('Go.');
    await expect(two.answer(id, true)).rejects.toMatchObject({ code: 'not-found' });
    expect(ran).toEqual([]);
  });

  it('hides the chat and the question from another principal [H-Errors]', async () => {
    const { chat, flow, ran } = flowFixture([[pay(1)]]);
    const mine = chat('chat');
    const approvalId = parseApprovalId(questionIn(await mine.say('Go.')));
    const theirs = chat('chat', eve);
    const notFound = { code: 'not-found' };
    await expect(theirs.answer(approvalId, true)).rejects.toMatchObject(notFound);
    await expect(theirs.say('Hi.')).rejects.toMatchObject(notFound);
    await expect(theirs.view()).rejects.toMatchObject(notFound);
    await expect(theirs.stop()).rejects.toMatchObject(notFound);
    expect(await theirs.resume()).toBeNull();
    const asEve = { approvalId, principal: eve };
    await expect(flow.approvals.answer({ ...asEve, approved: true, via: 'http' })).rejects.toMatchObject(
      notFound,
    );
    await expect(flow.approvals.read(asEve)).rejects.toMatchObject(notFound);
    expect((await flow.approvals.list({ principal: eve, state: 'open' })).items).toEqual([]);
    expect(ran).toEqual([]);
  });

  it('forbids the answer of a person who may only see the chat, and the card says so [H10, H13]', async () => {
    const { chat, ran } = flowFixture([[pay(1)], [{ text: 'Paid.' }]], {
      mayRead: () => true,
      mayAnswer: (principal) => principal.id === 'eve',
    });
    const asked = await chat().say('Go.');
    expect(asked.find((chunk) => chunk.type === 'tool-approval-request')).toMatchObject({
      approvalDescriptor: { mayAnswer: false },
    });
    const id = questionIn(asked);
    await expect(chat().answer(id, true)).rejects.toMatchObject({ code: 'forbidden' });
    const resumed = await chat('chat', eve).resume();
    expect(resumed?.find((chunk) => chunk.type === 'tool-approval-request')).toMatchObject({
      approvalDescriptor: { mayAnswer: true },
    });
    await chat('chat', eve).answer(id, true);
    expect(ran).toHaveLength(1);
  });

  it('answers an answer to a question of an earlier message with superseded [H10]', async () => {
    const { ran, say, answer } = flowFixture([[pay(1)], [{ text: 'Fine.' }]]);
    const id = questionIn(await say('Go.'));
    await say('Forget it.');
    await expect(answer(id, true)).rejects.toMatchObject({ code: 'superseded' });
    expect(ran).toEqual([]);
  });
});

describe('JSON that is nested deeper than 64 levels is refused, not shortened [H1, H10]', () => {
  /** `more` takes any JSON. `packed` is a text that the schema parses. */
  const act = tool({
    inputSchema: z.object({ more: z.unknown(), packed: z.string().transform(parseJson).optional() }),
    needsApproval: true,
    execute: (input) => JSON.stringify(input),
  });
  const acting = (input: object) =>
    flowFixture([[{ call: 'act', input }], [{ text: 'Done.' }]], { tools: { act } });

  it.each<[string, object]>([
    ['edited arguments', { input: { more: nested(700) } }],
    ['shown arguments that differ far down', { shownInput: { more: nested(700, 'other') } }],
  ])('%s', async (_what, given) => {
    const { say, answer, flow, events } = acting({ more: nested(60) });
    const id = questionIn(await say('Go.'));
    const before = await events();
    const refused = { code: 'invalid-request', message: expect.stringContaining('deeper than 64 levels') };
    await expect(answer(id, true, given)).rejects.toMatchObject(refused);
    const asked = { principal: ada, approvalId: parseApprovalId(id) };
    await expect(flow.approvals.preview({ ...asked, input: { more: nested(700) } })).rejects.toMatchObject(
      refused,
    );
    expect(await events()).toEqual(before);
    expect(types(await answer(id, true, { shownInput: { more: nested(60) } }))).toContain(
      'tool-output-available',
    );
  });

  it('the content of the form of a running call', async () => {
    const { say, answer } = askingFixture([[book('b')], [{ text: 'Done.' }]]);
    const id = questionIn(await say('Go.'));
    const given = { input: { nights: 3, more: nested(700) } };
    await expect(answer(id, true, given)).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('deeper than 64 levels'),
    });
    await answer(id, true, { input: { nights: 3 } });
  });

  it.each<[string, object]>([
    ['as the model wrote them', { more: nested(700) }],
    ['as the schema parses them', { more: 1, packed: JSON.stringify(nested(700)) }],
  ])('the arguments of a call, %s: the call is invalid, without a question', async (_what, input) => {
    const { say, model, view } = acting(input);
    const chunks = await say('Go.');
    expect(types(chunks)).not.toContain('tool-approval-request');
    expect((await view()).questions).toEqual([]);
    const told = model.calls[1]?.prompt.filter(({ role }) => role === 'tool');
    expect(JSON.stringify(told)).toContain('nested deeper than 64 levels');
  });
});

describe('a message that contains answers [H1]', () => {
  it('runs the approved call to its end, supersedes the other questions, and responds with the new turn [H1]', async () => {
    const { ran, model, say, view, events } = flowFixture([
      [{ text: 'May I?' }, pay(1), pay(2)],
      [{ text: 'Right away.' }],
    ]);
    const first = await say('Go.');
    const id = questionIn(first);
    const second = await say('Something else.', {
      answers: [{ approvalId: parseApprovalId(id), approved: true }],
    });
    expect(checkResponseTiming([second], { finished: true })).toEqual([]);
    expect(second[0]).not.toEqual(first[0]);
    expect(ran.map(({ input }) => input)).toEqual([{ to: 'alice', amount: 1 }]);
    expect(model.calls[1]?.prompt[2]?.content).toMatchObject([
      { output: { type: 'json', value: { paid: 1 } } },
      { output: { type: 'error-text' } },
    ]);
    const log = await events();
    const end = log.findIndex((event) => event.type === 'tool-completed');
    expect(end).toBeLessThan(log.findLastIndex((event) => event.type === 'message-received'));
    expect(plain((await view()).messages.at(-1))).toEqual(await messageOf(second));
  });

  it('reports a denial in the message as a denial [H1]', async () => {
    const { ran, model, say } = flowFixture([[pay(1)], [{ text: 'Right away.' }]]);
    const id = parseApprovalId(questionIn(await say('Go.')));
    await say('Something else.', { answers: [{ approvalId: id, approved: false, reason: 'Too late.' }] });
    expect(ran).toEqual([]);
    expect(model.calls[1]?.prompt[2]?.content).toMatchObject([
      { output: { type: 'execution-denied', reason: expect.stringContaining('Too late.') } },
    ]);
  });

  it('refuses a message with a repeated answer while a run is active [H6]', async () => {
    const { promise: open, resolve: release } = Promise.withResolvers<void>();
    const { say, ask } = flowFixture([[pay(1)], [{ wait: open }, { text: 'Done.' }]]);
    const approvalId = parseApprovalId(questionIn(await say('Go.')));
    const running = await ask({ answers: [{ approvalId, approved: true }] });
    const both = ask({ message: userMessage('late', 'Hi'), answers: [{ approvalId, approved: true }] });
    await expect(both).rejects.toMatchObject({ code: 'run-active' });
    release();
    expect(types(await collect(uiMessageChunks(running)))).toContain('text-start');
  });
});
