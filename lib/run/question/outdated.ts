import type { Call } from '../../log/turn/turn.ts';
import type { Tools } from '../call/input/parse-input.ts';
import { questionDigest } from './question-digest.ts';

/**
 * True if the tool has changed since the call was approved or asked about. Questions of an older version have
 * no digest; the first instance that opens them binds them to its own definition of the tool.
 *
 * @source ADR 0020
 */
export async function isOutdated(tools: Tools, { requested, asked, bound, granted }: Call): Promise<boolean> {
  const recorded = asked?.digest ?? bound?.digest ?? granted?.digest;
  return recorded !== undefined && recorded !== (await questionDigest(tools, requested));
}
