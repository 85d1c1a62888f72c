'use client';

import { type ComponentPropsWithoutRef, useEffect, useRef } from 'react';
import { announce } from '../card/announce.ts';
import { useNow } from '../use-now.ts';
import { useConnectionWords } from '../words/connection-words.ts';
import { useServerConnection } from './server-connection.ts';

/**
 * Says that the page is disconnected and when it reconnects, and lets the person retry now. Renders nothing
 * while connected. For every page below an `ApprovalFeedProvider`.
 *
 * @source ADR 0038
 */
export function ConnectionNotice(props: ComponentPropsWithoutRef<'section'>) {
  const { isConnected, retryAt, retry } = useServerConnection();
  const words = useConnectionWords();
  const seconds = useSecondsUntil(retryAt);
  useAnnouncement(isConnected ? words.back : words.lost, isConnected);
  if (isConnected) return null;
  const isRetrying = retry !== undefined && retryAt === undefined;
  return (
    <section aria-label={words.label} data-countersign="connection" {...props}>
      <p>
        <span>{words.lost}</span> {seconds !== undefined && <span>{words.retryIn(seconds)}</span>}
        {isRetrying && <span>{words.retrying}</span>}
      </p>
      {retry && (
        <button type="button" data-countersign="connection-retry" aria-disabled={isRetrying} onClick={retry}>
          {words.retryNow}
        </button>
      )}
    </section>
  );
}

/**
 * Announces that the connection was lost, and that it is back. Says nothing on a page that starts connected.
 */
function useAnnouncement(words: string, isConnected: boolean): void {
  const before = useRef(true);
  useEffect(() => {
    if (before.current === isConnected) return;
    before.current = isConnected;
    announce(words);
  }, [words, isConnected]);
}

/** Whole seconds, at least 1, updated as they pass. */
function useSecondsUntil(moment: number | undefined): number | undefined {
  const now = useNow(moment === undefined ? undefined : 500);
  if (moment === undefined || now === undefined) return undefined;
  return Math.max(1, Math.ceil((moment - now) / 1_000));
}
