import type { ResolutionJson } from '../../protocol/wire/resolution.ts';
import { object, oneOf, optional, text, time } from '../http/read-wire.ts';
import { readPerson } from '../read-question.ts';

/**
 * What became known about a call after its outcome was recorded as unknown. `at`: ISO 8601. `by` is present
 * for the source `person`.
 *
 * @source ADR 0018
 */
export type Resolution = ResolutionJson;

/** Reads `toolMetadata.countersign.resolved`; `undefined` if it has another form. */
export const parseResolution = object<Resolution>({
  source: oneOf('late', 'lookup', 'person'),
  outcome: oneOf('completed', 'failed', 'not-run'),
  by: optional(readPerson),
  note: optional(text),
  at: time,
});
