import type { ToolSet } from 'ai';
import {
  type Executor,
  isRecord,
  type JsonValue,
  type ModelOutput,
  redact,
  type ToolKind,
} from '../../protocol/index.ts';
import { agentOf, scopeOf, settingsOfAgent } from '../agents/agents.ts';
import type { FlowSettings } from '../flow-settings.ts';
import { isForm } from '../forms/ask-person.ts';
import { quotable, sentenceFrom, summaryFrom } from './author-texts.ts';
import { isPluginTool } from './plugin-tools.ts';
import type { ToolDetails } from './tool-settings.ts';

type Tool = ToolSet[string];

/** A tool of the flow or of a subagent, found by own property only: `constructor` is not a tool. */
export function toolNamed(flow: FlowSettings, path: string): Tool | undefined {
  const { settings, name } = scopeOf(flow, path);
  return settings.tools && Object.hasOwn(settings.tools, name) ? settings.tools[name] : undefined;
}

/** Appended to a tool's name to name the questions of its running calls. */
export const questionOfCall = '/ask';

/** The tool whose running call asks the question of this name; for any other tool, the tool itself. */
export function askingTool(flow: FlowSettings, path: string): string {
  const isOfCall = path.endsWith(questionOfCall) && !toolNamed(flow, path);
  return isOfCall ? path.slice(0, -questionOfCall.length) : path;
}

export function detailsOf(flow: FlowSettings, path: string): ToolDetails {
  const { settings, name } = scopeOf(flow, path);
  const { toolDetails } = settings;
  const own = toolDetails && Object.hasOwn(toolDetails, name) ? toolDetails[name] : undefined;
  return own ?? detailsOfQuestion(flow, path) ?? {};
}

/** The rules of a tool also apply to the questions of its running calls. @source ADR 0037 */
function detailsOfQuestion(flow: FlowSettings, path: string): ToolDetails | undefined {
  const asking = askingTool(flow, path);
  if (asking === path) return undefined;
  const details = detailsOf(flow, asking);
  const { approvers, shareContext, stepUp, whoMayAnswer } = details;
  return { approvers, shareContext, stepUp, whoMayAnswer };
}

/** The time limit of one attempt in milliseconds: from `toolDetails`, or else from `timeout`. */
export function timeLimitOf(settings: FlowSettings, name: string): number | undefined {
  const { timeoutMs } = detailsOf(settings, name);
  const { toolMs, tools = {} } = typeof settings.timeout === 'object' ? settings.timeout : {};
  const own = `${name}Ms` as const;
  return timeoutMs ?? (Object.hasOwn(tools, own) ? tools[own] : undefined) ?? toolMs;
}

/** The kind of a tool: set by its author, or derived from its origin. @source C10 */
export function kindOf(settings: FlowSettings, name: string): ToolKind {
  const { kind } = detailsOf(settings, name);
  if (kind) return kind;
  if (name === 'file_search' || name === 'web_search') return name;
  // `@ai-sdk/mcp` stores the server's name on each tool it creates. Providers name theirs `mcp.<name>`.
  const isMcp = toolNamed(settings, name)?.metadata?.clientName !== undefined || name.startsWith('mcp.');
  return isMcp ? 'mcp' : 'function';
}

/** Who executes a call of this tool. A question to a person is not executed: the server takes the answer. */
export function executorOf(tool: Tool | undefined, providerExecuted: boolean): Executor {
  if (providerExecuted) return 'provider';
  return tool && tool.execute === undefined && !isForm(tool) ? 'client' : 'server';
}

/**
 * What the call will do: from `describe`, or else the tool's name. A failing one must not prevent the question.
 *
 * @param input redacted
 */
export function describeCall(flow: FlowSettings, path: string, input: unknown): string {
  const { settings, name } = scopeOf(flow, path);
  const { describe, title } = detailsOf(settings, name);
  const sentence = describe && sentenceFrom(settings, name, () => describe(input as never));
  // Providers mark the tools of a remote server with `mcp.`. It is not part of the tool's name.
  const spoken = name.replace(/^mcp\./, '').replaceAll('_', ' ');
  const tool = toolNamed(settings, name);
  return sentence ?? questionIn(tool, input) ?? title ?? tool?.title ?? `Run ${spoken}.`;
}

/** What the model asks a person, as a quotation: a model must not appear to be the app. @source ADR 0050 */
function questionIn(tool: Tool | undefined, input: unknown): string | undefined {
  if (!isForm(tool) || !isRecord(input) || typeof input.question !== 'string') return undefined;
  return `The assistant asks: “${quotable(input.question)}”`;
}

