import { currentHead } from '../commands/expire.ts';
import type { FlowEvent } from '../protocol/index.ts';
import { mayRead } from '../rights/permissions.ts';
import type { Engine } from '../run/engine.ts';
import type { Streams } from '../views/streams.ts';
import type { Chats } from './methods/chats.ts';

const defaultReplayMs = 60_000;

export function createStreamReads(engine: Engine, streams: Streams): Pick<Chats, 'resume' | 'follow'> {
  const { store, settings, clock, recentEvents } = engine;
  const { replayMs = defaultReplayMs } = settings;
  return {
    async resume({ chatId, principal }) {
      const head = await currentHead(engine, principal, chatId);
      if (!head || !(await mayRead(settings, principal, head))) return null;
      // Nothing of an imported chat has been streamed yet.
      if (head.runId === null) return null;
      const hasEnded = head.status === 'idle' || head.status === 'failed';
      if (hasEnded && clock.now() - head.updatedAt > replayMs) return null;
      return streams.replay(head, principal, { emitFrom: 0 });
    },

    async follow({ chatId, principal, runId, after, until }) {
      const head = await store.chats.head(chatId);
      if (!head || !(await mayRead(settings, principal, head))) return null;
      const isStart = (event: FlowEvent) => event.type === 'run-started' && event.runId === runId;
      const turn = recentEvents.turnOf(head) ?? (await store.events.read(chatId, head.turnSeq - 1));
      const events = turn.some(isStart) ? turn : await store.events.read(chatId, 0);
      const start = events.findLast(isStart);
      if (!start) return null;
      const turnSeq = events.findLast(({ seq, type }) => seq < start.seq && startsTurn(type))?.seq ?? 1;
      const emitFrom = Math.max(start.seq, (after ?? 0) + 1);
      return streams.response({ ...head, turnSeq }, principal, { runId, emitFrom, until });
    },
  };
}

function startsTurn(type: FlowEvent['type']): boolean {
  return type === 'message-received' || type === 'history-cut' || type === 'message-imported';
}
