import type { UIMessage } from 'ai';
import type { DataWriter } from '../../settings/call/data-writer.ts';
import { parseDataPart, type WrittenPart } from './parse-data-part.ts';

/** A writer for authors. @param send writes one part that was checked */
export function createDataWriter<Message extends UIMessage>(
  send: (written: WrittenPart) => Promise<void>,
): DataWriter<Message> {
  return {
    write(part) {
      const sent = send(parseDataPart(part));
      // As with the SDK's writer, authors do not have to await it.
      sent.catch(() => {});
      return sent;
    },
  };
}
