import type { FlowPlugin } from '../../flow/plugin/plugin.ts';
import { CountersignError } from '../../protocol/index.ts';
import { body, json, operation, optional, ref } from '../../server/documents/operations.ts';
import type { ApproverRule } from '../../settings/flow-settings.ts';
import { approvalRequestSchema } from './agent-request.ts';
import { agentRequestEndpoints } from './endpoints.ts';
import type { AgentRequestMethods } from './methods.ts';
import { requestApproval } from './request-approval.ts';
import { requestTool, requestToolFor } from './request-tool.ts';

export type { AgentRequestMethods } from './methods.ts';
export type { AgentRequest } from './request-approval.ts';

/**
 * Lets agents outside this flow ask for approval: over `POST /api/approvals`, and with `countersign mcp` over MCP. Their
 * questions are about the tool `request_approval`, which the model of the flow does not get.
 *
 * @param settings.approvers who may answer requests of agents. Only `true`, returned directly or by a promise, counts as
 *   permission. The principal that asked can never answer, whatever this rule says
 * @example createApprovalFlow({ store, model, tools, plugins: [agentRequests({ approvers: ({ role }) => role === 'manager' })] })
 * @source ADR 0044
 */
export function agentRequests({
  approvers,
}: {
  readonly approvers: ApproverRule;
}): FlowPlugin<'agentRequests', AgentRequestMethods> {
  if (typeof approvers !== 'function') {
    const text = 'The plugin `agentRequests` needs `approvers`, a function.';
    throw new CountersignError('invalid-settings', text, { plugin: 'agentRequests', path: 'approvers' });
  }
  return {
    name: 'agentRequests',
    tools: { [requestTool]: requestToolFor(approvers) },
    setUp(kernel) {
      const methods: AgentRequestMethods = { create: (request) => requestApproval(kernel, request) };
      return {
        methods,
        endpoints: (route) => agentRequestEndpoints(kernel, methods, route),
        openApi: { schemas: { ApprovalRequest: approvalRequestSchema }, paths },
      };
    },
  };
}

const idempotencyKey = {
  ...optional('Idempotency-Key', 'header', 'The same key asks once. 1 to 200 characters.'),
  required: true,
};

const paths = {
  '/api/approvals': {
    post: operation(
      'requestApproval',
      'Ask for approval of what an agent outside the app wants to do',
      { 200: json('The question. A repeated key gets the question of the first request.', ref('Approval')) },
      {
        requestBody: body('ApprovalRequest'),
        parameters: [idempotencyKey],
        refusals: ['run-active', 'key-reused'],
      },
    ),
  },
};
