import { type ToolSet, tool } from 'ai';
import { remembered } from 'countersign/plugins/remembered';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { OutcomeRequest } from '../../../lib/commands/resolve-outcome.ts';
import type { FlowSettings, ToolDetails } from '../../../lib/flow/index.ts';
import { type Principal, parseToolCallId } from '../../../lib/protocol/index.ts';
import { ada, flowFixture, questionIn } from '../../support/flow-fixture.ts';

const eve: Principal = { id: 'eve', name: 'Eve' };
const toolCallId = parseToolCallId('act-1');

/** A chat with a call whose connection was reset: nobody knows what came of it. */
async function unknownCall({
  gated = true,
  details = {},
  settings = {},
}: {
  gated?: boolean;
  details?: ToolDetails;
  settings?: Partial<FlowSettings>;
} = {}) {
  const act = tool({
    inputSchema: z.looseObject({}),
    needsApproval: gated,
    execute: async (): Promise<string> => {
      throw Object.assign(new Error('The line was cut.'), { code: 'ECONNRESET' });
    },
  });
  const input = { to: 'ann', pin: 'pin-4711' };
  const fixture = flowFixture(
    [[{ call: 'act', id: 'act-1', input }], [{ text: 'Not sure.' }], [{ text: 'I see.' }]],
    { tools: { act } as ToolSet, toolDetails: { act: details }, ...settings },
  );
  const chat = fixture.chat();
  const response = await chat.say('Go.');
  if (gated) await chat.answer(questionIn(response), true);
  return {
    ...fixture,
    talk: chat,
    resolve: (more: Partial<OutcomeRequest> = {}) =>
      fixture.flow.approvals.resolveOutcome({
        principal: ada,
        chatId: chat.id,
        toolCallId,
        outcome: 'completed',
        ...more,
      }),
  };
}

