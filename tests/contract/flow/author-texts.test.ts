import { type ToolSet, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { flowFixture, questionIn } from '../../support/flow-fixture.ts';

/** A gated tool whose author said odd things of it, and what was logged. */
function told(details: { describe?: unknown; summarize?: unknown; title?: string }) {
  const lines: string[] = [];
  const keep = (message: string, facts: object) => void lines.push(`${message} ${JSON.stringify(facts)}`);
  const act = tool({
    inputSchema: z.object({ code: z.string() }),
    needsApproval: true,
    execute: async () => ['a', 'b'],
  });
  const script = [[{ call: 'act', input: { code: 'swordfish' } }], [{ text: 'Done.' }]];
  const fixture = flowFixture(script, {
    tools: { act } as ToolSet,
    toolDetails: { act: details as never },
    logger: { warn: keep, error: keep },
  });
  return { ...fixture, lines };
}

const thrown = (input: unknown) => {
  throw new Error(`No sentence for ${JSON.stringify(input)}.`);
};

describe('a description that cannot be shown', () => {
  it.each([
    ['throws', thrown],
    ['gives nothing', () => undefined],
    ['returns an empty string', () => ''],
    ['gives blanks', () => ' \n'],
    ['returns a number', () => 7],
    ['returns a promise', async () => 'Pays.'],
    ['returns a promise that rejects', async (input: unknown) => thrown(input)],
    ['returns an endless string', () => 'x'.repeat(2_001)],
  ])(
    'of a `describe` that %s is logged, and the card shows the tool’s name and arguments',
    async (_what, describe) => {
      const { lines, say, view } = told({ describe });
      const shown = await say('Go.');
      expect(shown.find(({ type }) => type === 'tool-approval-request')).toMatchObject({
        approvalDescriptor: { description: 'Run act.' },
      });
      expect((await view()).questions).toMatchObject([
        { toolName: 'act', input: { code: 'swordfish' }, description: 'Run act.' },
      ]);
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(line).toMatch(/`describe`.*"toolName":"act"/);
      expect(lines.join()).not.toContain('swordfish');
    },
  );

  it('is replaced by the tool’s title, if it has one', async () => {
    const { chat } = told({ describe: thrown, title: 'Act' });
    expect((await chat().say('Go.')).find(({ type }) => type === 'tool-approval-request')).toMatchObject({
      approvalDescriptor: { description: 'Act' },
    });
  });

  it('logs nothing for a valid description', async () => {
    const { lines, say, answer } = told({
      describe: () => 'Opens the door.',
      summarize: () => ({ summary: 'Open.' }),
    });
    await answer(questionIn(await say('Go.')), true);
    expect(lines).toEqual([]);
  });
});

describe('a summary that cannot be shown', () => {
  const counts = [Number.NaN, -3, 1.5, Number.POSITIVE_INFINITY, '2', null, 2 ** 60].map(
    (resultCount) =>
      [String(resultCount), { summary: 'Two.', resultCount }, { summary: 'Two.', resultCount: 2 }] as const,
  );
  it.each([
    ...counts,
    ['no text', { summary: 7, resultCount: 5 }, { summary: '2 results', resultCount: 5 }] as const,
    ['an endless text', { summary: 'x'.repeat(2_001) }, { summary: '2 results', resultCount: 2 }] as const,
    ['nothing', undefined, { summary: '2 results', resultCount: 2 }] as const,
    ['a text alone', 'Two.', { summary: '2 results', resultCount: 2 }] as const,
    ['a promise', () => Promise.reject(new Error('late')), { summary: '2 results', resultCount: 2 }] as const,
  ])('of a `summarize` that returns %s is logged, and its default is shown', async (_what, given, shown) => {
    const { lines, say, answer, events } = told({
      summarize: typeof given === 'function' ? given : () => given,
    });
    const response = await answer(questionIn(await say('Go.')), true);
    expect(response.find(({ type }) => type === 'tool-output-available')).toMatchObject({
      toolMetadata: { countersign: shown },
    });
    expect((await events()).find(({ type }) => type === 'tool-completed')).toMatchObject(shown);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/`summarize`.*"toolName":"act"/);
  });

  it('of a `summarize` that throws is logged without the result', async () => {
    const { lines, say, answer } = told({ summarize: thrown });
    const response = await answer(questionIn(await say('Go.')), true);
    expect(response.find(({ type }) => type === 'tool-output-available')).toMatchObject({
      toolMetadata: { countersign: { summary: '2 results', resultCount: 2 } },
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/"a"|swordfish|No sentence/);
  });
});
