import type { ChatHead, FlowEvent, Principal, RunId } from '../vocabulary/index.ts';
import { isRunEnd } from '../vocabulary/index.ts';
import type { Engine } from './engine.ts';
import { follow, type Verdict } from './follow.ts';
import { mayAnswer } from './permissions.ts';
import type { FlowStream } from './types.ts';
import type { Wakes } from './wakes.ts';

/** Opens readers on a chat's current turn. @source T1-T3, H2, H10 */
export function createStreams(engine: Engine, wakes: Wakes) {
  function open(
    head: Pick<ChatHead, 'id' | 'ownerId' | 'turnSeq'>,
    principal: Principal,
    options: { emitFrom: number; replay: boolean; judge: (event: FlowEvent) => Verdict },
  ): FlowStream {
    const { emitFrom, replay, judge } = options;
    return {
      events: follow({ store: engine.store, wakes, chatId: head.id, after: head.turnSeq - 1, judge }),
      view: {
        chat: { id: head.id, ownerId: head.ownerId },
        emitFrom,
        replay,
        mayAnswer: (question) => mayAnswer(engine.settings, principal, question),
      },
    };
  }

  return {
    /** The response that one run gives: from its start to its end. */
    response(
      head: Pick<ChatHead, 'id' | 'ownerId' | 'turnSeq'>,
      principal: Principal,
      run: { runId: RunId; emitFrom: number },
    ): FlowStream {
      return open(head, principal, {
        emitFrom: run.emitFrom,
        replay: false,
        judge: (event) => (event.runId === run.runId && isRunEnd(event) ? 'ends' : 'goes-on'),
      });
    },

    /** The turn from a place on, as far as it has come, then live while a run is active. */
    replay(
      head: Pick<ChatHead, 'id' | 'ownerId' | 'turnSeq'>,
      principal: Principal,
      { emitFrom }: { emitFrom: number },
    ): FlowStream {
      let active = false;
      return open(head, principal, {
        emitFrom,
        replay: true,
        judge: (event) => {
          if (
            event.seq > head.turnSeq &&
            (event.type === 'message-received' || event.type === 'history-cut')
          ) {
            return 'ends';
          }
          if (event.type === 'run-started') active = true;
          if (isRunEnd(event)) active = false;
          return active ? 'goes-on' : 'ends-unless-more';
        },
      });
    },
  };
}

/** @see createStreams */
export type Streams = ReturnType<typeof createStreams>;
