import type { FlowEvent, Person, Question } from '../protocol/index.ts';
import { createNotifications } from './follow/notifications.ts';
import { createRecentEvents } from './follow/recent-events.ts';
import { noticesIn } from './notices.ts';
import type { Append, AppendResult, ChatHead, FlowStore, RecordWrite } from './store/index.ts';
import { foldTurn } from './turn/fold-turn.ts';
import type { Turn } from './turn/turn.ts';

/**
 * The logs of all chats as this instance writes and reads them. Readers and caches on this instance get new events from
 * the append, instead of reading them back from the store.
 *
 * @param owner the name under which this instance writes
 * @param currentPerson a person with their current id. The log names each with the id of that time
 * @param recordsOf what is written with an append that changes this question
 * @param onAppended called with each event that has become durable, in order
 */
export function createChatLog(
  store: FlowStore,
  owner: string,
  currentPerson: <One extends Person>(person: One) => One,
  recordsOf: (question: Question) => readonly RecordWrite[],
  onAppended: (head: ChatHead, event: FlowEvent) => void,
) {
  const recentEvents = createRecentEvents(store);
  const notifications = createNotifications(store);
  let batches = 0;

  return {
    owner,
    recentEvents,
    notifications,

    /** A new id for one batch. A batch that is tried again keeps its id. */
    batchId(): string {
      batches += 1;
      return `${owner}.${batches}`;
    },

    async append(batch: Omit<Append, 'owner'>): Promise<AppendResult> {
      const { chatId, head, events } = batch;
      const records = [...(batch.records ?? []), ...batch.questions.flatMap(recordsOf)];
      const whole = { ...batch, records, notices: noticesIn(events), owner };
      const result = await recentEvents.write(batch, () => store.append(whole));
      if (result !== 'appended') return result;
      for (const event of events) onAppended(head, event);
      notifications.notify(chatId, { reason: 'append', seq: head.seq });
      return result;
    },

    /** The open turn as of a head, folded. Its own people have their current ids. Its calls are as recorded. */
    async readTurn(head: ChatHead): Promise<Turn> {
      let events = head.seq === 0 ? [] : recentEvents.turnOf(head);
      if (!events) {
        events = await store.events.read(head.id, head.turnSeq - 1);
        recentEvents.learn(head, events);
      }
      const turn = foldTurn(events);
      const { by, asker, startedBy } = turn;
      if (by) turn.by = currentPerson(by);
      if (asker) turn.asker = currentPerson(asker);
      if (startedBy) turn.startedBy = currentPerson(startedBy);
      return turn;
    },
  };
}

export type ChatLog = ReturnType<typeof createChatLog>;
