import type { Call } from '../../../log/turn/turn.ts';
import {
  type AnswerRequest,
  CountersignError,
  type EventOf,
  isSameJson,
  type Principal,
  redact,
  toJson,
} from '../../../protocol/index.ts';
import { voteOfPerson } from '../../../rights/votes.ts';
import type { FormerIds } from '../../../settings/former-ids.ts';

/**
 * The vote that a person has given on a question before.
 *
 * @returns `undefined` for a person who has not voted
 * @throws CountersignError `already-answered`, with the person's vote, if this answer is another one
 * @source ADR 0047
 */
export function ownVote(
  settings: FormerIds,
  call: Call,
  principal: Principal,
  answer: AnswerRequest,
): EventOf<'approval-voted'> | undefined {
  const given = voteOfPerson(settings, call.votes ?? [], principal);
  if (!given || isSame(given, call, answer)) return given;
  const { approvalId, approved, reason, by, at } = given;
  throw new CountersignError(
    'already-answered',
    `You have already voted on question ${approvalId}. A vote cannot be changed.`,
    {
      approvalId,
      answer: { approved, ...(reason === undefined ? {} : { reason }), by, at: new Date(at).toISOString() },
    },
  );
}

function isSame(
  { approved, reason }: EventOf<'approval-voted'>,
  { requested }: Call,
  answer: AnswerRequest,
): boolean {
  if (approved !== answer.approved || reason !== answer.reason || answer.remember) return false;
  if (!approved || answer.input === undefined) return true;
  // Arguments that are those of the question are no change.
  return isSameJson(toJson(answer.input), redact(requested.input, requested.secrets?.input));
}
