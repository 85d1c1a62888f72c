import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import { CountersignError, parseJson } from '../../protocol/index.ts';
import type { SharedSettings } from '../../server/dialect.ts';
import type { OpenTextSession } from '../../server/text-socket.ts';
import type { ClientFrame } from './client/schema.ts';
import { errorFrame, idsOf, readClientFrame } from './frames.ts';
import { serveFrame } from './serve-frame.ts';
import type { ChatSocketSettings } from './settings.ts';
import { createTurnReaders } from './turn-readers.ts';

const sessionEnded = 4401;

/** Frames of one socket that may wait for the ones before them. */
const maxWaiting = 64;

/**
 * The chat socket: `{ type: 'message', content }` begins a turn, whose tokens, tools and questions come as frames, to
 * `complete`. Each frame is authorized again. A refused frame gets an `error` frame, and the socket stays
 * open. Disconnecting ends no run.
 *
 * @source D1-D26
 */
export function createChatSocket(
  flow: ApprovalFlow,
  settings: SharedSettings & ChatSocketSettings,
): OpenTextSession {
  const { logger } = settings;
  return (socket, handshake) => {
    const turns = createTurnReaders(socket, settings);
    const server = { flow, settings, turns, handshake };
    /** Frames are served in order, so that a `cancel` finds the turn of the `message` before it. */
    let order: Promise<void> = Promise.resolve();
    let waiting = 0;

    async function refuse(frame: ClientFrame, error: unknown): Promise<void> {
      await turns.send({ ...errorFrame(error, logger), ...idsOf(frame) });
      if (CountersignError.is(error) && error.code === 'unauthenticated') {
        socket.close(sessionEnded, 'The session has ended.');
      }
    }

    return {
      receive(text) {
        const received = readClientFrame(text);
        if (!received.frame) {
          void turns.send(received.refusal);
          return;
        }
        const { frame } = received;
        if (frame.type === 'ping') {
          void turns.send({ type: 'pong' });
          return;
        }
        if (waiting >= maxWaiting) {
          void refuse(frame, new CountersignError('rate-limited', 'Too many frames wait. Send fewer.'));
          return;
        }
        waiting += 1;
        order = order
          .then(() => serveFrame(server, frame, () => parseJson(text ?? '')))
          .catch((error: unknown) => refuse(frame, error))
          .finally(() => {
            waiting -= 1;
          });
      },
      leave: () => turns.leave(),
    };
  };
}
