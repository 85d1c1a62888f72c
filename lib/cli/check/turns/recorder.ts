import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import type { Budget } from '../budget.ts';
import type { Wire } from '../wire/wire.ts';
import { describeEnd, type Exchange, type ExchangeEnd, type SentRequest } from './exchange.ts';

/** Sends requests through the SDK's transport, one after another, and records the responses. */
export type Recorder = {
  /** Every exchange so far, oldest first. */
  readonly exchanges: readonly Exchange[];
  /** Sends a request unchanged. Refusals and broken responses are values. @throws BudgetSpent */
  send(request: SentRequest): Promise<Exchange>;
  /** Resumes the chat's current response. @throws BudgetSpent */
  resume(chatId: string): Promise<Exchange>;
  /** The same as a transport for the SDK's chat, where a refusal is an error. */
  readonly transport: ChatTransport<UIMessage>;
};

/** A recorder within a budget. */
export function createRecorder(wire: Wire, budget: Budget): Recorder {
  const exchanges: Exchange[] = [];

  async function record(
    request: Exchange['request'],
    open: (abortSignal: AbortSignal) => Promise<ReadableStream<UIMessageChunk> | null>,
  ): Promise<Exchange> {
    const signal = budget.take();
    const chunks: UIMessageChunk[] = [];
    const end = await read();
    if (end.type === 'timeout') budget.assertTime();
    const exchange = { request: structuredClone(request), chunks, end };
    exchanges.push(exchange);
    return exchange;

    async function read(): Promise<ExchangeEnd> {
      const timeout: ExchangeEnd = { type: 'timeout', seconds: budget.bounds.requestMilliseconds / 1000 };
      try {
        const stream = await open(signal);
        if (!stream) return { type: 'nothing' };
        for await (const chunk of stream) chunks.push(chunk);
        // On a socket an abort ends the stream without an error.
        return signal.aborted ? timeout : { type: 'complete' };
      } catch (error) {
        if (signal.aborted) return timeout;
        const refusal = chunks.length === 0 ? wire.refusalOf(error) : undefined;
        return refusal ? { type: 'refused', ...refusal } : { type: 'broken', text: reasonOf(error) };
      }
    }
  }

  const send = (request: SentRequest) =>
    record(request, (abortSignal) => wire.transport.sendMessages({ ...request, abortSignal }));
  const resume = (chatId: string) =>
    record({ chatId }, (abortSignal) => wire.transport.reconnectToStream({ chatId, abortSignal }));

  return {
    exchanges,
    send,
    resume,
    transport: {
      async sendMessages({ chatId, trigger, messageId, messages }) {
        return streamOf(await send({ chatId, trigger, messageId, messages: structuredClone(messages) }));
      },
      reconnectToStream: async ({ chatId }) => streamOf(await resume(chatId)),
    },
  };
}

/** The recorded response as a stream. */
export function streamOf({ chunks, end }: Exchange): ReadableStream<UIMessageChunk> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of structuredClone(chunks)) controller.enqueue(chunk);
      if (end.type === 'complete') controller.close();
      else controller.error(new Error(describeEnd(end)));
    },
  });
}

/** `fetch failed` alone is not helpful, so the cause is added. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message} (${cause.message || cause.name})` : error.message;
}
