import type {
  Append,
  FlowStore,
  StoreChange,
  StoreClock,
  SubscriptionStore,
} from '../../../lib/log/store/index.ts';
import { CountersignError } from '../../../lib/protocol/index.ts';
import type { SimProcess } from './process.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** The state of the connection between one process and the store. */
export type Line = {
  /** Every call fails, and results in transit are lost. */
  isCut: boolean;
  /** No notification arrives. When the connection recovers, the process is notified of everything that changed. */
  losesNotifications: boolean;
  /** Delivers the missed ones without waiting for the next. Set by the port. */
  catchUp?: () => void;
  /** The percentage of notifications that arrive twice. */
  repeats: number;
  /** The longest latency of a call in each direction, in virtual milliseconds. */
  delayMs: number;
  /** The fault of the next matching append. Used once. */
  next?: { readonly fault: WriteFault; readonly event?: string };
  /** The fault of the next commit of a subscription. Used once. */
  nextCommit?: WriteFault;
};

/** `freezes-after`: the process freezes before it reads that its write took place. */
export type WriteFault = 'fails-before' | 'fails-after' | 'dies-before' | 'dies-after' | 'freezes-after';

const unreachable = () =>
  new CountersignError('internal', 'The database is not reachable.', {}, { transient: true });

/**
 * The store as one process sees it. Each call has latency, and the schedule chooses its faults. A request in transit
 * arrives even if its process has died in the meantime.
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
    onCommitFault,
  }: {
    world: World;
    process: SimProcess;
    random: Random;
    line: Line;
    die: () => void;
    freeze: () => void;
    onCommitFault?: () => void;
  },
): FlowStore {
  /** Waits for the connection's latency. Often zero, so that calls arrive together. */
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
    return withFault(next.fault, () => store.append(batch));
  }

  async function withFault<Result>(fault: WriteFault, write: () => Promise<Result>): Promise<Result> {
    if (fault === 'dies-before') die();
    if (fault === 'fails-before') throw unreachable();
    if (fault === 'dies-before') return new Promise(() => {});
    const result = await write();
    if (fault === 'dies-after') die();
    if (fault === 'fails-after') throw unreachable();
    if (fault === 'freezes-after') freeze();
    return result;
  }

  function remoteSubscriptions(subscriptions: SubscriptionStore): SubscriptionStore {
    const commit: SubscriptionStore['commit'] = async (result) => {
      const { nextCommit } = line;
      if (!nextCommit) return subscriptions.commit(result);
      line.nextCommit = undefined;
      onCommitFault?.();
      world.note(`${process.name} commit of ${result.id} ${nextCommit}`);
      return withFault(nextCommit, () => subscriptions.commit(result));
    };
    return eachRemote({ ...subscriptions, commit });
  }

  const wakes = notifications(store, { world, process, random, line });
  /** The methods as remote calls, also those of a part of the store, such as `records`. */
  const eachRemote = <Methods extends object>(methods: Methods): Methods =>
    Object.fromEntries(
      Object.entries(methods).map(([name, call]) => [
        name,
        typeof call === 'function' ? remote(call as never) : eachRemote(call),
      ]),
    ) as Methods;
  // A server clock, as Postgres has one: the instances' own clocks differ.
  const clock: StoreClock = { now: () => world.now(), measure: async () => {} };
  return {
    ...eachRemote(store),
    append: remote(append),
    ...(store.subscriptions && { subscriptions: remoteSubscriptions(store.subscriptions) }),
    subscribe: wakes.subscribe,
    clock,
    close: () => Promise.resolve(),
  };
}

/** Notifications arrive in order, with a delay, and some of them twice. */
function notifications(
  store: FlowStore,
  { world, process, random, line }: { world: World; process: SimProcess; random: Random; line: Line },
) {
  const listeners = new Set<(change: StoreChange) => void>();
  const missed = new Map<string, StoreChange>();
  let lastAt = 0;

  function deliver(change: StoreChange): void {
    for (const listener of [...listeners]) if (listeners.has(listener)) listener(change);
  }

  function send(change: StoreChange): void {
    const due = world.now() + (line.delayMs === 0 ? 0 : random.below(line.delayMs + 1));
    lastAt = Math.max(lastAt, due);
    process.after(lastAt - world.now(), () => deliver(change));
  }

  function catchUp(): void {
    const pending = [...missed.values()];
    missed.clear();
    for (const each of pending) send(each);
  }

  line.catchUp = catchUp;
  const end = store.subscribe((change) => {
    if (line.losesNotifications) {
      // Delivered later, as the Postgres store does after a reconnect: without the position in the log.
      missed.set(`${change.chatId} ${change.reason}`, { chatId: change.chatId, reason: change.reason });
      return;
    }
    catchUp();
    send(change);
    if (random.below(100) < line.repeats) send(change);
  });
  void process.died.then(end);

  return {
    subscribe(listener: (change: StoreChange) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