describe('a person resolves an unknown outcome', () => {
  it.each([true, false])('and the record says who did, what and when (gated: %s)', async (gated) => {
    const { resolve, talk, flow } = await unknownCall({ gated });
    const before = (await talk.events()).length;
    const resolved = await resolve({ note: 'It is on the bank statement.' });
    expect(resolved).toEqual({
      toolCallId: 'act-1',
      toolName: 'act',
      outcome: 'completed',
      source: 'person',
      at: expect.any(Number),
      by: { id: 'ada', name: 'Ada' },
      note: 'It is on the bank statement.',
    });
    const added = (await talk.events()).slice(before);
    expect(added).toMatchObject([{ type: 'outcome-resolved', source: 'person', outcome: 'completed' }]);
    expect(added[0]).not.toHaveProperty('runId');
    expect((await flow.chats.read({ chatId: talk.id, principal: ada })).run.status).toBe('idle');
  });

  it('beside its question, also a person who may answer, but not see the chat', async () => {
    const mayAnswer = ({ id }: Principal) => id === 'eve';
    const { flow, talk, store, resolve } = await unknownCall({
      gated: false,
      settings: { mayAnswer, toolApproval: { act: 'user-approval' } },
    });
    const approvalId = (await store.chats.head(talk.id))?.open;
    if (!approvalId) throw new Error('No question is open.');
    const read = (principal: Principal) => flow.approvals.read({ principal, approvalId });
    expect(await read(eve)).not.toHaveProperty('outcome');
    await flow.approvals.answer({ principal: eve, approvalId, via: 'http', approved: true });
    await expect.poll(async () => (await read(eve)).outcome).toBe('unknown');
    expect(await read(eve)).toMatchObject({ mayRecord: true });
    expect(await read(ada)).toMatchObject({ outcome: 'unknown' });
    expect((await read(ada)).mayRecord).toBeUndefined();

    await expect.poll(async () => (await store.chats.head(talk.id))?.status).toBe('idle');
    await resolve({ principal: eve, outcome: 'not-run', note: 'No such transfer.' });
    const found = await read(ada);
    expect(found.resolution).toEqual({
      ...{ source: 'person', outcome: 'not-run', note: 'No such transfer.' },
      ...{ by: { id: 'eve', name: 'Eve' }, at: expect.stringMatching(/Z$/) },
    });
    expect(found.outcome).toBeUndefined();
    expect((await read(eve)).mayRecord).toBeUndefined();
  });

  it('of many concurrent reports, exactly one counts', async () => {
    const { resolve, talk } = await unknownCall();
    const results = await Promise.allSettled(
      (['completed', 'failed', 'not-run'] as const).map((outcome) => resolve({ outcome })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await talk.events()).filter(({ type }) => type === 'outcome-resolved')).toHaveLength(1);
  });

  it('of a call in an earlier turn', async () => {
    const { resolve, talk } = await unknownCall();
    await talk.say('And now?');
    expect(await resolve()).toMatchObject({ outcome: 'completed' });
  });

  it.each<[string, Partial<OutcomeRequest>, string]>([
    ['a call that does not exist', { toolCallId: parseToolCallId('none') }, 'not-found'],
    ['someone who may not see the chat', { principal: eve }, 'not-found'],
  ])('refuses %s', async (_what, more, code) => {
    const { resolve } = await unknownCall();
    await expect(resolve(more)).rejects.toMatchObject({ code });
  });

  it('refuses a call whose outcome is known', async () => {
    const { chat, flow } = flowFixture([
      [{ call: 'weather', id: 'w', input: { city: 'Oslo' } }],
      [{ text: 'Sunny.' }],
    ]);
    const talk = chat();
    await talk.say('How is Oslo?');
    const request = { principal: ada, chatId: talk.id, toolCallId: parseToolCallId('w') } as const;
    await expect(flow.approvals.resolveOutcome({ ...request, outcome: 'not-run' })).rejects.toMatchObject({
      code: 'invalid-request',
    });
  });

  it('refuses a failed call whose text looks like an unknown outcome', async () => {
    const act = tool({
      inputSchema: z.looseObject({}),
      execute: async (): Promise<string> => {
        throw new Error('outcome-unknown: so I say.');
      },
    });
    const { chat, flow } = flowFixture([[{ call: 'act', id: 'act-1' }], [{ text: 'So.' }]], {
      tools: { act } as ToolSet,
    });
    const talk = chat();
    await talk.say('Go.');
    const request = { principal: ada, chatId: talk.id, toolCallId, outcome: 'completed' } as const;
    await expect(flow.approvals.resolveOutcome(request)).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('only a person who may answer such a question can resolve it, not everyone who sees the chat', async () => {
    const boss: Principal = { id: 'boss', name: 'Bo', role: 'manager' };
    const approvers = (principal: Principal) => principal.role === 'manager' || principal.id === 'ada';
    const { resolve } = await unknownCall({ details: { approvers }, settings: { mayChange: () => true } });
    await expect(resolve({ principal: eve })).rejects.toMatchObject({ code: 'forbidden' });
    expect(await resolve({ principal: boss })).toMatchObject({ by: { id: 'boss', name: 'Bo' } });
  });

  it('for a call with a remembered approval, a person who may answer such a question can resolve it', async () => {
    const approvers = (principal: Principal) => principal.id === 'ada';
    const cut = Object.assign(new Error('The line was cut.'), { code: 'ECONNRESET' });
    let runs = 0;
    const act = tool({
      inputSchema: z.looseObject({}),
      needsApproval: true,
      execute: async (): Promise<string> => {
        runs += 1;
        if (runs === 1) return 'well';
        throw cut;
      },
    });
    const { chat, flow } = flowFixture(
      [[{ call: 'act', id: 'a' }], [{ text: 'Well.' }], [{ call: 'act', id: 'b' }], [{ text: 'Cut.' }]],
      {
        tools: { act } as ToolSet,
        toolDetails: { act: { approvers } },
        mayChange: () => true,
        plugins: [remembered()],
      },
    );
    const talk = chat();
    await talk.answer(questionIn(await talk.say('Go.')), true, {
      plugins: { remembered: { scope: 'chat', match: 'tool' } },
    });
    await talk.say('Again.');
    const request = { chatId: talk.id, toolCallId: parseToolCallId('b'), outcome: 'not-run' } as const;
    await expect(flow.approvals.resolveOutcome({ ...request, principal: eve })).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(await flow.approvals.resolveOutcome({ ...request, principal: ada })).toMatchObject({
      outcome: 'not-run',
    });
  });

  it('after the chat has finished answering', async () => {
    const { promise: never } = Promise.withResolvers<void>();
    const { flow, chat, model } = await (async () => {
      const act = tool({
        inputSchema: z.looseObject({}),
        execute: async (): Promise<string> => {
          throw Object.assign(new Error('The line was cut.'), { code: 'ECONNRESET' });
        },
      });
      return flowFixture([[{ call: 'act', id: 'act-1' }], [{ text: 'Hm.' }], [{ wait: never }]], {
        tools: { act } as ToolSet,
      });
    })();
    const talk = chat();
    await talk.say('Go.');
    void talk.say('And now?');
    await expect.poll(() => model.calls.length).toBe(3);
    const request = { principal: ada, chatId: talk.id, toolCallId, outcome: 'completed' } as const;
    await expect(flow.approvals.resolveOutcome(request)).rejects.toMatchObject({ code: 'run-active' });
    await talk.stop();
    expect(await flow.approvals.resolveOutcome(request)).toMatchObject({ outcome: 'completed' });
  });

  it('without the arguments’ secrets in the note', async () => {
    const { resolve, talk } = await unknownCall({ details: { secrets: { input: ['pin'] } } });
    const resolved = await resolve({ note: 'Paid with pin-4711.' });
    expect(JSON.stringify(resolved)).not.toContain('4711');
    expect(
      JSON.stringify((await talk.events()).filter(({ type }) => type === 'outcome-resolved')),
    ).not.toContain('"note":"Paid with pin-4711');
  });
});
