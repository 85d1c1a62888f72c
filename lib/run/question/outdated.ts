import type { Call } from '../../log/turn/turn.ts';
import type { Tools } from '../call/input/parse-input.ts';
import { questionDigest } from './question-digest.ts';

/** True if the tool has changed since the call was approved or asked about. @source ADR 0020 */
export async function isOutdated(tools: Tools, { requested, asked, granted }: Call): Promise<boolean> {
  const recorded = asked?.digest ?? granted?.digest;
  return recorded !== undefined && recorded !== (await questionDigest(tools, requested));
}
