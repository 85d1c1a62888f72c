import type { Tools } from '../run/call/parse-input.ts';
import { questionDigest } from '../run/question/question-digest.ts';
import type { Call } from '../log/turn.ts';

/**
 * True when the question that was asked about a call is not the one that would be asked now. One that was asked without
 * a digest, by an older version, is about whatever the first instance takes it for that opens it.
 *
 * @source ADR 0020
 */
export async function isOutdated(tools: Tools, { requested, asked, bound }: Call): Promise<boolean> {
  const recorded = asked?.digest ?? bound?.digest;
  return recorded !== undefined && recorded !== (await questionDigest(tools, requested));
}
