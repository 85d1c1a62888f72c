import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import { slimFieldsOf } from '../../client/slim-request.ts';
import { canonicalJson } from '../../protocol/index.ts';
import { streamOf } from '../stream-of.ts';
import { type RecordedExchange, readRecording } from './read-recording.ts';
import type { RecordedRequest } from './recording-line.ts';

/** A transport without a server behind it. */
export type ReplayTransport = ChatTransport<UIMessage> & {
  /** How many requests of the recording have not been made yet. */
  remaining(): number;
};

/**
 * Plays a recorded chat again, without a server: each request gets what the recorded one got, chunk for chunk. The
 * requests must be those of the recording, in its order: the same texts, answers and outputs. Ids of user messages
 * may differ, since clients make them up.
 *
 *     const transport = replayTransport(readFileSync('chat.ndjson', 'utf8'));
 *
 * Requests that the recording does not have are refused with an error that says what was expected.
 *
 * @param recording the text of a recording, or its lines
 * @param settings.clientTools as they were given to `recordTransport`
 * @throws Error when it cannot be read
 */
export function replayTransport(
  recording: string | Iterable<string>,
  settings: { readonly clientTools?: readonly string[] } = {},
): ReplayTransport {
  const { exchanges, resumeStreamIsReplay } = readRecording(recording);
  const clientTools = new Set(settings.clientTools);
  let next = 0;

  function take(asked: Omit<RecordedRequest, 'type' | 'request'>): RecordedExchange {
    const exchange = exchanges[next];
    const expected = exchange ? newsOf(exchange.request) : 'no request at all';
    const actual = newsOf(asked);
    if (!exchange || expected !== actual) {
      throw new Error(`The recording goes on with ${expected}, but the client asks for ${actual}.`);
    }
    next += 1;
    return exchange;
  }

  return {
    resumeStreamIsReplay,
    remaining: () => exchanges.length - next,
    async sendMessages({ trigger, chatId, messageId, messages }) {
      const news = slimFieldsOf({ trigger, messageId, messages, clientTools });
      return replay(take({ trigger, chatId, ...news }));
    },
    async reconnectToStream({ chatId }) {
      const exchange = take({ trigger: 'resume', chatId });
      return exchange.end?.type === 'none' ? null : replay(exchange);
    },
  };
}

/** What two requests must have in common to be the same. */
function newsOf({ trigger, message, answers, outputs }: Omit<RecordedRequest, 'type' | 'request'>): string {
  return canonicalJson({ trigger, message: message?.parts, answers, outputs });
}

function replay({ chunks, end }: RecordedExchange): ReadableStream<UIMessageChunk> {
  if (end?.type === 'refused') throw new Error(end.errorText);
  return streamOf(chunksUntil(structuredClone(chunks), end));
}

async function* chunksUntil(
  chunks: readonly UIMessageChunk[],
  end: RecordedExchange['end'],
): AsyncGenerator<UIMessageChunk, void, void> {
  yield* chunks;
  if (end?.type === 'error') throw new Error(end.errorText);
}
