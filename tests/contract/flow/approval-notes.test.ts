import type { ToolResultPart } from 'ai';
import { describe, expect, it } from 'vitest';
import { type AnswerRequest, parseToolCallId } from '../../../lib/protocol/index.ts';
import { createEngine } from '../../../lib/run/engine.ts';
import { resolveOutcome } from '../../../lib/run/outcomes/record-outcome.ts';
import { acting } from '../../support/acting-tool.ts';
import { questionIn } from '../../support/flow-fixture.ts';

type Output = ToolResultPart['output'];

const reason = '  Only "today" —\nsays Bob. ✓ ';
const note = `This call was approved: ${reason}`;
/** The note and what follows it, in one text. */
const noted = (result: string) => ({ type: 'text', value: `${note}\n\n${result}` });
const image = {
  type: 'file',
  mediaType: 'image/png',
  data: { type: 'data', data: 'iVBORw0KGgo=' },
} as const;
const failing = () => {
  throw new Error('The account is closed.');
};
const timedOut = () => {
  throw Object.assign(new Error('The request timed out.'), { code: 'ETIMEDOUT' });
};

/** A turn whose one call is approved with more than a yes. */
async function approved(
  more: Partial<AnswerRequest>,
  execute: () => unknown = () => ({ ok: true }),
  toModelOutput?: () => Output,
) {
  const fixture = acting(execute, { gated: true, ...(toModelOutput && { tool: { toModelOutput } }) });
  const { answer } = fixture.chat();
  const chunks = await answer(questionIn(await fixture.say('Go.')), true, more);
  return { ...fixture, chunks, result: () => resultIn(fixture.model.calls.at(-1)) };
}

/** The output of the one call in a prompt. */
function resultIn(call: { readonly prompt: readonly { role: string; content: unknown }[] } | undefined) {
  const results = call?.prompt.flatMap(({ role, content }) =>
    role === 'tool' ? (content as { output: unknown }[]) : [],
  );
  return results?.[0]?.output;
}

describe('what a person says with an approval reaches the model in the result of the call [ADR 0002]', () => {
  const results: [string, { execute?: () => unknown; toModelOutput?: () => Output; reads: object }][] = [
    ['an object', { reads: noted('{"ok":true}') }],
    ['a text', { execute: () => 'Paid.', reads: noted('Paid.') }],
    [
      // Vendors refuse empty texts.
      'an empty text',
      { execute: () => '', reads: { type: 'text', value: note } },
    ],
    [
      "the tool's own content, in its first text",
      {
        toModelOutput: () => ({
          type: 'content',
          value: [{ type: 'text', text: 'In its own words.' }, image],
        }),
        reads: { type: 'content', value: [{ type: 'text', text: `${note}\n\nIn its own words.` }, image] },
      },
    ],
    [
      "the tool's own content that begins with a file",
      {
        toModelOutput: () => ({ type: 'content', value: [image] }),
        reads: { type: 'content', value: [{ type: 'text', text: note }, image] },
      },
    ],
    [
      // Vendors mark failures, so a failure must stay one.
      'a failure',
      { execute: failing, reads: { type: 'error-text', value: `The account is closed.\n\n${note}` } },
    ],
    [
      'an error that the tool words as JSON',
      {
        toModelOutput: () => ({ type: 'error-json', value: { code: 7 } }),
        reads: { type: 'error-text', value: `{"code":7}\n\n${note}` },
      },
    ],
    [
      'an unknown outcome, whose prefix stays first',
      {
        execute: timedOut,
        reads: { type: 'error-text', value: expect.stringMatching(/^outcome-unknown:[\s\S]*says Bob/) },
      },
    ],
  ];

  it.each(results)('before %s', async (_, { execute, toModelOutput, reads }) => {
    const { result, chunks, flow } = await approved({ reason }, execute, toModelOutput);
    expect(result()).toEqual(reads);
    expect(JSON.stringify(chunks)).not.toContain('This call was approved');
    await flow.close();
  });

  it('with the edited arguments, while the call stays as the model wrote it', async () => {
    const { result, model, flow } = await approved({ reason: 'Less.', input: { amount: 5 } });
    expect(result()).toEqual({
      type: 'text',
      value: 'This call was approved: Less.\nThe arguments were edited to: {"amount":5}\n\n{"ok":true}',
    });
    const [wrote] = model.calls
      .at(-1)
      ?.prompt.flatMap(({ role, content }) =>
        role === 'assistant' ? (content as { input?: unknown }[]) : [],
      ) ?? [{}];
    expect(wrote).toMatchObject({ input: {} });
    await flow.close();
  });

  it('without a reason, if there are only edited arguments', async () => {
    const { result, flow } = await approved({ input: { amount: 5 } });
    expect(result()).toMatchObject({
      value: 'This call was approved.\nThe arguments were edited to: {"amount":5}\n\n{"ok":true}',
    });
    await flow.close();
  });

  it('not at all, if the person only approved', async () => {
    const { result, flow } = await approved({});
    expect(result()).toEqual({ type: 'json', value: { ok: true } });
    await flow.close();
  });

  it('in later turns as well, even if the outcome became known after its turn', async () => {
    const { say, result, id, store, clock, model, events, flow } = await approved({ reason }, timedOut);
    await say('Go on.');
    const requested = (await events()).find(({ type }) => type === 'tool-requested');
    const engine = createEngine(
      { store, model },
      { clock, logger: { warn: () => {}, error: () => {} }, random: () => 'another' },
    );
    await resolveOutcome(engine, {
      chatId: id,
      toolCallId: requested?.type === 'tool-requested' ? requested.toolCallId : parseToolCallId('none'),
      source: 'late',
      outcome: 'completed',
      output: { paid: 5 },
      modelOutput: { type: 'json', value: { paid: 5 } },
    });
    await say('What now?');
    expect(result()).toEqual(noted('{"paid":5}'));
    await flow.close();
  });
});
