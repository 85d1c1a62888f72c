import { answererFacts } from '../../rights/answerer-facts.ts';
import type { Answering } from './answering.ts';
import type { AnsweredBody } from './outcome.ts';
import { forbidden } from './refusals.ts';

/** What is recorded of an answer. @throws CountersignError `forbidden` if no step has found the right to answer */
export function answeredBody(answering: Answering): AnsweredBody {
  const { engine, call, answer, principal, by, via, asOutput } = answering;
  const { right, prepared, previewDigest, kept } = answering;
  const { toolCallId } = call.requested;
  const { approvalId, approved, reason, option } = answer;
  if (!right) throw forbidden(approvalId, 'is for somebody else to answer');
  const { rule, onBehalfOf } = right;
  return {
    type: 'approval-answered',
    approvalId,
    toolCallId,
    approved,
    reason,
    option,
    asOutput: asOutput || undefined,
    ...prepared?.recorded,
    previewDigest,
    by,
    onBehalfOf,
    via,
    ...(engine.auditor && answererFacts(principal, rule)),
    plugins: kept?.said,
  };
}
