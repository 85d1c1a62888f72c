import { kernelEvents } from '../log/events/event-table.ts';
import type { Append } from '../log/store/index.ts';
import { runtime } from '../runtime/runtime.ts';
import { toHex } from '../runtime/to-hex.ts';

/** When a batch happened, in epoch milliseconds (by default its last event's `at`). Leases are compared with this time. */
export function atOf({ events, now }: Append): number {
  return now ?? events.at(-1)?.at ?? 0;
}

export function beginsImport({ after, events: [first] }: Append): boolean {
  return after === 0 && first?.type === 'chat-imported';
}

/** The runs for which a batch starts a call, asks, or hands a call over: never after a stop request. */
export function guardedRuns({ events }: Append): string[] {
  const runs = events.flatMap(({ type, runId }) => (kernelEvents.get(type)?.isGuarded && runId) || []);
  return [...new Set(runs)];
}

/** The mark of a batch, which identifies an append whose result was lost. 32 hexadecimal digits, as a UUID. */
export function markOf({ id }: Pick<Append, 'id'>): string {
  if (id === undefined) return crypto.randomUUID();
  const bytes = runtime.sha256(JSON.stringify(id)).subarray(0, 16);
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** 128 bits for a text of any length, in 22 characters: bytes would take three times as long to make. */
export function digestOf(text: string): string {
  return runtime.digest(JSON.stringify(text)).slice(0, 22);
}
