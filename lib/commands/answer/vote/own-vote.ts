import type { Call } from '../../../log/turn/turn.ts';
import {
  type ChatEventBody,
  CountersignError,
  type EventOf,
  isSameJson,
  type Principal,
  redact,
  toJson,
} from '../../../protocol/index.ts';
import { voteOfPerson } from '../../../rights/votes/votes.ts';
import type { FormerIds } from '../../../settings/former-ids.ts';
import type { GivenAnswer } from '../answer-kinds.ts';
import type { Postponed } from '../outcome.ts';

/** A vote as it will be recorded. */
export type VoteBody = Extract<ChatEventBody, { type: 'approval-voted' }>;

/**
 * A person's vote counts once.
 *
 * @returns the vote that this answer repeats; `undefined` for a person who has not voted
 * @throws CountersignError `already-answered`, with the person's vote, if this answer is another one
 * @source ADR 0047
 */
export function ownVote(
  settings: FormerIds,
  call: Call,
  principal: Principal,
  answer: GivenAnswer,
): Postponed | undefined {
  const given = voteOfPerson(settings, call.votes ?? [], principal);
  if (!given) return undefined;
  if (isSame(given, call, answer)) return { type: 'postponed', seq: given.seq };
  const { approvalId, approved, reason, by, at } = given;
  throw new CountersignError(
    'already-answered',
    `You have already voted on question ${approvalId}. A vote cannot be changed.`,
    {
      approvalId,
      answer: { approved, reason, by, at: new Date(at).toISOString() },
    },
  );
}

function isSame(
  { approved, reason }: EventOf<'approval-voted'>,
  { requested }: Call,
  answer: GivenAnswer,
): boolean {
  if (approved !== answer.approved || reason !== answer.reason || answer.remember) return false;
  if (!approved || answer.input === undefined) return true;
  // Arguments that are those of the question are no change.
  return isSameJson(toJson(answer.input), redact(requested.input, requested.secrets?.input));
}
