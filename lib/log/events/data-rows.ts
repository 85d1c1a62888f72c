import type { DataEventBody } from '../../protocol/events/data-events.ts';
import { type JsonValue, redact } from '../../protocol/index.ts';
import { withPart } from '../turn/with-part.ts';
import { type EventRows, unrecorded } from './event-row.ts';

/** What a call, or the app outside of tools, writes into the message of a turn. @source ADR 0031 */
export const dataRows: EventRows<DataEventBody> = {
  'data-written': {
    ...unrecorded,
    // It follows the rules of outputs, and, because it often has sentences, those of messages about the call.
    redact(event, { hidden }) {
      const known = 'toolCallId' in event ? hidden.get(event.toolCallId) : undefined;
      if (!known) return event;
      const data = known.strike(redact(event.part.data, known.secrets.output)) as JsonValue;
      return { ...event, part: { ...event.part, data } };
    },
    fold({ calls }, event) {
      const call = 'toolCallId' in event ? calls.get(event.toolCallId) : undefined;
      if (call && !event.transient) call.data = withPart(call.data ?? [], event);
    },
  },
};
