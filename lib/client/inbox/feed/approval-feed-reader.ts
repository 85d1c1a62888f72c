import type { Question } from '../../question.ts';

/** A question that was opened or settled, on this page or elsewhere. @source H11 */
export type FeedEvent = { readonly type: 'opened' | 'settled'; readonly question: Question };

/** After `lost` the reader reconnects, without a limit, until it is closed. */
export type FeedConnection = 'connecting' | 'live' | 'lost';

/** The state of a `lost` feed. */
export type FeedOutage = {
  /**
   * Requests can reach the server, as far as is known: it ended the feed in order, or it, or a gateway before it,
   * refused the feed with a status other than 502 to 504.
   */
  readonly isReached: boolean;
  /** When the next attempt begins: epoch milliseconds of this machine. Absent during an attempt. */
  readonly retryAt?: number;
  /** Begins the next attempt now. */
  readonly retry: () => void;
};

/** Callbacks of the feed. A list that is read after `onConnection('live')` misses no question. */
export type FeedReader = {
  readonly onEvent?: (event: FeedEvent) => void;
  /** `outage` is given with `lost`, which is reported again when an attempt begins. */
  readonly onConnection?: (connection: FeedConnection, outage?: FeedOutage) => void;
  /**
   * How far the server's clock is ahead of this machine's, in milliseconds. Called when a connection begins,
   * if the difference is known.
   */
  readonly onClock?: (aheadMs: number) => void;
};

/** A feed of questions that has several readers. @returns ends the reading */
export type FeedSource = (reader: FeedReader) => () => void;
