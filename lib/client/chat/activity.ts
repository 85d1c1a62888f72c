import type { Connection } from './approval-chat-types.ts';
import type { RequestFailure } from './requests/explain-failure.ts';

/** What a page is doing in its chat, and what it knows of its connection. */
export type Activity = {
  /** The page requests a replay. The SDK's status does not show this. */
  readonly isResuming: boolean;
  readonly isStopping: boolean;
  /** The SDK has an answer, and has not decided whether to send it. */
  readonly isAnswering: boolean;
  /** A retry is in progress, and the server has not replied. */
  readonly isRetrying: boolean;
  /** The feed of questions is disconnected, and reconnects. */
  readonly isFeedLost: boolean;
  readonly hasNetwork: boolean;
  /** Why the last action failed. */
  readonly failure?: RequestFailure | undefined;
};

/** Nothing has happened. */
export const atFirst: Activity = {
  isResuming: false,
  isStopping: false,
  isAnswering: false,
  isRetrying: false,
  isFeedLost: false,
  hasNetwork: true,
};

/** The connection, from the browser's network state and the page's requests. */
export function connectionOf({ hasNetwork, failure, isRetrying, isFeedLost }: Activity): Connection {
  if (!hasNetwork) return 'offline';
  if (failure?.kind === 'network' || failure?.kind === 'unconfirmed')
    return isRetrying ? 'reconnecting' : 'offline';
  return isFeedLost ? 'reconnecting' : 'online';
}
