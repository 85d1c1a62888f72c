import { type ToolSet, tool, type UIMessageChunk } from 'ai';
import type { FlowSettings } from 'countersign';
import { checkResponseTiming, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { barrier } from '../../support/barrier.ts';
import { clientMessage, messageOf, plain } from '../../support/client-message.ts';
import { flowFixture, questionIn } from '../../support/flow-fixture.ts';

const script: ScriptedStep[] = [[{ call: 'count', id: 'count-1', input: {} }], [{ text: 'Counted.' }]];

/** A flow with a generator tool. It waits after its first output until it is lifted. */
function counting(settings: Partial<FlowSettings> = {}, needsApproval = false) {
  const half = barrier();
  const count = tool({
    inputSchema: z.object({}),
    needsApproval,
    async *execute() {
      yield { rows: 1, key: 'k-4711' };
      await half.wait;
      yield { rows: 2, key: 'k-4711' };
      yield { rows: 3, key: 'k-4711' };
    },
  });
  const fixture = flowFixture(script, { tools: { count } as ToolSet, ...settings });
  return { ...fixture, ...fixture.chat(), half };
}

type Output = { readonly rows: number; readonly key: string };

/** The outputs in a response, with their kind. */
const outputsIn = (chunks: readonly UIMessageChunk[]) =>
  chunks.flatMap((chunk) =>
    chunk.type === 'tool-output-available'
      ? [`${chunk.preliminary ? 'preliminary ' : ''}${(chunk.output as Output).rows}`]
      : [],
  );

/** The outputs in the reports of a response. */
const reportedIn = (chunks: readonly UIMessageChunk[]) =>
  chunks.flatMap((chunk) => {
    if (chunk.type !== 'data-tool-lifecycle') return [];
    const { phase, output } = chunk.data as { phase: string; output?: Output };
    return output ? [`${phase} ${output.rows}`] : [];
  });

describe('preliminary outputs of a generator tool', () => {
  it('are output parts in a `progressive` response, and the last one is the output [T11]', async () => {
    const { say, view, resume, half } = counting({ release: 'progressive' });
    const response = say('Go.');
    await expect
      .poll(async () => (await view()).messages[1]?.parts.find(({ type }) => type === 'tool-count'))
      .toMatchObject({ state: 'input-available' });
    half.lift();
    const chunks = await response;
    expect(outputsIn(chunks)).toEqual(['preliminary 1', 'preliminary 2', 'preliminary 3', '3']);
    expect(reportedIn(chunks)).toEqual([]);
    expect(checkResponseTiming([chunks], { release: 'progressive', finished: true })).toEqual([]);
    const stored = plain((await view()).messages[1]);
    expect(stored).toEqual(await messageOf(chunks));
    expect(JSON.stringify(stored)).not.toContain('preliminary');
    expect(await messageOf((await resume()) ?? [])).toEqual(stored);
  });

  it('follow the approval of a call that was asked about, with `progressive` [T11]', async () => {
    const { say, answer, view, half } = counting({ release: 'progressive' }, true);
    half.lift();
    const first = await say('Go.');
    const last = await answer(questionIn(first), true);
    expect(outputsIn(last)).toEqual(['preliminary 1', 'preliminary 2', 'preliminary 3', '3']);
    const client = clientMessage();
    await client.read(first);
    client.answer(questionIn(first), true);
    await client.read(last);
    expect(plain((await view()).messages[1])).toEqual(client.value);
  });

  it('are in the progress reports of a `final` turn, and not in the message [T6]', async () => {
    const { say, answer, view, half } = counting({}, true);
    half.lift();
    const first = await say('Go.');
    const last = await answer(questionIn(first), true);
    expect(reportedIn(last)).toEqual(['progressed 1', 'progressed 2', 'progressed 3']);
    expect(outputsIn(last)).toEqual(['3']);
    expect(checkResponseTiming([first, last], { finished: true })).toEqual([]);
    expect(JSON.stringify((await view()).messages)).not.toContain('"rows":2');
  });

  it.each(['final', 'progressive'] as const)('are redacted, with `%s` [ADR 0011]', async (release) => {
    const toolDetails = { count: { secrets: { output: ['key'] } } };
    const { say, half } = counting({ release, toolDetails });
    half.lift();
    const chunks = await say('Go.');
    expect([...outputsIn(chunks), ...reportedIn(chunks)]).toHaveLength(4);
    expect(JSON.stringify(chunks)).not.toContain('4711');
  });

  it('of a call that fails give way to its error, with `progressive`', async () => {
    const fail = tool({
      inputSchema: z.object({}),
      async *execute() {
        yield { rows: 1 };
        throw new Error('No line.');
      },
    });
    const { say, view } = flowFixture(script, { tools: { count: fail } as ToolSet, release: 'progressive' });
    const chunks = await say('Go.');
    expect(outputsIn(chunks)).toEqual(['preliminary 1']);
    const stored = plain((await view()).messages[1]);
    expect(stored?.parts.find(({ type }) => type === 'tool-count')).toMatchObject({
      state: 'output-error',
      errorText: 'No line.',
    });
    expect(stored).toEqual(await messageOf(chunks));
  });
});
