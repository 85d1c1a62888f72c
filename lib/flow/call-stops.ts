import type { ToolCallId } from '../vocabulary/index.ts';

/** Lets each running call of a run be stopped alone. Stopping the run stops them all. @source contract D21, H5 */
export function createCallStops(stopSignal: AbortSignal) {
  const running = new Map<ToolCallId, AbortController>();
  return {
    /** Stops the whole run. */
    stopSignal,

    /** Runs a call under a signal of its own. */
    async within<Result>(
      toolCallId: ToolCallId,
      run: (abortSignal: AbortSignal) => Promise<Result>,
    ): Promise<Result> {
      const stop = new AbortController();
      running.set(toolCallId, stop);
      try {
        return await run(AbortSignal.any([stopSignal, stop.signal]));
      } finally {
        running.delete(toolCallId);
      }
    },

    /** Stops one call. False when it does not run. */
    stop(toolCallId: ToolCallId): boolean {
      const stop = running.get(toolCallId);
      stop?.abort();
      return stop !== undefined;
    },
  };
}

/** @see createCallStops */
export type CallStops = ReturnType<typeof createCallStops>;
