import type { ToolApprovalConfiguration, ToolSet } from 'ai';
import { isRecord, toJson } from '../../protocol/index.ts';
import type { TurnFacts } from '../../settings/call/call-context.ts';
import type { Context } from '../../settings/call/call-settings.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { isForm } from '../../settings/forms/ask-person.ts';
import { guardGates } from '../../settings/tools/guarded-gates.ts';
import { executorOf, toolNamed } from '../../settings/tools/tool-details.ts';
import { parseInput, type Tools } from '../call/input/parse-input.ts';

type Tool = ToolSet[string];
type ToolApproval = NonNullable<FlowSettings['toolApproval']>;
type SdkApproval = ToolApprovalConfiguration<ToolSet, Context>;
type AnyFunction = (input: unknown, ...rest: unknown[]) => unknown;

export type TurnTools = Tools & TurnFacts;

export type Gates = {
  readonly tools: ToolSet;
  readonly toolApproval: SdkApproval;
  /** Ids of the calls, as the model gave them, whose gate failed. */
  readonly failed: ReadonlySet<string>;
};

/**
 * The SDK's tools and gate for one step: no `execute`, since the engine decides. Authors get parsed arguments.
 *
 * @source ADR 0020
 */
export function gatesOf(tools: TurnTools): Gates {
  const { settings, schemas, principal, chatId } = tools;
  const withFacts = (decide: AnyFunction) => (input: unknown, options: unknown) => {
    const given = options as { readonly context?: object };
    return decide(input, { ...given, context: { ...given.context, principal, chatId } });
  };
  const gates = guardGates({ ...settings, toolApproval: parsedApproval(tools) });
  const gated = Object.entries(settings.tools ?? {}).map(([name, tool]) => {
    const { needsApproval, onInputAvailable } = tool;
    const parsed =
      typeof needsApproval === 'function'
        ? {
            ...tool,
            needsApproval: parsing(tools, name, tool, withFacts(needsApproval as AnyFunction)) as never,
          }
        : tool;
    const own = {
      ...tool,
      inputSchema: schemas.inputOf(tool),
      needsApproval: gates.needsApproval(name, parsed),
      ...(onInputAvailable && {
        onInputAvailable: async (options: { input: unknown }) =>
          onInputAvailable({
            ...options,
            input: await parsedValue(tools, name, tool, options.input),
          } as never),
      }),
      execute: undefined,
    };
    return [name, own as ToolSet[string]];
  });
  const toolApproval = askingForms(settings, gates.toolApproval) as SdkApproval;
  return { tools: Object.fromEntries(gated), toolApproval, failed: gates.failed };
}

/** A question to a person is always asked, unless the gate denies it: the value is not known before. @source ADR 0050 */
function askingForms(
  { tools = {} }: FlowSettings,
  gate: FlowSettings['toolApproval'],
): FlowSettings['toolApproval'] {
  const isAsking = (name: string) => Object.hasOwn(tools, name) && isForm(tools[name]);
  const forms = Object.keys(tools).filter(isAsking);
  if (gate === undefined || forms.length === 0) return gate;
  const asked = (status: unknown) => (isDenial(status) ? status : 'user-approval');
  if (typeof gate === 'function') {
    return (async (given) => {
      const status = await gate(given);
      return isAsking(given.toolCall.toolName) ? asked(status) : status;
    }) as FlowSettings['toolApproval'];
  }
  const own = forms.map((name) => {
    const status: unknown = Object.hasOwn(gate, name) ? gate[name] : undefined;
    if (typeof status !== 'function') return [name, asked(status)];
    const decide = status as AnyFunction;
    return [name, async (input: unknown, ...rest: unknown[]) => asked(await decide(input, ...rest))];
  });
  return { ...gate, ...Object.fromEntries(own) };
}

function isDenial(status: unknown): boolean {
  return status === 'denied' || (isRecord(status) && status.type === 'denied');
}

function parsedApproval(tools: TurnTools): FlowSettings['toolApproval'] {
  const { settings, principal, chatId } = tools;
  const { toolApproval } = settings;
  if (toolApproval === undefined) return undefined;
  if (typeof toolApproval === 'function') {
    return async (given) => {
      const options = { ...given, principal, chatId };
      const { toolCall } = options;
      const tool = toolNamed(tools.settings, toolCall.toolName);
      if (!tool || toolCall.invalid) return toolApproval(options);
      const input = await parsedValue(tools, toolCall.toolName, tool, toolCall.input);
      return toolApproval({ ...options, toolCall: { ...toolCall, input } as typeof toolCall });
    };
  }
  const statuses = Object.entries(toolApproval).map(([name, status]) => {
    const tool = toolNamed(tools.settings, name);
    if (!tool || typeof status !== 'function') return [name, status];
    const decide: AnyFunction = (input, options) =>
      (status as AnyFunction)(input, { ...(options as object), principal, chatId });
    return [name, parsing(tools, name, tool, decide)];
  });
  return Object.fromEntries(statuses) as ToolApproval;
}

function parsing(tools: Tools, name: string, tool: Tool, decide: AnyFunction): AnyFunction {
  return async (input, ...rest) => decide(await parsedValue(tools, name, tool, input), ...rest);
}

/** @throws Error if the arguments no longer fit: a gate must not decide without them */
async function parsedValue(tools: Tools, toolName: string, tool: Tool, input: unknown): Promise<unknown> {
  const call = { toolName, executor: executorOf(tool, false) };
  const parsing = await parseInput(tools, call, toJson(input));
  if (!parsing.fits) throw parsing.error;
  return parsing.value;
}
