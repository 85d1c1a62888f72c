import { createHook, executionAsyncId } from 'node:async_hooks';
import { resolve } from 'node:path';

/** A function of `lib/` that was entered on the way to some place, and where it called the next one. */
export type Entered = {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
};

const root = resolve(import.meta.dirname, '../..');

/**
 * Observes which function called which, over awaits, timers and promises that nobody awaits. From the call on, every
 * asynchronous step keeps the stack on which it began. Slow: for single requests.
 */
export function traceCalls() {
  const began = new Map<number, { readonly by: number; readonly stack: Error }>();
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  const hook = createHook({
    init(id) {
      began.set(id, { by: executionAsyncId(), stack: new Error('began') });
    },
  }).enable();

  return {
    /** The functions on the way from the first of `lib/` to the caller, the first one first. */
    path(): Entered[] {
      const stacks = [new Error('here')];
      for (let step = began.get(executionAsyncId()); step; step = began.get(step.by)) stacks.push(step.stack);
      return stacks.reverse().map(functionsOf).reduce(join, []);
    },
    end(): void {
      hook.disable();
      Error.stackTraceLimit = stackTraceLimit;
    },
  };
}

/** A later stack begins with functions that were entered before. What it adds replaces what has ended since. */
function join(path: readonly Entered[], stack: readonly Entered[]): Entered[] {
  let place = -1;
  let known = 0;
  for (const [index, each] of stack.entries()) {
    const found = path.findLastIndex((other) => other.file === each.file && other.name === each.name);
    if (found === -1) break;
    place = found;
    known = index + 1;
  }
  if (place === -1) return [...path, ...stack];
  // Where it calls from now may be another line.
  return [...path.slice(0, place), ...stack.slice(known - 1)];
}

function functionsOf({ stack = '' }: Error): Entered[] {
  return stack
    .split('\n')
    .flatMap((line) => {
      const found = /at (?:async )?(?:(.*?) )?\(?(?:file:\/\/)?([^( ]*?):(\d+):(\d+)\)?$/.exec(line);
      const [, name = '', path = '', at, column] = found ?? [];
      if (!path.startsWith(`${root}/lib/`)) return [];
      const file = path.slice(root.length + 1);
      return [{ name: name.replace(/^Object\./, ''), file, line: Number(at), column: Number(column) }];
    })
    .reverse();
}
