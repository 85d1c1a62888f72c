import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import { collect } from '../collect.ts';
import { cutStream } from './cut-stream.ts';
import { faultyLine, type Line, type LineFaults } from './line-fault.ts';

type SendRequest<Message extends UIMessage> = Parameters<ChatTransport<Message>['sendMessages']>[0];

/**
 * A chat transport over a bad line: requests for a response are lost, cut, doubled, delayed or overtaken, as told.
 * Resumes go through. Works with any `ChatTransport`, over HTTP or a socket.
 *
 *     faultyTransport(transport, { 1: { type: 'lose-response', after: 3 } })
 *
 * @param faults by the number of the request (from 0), or a function from the request
 */
export function faultyTransport<Message extends UIMessage, Transport extends ChatTransport<Message>>(
  transport: Transport & ChatTransport<Message>,
  faults: LineFaults<SendRequest<Message>>,
): Transport {
  const through = faultyLine(faults);
  const sendMessages: ChatTransport<Message>['sendMessages'] = (request) => {
    const line: Line<ReadableStream<UIMessageChunk>> = {
      send: () => transport.sendMessages(request),
      cut: cutStream,
      drain: async (stream) => void (await collect(stream)),
    };
    return through(request, line);
  };
  return withSendMessages(transport, sendMessages);
}

/** The same transport, other methods and all, but that it sends in another way. */
export function withSendMessages<Message extends UIMessage, Transport extends ChatTransport<Message>>(
  transport: Transport & ChatTransport<Message>,
  sendMessages: ChatTransport<Message>['sendMessages'],
): Transport {
  return new Proxy(transport, {
    get(target, property) {
      if (property === 'sendMessages') return sendMessages;
      const value: unknown = Reflect.get(target, property, target);
      // Its own methods may have private fields, which a proxy has not.
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
