import { pluginOfRule, recordedBy } from '../../../rights/added-rules.ts';
import { isGivenBy } from '../../../rights/givers.ts';
import { rightToAnswer } from '../../../rights/right-to-answer.ts';
import { requireStepUp } from '../../../rights/step-up.ts';
import type { RuledQuestion } from '../../../settings/flow-settings.ts';
import type { Answering, Approving, Found } from '../answering.ts';
import { forbidden } from '../refusals.ts';

const notTheirs = 'is for somebody else to answer';

/** Rules are called once, before any function of the tool. @throws CountersignError `forbidden` @source ADR 0049 */
export function requireRight(answering: Answering): Promise<Found> {
  return rightFor(answering, answering.question, notTheirs);
}

/** To rules, other arguments are another question. @throws CountersignError `forbidden` @source ADR 0015 */
export function requireRightWithArguments(answering: Approving): Promise<Found> | undefined {
  const { prepared, question } = answering;
  if (!prepared || prepared.ruled === question) return undefined;
  return rightFor(answering, prepared.ruled, 'may not be answered by you with these arguments');
}

/** A right may have been revoked during earlier steps. @throws CountersignError `forbidden` @source ADR 0049 */
export async function refuseIfRevoked({
  engine: { settings },
  principal,
  question,
  right,
}: Answering): Promise<undefined> {
  if (!right?.onBehalfOf) return;
  if (!(await isGivenBy(settings, right.onBehalfOf, principal, question)))
    throw forbidden(question.id, notTheirs);
}

/** @throws CountersignError `step-up-required` @source ADR 0015 */
export function requireSignIn({ engine, principal, question }: Answering): undefined {
  requireStepUp(engine.settings, principal, question);
}

/** A rule of a plugin counts only if the plugin has recorded something about the question. @source ADR 0056.19 */
async function rightFor(
  { engine, principal, call }: Answering,
  question: RuledQuestion,
  refusal: string,
): Promise<Found> {
  const right = await rightToAnswer(engine.settings, principal, question);
  const plugin = pluginOfRule(right?.rule);
  const isRecorded = plugin === undefined || recordedBy(plugin, call).length > 0;
  if (right && isRecorded) return { right };
  throw forbidden(question.id, refusal);
}
