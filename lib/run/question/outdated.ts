import type { Call } from '../../log/turn/turn.ts';
import type { Tools } from '../call/parse-input.ts';
import { questionDigest } from './question-digest.ts';

/**
 * True when a call was approved, or asked about, as the tool was and not as it is now. Questions of an older version have
 * no digest: those are about whatever the first instance takes them for that opens them.
 *
 * @source ADR 0020
 */
export async function isOutdated(tools: Tools, { requested, asked, bound, granted }: Call): Promise<boolean> {
  const recorded = asked?.digest ?? bound?.digest ?? granted?.digest;
  return recorded !== undefined && recorded !== (await questionDigest(tools, requested));
}
