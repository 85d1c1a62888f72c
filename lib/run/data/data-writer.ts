import type { UIMessage } from 'ai';
import type { DataWriter } from '../../settings/data-writer.ts';
import { parseDataPart, type WrittenPart } from './parse-data-part.ts';

/** A writer for authors. @param send writes one part that was checked */
export function createDataWriter<Message extends UIMessage>(
  send: (written: WrittenPart) => Promise<void>,
): DataWriter<Message> {
  return {
    write(part) {
      const sent = send(parseDataPart(part));
      // Authors need not await it, as with the writer of the SDK.
      sent.catch(() => {});
      return sent;
    },
  };
}
