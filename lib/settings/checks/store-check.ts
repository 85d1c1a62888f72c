import type { FlowStore } from '../../log/store/index.ts';
import { port, type SettingCheck } from '../../protocol/settings.ts';

const ownMethods = { append: true, subscribe: true, cursorKey: true, close: true };
type Group = Exclude<keyof FlowStore, keyof typeof ownMethods>;

/** A custom store may have additional groups and methods. */
const groups = {
  clock: { now: true, measure: true },
  events: { read: true },
  chats: {
    head: true,
    list: true,
    stale: true,
    sealedSince: true,
    changedSince: true,
    rename: true,
    reassign: true,
    erase: true,
  },
  questions: {
    read: true,
    list: true,
    settled: true,
    due: true,
    changes: true,
    feed: true,
    lastChange: true,
  },
  calls: { recent: true },
  results: { add: true, read: true },
  records: { write: true, read: true, list: true, due: true, drop: true },
  erasures: { at: true, list: true, drop: true },
  runs: { claimLease: true, orphans: true, requestStop: true, stopRequested: true },
  instances: { announce: true, retire: true },
  subscriptions: {
    ...{ state: true, claim: true, feed: true, due: true, commit: true, retries: true, lanes: true },
    ...{ dead: true, revive: true, forget: true },
  },
} satisfies { readonly [Name in Group]: Record<keyof NonNullable<FlowStore[Name]>, true> };

/** Groups that a store may leave out. The flow then refuses the features that need them. */
const optional: readonly string[] = ['clock', 'subscriptions'] satisfies Group[];

const hasOwnMethods = port(...Object.keys(ownMethods));

export const storeCheck: SettingCheck = (value, path) => {
  hasOwnMethods(value, path);
  const given = new Map(Object.entries(value as FlowStore));
  for (const [name, methods] of Object.entries(groups)) {
    const group = given.get(name);
    if (group === undefined && optional.includes(name)) continue;
    port(...Object.keys(methods))(group, `${path}.${name}`);
  }
};
