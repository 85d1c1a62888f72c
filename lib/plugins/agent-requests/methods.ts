import type { ApprovalId, Principal } from '../../protocol/index.ts';
import type { AgentRequest } from './request-approval.ts';

/** Requests of agents outside the flow. */
export type AgentRequestMethods = {
  /**
   * Asks for approval of something that an agent outside this flow wants to do. The question is asked in a chat of its own,
   * whose owner is the principal. The same `key` asks once. Withdraw it with `flow.chats.stop`.
   *
   * @returns the id of the question
   * @throws CountersignError `forbidden` if the policy denies it; `key-reused` if the key was used for another request;
   * `invalid-request`
   * @source ADR 0044
   */
  create(request: AgentRequest & { readonly principal: Principal }): Promise<ApprovalId>;
};
