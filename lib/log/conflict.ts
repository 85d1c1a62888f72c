import { isBranded } from '../protocol/index.ts';

const conflict: unique symbol = Symbol.for('countersign.conflict');
const stopped: unique symbol = Symbol.for('countersign.stopped');

/** Another writer was first. The decision was made on an old log, and nothing was written. */
export class Conflict extends Error {
  override readonly name = 'Conflict';
  readonly [conflict] = true;

  /** @see CountersignError.is */
  static is(error: unknown): error is Conflict {
    return isBranded(error, conflict);
  }
}

/** The run was asked to stop before it could start a call or ask a question. Earlier events stay staged. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly [stopped] = true;

  /** @see CountersignError.is */
  static is(error: unknown): error is Stopped {
    return isBranded(error, stopped);
  }
}
