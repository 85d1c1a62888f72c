import type { FlowEvent } from '../../protocol/index.ts';
import type { ChatHead } from '../store-port.ts';
import { createLogPages, type LogSources } from './log-pages.ts';
import type { Readers } from './readers.ts';

/** Whether an event ends the reading: always, or only if it is the last one in the log. */
export type Verdict = 'goes-on' | 'ends' | 'ends-unless-more';

/**
 * Reads a chat's log from a place on, then live, until an event ends the reading or the chat is erased. Events are read
 * when they are asked for, so a reader that has stopped costs one page of memory. Cancelling detaches the reader only.
 */
export function follow({
  readers,
  chat,
  after,
  upTo,
  before,
  judge,
  ...sources
}: LogSources & {
  readers: Readers;
  chat: Pick<ChatHead, 'id' | 'createdAt'>;
  /** The `seq` to begin after. */
  after: number;
  /** How far the log reaches, if this instance has just written it. */
  upTo?: number;
  /** Called for each event. Its promise is awaited before the event is passed on. */
  before?: (event: FlowEvent) => Promise<void> | undefined;
  judge: (event: FlowEvent) => Verdict;
}): ReadableStream<FlowEvent> {
  const pages = createLogPages(sources, chat, { after, upTo });
  const reader = readers.join(chat.id, pages.offer);
  let cancelled = false;

  function leave(): void {
    pages.close();
    reader.leave();
  }

  return new ReadableStream<FlowEvent>(
    {
      // One async function: each event passes it, and almost always without waiting.
      async pull(controller) {
        reader.asks(pages.cursor);
        try {
          const loading = pages.load();
          if (loading) await loading;
          const event = pages.take();
          const ready = event && before?.(event);
          if (ready) await ready;
          if (cancelled) return;
          if (event) {
            reader.given();
            controller.enqueue(event);
          }
          const verdict = event ? judge(event) : 'ends';
          if (verdict === 'goes-on' || (verdict === 'ends-unless-more' && (await pages.hasMore()))) return;
          if (cancelled) return;
          leave();
          controller.close();
        } catch (error) {
          leave();
          throw error;
        }
      },
      cancel() {
        cancelled = true;
        leave();
      },
    },
    { highWaterMark: 0 },
  );
}
