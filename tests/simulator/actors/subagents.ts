import type { ToolSet } from 'ai';
import { z } from 'zod';
import { type AgentSettings, type FlowSettings, subagent } from '../../../lib/flow/index.ts';

type Tools = Pick<FlowSettings, 'tools' | 'toolDetails' | 'toolApproval'>;

/** Adds two levels of subagents, which have the same tools, but for the page's. Their plan is in their input. */
export function withSubagents(
  toolsOf: (path?: string) => Tools,
  modelOf: (agent: string) => AgentSettings['model'],
): Tools {
  const agent = (name: string, path: string, more: ToolSet) => {
    const { tools, toolDetails, toolApproval } = toolsOf(path);
    const { page: _page, ...own } = tools ?? {};
    const settings = { toolDetails, toolApproval, tools: { ...own, ...more }, maxRetries: 0 };
    return subagent({ ...settings, model: modelOf(name) } as AgentSettings, {
      description: `Works on a plan as ${name}.`,
      inputSchema: z.object({ plan: z.string() }),
      prompt: ({ plan }) => plan,
    });
  };
  const team = agent('team', 'team/', { crew: agent('crew', 'team/crew/', {}) });
  const flow = toolsOf();
  return { ...flow, tools: { ...flow.tools, team } as ToolSet };
}
