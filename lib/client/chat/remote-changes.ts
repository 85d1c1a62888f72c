import type { UIMessage } from 'ai';
import type { FeedReader } from '../inbox/feed/approval-feed-reader.ts';
import type { LiveEvent } from './live/live-parts.ts';
import { openPartOf, showsUnknownOutcome } from './message-parts.ts';

/** What following remote changes needs. */
export type RemoteChangesSettings = {
  readonly chat: { readonly id: string; readonly messages: readonly UIMessage[] };
  /** No response is being read, and nothing is being stopped. */
  readonly isAtRest: () => boolean;
  readonly feed: (event: LiveEvent) => void;
  readonly synchronize: () => Promise<void>;
  readonly catchUp: () => Promise<void>;
  readonly onLost: (isLost: boolean) => void;
  /** The chat may have changed since the page has it, before the first connection. */
  readonly isBehind?: boolean;
};

/**
 * Reads the feed of questions for one chat: reloads it when another page or process asked or answered its question, when a
 * call's outcome became known late, and when a lost connection is back, or the first one is there for a chat that may be outdated.
 *
 * @returns `rested` is to be called when the chat comes to rest
 * @source H11
 */
export function createChangeReader(settings: RemoteChangesSettings): {
  readonly reader: FeedReader;
  readonly rested: () => void;
} {
  const { chat, isAtRest, feed, synchronize, catchUp, onLost } = settings;
  const settledWhileBusy = new Set<string>();
  let isBehind = settings.isBehind ?? false;
  return {
    reader: {
      onEvent({ type, question }) {
        if (question.chatId !== chat.id) return;
        const isSettled = type === 'settled';
        if (isSettled) feed({ type: 'settled', question });
        if (!isAtRest()) {
          if (isSettled) settledWhileBusy.add(question.id);
          return;
        }
        const isOpenHere = openPartOf(chat.messages)?.approval.id === question.id;
        if (isOpenHere && !isSettled) feed({ type: 'changed', question });
        // A settled question changes again when the outcome of its call becomes known.
        if (isOpenHere === isSettled || showsUnknownOutcome(chat.messages, question.id)) void synchronize();
      },
      onConnection(connection) {
        const isBack = isBehind && connection === 'live';
        const isLost = connection === 'lost';
        isBehind = isLost || (isBehind && !isBack);
        onLost(isLost);
        if (isBack && isAtRest()) void catchUp();
      },
    },
    // Another page may answer the question while this one is still reading the response that asks it.
    rested() {
      const open = openPartOf(chat.messages)?.approval.id;
      if (open !== undefined && settledWhileBusy.delete(open)) void synchronize();
    },
  };
}
