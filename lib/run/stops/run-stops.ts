import type { ToolCallId } from '../../protocol/index.ts';

/**
 * What ends a run, or a part of it, early. One controller per run: a signal derived from a flow-wide one would keep
 * finished runs in memory until a full garbage collection.
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

    /** Ends model steps: the run is stopped, or the instance closes. */
    stepSignal: steps.signal,

    /** Stops the run and everything in it. */
    stop(reason?: unknown): void {
      stop.abort(reason);
      for (const part of [steps, ...calls.values()]) part.abort(stop.signal.reason);
    },

    /** The instance closes: ends model steps, which another instance can repeat. Tools run to their end. */
    leave: () => steps.abort(),

    /** Aborts a call with the run, until the returned function is called. */
    beginCall(toolCallId: ToolCallId, call: AbortController): () => void {
      if (stop.signal.aborted) call.abort(stop.signal.reason);
      calls.set(toolCallId, call);
      return () => calls.delete(toolCallId);
    },

    /** Stops one call. The run continues. False if the call is not running. */
    stopCall(toolCallId: ToolCallId): boolean {
      const call = calls.get(toolCallId);
      call?.abort();
      return call !== undefined;
    },
  };
}

export type RunStops = ReturnType<typeof createRunStops>;
