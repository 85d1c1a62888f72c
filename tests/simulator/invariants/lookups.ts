import type { History, Written } from '../history.ts';
import { type Invariant, tally } from './invariant.ts';

/** A tool that can say what became of a call is asked before the call is given up as unknown. */
export const lookups: Invariant = {
  name: 'nothing is unknown that the tool could have been asked',
  check(history) {
    const { look, result } = tally();
    for (const { chatId, toolCallId, tool, idempotencyKey, instance } of history.executions) {
      if (tool !== 'wire') continue;
      const log = history.logOf(chatId);
      const end = log.find(({ event }) => event.type === 'tool-failed' && event.toolCallId === toolCallId);
      // Whoever ran it may give it up without asking: at a stop, it waits no longer.
      if (end?.event.type !== 'tool-failed' || end.event.outcome !== 'unknown' || end.by === instance)
        continue;
      if (isStopped(log, end)) continue;
      const asked = history.lookups.some(
        (each) => each.idempotencyKey === idempotencyKey && each.moment < end.moment,
      );
      look(!asked && `${end.by} gave ${chatId}/${toolCallId} up as unknown, and did not ask ${tool}`);
    }
    return result();
  },
};

/** Nobody waits for a tool in a run that was stopped. */
function isStopped(
  log: History['logs'] extends Map<string, infer Log> ? Log : never,
  { event }: Written,
): boolean {
  return log.some((each) => each.event.type === 'run-cancelled' && each.event.runId === event.runId);
}
