import { type ToolSet, tool } from 'ai';
import { sqliteStore } from 'countersign/store';
import { distantStore, type FakeClock, fakeClock } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FlowSettings } from '../../../lib/flow/index.ts';
import { parseToolCallId } from '../../../lib/protocol/index.ts';
import { checkPrompt } from '../../support/check-prompt.ts';
import { ada, flowFixture, userMessage } from '../../support/flow-fixture.ts';
import { passTime, passTimeUntil } from '../../support/pass-time.ts';

const everyMs = 2;
const graceMs = 50;

/** A tool that reports every 2 ms and does not look at its abort signal. It ends when it is told to. */
function deafTool(clock: FakeClock) {
  let reports = 0;
  let ended = false;
  const deaf = tool({
    inputSchema: z.object({}),
    async *execute() {
      while (!ended) {
        reports += 1;
        yield { reports };
        await new Promise<void>((resolve) => void clock.after(everyMs, resolve));
      }
      yield { reports };
    },
  });
  return {
    tools: { deaf } as ToolSet,
    reports: () => reports,
    end: () => {
      ended = true;
    },
  };
}

function playing(settings: Partial<FlowSettings> = {}) {
  const clock = fakeClock();
  const deaf = deafTool(clock);
  const fixture = flowFixture([[{ call: 'deaf' }], [{ text: 'Yes.' }], [{ text: 'Still here.' }]], {
    tools: deaf.tools,
    clock,
    stopGraceMs: graceMs,
    logger: { warn: () => {}, error: () => {} },
    ...settings,
  });
  return { ...fixture, clock, deaf };
}

describe('reports end with the attempt', () => {
  it.each([
    ['a store in the process', []],
    ['a store that is far away', [3, 0, 7, 1]],
  ])('a stopped tool that continues to report hides no message, with %s', async (_name, delays) => {
    const { clock, deaf, model, say, stop, events } = playing({
      store: distantStore(sqliteStore({ path: ':memory:' }), delays),
    });
    const first = say('Begin.');
    await expect.poll(() => deaf.reports()).toBeGreaterThan(0);
    await passTime(clock, 10);
    await passTimeUntil(clock, stop(), { stepMs: everyMs });
    await first;
    const reported = deaf.reports();

    for (const text of ['Are you there?', 'And now?']) {
      await passTimeUntil(clock, say(text), { stepMs: everyMs });
      const prompt = model.calls.at(-1)?.prompt ?? [];
      expect(prompt.at(-1)).toMatchObject({ role: 'user', content: [{ type: 'text', text }] });
      expect(checkPrompt(prompt)).toEqual([]);
    }
    expect(deaf.reports()).toBeGreaterThan(reported);

    const log = await events();
    const end = log.findIndex(({ type }) => type === 'run-cancelled');
    expect(log.slice(end).map(({ type }) => type)).not.toContain('tool-progressed');
    expect(log.slice(end + 1).some(({ runId }) => runId === log[end]?.runId)).toBe(false);
    deaf.end();
  });

  it('reports after a call’s end are not in the log', async () => {
    const clock = fakeClock();
    const { promise: late, resolve: report } = Promise.withResolvers<void>();
    const { promise: rest, resolve: end } = Promise.withResolvers<void>();
    const twice = tool({
      inputSchema: z.object({}),
      async *execute() {
        yield { place: 'before' };
        await late;
        yield { place: 'after' };
      },
    });
    const other = tool({
      inputSchema: z.object({}),
      async *execute() {
        await late;
        yield { place: 'other' };
        await rest;
      },
    });
    const { flow, read, ask, events, id } = flowFixture(
      [[{ call: 'twice', id: 'twice' }, { call: 'other' }], [{ text: 'Done.' }]],
      {
        tools: { twice, other } as ToolSet,
        clock,
        stopGraceMs: graceMs,
      },
    );
    const response = await ask({ message: userMessage('first', 'Go.') });
    const progress = async () =>
      (await events()).flatMap((event) => (event.type === 'tool-progressed' ? [event.output] : []));
    await expect.poll(progress).toEqual([{ place: 'before' }]);
    const toolCallId = parseToolCallId('twice');
    expect(await flow.chats.cancelCall({ chatId: id, principal: ada, toolCallId })).toBe(true);
    await passTime(clock, graceMs);
    report();
    await expect.poll(progress).toEqual([{ place: 'before' }, { place: 'other' }]);
    end();
    await passTimeUntil(clock, read(response));
    expect(await progress()).toEqual([{ place: 'before' }, { place: 'other' }]);
  });
});
