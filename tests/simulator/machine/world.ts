import { createHash } from 'node:crypto';
import { replaceGlobals } from './replaced-globals.ts';

/** The process that owns an event. Events of a dead process are dropped, and those of a frozen one are delayed. */
export type Owner = { readonly state: 'alive' | 'frozen' | 'dead'; hold(callback: () => void): void };

type Scheduled = {
  readonly at: number;
  readonly order: number;
  run: (() => void) | undefined;
  owner?: Owner;
};

/** More events than any schedule has. */
const mostEvents = 150_000;

/** The start time of every run, in epoch milliseconds. */
const beginning = Date.UTC(2030, 0, 1);

/**
 * Time and order of a simulated run. Scheduled events run one after another in order of virtual time, and every
 * promise settles between two of them. So one seed gives one order of everything.
 */
export function createWorld() {
  const lines: string[] = [];
  const queue = createQueue();
  let now = beginning;
  let order = 0;
  let events = 0;
  const machine = replaceGlobals({ now: () => now, after });

  function after(ms: number, run: () => void, owner?: Owner): () => void {
    order += 1;
    const scheduled: Scheduled = { at: now + Math.max(0, Math.ceil(ms)), order, run, owner };
    queue.add(scheduled);
    return () => {
      scheduled.run = undefined;
    };
  }

  function fire(scheduled: Scheduled): boolean {
    const { run, owner } = scheduled;
    if (!run || owner?.state === 'dead') return false;
    // An event that is cancelled between the thaw and its turn does not run.
    if (owner?.state === 'frozen') owner.hold(() => scheduled.run?.());
    else run();
    return true;
  }

  return {
    now: () => now,
    /** Milliseconds since the start. */
    elapsed: () => now - beginning,
    after,
    sleep: (ms: number) => new Promise<void>((resolve) => void after(ms, resolve)),
    /** Lets everything finish that needs no time to pass. */
    settle: machine.settle,
    use: machine.use,

    /** Runs events until a moment, or until a condition is true. */
    async runUntil(moment: number, isDone: () => boolean = () => false): Promise<void> {
      await machine.settle();
      while (!isDone()) {
        const next = queue.first();
        if (!next || next.at > beginning + moment) {
          now = Math.max(now, beginning + moment);
          return;
        }
        queue.take();
        now = Math.max(now, next.at);
        if (fire(next)) await machine.settle();
        events += 1;
        if (events > mostEvents) throw new Error(`The schedule does not end: ${mostEvents} events.`);
      }
    },

    /** Adds a line to the trace. */
    note(line: string): void {
      lines.push(`${String(now - beginning).padStart(6)} ${line}`);
    },
    trace: lines as readonly string[],
    digest: () => createHash('sha256').update(lines.join('\n')).digest('hex'),
  };
}

/** @see createWorld */
export type World = ReturnType<typeof createWorld>;

/** A binary heap: earliest first, and in order of insertion at the same time. */
function createQueue() {
  const heap: Scheduled[] = [];
  const isBefore = (one: Scheduled | undefined, other: Scheduled | undefined) =>
    one !== undefined &&
    other !== undefined &&
    (one.at < other.at || (one.at === other.at && one.order < other.order));

  function swap(one: number, other: number): void {
    const kept = heap[one] as Scheduled;
    heap[one] = heap[other] as Scheduled;
    heap[other] = kept;
  }

  return {
    first: () => heap[0],
    add(scheduled: Scheduled): void {
      let place = heap.push(scheduled) - 1;
      for (let parent = (place - 1) >> 1; isBefore(heap[place], heap[parent]); parent = (place - 1) >> 1) {
        swap(place, parent);
        place = parent;
      }
    },
    take(): void {
      const last = heap.pop();
      if (!last || heap.length === 0) return;
      heap[0] = last;
      for (let place = 0; ; ) {
        const [left, right] = [2 * place + 1, 2 * place + 2];
        let least = place;
        if (isBefore(heap[left], heap[least])) least = left;
        if (isBefore(heap[right], heap[least])) least = right;
        if (least === place) return;
        swap(place, least);
        place = least;
      }
    },
  };
}
