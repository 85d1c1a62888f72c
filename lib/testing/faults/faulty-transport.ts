import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import { collect } from '../collect.ts';
import { overrideTransport } from '../override-transport.ts';
import { cutStream } from './cut-stream.ts';
import { faultyLine, type Line, type LineFaults } from './line-fault.ts';

type SendRequest = Parameters<ChatTransport<UIMessage>['sendMessages']>[0];

/**
 * A chat transport over a faulty connection: requests for a response are lost, cut, duplicated, delayed or overtaken.
 * Resumes pass unchanged. Works with any `ChatTransport`, over HTTP or a socket.
 *
 *     faultyTransport(transport, { 1: { type: 'lose-response', after: 3 } })
 *
 * @param faults by the number of the request (from 0), or a function of the request
 */
export function faultyTransport<Transport extends ChatTransport<UIMessage>>(
  transport: Transport,
  faults: LineFaults<SendRequest>,
): Transport {
  const through = faultyLine(faults);
  const sendMessages: ChatTransport<UIMessage>['sendMessages'] = (request) => {
    const line: Line<ReadableStream<UIMessageChunk>> = {
      send: () => transport.sendMessages(request),
      cut: cutStream,
      drain: async (stream) => void (await collect(stream)),
    };
    return through(request, line);
  };
  return overrideTransport(transport, { sendMessages });
}
