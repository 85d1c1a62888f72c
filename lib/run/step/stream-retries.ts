import { isRecord } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';

/**
 * Decides whether a step whose response stream failed is streamed again: as often as `streamRetries` says, and once more
 * if `onError` asks for it.
 *
 * @param onError asks the author's callback. It is waited for until the run is stopped
 * @returns a function that counts one more retry, if there may be one
 */
export function createStreamRetries(
  { streamRetries }: Pick<FlowSettings, 'streamRetries'>,
  onError: (error: unknown) => Promise<unknown>,
): (error: unknown) => Promise<boolean> {
  let left = streamRetries ?? 0;
  let mayAsk = streamRetries !== undefined;
  return async (error) => {
    if (streamRetries === undefined) return false;
    const result = await onError(error);
    if (left > 0) {
      left -= 1;
      return true;
    }
    if (!mayAsk || !isRecord(result) || result.retry !== true) return false;
    mayAsk = false;
    return true;
  };
}
