import { tool } from '@ai-sdk/provider-utils';
import { type AgentRequestJson, agentRequestSchema } from '../../protocol/wire/agent-request.ts';
import type { AgentRequests, FlowSettings } from '../flow-settings.ts';
import { quotable } from '../tools/quotable.ts';
import type { RiskRating, ToolDetails } from '../tools/tool-settings.ts';

/** The name of the tool that requests of agents are about. */
export const requestTool = 'request_approval';

/**
 * These settings with the tool `request_approval`, if agents may ask. The tool only returns the person's answer.
 *
 * @source ADR 0044
 */
export function withAgentRequests(settings: FlowSettings): FlowSettings {
  const { agentRequests, tools, toolDetails } = settings;
  if (!agentRequests) return settings;
  const details = detailsFor(agentRequests) as ToolDetails;
  return {
    ...settings,
    tools: { ...tools, [requestTool]: approvedRequest },
    toolDetails: { ...toolDetails, [requestTool]: details },
  };
}

/** These settings without the tool that only agents outside the flow use. */
export function forModel(settings: FlowSettings): FlowSettings {
  if (!settings.agentRequests || !settings.tools) return settings;
  const { [requestTool]: _hidden, ...tools } = settings.tools;
  return { ...settings, tools };
}

const approvedRequest = tool({
  description: 'A request for approval of an agent outside this app.',
  inputSchema: agentRequestSchema,
  execute: async ({ arguments: values = {} }) => ({ approved: true, arguments: values }),
});

function detailsFor({ approvers }: AgentRequests): ToolDetails<AgentRequestJson> {
  return {
    title: 'Request from an agent',
    describe: ({ title }) => `An agent asks, in its own words: “${quotable(title)}”`,
    risk: ({ risk }) => ratingOf(risk),
    summarize: () => ({ summary: 'Approved. The agent outside this app acts on it.', resultCount: 0 }),
    approvers: async (principal, question) =>
      principal.id !== question.askedBy.id && (await approvers(principal, question)) === true,
    whoMayAnswer: ({ id }, { askedBy }) =>
      id === askedBy.id ? 'Waiting for another person. The agent that asked cannot answer.' : undefined,
    neverRemember: true,
    idempotent: true,
    retryable: false,
  };
}

/** The agent may call its request riskier than it would be otherwise, but never harmless. */
function ratingOf(claimed: AgentRequestJson['risk']): RiskRating {
  const level = claimed === 'high' ? 'high' : 'medium';
  return { level, reason: claimed ? `the agent's own rating: ${claimed}` : 'not rated by the agent' };
}
