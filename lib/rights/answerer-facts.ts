import { type AnswerRule, type EventOf, type Principal, present } from '../protocol/index.ts';

/** Facts about the person who answers, for the audit record, besides the name. */
export function answererFacts(
  { role, sessionId, authenticatedAt, authenticationMethods }: Principal,
  rule: AnswerRule,
): Pick<EventOf<'approval-answered'>, 'approver' | 'rule'> {
  const approver = present({
    role: typeof role === 'string' ? role : undefined,
    sessionId: typeof sessionId === 'string' ? sessionId : undefined,
    authenticatedAt: isTime(authenticatedAt) ? new Date(authenticatedAt).toISOString() : undefined,
    authenticationMethods: isTextList(authenticationMethods) ? authenticationMethods : undefined,
  });
  return Object.keys(approver).length === 0 ? { rule } : { rule, approver };
}

/** A host may return any value, and an invalid one must not prevent the record. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(new Date(value).getTime());
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
