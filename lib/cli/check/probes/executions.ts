import { isDeepStrictEqual } from 'node:util';
import type { UIMessageChunk } from 'ai';
import { callIdOf, isOutcome, lifecycleOf } from '../../../testing/response-timing/chunk-kinds.ts';

/** What the chunks of some responses report about one call: its outcomes, and when it started. */
export type Trace = {
  readonly outcomes: readonly UIMessageChunk[];
  /** The `data-tool-lifecycle` chunks of phase `started`. */
  readonly starts: readonly UIMessageChunk[];
};

/** Collects what the chunks report about a call. */
export function traceOf(toolCallId: string, chunks: readonly UIMessageChunk[]): Trace {
  return {
    outcomes: chunks.filter((chunk) => isOutcome(chunk) && callIdOf(chunk) === toolCallId),
    starts: chunks.filter((chunk) => {
      const change = lifecycleOf(chunk);
      return change?.toolCallId === toolCallId && change.phase === 'started';
    }),
  };
}

/** Signs in `later` of a run that `first` does not show. Equal outcomes do not count. */
export function newRunsIn(first: Trace, later: Trace): UIMessageChunk[] {
  const isNew = (known: readonly UIMessageChunk[]) => (chunk: UIMessageChunk) =>
    !known.some((other) => isDeepStrictEqual(other, chunk));
  return [...later.starts.filter(isNew(first.starts)), ...later.outcomes.filter(isNew(first.outcomes))];
}

/** Signs that a call ran: it started, or has an output. An error may be a refusal. */
export function runsIn({ outcomes, starts }: Trace): UIMessageChunk[] {
  return [...starts, ...outcomes.filter(({ type }) => type === 'tool-output-available')];
}
