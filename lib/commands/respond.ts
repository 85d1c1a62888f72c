import type { Engine } from '../run/engine.ts';
import { roundsFor, tooBusy } from '../run/retry-on-conflict.ts';
import type { FlowStream } from '../views/flow-stream.ts';
import type { Streams } from '../views/streams.ts';
import { respondToAnswers } from './answer/respond-to-answers.ts';
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
    for (const passConflict of roundsFor(engine, request.chatId)) {
      const response = await decide(engine, streams, request).catch(passConflict);
      if (response !== undefined) return response;
    }
    throw tooBusy(request.chatId);
  };
}
