import type { FlowStore } from '../../../lib/log/store/index.ts';
import { sqliteStore } from '../../../lib/stores/index.ts';
import { preparedSettings } from '../actors/call-options.ts';
import { createClients } from '../actors/client.ts';
import { createSessions } from '../actors/people.ts';
import { dialectProfileOf } from '../dialects/profile.ts';
import { createHistory } from '../history.ts';
import { listsProfileOf } from '../lists/profile.ts';
import { createInstance, type Instance } from '../machine/instance.ts';
import { observedStore } from '../machine/observed-store.ts';
import { type Random, randomOf } from '../machine/random.ts';
import { createWorld } from '../machine/world.ts';
import { severalProfileOf } from '../several/profile.ts';
import { subscriptionProfileOf } from '../subscriptions/profile.ts';
import { createReceivers } from '../subscriptions/receivers.ts';
import { type Profile, profileOf } from './profile.ts';

/** Seals the records of the schedules that have them. */
export const auditKey = 'a key for the simulator, which is no secret';

/** The parts of one schedule: one store, several instances, their clients, and the observed history. */
export function createStage(seed: number, wrapStore: (store: FlowStore) => FlowStore = (store) => store) {
  const random = randomOf(seed, 'profile');
  const common = profileOf(random);
  const dialects = dialectProfileOf(randomOf(seed, 'dialect readers'), common);
  const subscriptions = subscriptionProfileOf(randomOf(seed, 'subscribers'));
  const several = severalProfileOf(randomOf(seed, 'several people'), common);
  const drawn: Profile = {
    ...common,
    ...(dialects && { dialects }),
    ...(subscriptions && { subscriptions }),
    ...(several && { several }),
  };
  const lists = listsProfileOf(randomOf(seed, 'lists of plugins'), drawn);
  const profile: Profile = { ...drawn, lists };
  const deploying = randomOf(seed, 'deployment');
  let isDeployed = lists.deployed === undefined;
  const world = createWorld();
  const history = createHistory(world, profile);
  const raw: FlowStore = sqliteStore({ path: ':memory:' });
  const versions = new Map<string, number>();
  const store = observedStore(raw, history, (owner) => {
    const name = /^flow_(i\d+)-(\d+)_/.exec(owner)?.slice(1).join('.') ?? owner;
    return { name, version: versions.get(name) ?? 0 };
  });
  const sessions = createSessions();
  const receivers =
    subscriptions && createReceivers(world, history, randomOf(seed, 'receivers'), subscriptions);
  const instances: Instance[] = [];
  const calls = new Map<string, number>();
  let starts = 0;

  /** Starts a process in one of the places. */
  function start(place: number, version: number): Instance {
    starts += 1;
    const name = `i${place}.${starts}`;
    versions.set(name, version);
    const lacks = isDeployed || deploying.chance(0.5) ? [] : (lists.deployed ?? []);
    const list = new Set(lists.list.filter((each) => !lacks.includes(each)));
    history.lists.set(name, list);
    const instance = createInstance(world, history, {
      name,
      version,
      skewMs: profile.skewMs[place] ?? 0,
      delayMs: profile.delayMs,
      repeats: profile.repeats,
      modelFaults: profile.modelFaults,
      subagents: profile.subagents,
      store: wrapStore(store),
      random: randomOf(seed, `instance ${name}`),
      authorize: sessions.authorize,
      nextCallId: (chatId) => {
        const call = (calls.get(chatId) ?? 0) + 1;
        calls.set(chatId, call);
        return `call-${call}`;
      },
      ...(receivers && { subscribers: (process) => receivers.subscribersOf(process, starts) }),
      list,
      settings: {
        release: profile.release,
        ...(profile.callOptions && preparedSettings),
        mayOperate: ({ id }) => id === 'cleo',
        ...(profile.auditKey && { auditKey, checkpointMs: 2_000 }),
        ...(profile.deadlineMs && { deadlineMs: profile.deadlineMs }),
        ...(profile.approvalValidForMs && { approvalValidForMs: profile.approvalValidForMs }),
      },
    });
    instances[place] = instance;
    world.note(`${name} starts with version ${version}${lacks.length > 0 ? `, without ${lacks}` : ''}`);
    instance.flow.recover().catch(() => {});
    return instance;
  }

  return {
    seed,
    profile,
    world,
    history,
    raw,
    store,
    sessions,
    receivers,
    instances,
    start,
    /** Whether a process has all plugins. */
    isWhole: (name: string): boolean => history.lists.get(name)?.size === lists.list.length,
    /** Processes that start from now on have all plugins. */
    deployAll(): void {
      isDeployed = true;
    },
    /** Starts the first process in each place. */
    open(): void {
      for (let place = 0; place < profile.instances; place += 1) start(place, 1);
    },
    clients: createClients(world, history),
    random: (label: string): Random => randomOf(seed, label),
  };
}

/** @see createStage */
export type Stage = ReturnType<typeof createStage>;
