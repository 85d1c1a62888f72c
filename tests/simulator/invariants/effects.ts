import type { Execution, History } from '../history.ts';
import { type Invariant, tally } from './invariant.ts';

/** A call that had its effect is never recorded as having had none, except by a person's report. */
export const effects: Invariant = {
  name: 'a call that had its effect is not recorded as having had none',
  check(history) {
    const { verify, result } = tally();
    for (const execution of history.executions) {
      const { chatId, toolCallId, tool, instance, effectAt, moment } = execution;
      if (effectAt === undefined || history.isGone(chatId, moment)) continue;
      const recorded = outcomeInLog(history, execution);
      verify(
        recorded !== undefined &&
          `${instance} had the effect of ${chatId}/${toolCallId} (${tool}), but the log says ${recorded}`,
      );
    }
    return result();
  },
};

/** What the log wrongly says of a call that had its effect. */
function outcomeInLog(history: History, { chatId, toolCallId, effectAt = 0 }: Execution): string | undefined {
  const log = history.logOf(chatId);
  for (const { event, moment } of log) {
    if (!('toolCallId' in event) || event.toolCallId !== toolCallId || moment < effectAt) continue;
    if (event.type === 'tool-failed' && event.outcome !== 'unknown') return `that it failed: ${event.error}`;
    if (event.type === 'tool-denied') return 'that it was denied';
    if (event.type === 'outcome-resolved' && event.source !== 'person' && event.outcome !== 'completed') {
      return `${event.outcome}, by ${event.source}`;
    }
  }
  return undefined;
}
