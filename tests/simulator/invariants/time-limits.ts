import { toolTimeoutMs } from '../actors/tools.ts';
import type { Profile } from '../schedule/profile.ts';
import { type Invariant, tally } from './invariant.ts';

/** A call that exceeds its limit first has an unknown outcome, and an old approval starts nothing (ADR 0019, 0020). */
export const timeLimits: Invariant = {
  name: 'time limits are enforced',
  check(history) {
    const { verify, result } = tally();
    for (const { chatId, toolCallId, tool, input, instance } of history.executions) {
      const log = history.logOf(chatId);
      const of = (type: string) =>
        log.find(
          ({ event }) => event.type === type && 'toolCallId' in event && event.toolCallId === toolCallId,
        )?.event;
      if (tool === 'limited' && (input.n as number) * 100 > toolTimeoutMs) {
        verify(
          of('tool-completed') && `${chatId}/${toolCallId} took ${input.n}00 ms, and the flow waited for it`,
        );
      }
      const validMs = history.profile.approvalValidForMs;
      const [approved, started] = [of('approval-answered'), of('tool-started')];
      if (validMs === undefined || !approved || !started) continue;
      const age = started.at - approved.at;
      verify(
        age > validMs + differMs(history.profile) &&
          `${instance} ran ${chatId}/${toolCallId} on an approval that was ${age} ms old`,
      );
    }
    return result();
  },
};

/** The largest difference between the clocks of two instances. */
function differMs({ skewMs }: Profile): number {
  return Math.max(...skewMs) - Math.min(...skewMs);
}
