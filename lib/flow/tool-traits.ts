import type { ToolSet } from 'ai';
import type { Executor, JsonValue, ModelOutput, ToolKind } from '../vocabulary/index.ts';
import { redact, toJson } from '../vocabulary/index.ts';
import type { FlowSettings, ToolDetails } from './types.ts';

type Tool = ToolSet[string];

/** A tool of the flow, by own name only: `constructor` is no tool. */
export function toolNamed(settings: FlowSettings, name: string): Tool | undefined {
  return settings.tools && Object.hasOwn(settings.tools, name) ? settings.tools[name] : undefined;
}

/** What the author said of a tool. */
export function detailsOf(settings: FlowSettings, name: string): ToolDetails {
  const { toolDetails } = settings;
  return (toolDetails && Object.hasOwn(toolDetails, name) ? toolDetails[name] : undefined) ?? {};
}

/** Family of a tool: said by its author, or told from where it comes. @source contract C10 */
export function kindOf(settings: FlowSettings, name: string): ToolKind {
  const { kind } = detailsOf(settings, name);
  if (kind) return kind;
  if (name === 'file_search' || name === 'web_search') return name;
  // `@ai-sdk/mcp` leaves the server's name on each tool it makes; providers call theirs `mcp.<name>`.
  const isMcp = toolNamed(settings, name)?.metadata?.clientName !== undefined || name.startsWith('mcp.');
  return isMcp ? 'mcp' : 'function';
}

/** Who runs a call of this tool. */
export function executorOf(tool: Tool | undefined, providerExecuted: boolean): Executor {
  if (providerExecuted) return 'provider';
  return tool && tool.execute === undefined ? 'client' : 'server';
}

/** What will happen, in a sentence. A `describe` that throws must not stop the question. */
export function describeCall(settings: FlowSettings, name: string, input: JsonValue): string {
  const { describe, title } = detailsOf(settings, name);
  try {
    const sentence = describe?.(input as never);
    if (sentence) return sentence;
  } catch {}
  // `mcp.` is how providers mark a tool of a remote server; it is no part of what the tool is called.
  const spoken = name.replace(/^mcp\./, '').replaceAll('_', ' ');
  return title ?? toolNamed(settings, name)?.title ?? `Run ${spoken}.`;
}

/** How a result is told to people, and how many things it holds. @source contract A7 */
export function summarizeOutput(
  settings: FlowSettings,
  name: string,
  output: JsonValue,
  input: JsonValue,
): { summary: string; resultCount: number } {
  const count = Array.isArray(output) ? output.length : output === null ? 0 : 1;
  try {
    const { summarize, secrets } = detailsOf(settings, name);
    // People read the summary, so it is made of what they may see.
    const shown = redact(output, secrets?.output) as never;
    const told = summarize?.(shown, redact(input, secrets?.input) as never);
    if (told) return { summary: told.summary, resultCount: told.resultCount ?? count };
  } catch {}
  return { summary: count === 1 ? '1 result' : `${count} results`, resultCount: count };
}

/** What the model is told of a result, by the tool's own `toModelOutput` or as the SDK does without one. */
export async function modelOutputOf(
  tool: Tool | undefined,
  call: { toolCallId: string; input: JsonValue },
  output: unknown,
): Promise<ModelOutput> {
  if (tool?.toModelOutput) return tool.toModelOutput({ ...call, output });
  return typeof output === 'string'
    ? { type: 'text', value: output }
    : { type: 'json', value: toJson(output) as Extract<ModelOutput, { type: 'json' }>['value'] };
}

/** True when some tool of this flow could ever ask: then text is held until the turn ends. @source T10 */
export function mayEverAsk({ tools = {}, toolApproval }: FlowSettings): boolean {
  if (typeof toolApproval === 'function') return true;
  const asks = (status: unknown) =>
    status === 'user-approval' ||
    typeof status === 'function' ||
    (typeof status === 'object' && status !== null && 'type' in status && status.type === 'user-approval');
  return Object.entries(tools).some(([name, tool]) => {
    const status = toolApproval && Object.hasOwn(toolApproval, name) ? toolApproval[name] : undefined;
    // A model vendor's MCP tools ask for themselves, when they are told to.
    const { requireApproval = 'never' } = tool.type === 'provider' ? tool.args : {};
    const providerAsks = requireApproval !== 'never';
    return providerAsks || (status === undefined ? Boolean(tool.needsApproval) : asks(status));
  });
}
