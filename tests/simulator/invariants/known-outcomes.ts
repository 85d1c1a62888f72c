import { isDeepStrictEqual } from 'node:util';
import type { Execution, History } from '../history.ts';
import { type Invariant, tally } from './invariant.ts';

/** An outcome that a process knew and could report is in the log. */
export const knownOutcomes: Invariant = {
  name: 'a known outcome is never lost',
  check(history) {
    const { verify, result } = tally();
    for (const execution of history.executions) {
      const { chatId, toolCallId, tool, ended, instance, input, moment } = execution;
      if (!ended || history.isGone(chatId, moment) || hasEnded(history, instance)) continue;
      if (history.ranAfterErasure(execution)) continue;
      const outcome = outcomeOf(history, execution);
      const call = `${chatId}/${toolCallId} (${tool})`;
      if (ended.how === 'returned') {
        verify(
          outcome.type !== 'completed' && `${call} returned in ${instance}, but the log says ${outcome.type}`,
          outcome.type === 'completed' &&
            !isDeepStrictEqual(outcome.output, { did: input.n }) &&
            `${call} returned ${input.n}, but the log says ${JSON.stringify(outcome.output)}`,
        );
      } else if (tool === 'breaks') {
        verify(
          !['failed', 'cancelled'].includes(outcome.type) &&
            `${call} failed, but the log says ${outcome.type}`,
        );
      }
    }
    return result();
  },
};

/** A killed process could not report. A closed one had its grace period. */
function hasEnded({ killed, closed }: History, instance: string): boolean {
  return killed.has(instance) || closed.has(instance);
}

/** What the log says at the end. The report of the process that ran the call outranks all others. */
function outcomeOf(history: History, { chatId, toolCallId }: Execution): { type: string; output?: unknown } {
  const events = history
    .logOf(chatId)
    .map(({ event }) => event)
    .filter((event) => 'toolCallId' in event && event.toolCallId === toolCallId);
  const resolved = events.findLast((event) => event.type === 'outcome-resolved' && event.source === 'late');
  const concluded = events.find((event) => event.type === 'outcome-resolved');
  const standing = resolved ?? concluded;
  if (standing?.type === 'outcome-resolved') return { type: standing.outcome, output: standing.output };
  const end = events.findLast(({ type }) => /^tool-(completed|failed|denied|cancelled)$/.test(type));
  if (end?.type === 'tool-completed') return { type: 'completed', output: end.output };
  if (end?.type === 'tool-failed') return { type: end.outcome === 'unknown' ? 'unknown' : 'failed' };
  return { type: end ? end.type.slice('tool-'.length) : 'nothing' };
}
