import { isDeepStrictEqual } from 'node:util';
import type { UIMessageChunk } from 'ai';
import { callIdOf, isOutcome, lifecycleOf } from '../../testing/response-timing/chunk-kinds.ts';

/** What the chunks of some responses tell of one call: its outcomes, and when it is reported to have started. */
export type Trace = {
  readonly outcomes: readonly UIMessageChunk[];
  /** The `data-tool-lifecycle` chunks of phase `started`. */
  readonly starts: readonly UIMessageChunk[];
};

/** Collects what is told of a call. */
export function traceOf(toolCallId: string, chunks: readonly UIMessageChunk[]): Trace {
  return {
    outcomes: chunks.filter((chunk) => isOutcome(chunk) && callIdOf(chunk) === toolCallId),
    starts: chunks.filter((chunk) => {
      const change = lifecycleOf(chunk);
      return change?.toolCallId === toolCallId && change.phase === 'started';
    }),
  };
}

/** The signs in `later` that a call ran which it did not leave the first time. Equal outcomes are no sign. */
export function newRunsIn(first: Trace, later: Trace): UIMessageChunk[] {
  const isNew = (known: readonly UIMessageChunk[]) => (chunk: UIMessageChunk) =>
    !known.some((other) => isDeepStrictEqual(other, chunk));
  return [...later.starts.filter(isNew(first.starts)), ...later.outcomes.filter(isNew(first.outcomes))];
}

/** The signs that a call ran at all: that it started, or gave an output. An error may be a refusal. */
export function runsIn({ outcomes, starts }: Trace): UIMessageChunk[] {
  return [...starts, ...outcomes.filter(({ type }) => type === 'tool-output-available')];
}
