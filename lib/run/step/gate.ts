import { jsonSchema } from '@ai-sdk/provider-utils';
import type { ToolSet } from 'ai';
import { toJson } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { guardGates } from '../../settings/guarded-gates.ts';
import { executorOf, toolNamed } from '../../settings/tool-details.ts';
import { parseInput, type Tools } from '../call/parse-input.ts';

type Tool = ToolSet[string];
type ToolApproval = NonNullable<FlowSettings['toolApproval']>;
type AnyFunction = (input: unknown, ...rest: unknown[]) => unknown;

/** How the arguments are given: as the model wrote them, or, by older events, as they were parsed once. */
export type InputForm = 'raw' | 'parsed';

const anything = jsonSchema({});

/** What the SDK is given to decide by. @see gatesOf */
export type Gates = {
  readonly tools: ToolSet;
  readonly toolApproval: FlowSettings['toolApproval'];
  /** Ids of the calls, as the model gave them, whose gate failed. */
  readonly failed: ReadonlySet<string>;
};

/**
 * The tools and the gate for the SDK, for one step. The engine decides when a tool runs, so there is no `execute`. The
 * SDK gets the arguments unparsed; functions of the author get them parsed.
 *
 * @source ADR 0020
 */
export function gatesOf(tools: Tools, form: InputForm = 'raw'): Gates {
  const { settings, schemas } = tools;
  const gates = guardGates({ ...settings, toolApproval: parsedApproval(tools, form) });
  const gated = Object.entries(settings.tools ?? {}).map(([name, tool]) => {
    const { needsApproval, onInputAvailable } = tool;
    const parsed =
      typeof needsApproval === 'function'
        ? { ...tool, needsApproval: parsing(tools, name, tool, form, needsApproval as AnyFunction) as never }
        : tool;
    const own = {
      ...tool,
      inputSchema: form === 'raw' ? schemas.inputOf(tool) : anything,
      needsApproval: gates.needsApproval(name, parsed),
      ...(onInputAvailable && {
        onInputAvailable: async (options: { input: unknown }) =>
          onInputAvailable({
            ...options,
            input: await parsedValue(tools, name, tool, form, options.input),
          } as never),
      }),
      execute: undefined,
    };
    return [name, own as ToolSet[string]];
  });
  return { tools: Object.fromEntries(gated), toolApproval: gates.toolApproval, failed: gates.failed };
}

/** The flow's own gate, its functions given the parsed arguments. */
function parsedApproval(tools: Tools, form: InputForm): FlowSettings['toolApproval'] {
  const { toolApproval } = tools.settings;
  if (toolApproval === undefined) return undefined;
  if (typeof toolApproval === 'function') {
    return async (options) => {
      const { toolCall } = options;
      const tool = toolNamed(tools.settings, toolCall.toolName);
      if (!tool || toolCall.invalid) return toolApproval(options);
      const input = await parsedValue(tools, toolCall.toolName, tool, form, toolCall.input);
      return toolApproval({ ...options, toolCall: { ...toolCall, input } as typeof toolCall });
    };
  }
  const statuses = Object.entries(toolApproval).map(([name, status]) => {
    const tool = toolNamed(tools.settings, name);
    const wrapped =
      tool && typeof status === 'function' ? parsing(tools, name, tool, form, status as AnyFunction) : status;
    return [name, wrapped];
  });
  return Object.fromEntries(statuses) as ToolApproval;
}

function parsing(tools: Tools, name: string, tool: Tool, form: InputForm, decide: AnyFunction): AnyFunction {
  return async (input, ...rest) => decide(await parsedValue(tools, name, tool, form, input), ...rest);
}

/** @throws Error when the arguments do not fit any more: a gate that cannot see them decides nothing */
async function parsedValue(
  tools: Tools,
  toolName: string,
  tool: Tool,
  form: InputForm,
  input: unknown,
): Promise<unknown> {
  const call = { toolName, executor: executorOf(tool, false), ...(form === 'raw' && { inputForm: form }) };
  const parsing = await parseInput(tools, call, toJson(input));
  if (!parsing.fits) throw parsing.error;
  return parsing.value;
}
