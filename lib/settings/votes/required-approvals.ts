import type { RequiredApprovals } from '../../protocol/index.ts';
import type { ApproverRule, FlowSettings } from '../flow-settings.ts';
import { detailsOf } from '../tools/tool-details.ts';

/** The rule of a tool about who may answer: its `approvers`, or the `of` of its `approvals`. */
export function approverRuleOf(settings: FlowSettings, toolName: string): ApproverRule | undefined {
  const { approvers, approvals } = detailsOf(settings, toolName);
  return approvers ?? approvals?.of;
}

/**
 * How many answers a question about this tool needs, as it is recorded with the question.
 *
 * @returns `undefined` for a tool whose questions need one answer
 * @source ADR 0047
 */
export function requiredApprovals(settings: FlowSettings, toolName: string): RequiredApprovals | undefined {
  const { approvals } = detailsOf(settings, toolName);
  if (!approvals) return undefined;
  const { count, denials = 1 } = approvals;
  return { count, denials: denials > 1 ? denials : undefined };
}
