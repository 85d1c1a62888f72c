import { useSection } from './use-section.ts';

/** Plain English. */
export const defaultConnectionWords = {
  /** The readable name of the notice. */
  label: 'Connection',
  lost: 'Not connected to the server.',
  /** @param seconds until the next attempt, at least 1 */
  retryIn: (seconds: number): string => `Reconnecting in ${seconds} s.`,
  retrying: 'Reconnecting…',
  retryNow: 'Try now',
  /** Announced when the connection is back. */
  back: 'Reconnected.',
};

/** The texts of `ConnectionNotice`. */
export type ConnectionWords = Readonly<typeof defaultConnectionWords>;

/** The texts of `ConnectionNotice`. */
export const useConnectionWords = (): ConnectionWords => useSection('connection', defaultConnectionWords);
