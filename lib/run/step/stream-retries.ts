import { isRecord } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';

/**
 * Decides about another try after a broken stream: by `streamRetries`, and by `onError`.
 *
 * @returns counts one more, if it may be
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
