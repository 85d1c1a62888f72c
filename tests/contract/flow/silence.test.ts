import { checkResponseTiming, type ScriptedPart } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { parseToolCallId } from '../../../lib/protocol/index.ts';
import { checkPrompt } from '../../support/check-prompt.ts';
import { messageOf, plain } from '../../support/client-message.ts';
import { flowFixture, questionIn, types } from '../../support/flow-fixture.ts';

const pay = (amount: number): ScriptedPart => ({ call: 'pay', input: { to: 'alice', amount } });
const silent = { warn: () => {}, error: () => {} };

describe('a model that produces nothing after its tools [T15]', () => {
  it.each(['final', 'progressive'] as const)('ends a %s turn normally [T15]', async (release) => {
    const { model, say, answer, view, events } = flowFixture(
      [[pay(1)], [{ finish: 'stop' }], [{ text: 'Yes?' }]],
      { release },
    );
    const first = await say('Go.');
    const second = await answer(questionIn(first), true);
    expect(types(second)).not.toContain('error');
    expect(types(second)).toContain('tool-output-available');
    if (release === 'final') expect(checkResponseTiming([first, second], { finished: true })).toEqual([]);
    const stored = await view();
    expect(stored.run.status).toBe('idle');
    expect(plain(stored.messages[1])).toEqual(await messageOf([...first, ...second]));
    expect((await events()).at(-1)).toMatchObject({ type: 'run-completed', why: 'silent' });

    await say('And?');
    const prompt = model.calls[2]?.prompt ?? [];
    expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(checkPrompt(prompt)).toEqual([]);
  });

  it('ends a turn normally after a denial [T15]', async () => {
    const { say, answer, events } = flowFixture([[pay(1)], [{ finish: 'stop' }]]);
    const last = await answer(questionIn(await say('Go.')), false);
    expect(types(last)).toContain('tool-output-denied');
    expect(types(last)).not.toContain('error');
    expect((await events()).at(-1)).toMatchObject({ type: 'run-completed', why: 'silent' });
  });

  it('ends a turn with one error if the model produced nothing at all [T15]', async () => {
    const { say, events } = flowFixture([[{ finish: 'stop' }]], { logger: silent });
    expect(types(await say('Go.'))).toEqual(['start', 'start-step', 'finish-step', 'error']);
    expect((await events()).at(-1)).toMatchObject({ type: 'run-failed' });
  });

  it.each(['final', 'progressive'] as const)(
    'ends a %s turn with one error if everything that the response could contain came from the client [T15]',
    async (release) => {
      const { say, output, view, events } = flowFixture([[{ call: 'theme' }], [{ finish: 'stop' }]], {
        release,
        logger: silent,
      });
      await say('Go.');
      const [part] = (await view()).messages[1]?.parts.flatMap((found) =>
        'toolCallId' in found ? [found.toolCallId] : [],
      ) ?? [''];
      const last = await output(parseToolCallId(part ?? ''), 'dark');
      expect(types(last).at(-1)).toBe('error');
      expect((await events()).at(-1)).toMatchObject({ type: 'run-failed' });
    },
  );
});

describe('why a run ended [ADR 0021]', () => {
  it.each([
    ['answered', [[{ text: 'Done.' }]], {}],
    ['silent', [[{ call: 'weather', input: { city: 'Oslo' } }], [{ finish: 'stop' }]], {}],
    ['cut-off', [[{ text: 'I was' }, { finish: 'length' }]], {}],
    ['step-limit', [[{ call: 'weather', input: { city: 'Oslo' } }]], { stepLimit: 1 }],
    ['stop-condition', [[{ call: 'weather', input: { city: 'Oslo' } }]], {}],
  ] as const)('`run-completed` says %s', async (why, script, options) => {
    const stopWhen = why === 'stop-condition' ? { stopWhen: () => true } : {};
    const { say, events } = flowFixture(script as never, stopWhen);
    await say('Go.', { options });
    expect((await events()).at(-1)).toMatchObject({ type: 'run-completed', why });
  });
});
