import { jsonSchema } from '@ai-sdk/provider-utils';
import { Output, type ToolChoice, type ToolSet } from 'ai';
import { ownCalls, type Turn } from '../../log/turn/turn.ts';
import { present } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { executorOf } from '../../settings/tools/tool-details.ts';

/** Settings of one model call that follow from the request that began the turn. */
type StepLimits = {
  readonly toolChoice?: ToolChoice<ToolSet>;
  readonly activeTools?: string[];
  readonly maxOutputTokens?: number;
  readonly output?: Output.Output;
};

/** What the request limits for the next model call. A call that it requires is required once. @source C15, ADR 0014 */
export function limitsOfStep(turn: Turn, settings: FlowSettings): StepLimits {
  const { toolChoice, activeTools, outputLimit, output } = turn.options ?? {};
  const { activeTools: own, maxOutputTokens = Number.POSITIVE_INFINITY } = settings;
  const choice = afterFirstCall(turn, toolChoice);
  const active = isCallLimitReached(turn) ? ofClient(settings, activeTools) : activeTools;
  // These are spread over the settings of the flow.
  return present({
    toolChoice: choice,
    activeTools: active?.filter((name) => !own || own.includes(name)),
    maxOutputTokens:
      outputLimit === undefined
        ? undefined
        : Math.min(maxOutputTokens, Math.max(1, outputLimit - usedOutput(turn))),
    output: output ? outputOf(output) : undefined,
  });
}

/** How many output tokens the turn's own model has used. */
export function usedOutput({ steps, keptSteps }: Turn): number {
  return steps.slice(keptSteps).reduce((sum, { finished }) => sum + (finished?.usage.outputTokens ?? 0), 0);
}

/** Why the request does not allow a call; `undefined` if it does. @param before earlier calls of the step */
export function refusedByRequest(
  turn: Turn,
  call: { readonly toolName: string; readonly isOfServer: boolean },
  before: number,
): string | undefined {
  const { toolChoice, activeTools, callLimit = Number.POSITIVE_INFINITY } = turn.options ?? {};
  if (toolChoice === 'none') return 'the request allows no tool calls.';
  if (activeTools && !activeTools.includes(call.toolName)) return 'the request does not allow this tool.';
  if (call.isOfServer && serverCalls(turn) + before >= callLimit) {
    return `the request allows ${callLimit} tool calls.`;
  }
  return undefined;
}

function isCallLimitReached(turn: Turn): boolean {
  const { callLimit } = turn.options ?? {};
  return callLimit !== undefined && serverCalls(turn) >= callLimit;
}

/** The tools among these that the client executes: their calls are not counted. */
function ofClient({ tools = {} }: FlowSettings, active: readonly string[] = Object.keys(tools)): string[] {
  return active.filter((name) => {
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    return tool !== undefined && executorOf(tool, tool.type === 'provider') === 'client';
  });
}

function serverCalls(turn: Turn): number {
  return ownCalls(turn).filter(({ kept, requested }) => !kept && requested.executor !== 'client').length;
}

function afterFirstCall(turn: Turn, choice: StepLimits['toolChoice']): StepLimits['toolChoice'] {
  const isForced = choice === 'required' || typeof choice === 'object';
  return isForced && ownCalls(turn).some(({ kept }) => !kept) ? 'auto' : choice;
}

function outputOf({
  name,
  description,
  schema,
}: NonNullable<NonNullable<Turn['options']>['output']>): Output.Output {
  const about = { name, description };
  if (!schema) return Output.json(about);
  return Output.object({ schema: jsonSchema(schema as Parameters<typeof jsonSchema>[0]), ...about });
}
