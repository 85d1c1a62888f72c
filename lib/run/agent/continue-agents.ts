import { Conflict, Stopped } from '../../log/conflict.ts';
import { agentTurn, type Call, type Step } from '../../log/turn/turn.ts';
import { isExecutable } from '../../log/turn/wants-answer.ts';
import { type EventBody, errorFacts } from '../../protocol/index.ts';
import { checkReady } from '../call/check-ready.ts';
import { failed } from '../call/execute-call.ts';
import { inputOf } from '../call/input/check-call.ts';
import { parseInput } from '../call/input/parse-input.ts';
import { endPaused } from '../call/paused-calls.ts';
import { completed } from '../call/result/completed.ts';
import { runLimited } from '../call/run-limited.ts';
import type { AgentAction } from '../next-action.ts';
import type { Run } from '../run.ts';
import { transcriptOf } from '../run-transcript.ts';
import { stopReason } from '../stops/stop-condition.ts';
import { agentBehind, agentStep } from './agent-step.ts';
import { withCalls } from './close-agent.ts';

/**
 * Continues each of these subagents: by one model step, or to the end of its work, which ends its call. They
 * work at the same time, as many as `toolCallConcurrency` allows. If a subagent fails, only its call fails.
 *
 * @throws Conflict; the abort reason on stop and close
 * @source ADR 0035
 */
export async function continueAgents(run: Run, agents: readonly AgentAction[]): Promise<void> {
  const { settings, stops, limits, journal } = run;
  const beginning = agents.flatMap(({ call }) => (call.agentSteps ? [] : [call]));
  if (beginning.length > 0 && !(await mayBegin(run, beginning))) return;
  limits.beginStep();
  const transcript = await transcriptOf(run);
  const taken = new Map<string, Call>();
  /** Models that work at the same time may choose the same id. The first gets it. */
  const isUsedFor = (call: Call) => (id: string) => {
    if (transcript.hasCall(id) || journal.turn.calls.has(id as never)) return true;
    if (!taken.has(id)) taken.set(id, call);
    return taken.get(id) !== call;
  };
  const { toolCallConcurrency = agents.length } = settings;
  await runLimited(
    agents,
    toolCallConcurrency,
    () => !stops.stepSignal.aborted,
    (action) => continueAgent(run, action, isUsedFor(action.call)),
  );
}

/** A subagent begins as any other call starts. @returns false if one may not start: the log has then changed */
async function mayBegin(run: Run, calls: readonly Call[]): Promise<boolean> {
  if (run.pauses.mayPause() && (await endPaused(run, calls))) return false;
  return (await checkReady(run, calls)).length === calls.length;
}

async function continueAgent(
  run: Run,
  { call, next }: AgentAction,
  isUsed: (toolCallId: string) => boolean,
): Promise<void> {
  const { journal, runId, principal, chatId, stops, logger } = run;
  const { toolName, toolCallId } = call.requested;
  try {
    const behind = agentBehind(run.settings, call);
    if (!behind) throw new Error(`The subagent ${toolName} is no longer available.`);
    const { settings } = behind;
    const own = agentTurn(journal.turn, call);
    const isOver =
      next.type === 'complete' ||
      (next.type === 'continue' && (await stopReason({ settings, principal, chatId }, own)) !== undefined);
    if (isOver) await journal.commit(runId, ...(await ending(run, call, own.steps.at(-1))));
    else journal.stage(runId, ...(await agentStep(run, behind, { call, step: next.step, isUsed })));
  } catch (error) {
    if (Conflict.is(error) || Stopped.is(error) || stops.stepSignal.aborted) throw error;
    logger.error('A subagent failed.', { chatId, runId, toolCallId, toolName, error: errorFacts(error) });
    await journal.commit(runId, ...(await failing(run, call, 'The subagent failed.')));
  }
}

/** The call starts and ends in one append, so a crash leaves no unknown outcome, and a stop refuses the start. */
async function ending(run: Run, call: Call, last: Step | undefined): Promise<EventBody[]> {
  const finishReason = last?.finished?.finishReason ?? 'other';
  if (!isExecutable(finishReason)) {
    return failing(run, call, `The subagent's answer was cut off (${finishReason}).`);
  }
  const { start, parsed } = await startOf(run, call);
  const execution = { settings: run.settings, call, input: start.input };
  return [start, await completed(execution, { output: textOf(last), parsed }, undefined)];
}

/** The calling model learns which of the subagent's calls ran. People read only the error. */
async function failing(run: Run, call: Call, error: string): Promise<EventBody[]> {
  const { start } = await startOf(run, call);
  const facts = { wasRetried: false, retryable: false };
  const end = failed({ call, input: start.input }, new Error(error), facts);
  return [start, { ...end, modelOutput: withCalls(run.journal.turn, call, error) }];
}

async function startOf(run: Run, call: Call) {
  const { toolCallId } = call.requested;
  const input = inputOf(call);
  const parsing = await parseInput(run, call.requested, input);
  const runsAs = parsing.fits ? parsing.runsAs : undefined;
  const start = { type: 'tool-started' as const, toolCallId, input, runsAs };
  return { start, parsed: parsing.fits ? parsing.value : input };
}

function textOf(step: Step | undefined): string {
  const parts = (step?.finished?.messages ?? []).flatMap(({ role, content }) =>
    role === 'assistant'
      ? typeof content === 'string'
        ? [{ type: 'text' as const, text: content }]
        : content
      : [],
  );
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}
