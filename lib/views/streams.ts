import { follow, type Verdict } from '../log/follow/follow.ts';
import { SourceStream } from '../log/follow/source-stream.ts';
import type { ChatHead } from '../log/store/index.ts';
import type { FlowEvent, MessageId, Principal, RunId } from '../protocol/index.ts';
import { isRunEnd } from '../protocol/index.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import type { FlowStream, StreamEnd } from './flow-stream.ts';
import { createStreamRights, type MarkOf } from './stream-rights.ts';

type StreamSources = Pick<
  Parameters<typeof follow>[0],
  'store' | 'recentEvents' | 'notifications' | 'readers'
> & {
  readonly settings: FlowSettings;
  readonly markOf: MarkOf;
};

type Chat = Pick<ChatHead, 'id' | 'ownerId' | 'createdAt' | 'turnSeq'>;

/** Opens streams of a chat. Only replayed questions can be outdated. @source T1-T3, H2, H10 */
export function createStreams(sources: StreamSources) {
  return {
    /**
     * The response that begins with a run. `upTo`: how far the log reaches; `changed`: the message that the turn has
     * changed.
     */
    response(
      chat: Chat,
      principal: Principal,
      run: {
        runId: RunId;
        emitFrom: number;
        until?: StreamEnd;
        upTo?: number;
        changed?: MessageId | undefined;
      },
    ): FlowStream {
      const { runId, emitFrom, until = 'run', upTo, changed } = run;
      const isLast = (event: FlowEvent) => {
        if (until === 'chat') return false;
        return until === 'run'
          ? event.runId === runId
          : event.seq > emitFrom && event.type !== 'run-suspended';
      };
      return open(sources, chat, principal, {
        runId,
        emitFrom,
        replay: false,
        upTo,
        changed,
        judge: (event) => (isRunEnd(event) && isLast(event) ? 'ends' : 'goes-on'),
      });
    },

    /**
     * The response to a vote that settles nothing: the question, which is still open. It ends with the vote, whatever has happened
     * since; for clients that stay connected, with the turn, or with the chat.
     *
     * @param vote.seq where the vote is in the log
     * @source ADR 0047
     */
    vote(
      chat: Chat & Pick<ChatHead, 'runId'>,
      principal: Principal,
      { seq, until = 'run' }: { seq: number; until?: StreamEnd },
    ): FlowStream {
      const isLast = (event: FlowEvent) => {
        if (until === 'run') return event.seq === seq;
        return until === 'turn' && isRunEnd(event) && event.seq > seq && event.type !== 'run-suspended';
      };
      return open(sources, chat, principal, {
        runId: chat.runId,
        emitFrom: seq,
        replay: false,
        isMarked: true,
        upTo: seq,
        judge: (event) => (isLast(event) ? 'ends' : 'goes-on'),
      });
    },

    /** The turn from a place on: its events so far, then live while a run is active. */
    replay(
      chat: Chat & Pick<ChatHead, 'runId'>,
      principal: Principal,
      { emitFrom, changed }: { emitFrom: number; changed?: MessageId | undefined },
    ): FlowStream {
      let active = false;
      return open(sources, chat, principal, {
        runId: chat.runId,
        emitFrom,
        replay: true,
        changed,
        judge: (event) => {
          const isNextTurn = event.type === 'message-received' || event.type === 'history-cut';
          if (isNextTurn && event.seq > chat.turnSeq) return 'ends';
          if (event.type === 'run-started') active = true;
          if (isRunEnd(event)) active = false;
          return active ? 'goes-on' : 'ends-unless-more';
        },
      });
    },
  };
}

export type Streams = ReturnType<typeof createStreams>;

type Reading = {
  runId: RunId | null;
  emitFrom: number;
  replay: boolean;
  /** Default: only a replayed question can be outdated. */
  isMarked?: boolean;
  upTo?: number;
  changed?: MessageId | undefined;
  judge: (event: FlowEvent) => Verdict;
};

function open(
  { settings, markOf, ...sources }: StreamSources,
  chat: Chat,
  principal: Principal,
  { runId, emitFrom, replay, isMarked = replay, upTo, changed, judge }: Reading,
): FlowStream {
  const marking = { settings, markOf: isMarked ? markOf : undefined };
  const { before, rights } = createStreamRights(marking, principal, chat, emitFrom);
  return {
    runId,
    events: new SourceStream(follow({ ...sources, chat, after: chat.turnSeq - 1, upTo, before, judge })),
    view: { chat: { id: chat.id, ownerId: chat.ownerId }, emitFrom, replay, changed, rights },
    onClose: sources.notifications.onClose,
  };
}
