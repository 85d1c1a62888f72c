import type { FlowEvent } from '../../protocol/index.ts';
import { createTurnReader, type ReadFrom, type TurnItem } from './read-turn.ts';

/**
 * A synchronous reducer from the items of a turn to what a client reads: chunks, frames, spans. The same items always
 * give the same outputs, so a client resumes by replaying the log.
 */
export type Projection<Output> = {
  /** The outputs before the first event. Default: none. */
  readonly start?: () => readonly Output[];
  /** The outputs that one item adds. Call it for every item, including those before the response. */
  apply(item: TurnItem): readonly Output[];
  /** The outputs after the last event. Default: none. */
  end?(): readonly Output[];
  /** True when nothing follows, although events may. Default: false. */
  isDone?(): boolean;
  /** The last outputs when the events can no longer be read. */
  readonly fail?: (error: unknown) => readonly Output[];
  /**
   * The last outputs when the flow closes before the events have ended, for clients that resume. Default: the stream stays open
   * until its connection is cut.
   */
  readonly leave?: () => readonly Output[];
};

/** A projection that takes events instead of items. */
export type ProjectionRun<Output> = {
  push(event: FlowEvent): readonly Output[];
  end(): readonly Output[];
  isDone(): boolean;
};

/** Puts a reader before a projection. @see createTurnReader */
export function runProjection<Output>(
  projection: Projection<Output>,
  from: ReadFrom = {},
): ProjectionRun<Output> {
  const readEvent = createTurnReader(from);
  return {
    push: (event) => projection.apply(readEvent(event)),
    end: () => projection.end?.() ?? [],
    isDone: () => projection.isDone?.() ?? false,
  };
}

/** The outputs of a complete list of events. */
export function project<Output>(
  projection: Projection<Output>,
  events: Iterable<FlowEvent>,
  from: ReadFrom = {},
): Output[] {
  const run = runProjection(projection, from);
  const outputs: Output[] = [...(projection.start?.() ?? [])];
  for (const event of events) outputs.push(...run.push(event));
  outputs.push(...run.end());
  return outputs;
}
