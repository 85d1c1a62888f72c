import { type Tool, type ToolSet, tool } from 'ai';
import type { AgentSettings, SubagentTool } from './agent-settings.ts';
import { agentOf, type DeclaredAgent, markAgent } from './agents.ts';
import { checkAgentSettings } from './check-agent.ts';

/**
 * Declares a tool whose calls are handled by another agent. The flow runs that agent's model and tools
 * itself, and records them in the chat's log. Its questions are questions of the chat, with the path of the
 * call in their title (“research → pay”); its tools are named `research/pay` in rules, records and parts.
 * While a question is open, nothing runs, and a restart loses nothing. The result of the call is the text of
 * the agent's last step.
 *
 * The agent's own `toolApproval` and `toolDetails` apply to its tools. Default for `stopWhen`: 20 steps.
 *
 * @throws CountersignError `invalid-settings` for a setting that subagents do not support, for a tool without `execute`,
 *   and for subagents that are nested more than two deep
 * @source ADR 0035
 * @example subagent({ model, tools: { pay }, toolApproval: { pay: 'user-approval' } },
 *   { description: 'Finds and pays an invoice.', inputSchema, prompt: ({ task }) => task })
 */
export function subagent<Tools extends ToolSet, Input>(
  agent: AgentSettings<Tools>,
  options: SubagentTool<Input>,
): Tool<Input, string> {
  // Internally, tools are identified by name.
  const settings = agent as unknown as AgentSettings;
  checkAgentSettings(settings, options);
  const { title, description, inputSchema, prompt } = options;
  const declared: DeclaredAgent = {
    settings,
    prompt: prompt as (input: unknown) => string,
    depth: 1 + Math.max(0, ...Object.values(settings.tools ?? {}).map((one) => agentOf(one)?.depth ?? 0)),
  };
  const called = tool({
    title,
    description,
    inputSchema,
    execute: (): string => {
      throw new Error('A subagent runs only in a flow: pass its tool to `createApprovalFlow`.');
    },
  } as never) as Tool<Input, string>;
  return markAgent(called, declared);
}
