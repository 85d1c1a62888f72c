import type { ImportEventBody } from '../../protocol/events/import-events.ts';
import { asWritten, type EventRows, none, unrecorded } from './event-row.ts';

/** The imported content of a chat. @source ADR 0036 */
export const importRows: EventRows<ImportEventBody> = {
  'chat-imported': {
    ...unrecorded,
    redact: asWritten,
    fold: none,
    head: ({ seq }) => ({ turnSeq: seq }),
  },
  'message-imported': {
    ...unrecorded,
    // Its message is redacted when it is imported.
    redact: (event) => ({ ...event, modelMessages: [] }),
    fold: none,
    head: ({ seq }) => ({ turnSeq: seq }),
  },
};
