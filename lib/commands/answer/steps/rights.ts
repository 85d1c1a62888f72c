import { rightToAnswer } from '../../../rights/right-to-answer.ts';
import { requireStepUp } from '../../../rights/step-up.ts';
import type { RuledQuestion } from '../../../settings/flow-settings.ts';
import type { Answering, Approving, Found } from '../answering.ts';
import { forbidden } from '../refusals.ts';

/**
 * Finds by whose right this person answers, as of now.
 *
 * @throws CountersignError `forbidden`
 * @source ADR 0015, ADR 0049
 */
export async function requireRight(answering: Answering): Promise<Found> {
  const { prepared, question } = answering;
  return rightFor(answering, prepared?.ruled ?? question, 'is for somebody else to answer');
}

/**
 * Rules may depend on the arguments that would run.
 *
 * @throws CountersignError `forbidden`
 * @source ADR 0015
 */
export async function requireRightWithArguments(answering: Approving): Promise<Found | undefined> {
  const { prepared, question } = answering;
  if (!prepared || prepared.ruled === question) return undefined;
  return rightFor(answering, prepared.ruled, 'may not be answered by you with these arguments');
}

/** @throws CountersignError `step-up-required` @source ADR 0015 */
export function requireSignIn({ engine, principal, question }: Answering): undefined {
  requireStepUp(engine.settings, principal, question);
}

async function rightFor(
  { engine, principal }: Answering,
  question: RuledQuestion,
  refusal: string,
): Promise<Found> {
  // What other instances have revoked before this counts.
  await engine.delegations?.refresh();
  const right = await rightToAnswer(engine.settings, principal, question);
  if (right) return { right };
  throw forbidden(question.id, refusal);
}
