import { parseJson } from '../../../protocol/json.ts';
import { parseQuestion } from '../../question.ts';
import type { FeedConnection, FeedEvent, FeedOutage, FeedReader } from './approval-feed-reader.ts';
import type { FeedMessage, LeaderState } from './feed-tabs.ts';

/**
 * What a tab knows of the feed, and passes on to its reader: from its own connection, or from the leader's.
 *
 * @param tell called with each change, and with each sign of life
 */
export function createFeedState(
  { onEvent, onConnection, onClock }: FeedReader,
  tell: (state: LeaderState) => void,
) {
  let lastId: string | undefined;
  let connection: FeedConnection = 'connecting';
  let outage: FeedOutage | undefined;
  let clock: number | undefined;

  const current = (): LeaderState => ({
    ...{ type: 'state', connection, lastId, aheadMs: clock },
    ...{ isReached: outage?.isReached, retryAt: outage?.retryAt },
  });

  function report(next: FeedConnection, nextOutage?: FeedOutage): void {
    const isNew = next !== connection || nextOutage !== undefined;
    connection = next;
    outage = nextOutage;
    tell(current());
    if (isNew) onConnection?.(next, nextOutage);
  }

  function setClock(aheadMs: number | undefined): void {
    if (aheadMs === undefined || aheadMs === clock) return;
    clock = aheadMs;
    onClock?.(aheadMs);
  }

  return {
    current,
    report,
    setClock,
    /** The position to resume after. */
    lastId: () => lastId,
    setLastId(id: string | undefined): void {
      lastId = id;
    },
    retry: () => outage?.retry(),

    onMessage(message: FeedMessage): void {
      lastId = message.id ?? lastId;
      const event = parseEvent(message);
      if (event) onEvent?.(event);
    },

    /** @param ask asks the leader, which then tries again immediately */
    onState(state: LeaderState, ask: () => void): void {
      lastId = state.lastId ?? lastId;
      setClock(state.aheadMs);
      if (state.connection === 'live') report('live');
      if (state.connection !== 'lost') return;
      const { isReached = false, retryAt } = state;
      report('lost', { isReached, retryAt, retry: ask });
    },
  };
}

function parseEvent({ event, data }: FeedMessage): FeedEvent | undefined {
  if (event !== 'opened' && event !== 'settled') return undefined;
  const question = parseQuestion(parseJson(data));
  return question && { type: event, question };
}
