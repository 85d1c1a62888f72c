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
import { answerOfPerson } from '../../../rights/recorded-answers.ts';
import type { FormerIds } from '../../../settings/former-ids.ts';
import type { GivenAnswer } from '../answer-kinds.ts';
import type { Postponed } from '../outcome.ts';

/** An answer that leaves its question open, as it will be recorded. */
export type RecordedBody = Extract<ChatEventBody, { type: 'answer-recorded' }>;

/**
 * A person answers once.
 *
 * @returns the answer that this one repeats
 * @throws CountersignError `already-answered` if it is another one
 * @source ADR 0047
 */
export function ownAnswer(
  settings: FormerIds,
  call: Call,
  principal: Principal,
  answer: GivenAnswer,
): Postponed | undefined {
  const given = answerOfPerson(settings, call.recorded ?? [], principal);
  if (!given) return undefined;
  if (isSame(given, call, answer)) return { type: 'postponed', seq: given.seq };
  const { approvalId, approved, reason, by, at } = given;
  throw new CountersignError(
    'already-answered',
    `You have already answered question ${approvalId}. The answer cannot be changed.`,
    {
      approvalId,
      answer: { approved, reason, by, at: new Date(at).toISOString() },
    },
  );
}

function isSame(
  { approved, reason }: EventOf<'answer-recorded'>,
  { requested }: Call,
  answer: GivenAnswer,
): boolean {
  if (approved !== answer.approved || reason !== answer.reason || answer.plugins) return false;
  if (!approved || answer.input === undefined) return true;
  // Arguments that are those of the question are no change.
  return isSameJson(toJson(answer.input), redact(requested.input, requested.secrets?.input));
}
