import { type Tool, type ToolSet, tool, type UIMessageChunk } from 'ai';
import { fakeClock } from 'countersign/testing';
import { z } from 'zod';
import type { FlowSettings, ToolDetails } from '../../lib/flow/index.ts';
import { flowFixture, questionIn } from './flow-fixture.ts';

type Execute = (input: unknown, options: { abortSignal?: AbortSignal; context?: unknown }) => unknown;
const anyObject = z.looseObject({});

/** A flow with one tool, `act`, whose behaviour the test sets, on a stopped clock. */
export function acting(
  execute: Execute,
  more: {
    gated?: boolean;
    details?: ToolDetails;
    settings?: Partial<FlowSettings>;
    tool?: Partial<Tool>;
  } = {},
) {
  const clock = fakeClock();
  const act = tool({ inputSchema: anyObject, execute: execute as never, needsApproval: more.gated === true });
  const other = tool({ inputSchema: anyObject, execute: async () => 'other', needsApproval: true });
  const script = [[{ call: 'act' }], [{ text: 'Done.' }], [{ text: 'Yes?' }], [{ text: 'Well.' }]];
  const fixture = flowFixture(script, {
    tools: { act: { ...act, ...more.tool }, other } as ToolSet,
    toolDetails: more.details ? { act: more.details } : {},
    retry: {},
    clock,
    logger: { warn: () => {}, error: () => {} },
    ...more.settings,
  });
  const { say, answer, ...chat } = fixture.chat();
  return {
    ...fixture,
    ...chat,
    clock,
    say,
    /** Lets the model call the tool and approves the call if it is gated. */
    run: async () => (more.gated ? answer(questionIn(await say('Go.')), true) : say('Go.')),
  };
}

/** The outcome in a response. */
export const outcomeOf = (chunks: readonly UIMessageChunk[]) =>
  chunks.find(({ type }) => type === 'tool-output-available' || type === 'tool-output-error');

/** The state changes of calls in a response. */
export const phases = (chunks: readonly UIMessageChunk[]) =>
  chunks.flatMap((chunk) =>
    chunk.type === 'data-tool-lifecycle' ? [(chunk.data as { phase: string }).phase] : [],
  );
