import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { type ToolSet, tool } from 'ai';
import { checkResponseTiming, type ScriptedPart } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { messageOf, plain } from '../../support/client-message.ts';
import { flowFixture, framed, lasting, questionIn, textTypes, types } from '../../support/flow-fixture.ts';

const pay = (amount: number): ScriptedPart => ({ call: 'pay', input: { to: 'alice', amount } });
const weather: ScriptedPart = { call: 'weather', input: { city: 'Tokyo' } };

describe('the order of the release [T3]', () => {
  it('sends text, reasoning, sources and files in their order, then outcomes in call order [T3]', async () => {
    const { say, answer, view } = flowFixture([
      [
        { text: 'Searching. ' },
        { source: { url: 'https://example.org', title: 'Example' } },
        { reasoning: 'Two things to do.' },
        { text: 'And paying.' },
        weather,
        pay(1),
      ],
      [{ file: { mediaType: 'image/png', base64: 'AAAA' } }, { text: ['Do', 'ne.'] }],
    ]);
    const final = await answer(questionIn(await say('Go.')), true);
    expect(types(final)).toEqual(
      framed(
        'tool-approval-response',
        ...textTypes,
        'source-url',
        'reasoning-start',
        'reasoning-delta',
        'reasoning-end',
        ...textTypes,
        'file',
        ...textTypes,
        'tool-input-start',
        'tool-input-available',
        'tool-output-available',
        'tool-output-available',
      ),
    );
    const stored = (await view()).messages.at(-1);
    expect(stored?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))).toEqual([
      'Searching. ',
      'And paying.',
      'Done.',
    ]);
  });

  it.each(['final', 'progressive'] as const)(
    '%s release: separates blocks that the provider gives the same id [T3, T11]',
    async (release) => {
      const { model, say, view } = flowFixture([[{ text: 'One.' }, { reasoning: 'Hm.' }, { text: 'Two.' }]], {
        release,
      });
      const { doStream } = model;
      model.doStream = async (options) => {
        const { stream, ...rest } = await doStream(options);
        const sameId = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
          transform(part, controller) {
            controller.enqueue(
              /^(text|reasoning)-/.test(part.type) ? ({ ...part, id: '0' } as typeof part) : part,
            );
          },
        });
        return { ...rest, stream: stream.pipeThrough(sameId) };
      };
      const response = await say('Go.');
      expect(checkResponseTiming([response], { release, finished: true })).toEqual([]);
      const message = await messageOf(response);
      expect(message.parts.flatMap((part) => ('text' in part ? [part.text] : []))).toEqual([
        'One.',
        'Hm.',
        'Two.',
      ]);
      expect(plain((await view()).messages.at(-1))).toEqual(message);
    },
  );

  it('shows a call that the gate settled with its automatic approval [T3]', async () => {
    const { ran, say, answer } = flowFixture([[weather, pay(1)], [{ text: 'Done.' }]], {
      toolApproval: { weather: { type: 'denied', reason: 'Not today.' } } as never,
    });
    const final = await answer(questionIn(await say('Go.')), true);
    expect(lasting(final).slice(6, 11)).toMatchObject([
      { type: 'tool-input-start', toolName: 'weather' },
      { type: 'tool-input-available', toolName: 'weather' },
      { type: 'tool-approval-request', isAutomatic: true },
      { type: 'tool-approval-response', approved: false, reason: 'Not today.' },
      { type: 'tool-output-denied' },
    ]);
    expect(ran.map((call) => call.tool)).toEqual(['pay']);
  });

  it.each<[string, ScriptedPart, string]>([
    ['input that does not fit the schema', { call: 'weather', input: { city: 5 } }, 'weather'],
    ['input that is not JSON', { call: 'pay', rawInput: '{"to": ' }, 'pay'],
    ['an unknown tool', { call: 'teleport', input: { to: 'Mars' } }, 'teleport'],
    ['a tool named like an object’s own property', { call: 'constructor', input: {} }, 'constructor'],
  ])('reports %s by one tool-input-error, and the model continues [T3]', async (_case, call, toolName) => {
    const { ran, model, say, view, resume } = flowFixture([[call], [{ text: 'Sorry.' }]]);
    const response = await say('Go.');
    expect(checkResponseTiming([response], { finished: true })).toEqual([]);
    expect(types(response)).toEqual(framed(...textTypes, 'tool-input-error'));
    expect(lasting(response)[5]).toMatchObject({ toolName, errorText: expect.stringMatching(/./) });
    expect(ran).toEqual([]);
    const message = await messageOf(response);
    expect(plain((await view()).messages.at(-1))).toEqual(message);
    expect(await messageOf((await resume()) ?? [])).toEqual(message);
    expect(model.calls[1]?.prompt.at(-1)).toMatchObject({
      role: 'tool',
      content: [{ toolName, output: { type: 'error-text' } }],
    });
  });
});

describe('a step that was cut off', () => {
  it.each(['length', 'content-filter', 'other'] as const)(
    'does not run calls of a step that ended with %s, and says so [T16]',
    async (finish) => {
      const { ran, say, events } = flowFixture([[{ text: 'I will ' }, pay(1), weather, { finish }]]);
      const response = await say('Go.');
      expect(checkResponseTiming([response], { finished: true })).toEqual([]);
      expect(ran).toEqual([]);
      expect(response.filter((chunk) => chunk.type === 'tool-output-error')).toHaveLength(2);
      expect(response.at(-1)).toEqual({ type: 'finish', finishReason: finish });
      expect((await events()).filter((event) => event.type === 'tool-cancelled')).toHaveLength(2);
    },
  );
});

describe('approvals that a provider requests [T14]', () => {
  const vendorStep: ScriptedPart[] = [
    { text: 'Asking.' },
    { providerQuestion: 'mcp.send_mail', id: 'mcp-1', approvalId: 'vendor-1', input: { to: 'bob' } },
    pay(1),
  ];

  it('are reported as denied by this server if a person denied them [T14]', async () => {
    const { say, answer } = flowFixture([vendorStep.slice(0, 2), [{ text: 'As you wish.' }]]);
    const first = await say('Go.');
    const second = await answer(questionIn(first), false);
    expect(checkResponseTiming([first, second], { finished: true })).toEqual([]);
    expect(types(second)).toContain('tool-output-denied');
  });
});

describe('when calls run [T7]', () => {
  it('runs an approved call to its end before the next question opens [T7]', async () => {
    const { promise: paid, resolve: finishPaying } = Promise.withResolvers<string>();
    const { promise: started, resolve: onStart } = Promise.withResolvers<void>();
    const slow = tool({
      inputSchema: z.object({}),
      needsApproval: true,
      execute: () => {
        onStart();
        return paid;
      },
    });
    const { say, answer, view } = flowFixture([[{ call: 'slow' }, { call: 'slow' }], [{ text: 'Done.' }]], {
      tools: { slow } as ToolSet,
    });
    const second = answer(questionIn(await say('Go.')), true);
    await started;
    expect(await view()).toMatchObject({ run: { status: 'active' } });
    expect((await view()).open).toBeUndefined();
    finishPaying('paid');
    await second;
    expect(await view()).toMatchObject({ run: { status: 'waiting' }, open: expect.any(String) });
  });
});
