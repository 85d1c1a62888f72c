import type { ApprovalFlow } from '../flow/approval-flow.ts';
import type { ChatId, Principal } from '../protocol/index.ts';
import type { FlowStream } from '../views/flow-stream.ts';
import { isCountersignError } from './errors.ts';

/**
 * The stream to resume. An unknown or foreign chat looks like one in which nothing goes on.
 *
 * @returns `null` when there is nothing to resume
 * @source contract H2
 */
export async function resumeIfAny(
  flow: ApprovalFlow,
  request: { readonly principal: Principal; readonly chatId: ChatId },
): Promise<FlowStream | null> {
  try {
    return await flow.resume(request);
  } catch (error) {
    if (isCountersignError(error) && error.code === 'not-found') return null;
    throw error;
  }
}
