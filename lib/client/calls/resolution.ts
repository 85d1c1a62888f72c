import { isRecord } from '../../protocol/json.ts';
import type { Person } from '../question.ts';

const outcomes = ['completed', 'failed', 'not-run'] as const;
const sources = ['late', 'lookup', 'person'] as const;

/** What became known of a call after its outcome was recorded as unknown. `at`: ISO 8601. @source ADR 0018 */
export type Resolution = {
  readonly outcome: (typeof outcomes)[number];
  /** Where the outcome came from: the process that ran the call, its tool, or a person. */
  readonly source: (typeof sources)[number];
  readonly at: string;
  /** Present for the source `person`. */
  readonly by?: Person;
  readonly note?: string;
};

/** Reads `toolMetadata.countersign.resolved`; `undefined` when it is something else. */
export function parseResolution(value: unknown): Resolution | undefined {
  if (!isRecord(value)) return undefined;
  const outcome = outcomes.find((known) => known === value.outcome);
  const source = sources.find((known) => known === value.source);
  const { at, by, note } = value;
  if (!outcome || !source || typeof at !== 'string') return undefined;
  const person = isRecord(by) && typeof by.id === 'string' && typeof by.name === 'string' ? by : undefined;
  return {
    outcome,
    source,
    at,
    ...(person && { by: { id: String(person.id), name: String(person.name) } }),
    ...(typeof note === 'string' && { note }),
  };
}
