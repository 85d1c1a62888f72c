import type { AgentRequest } from '../../commands/request-approval.ts';
import { requestApproval } from '../../commands/request-approval.ts';
import type { ApprovalId } from '../../protocol/index.ts';
import type { Engine } from '../../run/engine.ts';
import type { By } from '../request.ts';

/** Requests of agents outside the flow. */
export type AgentRequestMethods = {
  /**
   * Asks for approval of something that an agent outside this flow wants to do. The question is asked in a chat of its own,
   * whose owner is the principal. The same `key` asks once. Withdraw it with `stop`.
   *
   * @returns the id of the question
   * @throws CountersignError `not-found` without the setting `agentRequests`; `forbidden` if the policy denies it;
   * `key-reused` if the key was used for another request; `invalid-request`
   * @source ADR 0044
   */
  create(request: By & AgentRequest): Promise<ApprovalId>;
};

/** @see AgentRequestMethods */
export function createAgentRequests(engine: Engine): AgentRequestMethods {
  return { create: (request) => requestApproval(engine, request) };
}
