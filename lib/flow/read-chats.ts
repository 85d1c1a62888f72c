import { currentHead } from '../commands/expire.ts';
import { eventsOf } from '../log/events-of.ts';
import type { ChatHead, FlowStore } from '../log/store/index.ts';
import { questionsOf } from '../log/turn/question.ts';
import { type ChatId, type FlowEvent, flowLogId } from '../protocol/index.ts';
import { noSuchChat, readable } from '../rights/permissions.ts';
import { questionView } from '../rights/question-rights.ts';
import { noRights, rightsToEach } from '../rights/rights-to.ts';
import type { Engine } from '../run/engine.ts';
import { awaitedPlugin } from '../run/lease/awaited-plugin.ts';
import { callOf } from '../run/outcomes/outcome-of.ts';
import { storedChat } from '../views/chat/stored-chat.ts';
import type { Cursors } from '../views/questions/cursors.ts';
import type { QuestionMarker } from '../views/questions/question-marks.ts';
import { redactEvents } from '../views/reader/redact-events.ts';
import { storedText } from '../views/stored-text.ts';
import type { Chats } from './methods/chats.ts';
import { pageSize } from './page-size.ts';

export function createChatReads(
  engine: Engine,
  { marks, cursors }: { readonly marks: QuestionMarker; readonly cursors: Cursors },
): Pick<Chats, 'read' | 'list' | 'resultText' | 'timeline'> {
  const { store, settings } = engine;
  return {
    async read({ chatId, principal }) {
      const found = await currentHead(engine, principal, chatId);
      const head = await readable(settings, principal, chatId, found);
      const events = await readEvents(store, chatId);
      const asked = questionsOf(events, head);
      const [granted, marked, waitsForPlugin] = await Promise.all([
        rightsToEach(settings, principal, asked),
        marks.marksOf(asked),
        awaitedPlugin(engine, head),
      ]);
      const rights = granted.map((own, index) => ({ ...own, ...marked[index] }));
      const rightsById = new Map(asked.map(({ id }, index) => [id, rights[index]]));
      const { messages, ...drafted } = storedChat(events, {
        chat: head,
        emitFrom: 0,
        replay: true,
        rights: ({ id }) => rightsById.get(id) ?? noRights,
      });
      return {
        id: chatId,
        title: head.title,
        messages,
        ...drafted,
        run: { status: head.status, waitsForPlugin },
        ...(head.open === null ? {} : { open: head.open }),
        questions: asked.map((question, index) => questionView(question, rights[index] ?? noRights)),
      };
    },

    async list({ principal, cursor, limit }) {
      const query = { cursor, limit: pageSize(limit) };
      return cursors.page('chats', principal, query, async (from) => {
        const page = await store.chats.list({ ownerId: principal.id, ...from });
        return { ...page, items: page.items.filter(({ id }) => id !== flowLogId) };
      });
    },

    async resultText({ chatId, principal, toolCallId }) {
      await readable(settings, principal, chatId, await store.chats.head(chatId));
      const call = await callOf(store, { chatId, toolCallId });
      const stored = call?.end?.type === 'tool-completed' ? call.end.storedText : undefined;
      return stored ? storedText(store, chatId, stored) : null;
    },

    async timeline({ chatId, principal }) {
      const head = await readable(settings, principal, chatId, await store.chats.head(chatId));
      return redactEvents(await readLog(engine, head));
    },
  };
}

/** A whole log as of a head. The open turn is usually in memory, with its large results. */
async function readLog({ store, recentEvents }: Engine, head: ChatHead): Promise<readonly FlowEvent[]> {
  const turn = recentEvents.turnOf(head);
  if (!turn) return readEvents(store, head.id);
  const before = head.turnSeq - 1;
  return before === 0 ? turn : [...(await readEvents(store, head.id, before)), ...turn];
}

/** @throws CountersignError `not-found` if the chat has been erased since its head was read */
export async function readEvents(
  store: FlowStore,
  chatId: ChatId,
  limit?: number,
): Promise<readonly FlowEvent[]> {
  const events = await eventsOf(store, chatId, limit);
  if (!events) throw noSuchChat(chatId);
  return events;
}
