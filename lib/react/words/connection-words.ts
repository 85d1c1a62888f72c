/** The texts of `ConnectionNotice`. */
export type ConnectionWords = {
  /** The readable name of the notice. */
  readonly label: string;
  readonly lost: string;
  /** @param seconds until the next attempt, at least 1 */
  retryIn(seconds: number): string;
  readonly retrying: string;
  readonly retryNow: string;
  /** Announced when the connection is back. */
  readonly back: string;
};

/** Plain English. */
export const defaultConnectionWords: ConnectionWords = {
  label: 'Connection',
  lost: 'Not connected to the server.',
  retryIn: (seconds) => `Reconnecting in ${seconds} s.`,
  retrying: 'Reconnecting…',
  retryNow: 'Try now',
  back: 'Reconnected.',
};
