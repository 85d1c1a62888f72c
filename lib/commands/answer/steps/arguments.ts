import type { Approving, Found } from '../answering.ts';
import type { AskAgain } from '../outcome.ts';

/** Reads what the approval would run, by the answer's kind. @throws CountersignError `invalid-request` @source ADR 0020 */
export async function prepareArguments(answering: Approving): Promise<Found | AskAgain> {
  const prepared = await answering.answer.prepare(answering);
  return 'type' in prepared ? prepared : { prepared };
}
