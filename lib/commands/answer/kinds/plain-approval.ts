import { isSameJson } from '../../../protocol/index.ts';
import { parseInput } from '../../../run/call/input/parse-input.ts';
import type { DecidedRequest, PlainApproval, Prepared, Preparing } from '../given-answer.ts';
import type { AskAgain } from '../outcome.ts';

/** Parses an approval of the arguments as proposed: an approval that no other kind has taken. */
export function parsePlainApproval(request: DecidedRequest): PlainApproval {
  const none = { input: undefined, value: undefined };
  return { ...request, ...none, type: 'approval', approved: true, prepare: asShown };
}

/** The proposed arguments, if they still parse to what was shown. */
async function asShown({ engine, call, question }: Preparing): Promise<Prepared | AskAgain> {
  const { requested, asked } = call;
  const parsed = await parseInput(engine, requested, requested.input);
  const isAsShown = parsed.fits && isSameJson(parsed.json, asked?.runsAs ?? requested.input);
  return isAsShown ? { ruled: question, parsed } : { type: 'ask-again', why: 'input-changed' };
}
