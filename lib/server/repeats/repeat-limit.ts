import { LRUCache } from 'lru-cache';
import type { Clock, FlowEvent } from '../../protocol/index.ts';

/** A request this soon after the last event was not made by a person, in milliseconds. */
const soonMs = 10_000;
const keptPages = 1_000;

export type RepeatLimit = {
  /**
   * Remembers a request that repeats answers, of a page that shows everything that followed them.
   *
   * @param page whose requests are counted together
   * @param last the last event that the page shows
   * @returns true if the page must be stopped
   */
  isLoop(page: string, last: Pick<FlowEvent, 'seq' | 'at'>): boolean;
};

/** Recognizes pages that repeat answers: within 10 seconds, or a third time. @source H10 */
export function createRepeatLimit(clock: Pick<Clock, 'now'>): RepeatLimit {
  /** The last event that a page showed when it repeated answers. */
  const pages = new LRUCache<string, number>({ max: keptPages });
  return {
    isLoop(page, { seq, at }) {
      const isThird = pages.get(page) === seq;
      pages.set(page, seq);
      return isThird || clock.now() - at < soonMs;
    },
  };
}
