import { type EventOf, flowLogId } from '../../../../lib/protocol/index.ts';
import type { History, Written } from '../../history.ts';

/** An event of a chat's turn, and what its writer needs and lacks. */
export type InTurn = Written & {
  readonly chatId: string;
  /** The plugins of which the turn said something before, or with whose gates it began. */
  readonly ofTurn: ReadonlySet<string>;
  /** What each question of the turn says of plugins, by its id. */
  readonly questions: ReadonlyMap<string, ReadonlySet<string>>;
  readonly lacks: (plugin: string) => boolean;
};

/** Plugins with a gate. */
const gated = ['votes'];

/** All events of chats that an instance wrote, in the order of each log. */
export function eventsInTurns(history: History): InTurn[] {
  const chats = new Set([...history.erasedLogs.keys(), ...history.logs.keys()]);
  chats.delete(flowLogId);
  return [...chats].flatMap((chatId) => {
    let ofTurn = new Set<string>();
    let questions = new Map<string, Set<string>>();
    return history.logOf(chatId).flatMap((written): InTurn[] => {
      const { event, by } = written;
      const list = history.lists.get(by);
      if (event.type === 'message-received' || event.type === 'history-cut') {
        ofTurn = new Set();
        questions = new Map();
      }
      const before = { ofTurn: new Set(ofTurn), questions };
      const said = saidIn(event);
      for (const name of said) ofTurn.add(name);
      if (event.type === 'run-started' && event.asker)
        for (const name of gated) if (list?.has(name)) ofTurn.add(name);
      if (event.type === 'approval-requested' || event.type === 'plugin-event')
        questions.set(event.approvalId, new Set([...(questions.get(event.approvalId) ?? []), ...said]));
      if (!list) return [];
      return [{ ...written, ...before, chatId, lacks: (plugin) => !list.has(plugin) }];
    });
  });
}

/** The plugins of which an event says something. */
export function saidIn(event: Written['event']): readonly string[] {
  switch (event.type) {
    case 'approval-requested':
    case 'approval-answered':
      return Object.keys((event as EventOf<'approval-requested' | 'approval-answered'>).plugins ?? {});
    case 'approval-granted':
    case 'plugin-event':
      return [event.plugin];
    default:
      return [];
  }
}
