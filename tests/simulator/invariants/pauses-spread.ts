import { times } from '../machine/instance.ts';
import type { Profile } from '../schedule/profile.ts';
import { type Invariant, tally } from './invariant.ts';

/** The time until every instance has read the pauses, and calls decided earlier have started. */
const lateMs = ({ delayMs }: Profile) => 1.5 * times.sweepMs + 60 * delayMs;

/** Within a sweep, a paused tool starts on no instance. */
export const pausesSpread: Invariant = {
  name: 'a pause holds on every instance, within a sweep',
  check({ executions, paused, back, profile }) {
    const { verify, result } = tally();
    const graceMs = lateMs(profile);
    for (const { tool, fromMs } of paused) {
      // Ending an earlier pause of the tool ends this one, too.
      const ends = paused
        .filter((each) => each.tool === tool)
        .map(({ toMs = Number.POSITIVE_INFINITY }) => toMs);
      const toMs = Math.min(...ends.filter((end) => end > fromMs));
      if (toMs <= fromMs + graceMs) continue;
      const late = executions.find((each) => {
        const knows = back.flatMap(({ instance, atMs }) =>
          instance === each.instance && atMs <= each.at ? [atMs] : [],
        );
        const since = Math.max(fromMs, ...knows) + graceMs;
        return (tool === undefined || each.toolName === tool) && each.at > since && each.at < toMs;
      });
      verify(
        late &&
          `${late.instance} ran ${late.chatId}/${late.toolCallId} (${late.tool}) at ${late.at}, paused since ${fromMs}`,
      );
    }
    return result();
  },
};
