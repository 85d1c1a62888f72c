import { type ResolutionJson, resolutionSchema } from '../../protocol/wire/resolution.ts';
import { readWire, tolerant } from '../http/read-wire.ts';

/**
 * What became known about a call after its outcome was recorded as unknown. `at`: ISO 8601. `by` is present
 * for the source `person`.
 *
 * @source ADR 0018
 */
export type Resolution = ResolutionJson;

const readableResolution = tolerant(resolutionSchema);

/** Reads `toolMetadata.countersign.resolved`; `undefined` if it has another form. */
export function parseResolution(value: unknown): Resolution | undefined {
  return readWire(readableResolution, value);
}
