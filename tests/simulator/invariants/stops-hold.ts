import { isRunEnd } from '../../../lib/protocol/index.ts';
import { idempotent } from '../actors/tools.ts';
import type { Execution, History, Written } from '../history.ts';
import { activeRun } from '../schedule/log-facts.ts';
import { type Invariant, tally } from './invariant.ts';

/** After an acknowledged stop, the run starts no call and asks no question, on any instance. */
export const stopsHold: Invariant = {
  name: 'a stop holds',
  check(history) {
    const { verify, result } = tally();
    for (const { does, status, chatId = '', moment, answeredAt = 0 } of history.exchanges) {
      if (does !== 'stop' || status !== 204) continue;
      const log = history.logOf(chatId);
      const run = activeRun(log.filter((written) => written.moment < moment));
      if (run === undefined) continue;
      const ended = log.find(({ event }) => isRunEnd(event) && event.runId === run);
      const late = log.find(
        (written) =>
          written.moment > answeredAt &&
          written.event.runId === run &&
          ['tool-started', 'approval-requested', 'run-suspended'].includes(written.event.type),
      );
      const ran = startedLate(history, log, run, chatId, answeredAt);
      verify(
        late && `${run} of ${chatId} was stopped, and then: ${late.event.type} by ${late.by}`,
        ran &&
          `${run} of ${chatId} was stopped, and then ${ran.instance} ran ${ran.toolCallId} (${ran.tool})`,
        !history.isGone(chatId, moment) && !ended && `${run} of ${chatId} was stopped, and never ended`,
      );
    }
    return result();
  },
};

/** While an instance that comes back may still have its lease. */
const leaseMs = 3_000;

/**
 * The first call that started after the stop. Three cases are excluded (README). An idempotent call may be retried once
 * if its owner has not learned of the stop. And a call whose start was recorded before the stop may run when the
 * confirmation of that start arrives, or when its instance, frozen or disconnected in between, comes back within its
 * lease.
 */
function startedLate(history: History, log: readonly Written[], run: string, chatId: string, since: number) {
  const starts = new Map(
    log.flatMap(({ at, event }) =>
      event.type === 'tool-started' && event.runId === run ? [[event.toolCallId as string, at] as const] : [],
    ),
  );
  const isConfirmation = ({ at, toolCallId }: Execution) =>
    at - (starts.get(toolCallId) ?? 0) <= history.profile.delayMs;
  return history.executions.find(
    (each) =>
      each.chatId === chatId &&
      each.moment > since &&
      starts.has(each.toolCallId) &&
      !isConfirmation(each) &&
      !idempotent.has(each.tool) &&
      !history.back.some(
        ({ instance, atMs }) => instance === each.instance && atMs <= each.at && each.at - atMs < leaseMs,
      ),
  );
}
