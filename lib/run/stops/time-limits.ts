import type { Clock } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import type { RunStops } from './run-stops.ts';

/** A run, a step or the wait for a part of a response took longer than `timeout` allows. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

/**
 * Measures a run against `timeout`: the whole run (a number, or `totalMs`), and each of its steps with the calls that
 * follow it (`stepMs`). Questions take no time, because no run is active. A run that exceeds a limit is ended.
 *
 * @source ADR 0029
 */
export function beginTimeLimits({ timeout }: FlowSettings, clock: Clock, stops: Pick<RunStops, 'stop'>) {
  const limits = typeof timeout === 'number' ? { totalMs: timeout } : (timeout ?? {});

  function begin(what: string, limitMs: number | undefined): () => void {
    if (limitMs === undefined) return () => {};
    return clock.after(limitMs, () => {
      stops.stop(new TimedOut(`${what} took longer than ${limitMs} ms.`));
    });
  }

  const endTotal = begin('The run', limits.totalMs);
  let endStep = () => {};

  return {
    /** Begins to measure the next step, in the place of the previous one. */
    beginStep(): void {
      endStep();
      endStep = begin('The step', limits.stepMs);
    },
    end(): void {
      endTotal();
      endStep();
    },
  };
}

export type TimeLimits = ReturnType<typeof beginTimeLimits>;
