import type { FlowEvent } from '../../../lib/protocol/index.ts';

/** The rejected form: an event for each part, before the end of the call. */
export function textInEvents(events: readonly FlowEvent[], text: string): object[] {
  const parts: object[] = [];
  for (let from = 0; from < text.length; from += 64_000) {
    parts.push({ type: 'tool-output-part', text: text.slice(from, from + 64_000) });
  }
  return events.flatMap((event): object[] => (event.type === 'tool-completed' ? [...parts, event] : [event]));
}
