import type { Pause } from '../../protocol/index.ts';
import type { KeptResult } from './result/keep-result.ts';

export type Attempt =
  | {
      readonly type: 'output';
      readonly output: unknown;
      readonly parsed: unknown;
      /** Present for a large result; `output` is its description. */
      readonly large?: KeptResult;
    }
  | { readonly type: 'error'; readonly error: unknown }
  /** `execute` was not called: the run was stopped first, or belongs to another instance. */
  | { readonly type: 'not-started'; readonly why: 'aborted' | 'lost' }
  | { readonly type: 'paused'; readonly pause: Pause }
  /** The tool is no longer waited for; `later` is its outcome. */
  | { readonly type: 'abandoned'; readonly why: 'stopped' | 'timed-out'; readonly later: Promise<Attempt> };
