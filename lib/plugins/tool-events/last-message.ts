import { type FlowEvent, isRunEnd, type RunId } from '../../protocol/index.ts';

/**
 * The last run of a conversation's last message, and the `seq` of its end, unless it still runs or waits for a person.
 * Empty if nothing was answered yet.
 */
export function lastMessage(log: readonly FlowEvent[]): {
  readonly runId?: RunId;
  readonly endedAt?: number;
} {
  const begun = log.findLast((event) => event.type === 'run-started');
  const isImported = log.at(-1)?.type === 'message-imported';
  if (!begun?.runId || isImported) return {};
  const end = log.findLast(isRunEnd);
  const isOver = end !== undefined && end.seq > begun.seq && end.type !== 'run-suspended';
  return { runId: begun.runId, endedAt: isOver ? end.seq : undefined };
}
