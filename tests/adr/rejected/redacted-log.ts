import type { FlowEvent } from 'countersign/plugin';
import type { FlowStore } from 'countersign/store';
import { redact } from '../../../lib/protocol/index.ts';

/** Rejected: secrets are redacted before they are written, so that none is ever stored. */
export function redactedLog(store: FlowStore, paths: readonly string[]): FlowStore {
  const redacted = (event: FlowEvent): FlowEvent =>
    event.type === 'tool-requested' || event.type === 'tool-started'
      ? { ...event, input: redact(event.input, paths) }
      : event;
  return { ...store, append: (batch) => store.append({ ...batch, events: batch.events.map(redacted) }) };
}
