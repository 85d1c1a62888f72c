import type { Append, FlowStore, StoreClock, Wake } from '../../../lib/log/store-port.ts';
import { CountersignError } from '../../../lib/protocol/index.ts';
import type { SimProcess } from './process.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** What is wrong with the way between one process and the store. */
export type Line = {
  /** Every call fails, and an answer that is under way is lost. */
  isCut: boolean;
  /** No notification arrives. When they do again, the process is told of everything that changed. */
  isDeaf: boolean;
  /** How many notifications in a hundred arrive twice. */
  repeats: number;
  /** The longest time that a call takes, each way, in virtual milliseconds. */
  delayMs: number;
  /** What becomes of the next append that fits, once. */
  next?: { readonly fault: AppendFault; readonly event?: string };
};

/** `freezes-after`: the process stands still before it reads that its append was written. */
export type AppendFault = 'fails-before' | 'fails-after' | 'dies-before' | 'dies-after' | 'freezes-after';

const unreachable = () =>
  new CountersignError('internal', 'The database is not reachable.', {}, { transient: true });

/**
 * The store as one process sees it. Each call travels for a while; what the line does to it is the schedule's choice.
 * A request that is under way arrives though its process has died meanwhile.
 */
export function storePort(
  store: FlowStore,
  {
    world,
    process,
    random,
    line,
    die,
    freeze,
  }: { world: World; process: SimProcess; random: Random; line: Line; die: () => void; freeze: () => void },
): FlowStore {
  /** Passes as fast as the line allows; often without any delay, as calls that come together do. */
  async function travel(): Promise<void> {
    const ms = line.delayMs === 0 ? 0 : random.below(line.delayMs + 1);
    if (ms > 0) await world.sleep(ms);
  }

  const remote =
    <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      await process.gate();
      if (line.isCut) throw unreachable();
      await travel();
      const result = await call(...given).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      await travel();
      await process.gate();
      if (line.isCut) throw unreachable();
      if ('error' in result) throw result.error;
      return result.value;
    };

  async function append(batch: Append): Promise<Awaited<ReturnType<FlowStore['append']>>> {
    const { next } = line;
    const isDue = next && (next.event === undefined || batch.events.some(({ type }) => type === next.event));
    if (!isDue) return store.append(batch);
    line.next = undefined;
    world.note(`${process.name} append ${next.fault} (${batch.events.map(({ type }) => type).join(', ')})`);
    if (next.fault === 'dies-before') die();
    if (next.fault === 'fails-before') throw unreachable();
    if (next.fault === 'dies-before') return new Promise(() => {});
    const result = await store.append(batch);
    if (next.fault === 'dies-after') die();
    if (next.fault === 'fails-after') throw unreachable();
    if (next.fault === 'freezes-after') freeze();
    return result;
  }

  const wakes = notifications(store, { world, process, random, line });
  const calls = Object.fromEntries(
    Object.entries(store).map(([name, call]) => [
      name,
      remote(call as (...given: unknown[]) => Promise<unknown>),
    ]),
  ) as unknown as FlowStore;
  // As Postgres has one: the instances' own clocks differ.
  const clock: StoreClock = { now: () => world.now(), measure: async () => {} };
  return {
    ...calls,
    append: remote(append),
    subscribe: wakes.subscribe,
    clock,
    close: () => Promise.resolve(),
  };
}

/** Notifications arrive in order, some time later, and some of them twice. */
function notifications(
  store: FlowStore,
  { world, process, random, line }: { world: World; process: SimProcess; random: Random; line: Line },
) {
  const listeners = new Set<(wake: Wake) => void>();
  const missed = new Map<string, Wake>();
  let lastAt = 0;

  function deliver(wake: Wake): void {
    for (const listener of [...listeners]) if (listeners.has(listener)) listener(wake);
  }

  function send(wake: Wake): void {
    const due = world.now() + (line.delayMs === 0 ? 0 : random.below(line.delayMs + 1));
    lastAt = Math.max(lastAt, due);
    process.after(lastAt - world.now(), () => deliver(wake));
  }

  const end = store.subscribe((wake) => {
    if (line.isDeaf) {
      // Made up for later, as the Postgres store does after a break: without the place in the log.
      missed.set(`${wake.chatId} ${wake.reason}`, { chatId: wake.chatId, reason: wake.reason });
      return;
    }
    const hears = [...missed.values()];
    missed.clear();
    for (const each of hears) send(each);
    send(wake);
    if (random.below(100) < line.repeats) send(wake);
  });
  void process.died.then(end);

  return {
    subscribe(listener: (wake: Wake) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
