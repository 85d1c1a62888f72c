import type { Journal } from '../../log/journal.ts';
import { agentTurn, type Call } from '../../log/turn/turn.ts';
import { steadyTime } from '../../protocol/clock/clock.ts';
import type { EventBody } from '../../protocol/index.ts';
import { agentOf, type DeclaredAgent, scopeOf, settingsOfAgent } from '../../settings/agents/agents.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { toolNamed } from '../../settings/tools/tool-details.ts';
import { inputOf } from '../call/input/check-call.ts';
import { parseInput } from '../call/input/parse-input.ts';
import { createCallbacks } from '../callbacks/callbacks.ts';
import { ensureOwner } from '../lease/ensure-owner.ts';
import type { Run } from '../run.ts';
import { runStep } from '../step/run-step.ts';
import { asOfAgent } from './agent-calls.ts';
import { agentMessages } from './agent-messages.ts';

/** The agent behind a call, with the settings of its steps; `undefined` if the tool is no longer a subagent. */
export function agentBehind(
  flow: FlowSettings,
  { requested: { toolName } }: Call,
): { readonly agent: DeclaredAgent; readonly settings: FlowSettings } | undefined {
  const agent = agentOf(toolNamed(flow, toolName));
  return agent && { agent, settings: settingsOfAgent(scopeOf(flow, toolName).settings, agent) };
}

/**
 * One model step of a subagent, recorded as a whole: its text is for its caller.
 *
 * @throws the error of the model call or of `prompt`
 */
export async function agentStep(
  run: Run,
  { agent, settings }: { readonly agent: DeclaredAgent; readonly settings: FlowSettings },
  { call, step, isUsed }: { call: Call; step: number; isUsed: (toolCallId: string) => boolean },
): Promise<EventBody[]> {
  const { schemas, prompts, principal, chatId, runId, journal, stops, logger, clock, watch } = run;
  const { toolCallId } = call.requested;
  const prompt = call.prompt ?? (await promptOf(run, agent, call));
  const startedAt = steadyTime(clock);
  const outcome = await runStep({
    settings,
    schemas,
    prompts,
    principal,
    chatId,
    runId,
    // The flow's callbacks are about the turn's own steps.
    callbacks: createCallbacks(settings, logger),
    watch,
    journal: logOf(journal, call),
    clock,
    step,
    messages: agentMessages(journal.turn, { ...call, prompt }),
    abortSignal: stops.stepSignal,
    isUsed,
    ensureOwner: () => ensureOwner(run),
    onContext() {},
  });
  return outcome.flatMap((event): EventBody[] => {
    if (event.type === 'tool-requested') return [asOfAgent(call, event)];
    if (event.type !== 'step-finished') return [event];
    const { messages, finishReason, usage } = event;
    const durationMs = Math.round(steadyTime(clock) - startedAt);
    const began = { prompt: step === 0 ? prompt : undefined };
    return [{ type: 'agent-step', toolCallId, step, durationMs, ...began, messages, finishReason, usage }];
  });
}

async function promptOf(run: Run, agent: DeclaredAgent, call: Call): Promise<string> {
  const input = inputOf(call);
  const parsing = await parseInput(run, call.requested, input);
  if (!parsing.fits) throw parsing.error;
  const prompt: unknown = agent.prompt(parsing.value);
  if (typeof prompt === 'string') return prompt;
  throw new Error('The `prompt` of a subagent must return a string.');
}

/** The subagent's part of the log. Its intermediate text is not kept. */
function logOf({ turn }: Journal, call: Call): Pick<Journal, 'turn' | 'stage' | 'commit'> {
  return { turn: agentTurn(turn, call), stage: () => undefined, commit: () => Promise.resolve() };
}
