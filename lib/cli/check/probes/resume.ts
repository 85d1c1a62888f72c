import { isDeepStrictEqual } from 'node:util';
import { readUIMessageStream, type UIMessage } from 'ai';
import type { ChatClient } from '../turns/chat-client.ts';
import { describeEnd, type Exchange } from '../turns/exchange.ts';
import { streamOf } from '../turns/recorder.ts';
import { failed } from './attempt.ts';
import type { Probe, Sight, Stage } from './probe.ts';

/** A client that resumes while a question is open gets the message with its question. @source H2 */
export const resumeOpen: Probe = {
  rule: 'H2',
  title: 'a resumed chat with an open question gives the same message',
  run: (stage) => compare(stage, stage.open),
};

/**
 * A client that resumes after the end gets the whole message, or the response that nothing is active.
 *
 * @source H2
 */
export const resumeEnded: Probe = {
  rule: 'H2',
  title: 'a chat resumed after its end gives the same message',
  run: (stage) => compare(stage, stage.approved.chat),
};

async function compare({ recorder, sound }: Stage, chat: ChatClient): Promise<Sight> {
  const exchange = await recorder.resume(chat.id);
  const where = `resume of ${chat.id}`;
  switch (exchange.end.type) {
    case 'nothing':
      return { status: 'differs', note: 'no resume: the response is that nothing is active' };
    case 'refused':
      return { status: 'differs', note: `no resume: ${describeEnd(exchange.end)}` };
    case 'complete':
      break;
    default:
      return failed(where, describeEnd(exchange.end), exchange.chunks);
  }
  const resumed = plain(await messageOf(exchange));
  const shown = plain(chat.lastMessage);
  if (isDeepStrictEqual(resumed, shown)) return { status: 'pass' };
  const counts = `the client has ${shown.length} parts, and the resumed message has ${resumed.length}`;
  const mismatch = failed(where, `${counts}; ${firstDifference(shown, resumed)}`, exchange.chunks);
  if (sound) return mismatch;
  return {
    ...mismatch,
    status: 'differs',
    note: 'the turns themselves broke rules, which may be the cause',
  };
}

/** The message that a client without any state builds from the replay. */
async function messageOf(exchange: Exchange): Promise<UIMessage | undefined> {
  let message: UIMessage | undefined;
  for await (const state of readUIMessageStream({ stream: streamOf(exchange) })) message = state;
  return message;
}

/** The parts as sent, without the values that JSON omits. Message ids may be chosen by the client. */
function plain(message: UIMessage | undefined): readonly unknown[] {
  return JSON.parse(JSON.stringify(message?.parts ?? []));
}

function firstDifference(shown: readonly unknown[], resumed: readonly unknown[]): string {
  const longer = shown.length > resumed.length ? shown : resumed;
  const index = longer.findIndex((_, place) => !isDeepStrictEqual(shown[place], resumed[place]));
  const json = (part: unknown) => JSON.stringify(part) ?? 'nothing';
  return `part ${index + 1} was ${json(shown[index])} and is ${json(resumed[index])}`;
}
