import type { FlowSettings } from '../../settings/flow-settings.ts';

/**
 * Decides whether a step whose response stream failed is streamed again: as often as `streamRetries` says.
 *
 * @param isSentOnce true for a request that must not be sent again
 * @returns a function that counts one more retry, if there may be one
 */
export function createStreamRetries({ streamRetries = 0 }: FlowSettings, isSentOnce: boolean): () => boolean {
  let left = isSentOnce ? 0 : streamRetries;
  return () => {
    left -= 1;
    return left >= 0;
  };
}
