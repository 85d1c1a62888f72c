import { cancelCall } from '../commands/cancel-call.ts';
import { eraseChat } from '../commands/erase.ts';
import { createRespond } from '../commands/respond.ts';
import { retryCall } from '../commands/retry-call.ts';
import { stopChat } from '../commands/stop.ts';
import { writerFor } from '../commands/write-data.ts';
import { messageOfKey } from '../log/keyed-messages.ts';
import { changeable } from '../rights/permissions.ts';
import type { Engine } from '../run/engine.ts';
import type { Cursors } from '../views/questions/cursors.ts';
import type { QuestionMarker } from '../views/questions/question-marks.ts';
import { createStreams } from '../views/streams.ts';
import type { Chats } from './methods/chats.ts';
import { createChatReads } from './read-chats.ts';
import { createStreamReads } from './read-streams.ts';

export function createChats(
  engine: Engine,
  { marks, cursors }: { readonly marks: QuestionMarker; readonly cursors: Cursors },
): Chats {
  const { store, settings, recentEvents, notifications, readers } = engine;
  const { markOf } = marks;
  const streams = createStreams({ store, settings, recentEvents, notifications, readers, markOf });
  return {
    respond: createRespond(engine, streams),
    ...createStreamReads(engine, streams),
    findMessage: ({ principal, key }) => messageOfKey(store, principal.id, key),
    ...createChatReads(engine, { marks, cursors }),

    async rename({ chatId, principal, title }) {
      await changeable(settings, principal, chatId, await store.chats.head(chatId));
      await store.chats.rename(chatId, title);
    },

    async erase({ chatId, principal }) {
      await changeable(settings, principal, chatId, await store.chats.head(chatId));
      await stopChat(engine, { chatId, principal });
      await eraseChat(engine, chatId, principal.id);
    },

    stop: (request) => stopChat(engine, request),
    cancelCall: (request) => cancelCall(engine, request),
    retryCall: (request) => retryCall(engine, streams, request),
    writer: (request) => writerFor(engine, request),
  };
}
