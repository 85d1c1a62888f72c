import type { ToolCallId } from '../protocol/index.ts';

/**
 * What ends a run, or a part of it, before its time. Its signals lean on no signal of the whole flow: that one would
 * keep hold of each run that was, until the next full garbage collection.
 *
 * @source D21, H5
 */
export function createRunStops() {
  const stop = new AbortController();
  const steps = new AbortController();
  const calls = new Map<ToolCallId, AbortController>();
  return {
    /** The run is stopped: model step and tools. */
    stopSignal: stop.signal,

    /** Model steps end: the run is stopped, or the instance goes away. */
    stepSignal: steps.signal,

    /** Stops the run, with all that runs in it. */
    stop(reason?: unknown): void {
      stop.abort(reason);
      for (const part of [steps, ...calls.values()]) part.abort(stop.signal.reason);
    },

    /** The instance goes away: ends model steps, which another can do again; tools run to their end. */
    leave: () => steps.abort(),

    /** A signal for one call, which is aborted with the run's. Call `end` when the call has ended. */
    beginCall(toolCallId: ToolCallId): { readonly abortSignal: AbortSignal; end(): void } {
      const call = new AbortController();
      if (stop.signal.aborted) call.abort(stop.signal.reason);
      calls.set(toolCallId, call);
      return { abortSignal: call.signal, end: () => calls.delete(toolCallId) };
    },

    /** Stops one call, and lets the run go on. False when it does not run. */
    stopCall(toolCallId: ToolCallId): boolean {
      const call = calls.get(toolCallId);
      call?.abort();
      return call !== undefined;
    },
  };
}

/** @see createRunStops */
export type RunStops = ReturnType<typeof createRunStops>;
