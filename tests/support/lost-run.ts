import { type ToolExecutionOptions, type ToolSet, tool } from 'ai';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type ScriptedStep } from 'countersign/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import type { CallContext, FlowSettings } from '../../lib/flow/index.ts';
import { barrier } from './barrier.ts';
import { cutOffStore } from './cut-off-store.ts';
import { ada, flowFixture, questionIn, userMessage } from './flow-fixture.ts';
import { passTime } from './pass-time.ts';

const leaseMs = 10_000;
const quiet = { warn: () => {}, error: () => {} };

type Outage = {
  readonly gated?: boolean;
  /** The run is stopped while no instance owns it. */
  readonly stopped?: boolean;
  /** The store is back, and the first instance has learned that its run is lost, before the tool ends. */
  readonly noticed?: boolean;
  readonly settings?: Partial<FlowSettings>;
  /** What the tool does while its run is its own. */
  readonly begins?: (context: CallContext) => unknown;
  /** The errors of the store during the outage. Default: transient ones. */
  readonly failure?: () => unknown;
  /** What the tool does once its run is lost. */
  readonly result?: (context: CallContext) => unknown;
};

/**
 * An instance that loses its store while its tool runs, and then its run to another instance. `heal` restores the
 * store, when the tool's result is known.
 */
export async function lostRun({
  gated = false,
  stopped = false,
  noticed = false,
  settings = {},
  begins = () => {},
  failure,
  result = () => 'the real result',
}: Outage = {}) {
  const clock = fakeClock();
  const inner = sqliteStore({ path: ':memory:' });
  const line = cutOffStore(inner, failure);
  const { wait, lift } = barrier();
  const begun = barrier();
  const act = tool({
    inputSchema: z.object({}),
    needsApproval: gated,
    execute: async (_input, { context }: ToolExecutionOptions<CallContext>) => {
      await begins(context);
      begun.lift();
      return wait.then(() => result(context));
    },
  });
  const steps: ScriptedStep[] = [
    [{ call: 'act', id: 'act-1' }],
    [{ text: 'I do not know what became of it.' }],
    [{ text: 'Now I know.' }],
    [{ text: 'Still.' }],
  ];
  const playing = (options: { prompt: readonly { role: string }[] }) =>
    steps[options.prompt.filter(({ role }) => role === 'assistant').length] ?? [];
  const common = { clock, leaseMs, tools: { act } as ToolSet, logger: quiet, ...settings };
  const first = flowFixture(playing as never, { store: line.store, ...common });
  const second = flowFixture(playing as never, { store: inner, ...common });
  const here = first.chat();
  const chat = second.chat();
  if (gated) {
    const approvalId = questionIn(await here.say('Go.')) as never;
    await first.flow.approvals.answer({ principal: ada, approvalId, approved: true, via: 'test' });
  } else await here.ask({ message: userMessage('first', 'Go.') });
  const typesOf = async () => (await chat.events()).map(({ type }) => type);
  // The log is not enough: its `tool-started` is written a moment before the call runs.
  await begun.wait;

  line.cut();
  if (stopped) await chat.stop();
  await passTime(clock, leaseMs + 4_000, 500);
  await second.flow.recover();
  await expect.poll(async () => (await inner.chats.head(chat.id))?.status).toBe('idle');
  if (noticed) {
    line.heal();
    await passTime(clock, leaseMs / 2, 100);
  }
  lift();
  await passTime(clock, 1_000, 100);
  const unknown = await chat.view();
  return {
    clock,
    inner,
    line,
    first,
    second,
    chat,
    typesOf,
    unknown,
    /** The store is back, and the known outcome is reported. */
    heal: async () => {
      line.heal();
      await passTime(clock, 5_000, 100);
    },
  };
}
