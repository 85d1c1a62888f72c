import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import { slimFieldsOf } from '../../client/slim-request.ts';
import { overrideTransport } from '../override-transport.ts';
import type { RecordedRequest, RecordingLine } from './recording-line.ts';

/** The settings of `recordTransport`. */
export type RecordSettings = {
  /**
   * Receives each line as it happens, without a line break. To write a file: `(line) => appendFileSync(path, line +
   * '\n')`.
   */
  readonly write: (line: string) => void;
  /** Names of the client-executed tools, to record their outputs with the requests. */
  readonly clientTools?: readonly string[];
};

/**
 * A transport that records its traffic as lines of JSON: what was new in each request, and each chunk of its response.
 * Works with any `ChatTransport`, over HTTP or a socket, and changes nothing.
 *
 *     const transport = recordTransport(createSseTransport(), { write });
 *
 * A recording contains the chat in clear text.
 *
 * @see replayTransport
 */
export function recordTransport<Transport extends ChatTransport<UIMessage>>(
  transport: Transport,
  { write, clientTools = [] }: RecordSettings,
): Transport {
  const names = new Set(clientTools);
  const note = (line: RecordingLine) => write(JSON.stringify(line));
  let count = 0;

  note({ type: 'recording', version: 1, resumeStreamIsReplay: transport.resumeStreamIsReplay === true });

  /** Makes a request and observes its response. */
  async function look<Reply extends ReadableStream<UIMessageChunk> | null>(
    asked: Omit<RecordedRequest, 'type' | 'request'>,
    send: () => Promise<Reply>,
  ): Promise<ReadableStream<UIMessageChunk> | Reply> {
    const request = count++;
    note({ type: 'request', request, ...asked });
    try {
      const reply = await send();
      if (reply) return recorded(reply, request);
      note({ type: 'none', request });
      return reply;
    } catch (error) {
      note({ type: 'refused', request, errorText: textOf(error) });
      throw error;
    }
  }

  function recorded(stream: ReadableStream<UIMessageChunk>, request: number): ReadableStream<UIMessageChunk> {
    const reader = stream.getReader();
    return new ReadableStream<UIMessageChunk>(
      {
        async pull(controller) {
          try {
            const next = await reader.read();
            note(next.done ? { type: 'end', request } : { type: 'chunk', request, chunk: next.value });
            if (next.done) controller.close();
            else controller.enqueue(next.value);
          } catch (error) {
            note({ type: 'error', request, errorText: textOf(error) });
            controller.error(error);
          }
        },
        async cancel(reason) {
          note({ type: 'left', request });
          await reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }

  const sendMessages: ChatTransport<UIMessage>['sendMessages'] = (options) => {
    const { trigger, chatId, messageId, messages } = options;
    const news = slimFieldsOf({ trigger, messageId, messages, clientTools: names });
    return look({ trigger, chatId, ...news }, () => transport.sendMessages(options));
  };
  const reconnectToStream: ChatTransport<UIMessage>['reconnectToStream'] = (options) =>
    look({ trigger: 'resume', chatId: options.chatId }, () => transport.reconnectToStream(options));
  return overrideTransport(transport, { sendMessages, reconnectToStream });
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
