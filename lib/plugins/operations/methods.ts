import type { Principal } from '../../protocol/index.ts';
import type { Operations } from './read-operations.ts';

/** What needs an operator. */
export type OperationsMethods = {
  /**
   * What needs an operator: runs without progress, calls whose outcome is unknown, and pauses, of all chats.
   * Reads the heads of at most 200 active runs, and the logs of the at most 50 chats with the latest
   * approvals. Contains no arguments and no text from chats. Calls without a question are not included.
   *
   * @throws CountersignError `not-found` unless `mayOperate` returns `true`
   */
  read(request: { readonly principal: Principal }): Promise<Operations>;
};
