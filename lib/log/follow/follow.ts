import type { FlowEvent } from '../../protocol/index.ts';
import type { ChatHead } from '../store/index.ts';
import { createLogPages, type LogSources } from './log-pages.ts';
import type { Readers } from './readers.ts';
import type { Source } from './source-stream.ts';

/** Whether an event ends the reading: always, or only if it is the last one in the log. */
export type Verdict = 'goes-on' | 'ends' | 'ends-unless-more';

/**
 * Reads a log from a place, then live, until an event ends it or the chat is erased. A stalled reader costs one page of
 * memory.
 */
export function follow(
  parts: LogSources & {
    readers: Readers;
    chat: Pick<ChatHead, 'id' | 'createdAt'>;
    after: number;
    /** How far the log reaches, if this instance has just written it. */
    upTo?: number;
    /** Called for each event. Its promise is awaited before the event is passed on. */
    before?: (event: FlowEvent) => Promise<void> | undefined;
    judge: (event: FlowEvent) => Verdict;
  },
): Source<FlowEvent> {
  const { readers, chat, after, upTo, before, judge, ...sources } = parts;
  const pages = createLogPages(sources, chat, { after, upTo });
  const reader = readers.join(chat.id, pages.offer);
  let verdict: Verdict = 'goes-on';
  let isOver = false;

  function leave(): undefined {
    isOver = true;
    pages.close();
    reader.leave();
  }

  function fail(error: unknown): never {
    leave();
    throw error;
  }

  /** Waits for what follows an event that ends the reading unless there is more. */
  async function loadMore(): Promise<void> {
    if (!(await pages.hasMore())) return leave();
    await pages.load();
  }

  function take(): FlowEvent | undefined | Promise<FlowEvent | undefined> {
    const event = isOver ? undefined : pages.take();
    if (!event) return leave();
    const ready = before?.(event);
    return ready ? ready.then(() => pass(event)) : pass(event);
  }

  function pass(event: FlowEvent): FlowEvent | undefined {
    if (isOver) return undefined;
    reader.given();
    verdict = judge(event);
    if (verdict === 'ends') leave();
    return event;
  }

  return {
    // Almost always there is an event to return, without waiting.
    next() {
      if (isOver) return undefined;
      reader.asks(pages.cursor);
      try {
        const loading = verdict === 'goes-on' ? pages.load() : loadMore();
        const next = loading ? loading.then(take) : take();
        return next instanceof Promise ? next.catch(fail) : next;
      } catch (error) {
        return fail(error);
      }
    },
    cancel: leave,
  };
}
