import type { FlowSettings } from '../flow-settings.ts';
import type { AgentSettings } from './agent-settings.ts';

export type DeclaredAgent = {
  readonly settings: AgentSettings;
  readonly prompt: (input: unknown) => string;
  /** The number of agent levels, including this agent. */
  readonly depth: number;
};

/** A registered symbol, since a page of the app may load the package twice. Copies of the tool keep it. */
const mark = Symbol.for('countersign.subagent');

export function markAgent<Tool extends object>(tool: Tool, agent: DeclaredAgent): Tool {
  return Object.assign(tool, { [mark]: agent });
}

/** The agent that a tool calls; `undefined` for any other tool. */
export function agentOf(tool: unknown): DeclaredAgent | undefined {
  return typeof tool === 'object' && tool !== null
    ? (tool as { readonly [mark]?: DeclaredAgent })[mark]
    : undefined;
}

export const noAgentLimit =
  'does not limit a subagent, which may wait for answers: limit the tools of the subagent, or the whole run with `timeout`';

export function settingsOfAgent(flow: FlowSettings, { settings }: DeclaredAgent): FlowSettings {
  const { store, clock, logger, runtimeContext, timeout } = flow;
  // Of `timeout`, a step uses only the limits on the times between parts of a response.
  return { ...settings, store, clock, logger, runtimeContext, timeout };
}

/** True if a tool has secrets, of these settings or of a subagent within. */
export function hasSecrets({
  toolDetails = {},
  tools = {},
}: Pick<FlowSettings, 'tools' | 'toolDetails'>): boolean {
  return (
    Object.values(toolDetails).some((details) => details?.secrets !== undefined) ||
    Object.values(tools).some((tool) => hasSecrets(agentOf(tool)?.settings ?? {}))
  );
}

/** The settings to which a tool belongs, and its name there. @param name such as `pay`, or `research/pay` in a subagent */
export function scopeOf(
  settings: FlowSettings,
  name: string,
): { readonly settings: FlowSettings; readonly name: string } {
  const end = name.indexOf('/');
  if (end === -1) return { settings, name };
  const { tools = {} } = settings;
  const first = name.slice(0, end);
  const agent =
    Object.hasOwn(tools, name) || !Object.hasOwn(tools, first) ? undefined : agentOf(tools[first]);
  return agent ? scopeOf(settingsOfAgent(settings, agent), name.slice(end + 1)) : { settings, name };
}
