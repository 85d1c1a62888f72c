import { reportMistake } from '../../http/mistake.ts';
import type { ApprovalsApi } from '../approvals-api.ts';
import type { FeedReader } from './approval-feed-reader.ts';
import { openFeed, RefusedFeedError } from './feed-connection.ts';
import { delayBefore, isHidden, sleepUntilRetry, untilVisible } from './feed-delay.ts';
import { createFeedState } from './feed-state.ts';
import { canShare, createFeedTabs } from './feed-tabs.ts';

/**
 * Reads the feed of questions until it is closed. After a lost connection, a server restart or an HTTP error it
 * reconnects and resumes after the last event. `EventSource` gives up at the first HTTP error, and loses its position.
 *
 * The tabs of a person share one connection. Where they cannot, a hidden tab has none: it reports `connecting`, and resumes
 * when it is visible.
 *
 * @returns closes the feed
 * @source H11, ADR 0054
 */
export function readApprovalFeed(settings: ApprovalsApi, reader: FeedReader): () => void {
  const closed = new AbortController();
  void read(settings, reader, closed.signal);
  return () => closed.abort();
}

async function read(settings: ApprovalsApi, reader: FeedReader, signal: AbortSignal): Promise<void> {
  let connection = new AbortController();
  const disconnect = () => connection.abort();
  let isDeposed = false;
  const tabs = createFeedTabs(`${settings.api}/events`, {
    signal,
    onAsk() {
      tabs.tell(state.current());
      state.retry();
    },
    onDeposed() {
      isDeposed = true;
      disconnect();
      state.retry();
    },
  });
  const state = createFeedState(reader, tabs.tell);
  let isAlone = !canShare();

  for (let attempt = 0; !signal.aborted; attempt += 1) {
    if (isAlone && isHidden()) {
      state.report('connecting');
      await untilVisible(signal);
      if (signal.aborted) return;
      attempt = 0;
    }
    isDeposed = false;
    connection = new AbortController();
    const until = { signal: connection.signal };
    signal.addEventListener('abort', disconnect, until);
    // A connection may outlive its network for minutes, without any data.
    globalThis.window?.addEventListener('offline', disconnect, until);
    const onVisibility = () => isAlone && isHidden() && disconnect();
    globalThis.document?.addEventListener('visibilitychange', onVisibility, until);

    let isReached = false;
    let lastedMs = 0;
    const beganAt = performance.now();
    try {
      const feed = await openFeed(settings, connection, state.lastId());
      state.setClock(feed.aheadMs);
      const leads = await tabs.lead(feed.reader);
      isAlone = tabs.isAlone();
      if (!leads) {
        disconnect();
        await tabs.follow(state);
        attempt = -1;
        continue;
      }
      const onAlive = () => {
        attempt = -1;
        state.report('live');
      };
      for await (const message of feed.messages({ onAlive, onStart: state.setLastId })) {
        tabs.tell({ type: 'message', ...message });
        state.onMessage(message);
      }
      // The server ends a feed if what its reader may see has changed. A person may be about to answer.
      if (attempt < 0) {
        isReached = true;
        lastedMs = performance.now() - beganAt;
      }
    } catch (error) {
      const status = error instanceof RefusedFeedError ? error.status : undefined;
      // This server does not know the position: continue with new events.
      if (status === 400) state.setLastId(undefined);
      // The other tabs may have another sign-in.
      if (status === 401 || status === 403) tabs.dissolve();
      isReached = status === undefined ? reportMistake(error) : !isOfGateway(status);
    } finally {
      // If closed early, the server can stop writing.
      disconnect();
    }
    if (signal.aborted) return;
    if (isDeposed || (isAlone && isHidden())) {
      attempt = -1;
      continue;
    }
    const { retryAt, retry, ended } = sleepUntilRetry(delayBefore(attempt, lastedMs), signal);
    state.report('lost', { isReached, retryAt, retry });
    await ended;
    if (!signal.aborted) state.report('lost', { isReached, retry: () => {} });
  }
}

/** A proxy replies in place of a server that is down. */
function isOfGateway(status: number): boolean {
  return status >= 502 && status <= 504;
}
