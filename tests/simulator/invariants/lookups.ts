import type { FlowEvent } from '../../../lib/protocol/index.ts';
import type { History, Written } from '../history.ts';
import { type Invariant, tally } from './invariant.ts';

/** A tool with a `lookup` is asked before its call is recorded as unknown by another process than the one that ran it. */
export const lookups: Invariant = {
  name: 'no call is recorded as unknown without asking its tool',
  check(history) {
    const { verify, result } = tally();
    for (const { chatId, toolCallId, tool, idempotencyKey, instance } of history.executions) {
      if (tool !== 'wire') continue;
      const log = history.logOf(chatId);
      const end = log.find(({ event }) => endsCall(event, toolCallId));
      // The process that ran the call knows its outcome, or may skip the lookup: after a stop it does not wait.
      if (!end || end.by === instance || isStopped(log, end)) continue;
      const isUnknown = end.event.type === 'tool-failed' && end.event.outcome === 'unknown';
      const asked = history.lookups.some(
        (each) => each.idempotencyKey === idempotencyKey && each.moment < end.moment,
      );
      verify(
        isUnknown && !asked && `${end.by} recorded ${chatId}/${toolCallId} as unknown without asking ${tool}`,
      );
    }
    return result();
  },
};

function endsCall(event: FlowEvent, toolCallId: string): boolean {
  const isEnd =
    event.type === 'tool-completed' || event.type === 'tool-failed' || event.type === 'tool-cancelled';
  return isEnd && event.toolCallId === toolCallId;
}

/** In a stopped run no tool is waited for. */
function isStopped(
  log: History['logs'] extends Map<string, infer Log> ? Log : never,
  { event }: Written,
): boolean {
  return log.some((each) => each.event.type === 'run-cancelled' && each.event.runId === event.runId);
}
