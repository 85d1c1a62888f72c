import { z } from 'zod';
import {
  type ResponseEvent,
  responseEventSchema,
} from '../../../../../lib/plugins/responses/client/schema/event-schema.ts';
import type { Item } from '../../../../../lib/plugins/responses/client/schema/item-schema.ts';
import {
  type ResponseObject,
  responseSchema,
} from '../../../../../lib/plugins/responses/client/schema/response-schema.ts';
import type { DialectReading } from '../../../dialects/reading.ts';
import type { CallState } from '../turn-facts.ts';
import type { DialectRules } from './shown.ts';

/** What clients of the responses endpoint get. */
export const responses: DialectRules = {
  schema: z.union([responseEventSchema, responseSchema]),
  /** Items of calls are named after the event with which they began. */
  shownBy(reading, { events }) {
    const output = outputOf(reading);
    const texts = output.flatMap((item) =>
      item.type === 'message'
        ? item.content.flatMap((part) => (part.type === 'output_text' ? [part.text] : []))
        : [],
    );
    const calls = new Map<string, CallState | 'ended' | 'open'>();
    for (const item of output) {
      if (item.type !== 'mcp_call') continue;
      const began = events.find(({ seq }) => item.id.endsWith(`.${seq}`));
      const id = began && 'toolCallId' in began ? began.toolCallId : item.id;
      calls.set(id, item.status === 'completed' ? 'done' : item.status === 'failed' ? 'ended' : 'open');
    }
    return { text: texts.join(''), calls };
  },
  /** Responses do not repeat the outcomes that a client gave. */
  mayBeAbsent: (toolCallId, { called }) => called.get(toolCallId)?.executor === 'client',
  hasNoGaps: true,
};

/** The output of all responses of the turn: from the last event of each, or from the response that is read back. */
function outputOf({ frames, begun }: DialectReading): readonly Item[] {
  return begun.flatMap((runId) => {
    const last = frames.findLast((frame) => frame.runId === runId)?.data as ResponseEvent | ResponseObject;
    const response = last && 'response' in last ? last.response : last;
    return response && 'output' in response ? response.output : [];
  });
}
