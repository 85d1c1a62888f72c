import {
  type ApprovalId,
  type Clock,
  type Principal,
  personOf,
  type StandingApproval,
} from '../../protocol/index.ts';
import type { Tools } from '../call/input/parse-input.ts';
import { definitionDigest } from './tool-definition.ts';

/** A person's approval of other calls than the one in question, for the tool as it is now. Without a seal. @source ADR 0056 */
export async function standingApproval(
  tools: Tools & { readonly clock: Clock },
  principal: Principal,
  about: Pick<StandingApproval, 'id' | 'covers' | 'toolName'> & { readonly approvalId: ApprovalId },
): Promise<StandingApproval> {
  const definition = await definitionDigest(tools, about.toolName);
  return { ...about, by: personOf(principal), definition, createdAt: tools.clock.now() };
}
