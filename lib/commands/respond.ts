import type { ChatHead } from '../log/store/index.ts';
import { CountersignError } from '../protocol/index.ts';
import type { Engine } from '../run/engine.ts';
import { roundsFor, tooBusy } from '../run/retry-on-conflict.ts';
import type { FlowStream } from '../views/flow-stream.ts';
import type { Streams } from '../views/streams.ts';
import { respondToAnswers } from './answer/respond-to-answers.ts';
import { knownHead } from './expire.ts';
import type { RespondRequest } from './requests.ts';
import { respondToMessage } from './send-message.ts';

/** Accepts a message, answers or outputs, and opens the response. @source H1, H6-H8, H10 */
export function createRespond(
  engine: Engine,
  streams: Streams,
): (request: RespondRequest) => Promise<FlowStream> {
  return async (request) => {
    const isAboutMessage = request.message !== undefined || request.trigger === 'regenerate-message';
    const decide = isAboutMessage ? respondToMessage : respondToAnswers;
    let known = knownHead(engine, request.chatId);
    for (const passConflict of roundsFor(engine, request.chatId)) {
      const head = known;
      const response = await decide(engine, streams, request, head).catch(async (error: unknown) => {
        if (!head || !(await isOutdated(engine, head, error))) passConflict(error);
      });
      if (response) return response;
      known = undefined;
    }
    throw tooBusy(request.chatId);
  };
}

/** Whether a refusal was decided on a head that is not the current one. */
async function isOutdated({ store }: Engine, known: ChatHead, error: unknown): Promise<boolean> {
  if (!CountersignError.is(error) || error.code === 'internal') return false;
  const current = await store.chats.head(known.id);
  const { seq, createdAt, ownerId } = known;
  return current?.seq !== seq || current.createdAt !== createdAt || current.ownerId !== ownerId;
}
