import { type ToolSet, tool } from 'ai';
import { sqliteStore } from 'countersign/store';
import { fakeClock } from 'countersign/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { barrier } from './barrier.ts';
import { cutOffStore } from './cut-off-store.ts';
import { flowFixture } from './flow-fixture.ts';
import { passTime } from './pass-time.ts';

const leaseMs = 10_000;
const quiet = { warn: () => {}, error: () => {} };

/**
 * A call of an idempotent tool that a second instance ran again, and a third one found interrupted, while the others
 * were cut off from the store.
 *
 * @param firstAttempt what became of the attempt of the first instance
 */
export async function twiceInterrupted(firstAttempt: 'did not begin' | 'failed') {
  const clock = fakeClock();
  const inner = sqliteStore({ path: ':memory:' });
  const lines = { first: cutOffStore(inner), second: cutOffStore(inner) };
  const [acknowledged, firstEnds, secondEnds] = [barrier(), barrier(), barrier()];
  const ran: string[] = [];
  const instance = (name: string, store: FlowStore, execute: () => Promise<string>) => {
    const act = tool({
      inputSchema: z.object({}),
      execute: () => {
        ran.push(name);
        return execute();
      },
    });
    return flowFixture([[{ call: 'act', id: 'act-1' }]], {
      // No instance takes over by itself.
      ...{ store, clock, leaseMs, sweepMs: 1e9, logger: quiet, retry: false },
      tools: { act } as ToolSet,
      toolDetails: { act: { idempotent: true } },
    });
  };
  const append: FlowStore['append'] = async (batch) => {
    const outcome = await lines.first.store.append(batch);
    const isStart = batch.events.some(({ type }) => type === 'tool-started');
    if (isStart && firstAttempt === 'did not begin') await acknowledged.wait;
    return outcome;
  };
  const first = instance('first', { ...lines.first.store, append }, async () => {
    await firstEnds.wait;
    throw new Error('The card was declined.');
  });
  const second = instance('second', lines.second.store, () => secondEnds.wait.then(() => 'paid'));
  const third = instance('third', inner, async () => 'never');
  const chat = third.chat();
  const typesOf = async () => (await chat.events().catch(() => [])).map(({ type }) => type as string);

  first
    .chat()
    .say('Go.')
    .catch(() => {});
  await expect.poll(typesOf).toContain('tool-started');
  if (firstAttempt === 'failed') await expect.poll(() => ran).toEqual(['first']);
  lines.first.cut();
  await passTime(clock, leaseMs + 4_000, 500);
  await second.flow.recover();
  await expect.poll(() => ran).toContain('second');
  lines.second.cut();
  secondEnds.lift();
  await chat.stop();
  await passTime(clock, leaseMs + 4_000, 500);
  await third.flow.recover();
  await expect.poll(typesOf).toContain('run-cancelled');
  return {
    chat,
    /** The instances whose tool was called, in order. */
    ran,
    firstReports: async () => {
      lines.first.heal();
      acknowledged.lift();
      firstEnds.lift();
      await passTime(clock, 5_000, 100);
    },
    secondReports: async () => {
      lines.second.heal();
      await passTime(clock, 5_000, 100);
    },
  };
}
