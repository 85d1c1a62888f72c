import { isSameJson } from '../../../protocol/index.ts';
import { settles } from '../../../rights/votes/votes.ts';
import { answeredBody } from '../answered-body.ts';
import type { Answering, Approving } from '../answering.ts';
import type { AnsweredBody, AskAgain, Postponed } from '../outcome.ts';
import type { VoteBody } from './own-vote.ts';

/**
 * Nobody has seen edited arguments but the person who wrote them, so everybody else is asked about them. This person has
 * voted for them.
 *
 * @source ADR 0047
 */
export function askAgainAfterEdit(answering: Approving): AskAgain | undefined {
  const { call, prepared, by } = answering;
  const { written } = prepared ?? {};
  const { count = 1 } = call.asked?.approvals ?? {};
  if (!written || count === 1 || isSameJson(written.input, call.requested.input)) return undefined;
  const { digest: _shown, previewDigest: _effect, ...given } = voteOf(answering);
  return {
    type: 'ask-again',
    why: 'edited',
    edit: { input: written.input, by },
    withQuestion: ({ approvalId, toolCallId, digest }) => ({
      ...given,
      approvalId,
      toolCallId,
      ...(digest !== undefined && { digest }),
    }),
  };
}

/** An answer that does not settle its question is a vote. @source ADR 0047 */
export function postponeUntilSettled(answering: Answering): Postponed | undefined {
  const { engine, call } = answering;
  const votes = [...(call.votes ?? []), answeredBody(answering)];
  if (settles(engine.settings, call.asked?.approvals, votes)) return undefined;
  return { type: 'postponed', body: voteOf(answering) };
}

/** The answer as a vote: without what belongs to its execution. */
function voteOf(answering: Answering): VoteBody {
  const {
    option: _option,
    value: _value,
    asOutput: _asOutput,
    input: _input,
    runsAs: _runsAs,
    remembered: _remembered,
    ...vote
  }: AnsweredBody = answeredBody(answering);
  const { digest } = answering.question;
  return { ...vote, type: 'approval-voted', ...(digest !== undefined && { digest }) };
}
