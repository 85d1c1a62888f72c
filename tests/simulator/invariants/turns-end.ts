import type { UIMessage } from 'ai';
import { type Invariant, tally } from './invariant.ts';

/** At the end, every turn has ended or waits for a person or a client, and every response is complete. */
export const turnsEnd: Invariant = {
  name: 'every turn ends or waits for an answer',
  check(history) {
    const { verify, result } = tally();
    for (const [chatId] of history.logs) {
      if (chatId === '~flow') continue;
      const isActive = history.active.includes(chatId);
      const isRunning = history.executions.some(
        (each) =>
          each.chatId === chatId &&
          !each.ended &&
          !history.killed.has(each.instance) &&
          !history.closed.has(each.instance),
      );
      verify(
        isActive && !isRunning && `${chatId} is active, but none of its runs is`,
        history.stuck.includes(chatId) && `${chatId} is active though it was stopped`,
      );
    }
    for (const { who, chatId, asks, end, instance, moment } of history.readings) {
      verify(!end && `${who}'s ${asks} of ${chatId} at ${instance} (moment ${moment}) never ended`);
    }
    for (const { who, does, chatId, answeredAt, instance } of history.exchanges) {
      verify(answeredAt === undefined && `${who}'s ${does} of ${chatId} at ${instance} was never answered`);
    }
    for (const { chatId, chat, instance } of history.finals) {
      const run = (chat?.run ?? {}) as { status?: string };
      const messages = (chat?.messages ?? []) as UIMessage[];
      verify(
        run.status === 'waiting' &&
          messages.length === 0 &&
          `${instance} shows ${chatId} as waiting, but it has no open question`,
      );
    }
    return result();
  },
};
