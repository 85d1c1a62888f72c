import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import { slimFieldsOf } from '../../client/transport/slim-request.ts';
import { canonicalJson } from '../../protocol/index.ts';
import { streamOf } from '../stream-of.ts';
import { type RecordedExchange, readRecording } from './read-recording.ts';
import type { RecordedRequest } from './recording-line.ts';

/** A transport without a server. */
export type ReplayTransport = ChatTransport<UIMessage> & {
  /** The number of recorded requests that were not made yet. */
  remaining(): number;
};

/**
 * Replays a recorded chat without a server: each request gets the recorded chunks. The requests must be those of the
 * recording, in order: the same texts, answers and outputs. Ids of user messages may differ, because clients generate
 * them.
 *
 *     const transport = replayTransport(readFileSync('chat.ndjson', 'utf8'));
 *
 * Other requests are refused with an error that names the expected one.
 *
 * @param recording the text of a recording, or its lines
 * @param settings.clientTools the same as for `recordTransport`
 * @throws Error if the recording cannot be parsed
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
    const expected = exchange ? comparableText(exchange.request) : 'no further request';
    const actual = comparableText(asked);
    if (!exchange || expected !== actual) {
      throw new Error(`The recording continues with ${expected}, but the client requested ${actual}.`);
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

/** The parts that must be equal in two requests. */
function comparableText({
  trigger,
  message,
  answers,
  outputs,
}: Omit<RecordedRequest, 'type' | 'request'>): string {
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
