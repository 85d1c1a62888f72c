import { tool } from '@ai-sdk/provider-utils';
import type { ApproverRule } from '../../settings/flow-settings.ts';
import type { PluginTool } from '../../settings/plugin/plugin-declaration.ts';
import { quotable } from '../../settings/tools/author-texts.ts';
import type { RiskRating, ToolDetails } from '../../settings/tools/tool-settings.ts';
import { type AgentRequestJson, agentRequestSchema } from './agent-request.ts';

/** The name of the tool that requests of agents are about. */
export const requestTool = 'request_approval';

/**
 * The tool `request_approval`. It only returns the person's answer.
 *
 * @param approvers who may answer, except the principal that asked
 * @source ADR 0044
 */
export function requestToolFor(approvers: ApproverRule): PluginTool {
  return { tool: approvedRequest, details: detailsFor(approvers) as ToolDetails };
}

const approvedRequest = tool({
  description: 'A request for approval of an agent outside this app.',
  inputSchema: agentRequestSchema,
  execute: async ({ arguments: values = {} }) => ({ approved: true, arguments: values }),
});

function detailsFor(approvers: ApproverRule): ToolDetails<AgentRequestJson> {
  return {
    title: 'Request from an agent',
    describe: ({ title }) => `An agent asks, in its own words: “${quotable(title)}”`,
    risk: ({ risk }) => ratingOf(risk),
    summarize: () => ({ summary: 'Approved. The agent outside this app acts on it.', resultCount: 0 }),
    approvers: async (principal, question) =>
      principal.id !== question.askedBy.id && (await approvers(principal, question)) === true,
    whoMayAnswer: ({ id }, { askedBy }) =>
      id === askedBy.id ? 'Waiting for another person. The agent that asked cannot answer.' : undefined,
    idempotent: true,
    retryable: false,
  };
}

/** The agent may call its request riskier than it would be otherwise, but never harmless. */
function ratingOf(claimed: AgentRequestJson['risk']): RiskRating {
  const level = claimed === 'high' ? 'high' : 'medium';
  return { level, reason: claimed ? `the agent's own rating: ${claimed}` : 'not rated by the agent' };
}
