import type { AnswerRule, EventOf, Principal } from '../protocol/index.ts';

/**
 * What the audit record contains about an answer, besides its author: role, session, sign-in, and the rule
 * that allowed it.
 */
export function answererFacts(
  { role, sessionId, authenticatedAt, authenticationMethods }: Principal,
  rule: AnswerRule,
): Pick<EventOf<'approval-answered'>, 'approver' | 'rule'> {
  const approver = {
    ...(typeof role === 'string' && { role }),
    ...(typeof sessionId === 'string' && { sessionId }),
    ...(isTime(authenticatedAt) && { authenticatedAt: new Date(authenticatedAt).toISOString() }),
    ...(isTextList(authenticationMethods) && { authenticationMethods }),
  };
  return Object.keys(approver).length === 0 ? { rule } : { rule, approver };
}

/** A host may return any value, and an invalid one must not prevent the record. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(new Date(value).getTime());
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