/** The summary of a result, and its number of items. @param input redacted @source A7 */
export function summarizeOutput(
  settings: FlowSettings,
  name: string,
  output: JsonValue,
  input: unknown,
): { summary: string; resultCount: number } {
  const { summarize, secrets } = detailsOf(settings, name);
  const count = Array.isArray(output) ? output.length : output === null ? 0 : 1;
  // People read the summary, so it is made from the redacted output.
  const shown = redact(output, secrets?.output) as never;
  const custom = summarize && summaryFrom(settings, name, () => summarize(shown, input as never));
  const { summary = count === 1 ? '1 result' : `${count} results`, resultCount = count } = custom ?? {};
  return { summary, resultCount };
}

/** What `describeError` says of an error; `undefined` if nothing. @param input redacted @source A8 */
export function describedError(
  settings: FlowSettings,
  name: string,
  error: unknown,
  input: JsonValue,
): string | undefined {
  const { describeError } = detailsOf(settings, name);
  return (
    describeError && sentenceFrom(settings, name, () => describeError(error, input as never), 'describeError')
  );
}

/**
 * A result as the model receives it.
 *
 * @param call.input what the tool received
 * @param plain the output as JSON
 * @throws TypeError if the tool's `toModelOutput` returns something else
 */
export async function modelOutputOf(
  tool: Tool | undefined,
  call: { toolCallId: string; input: unknown },
  output: unknown,
  plain: JsonValue,
): Promise<ModelOutput> {
  if (tool?.toModelOutput) {
    const made = await tool.toModelOutput({ ...call, output });
    if (isRecord(made) && typeof made.type === 'string') return made;
    throw new TypeError('toModelOutput must return an object with a type.');
  }
  return typeof output === 'string'
    ? { type: 'text', value: output }
    : { type: 'json', value: plain as Extract<ModelOutput, { type: 'json' }>['value'] };
}

/** True if the tool has no gate: its calls are never asked about, refused, or decided by a rule. */
export function neverAsks(flow: FlowSettings, path: string): boolean {
  const { settings, name } = scopeOf(flow, path);
  const { toolApproval } = settings;
  const tool = toolNamed(settings, name);
  // Calls of plugins are asked about without a gate, so a call without a question is a forged one.
  if (typeof toolApproval === 'function' || isForm(tool) || isPluginTool(tool)) return false;
  const own = toolApproval && Object.hasOwn(toolApproval, name) ? toolApproval[name] : undefined;
  const status = typeof own === 'object' && own !== null ? own.type : own;
  if (status === undefined || status === null) return !tool?.needsApproval;
  return status === 'not-applicable';
}

/** True when some tool could ask: text is then withheld. What `prepareCall` will return is unknown. @source T10 */
export function mayEverAsk(settings: FlowSettings): boolean {
  const { tools = {}, toolApproval, prepareCall } = settings;
  return (
    prepareCall !== undefined ||
    typeof toolApproval === 'function' ||
    Object.keys(tools).some(
      (name) =>
        mayAsk(settings, name) || mayAskWhileRunning(settings, name) || mayAskWithin(settings, tools[name]),
    )
  );
}

/** A registered symbol, since a page of the app may load the package twice. Copies of the tool keep it. */
const asking = Symbol.for('countersign.may-ask');

export function markAsking<One extends object>(tool: One): One {
  return { ...tool, [asking]: true };
}

/** True if calls of this tool may ask while they run. @source ADR 0037 */
export function mayAskWhileRunning(flow: FlowSettings, path: string): boolean {
  const tool: (Tool & { readonly [asking]?: boolean }) | undefined = toolNamed(flow, path);
  return detailsOf(flow, path).mayAsk ?? tool?.[asking] === true;
}

function mayAskWithin(settings: FlowSettings, tool: Tool | undefined): boolean {
  const agent = agentOf(tool);
  return agent !== undefined && mayEverAsk(settingsOfAgent(settings, agent));
}

export function mayAsk(flow: FlowSettings, path: string): boolean {
  const { settings, name } = scopeOf(flow, path);
  const { toolApproval, prepareCall } = settings;
  const tool = toolNamed(settings, name);
  if (typeof toolApproval === 'function' || prepareCall) return true;
  if (!tool) return false;
  if (isForm(tool)) return true;
  const status = toolApproval && Object.hasOwn(toolApproval, name) ? toolApproval[name] : undefined;
  // A model vendor's MCP tools can ask on their own, if configured to.
  const { requireApproval = 'never' } = tool.type === 'provider' ? tool.args : {};
  const providerAsks = requireApproval !== 'never';
  return providerAsks || (status === undefined ? Boolean(tool.needsApproval) : isAsking(status));
}

function isAsking(status: unknown): boolean {
  return (
    status === 'user-approval' ||
    typeof status === 'function' ||
    (typeof status === 'object' && status !== null && 'type' in status && status.type === 'user-approval')
  );
}
