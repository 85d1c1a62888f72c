import type { FlowEvent, RunId } from '../../protocol/index.ts';
import { project } from '../../views/reader/projection.ts';
import { currentText } from './current-text.ts';
import { type FrameId, isSame } from './frame-id.ts';
import type { PlacedEvent } from './placed-events.ts';

/** A stream, as far as it has been sent. */
type SentStream = {
  readonly runId: RunId;
  /** The chat's events, from its first on. */
  readonly log: readonly FlowEvent[];
  /** Events of the previous turn, which the stream sends first. */
  readonly earlier: readonly PlacedEvent[];
  /** Whether the client says that it takes approvals. */
  readonly acceptsApprovals: boolean;
};

/**
 * The place that a client names, if this stream has a frame there. Ids can be made up: a place beyond the end would hide
 * the rest of the stream, and one that looks like the last would stop a client that has seen nothing.
 *
 * @returns `undefined` for an id that no frame has; the stream is then read from its start
 * @source B17
 */
export function knownPlace(
  id: FrameId | undefined,
  { runId, log, earlier, acceptsApprovals }: SentStream,
): FrameId | undefined {
  const start = log.find((event) => event.type === 'run-started' && event.runId === runId);
  if (id === undefined || start === undefined) return undefined;
  // All that any reader can have got, text that was broken off included.
  const all = currentText({ seen: undefined, brokenOff: new Set(), acceptsApprovals });
  const placed = project(all, log, { emitFrom: start.seq });
  const last = placed.findIndex((sent) => sent.id.isLast);
  const sent = [...earlier, ...placed.slice(0, last === -1 ? undefined : last + 1)];
  return sent.some((frame) => isSame(frame.id, id)) ? id : undefined;
}
