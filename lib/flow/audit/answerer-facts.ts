import type { AnswerRule, EventOf, Principal } from '../../vocabulary/index.ts';
import { detailsOf } from '../tool-traits.ts';
import type { FlowSettings } from '../types.ts';

/** What the audit record says of an answer beyond who gave it: role, session, and the rule that allowed it. */
export function answererFacts(
  settings: FlowSettings,
  { role, sessionId }: Principal,
  toolName: string,
): Pick<EventOf<'approval-answered'>, 'approver' | 'rule'> {
  const approver = {
    ...(typeof role === 'string' && { role }),
    ...(typeof sessionId === 'string' && { sessionId }),
  };
  const rule = ruleOf(settings, toolName);
  return Object.keys(approver).length === 0 ? { rule } : { rule, approver };
}

function ruleOf(settings: FlowSettings, toolName: string): AnswerRule {
  const hasApprovers = detailsOf(settings, toolName).approvers !== undefined;
  if (settings.mayAnswer) return hasApprovers ? 'both' : 'flow';
  return hasApprovers ? 'approvers' : 'owner';
}
