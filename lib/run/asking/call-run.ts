import type { Call } from '../../log/turn/turn.ts';
import type { Run } from '../run.ts';

export type CallRun = {
  /** The run that it belongs to. It changes when a question of the call was answered. */
  readonly run: Run;
  /** Resolves with the run when it is active: not while the call waits for an answer. */
  activeRun(): Promise<Run>;
  /** Aborted with the run, and by `abort`. */
  readonly abortSignal: AbortSignal;
  /** Leaves the run: stopping the run no longer aborts the call. */
  leave(): void;
  /** Moves the call to the run that continues it. */
  moveTo(run: Run): void;
  abort(): void;
};

/** For a call that is started by a run. */
export function createCallRun(first: Run, { requested: { toolCallId } }: Call): CallRun {
  const controller = new AbortController();
  let run = first;
  let leave = run.stops.beginCall(toolCallId, controller);
  let back: PromiseWithResolvers<void> | undefined;
  return {
    get run() {
      return run;
    },
    abortSignal: controller.signal,
    async activeRun() {
      await back?.promise;
      return run;
    },
    leave() {
      leave();
      back ??= Promise.withResolvers();
    },
    moveTo(next) {
      leave();
      run = next;
      leave = run.stops.beginCall(toolCallId, controller);
      back?.resolve();
      back = undefined;
    },
    abort() {
      controller.abort();
      back?.resolve();
    },
  };
}
