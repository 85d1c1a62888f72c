import type { FlowStore } from '../../lib/log/store/index.ts';
import { mixesDialects } from './dialects/commands.ts';
import { createFollowers } from './dialects/followers.ts';
import type { History } from './history.ts';
import { type Invariant, invariants } from './invariants/index.ts';
import { playFinale } from './schedule/finale.ts';
import { importsChats } from './schedule/imports.ts';
import type { Part } from './schedule/part.ts';
import { createActs } from './schedule/play-acts.ts';
import { createFaults } from './schedule/play-faults.ts';
import { createRequests } from './schedule/requests.ts';
import { createStage, type Stage } from './schedule/stage.ts';
import { meetsSeveral } from './several/acts.ts';
import { troublesSubscriptions } from './subscriptions/troubles.ts';

/** What is played instead of another step, and in addition to it. */
const instead: readonly Part[] = [importsChats];
const besides: readonly Part[] = [mixesDialects, meetsSeveral, troublesSubscriptions];

/** A promise that a schedule broke. */
export type Violation = { readonly invariant: string; readonly message: string };

/** The result of one schedule. */
export type SeedResult = {
  readonly seed: number;
  /** Of the whole trace. Equal for two runs of a seed. */
  readonly digest: string;
  readonly trace: readonly string[];
  readonly violations: readonly Violation[];
  /** How many items each invariant checked, by name. */
  readonly checked: Readonly<Record<string, number>>;
};

/** Options for playing a seed. */
export type SeedOptions = {
  /** Only these invariants. Default: all. */
  readonly invariants?: readonly Invariant[];
  /** Wraps the store of each instance, to plant a bug. Default: unchanged. */
  readonly wrapStore?: (store: FlowStore) => FlowStore;
};

/** A schedule that was played, and its observed history. */
export type Played = Pick<SeedResult, 'seed' | 'digest' | 'trace'> & {
  readonly history: History;
  /** Why it did not finish. */
  readonly failure?: unknown;
};

/** Plays the schedule of a seed to its end. */
export async function playSeed(
  seed: number,
  { wrapStore }: Pick<SeedOptions, 'wrapStore'> = {},
): Promise<Played> {
  const stage = createStage(seed, wrapStore);
  const { world, history, profile, raw } = stage;
  let failure: unknown;
  await world.use(async () => {
    try {
      stage.open();
      const followers = followDialects(stage);
      const random = stage.random('steps');
      const acting = stage.random('acts');
      const requests = createRequests(stage, acting);
      const play = createActs(stage, requests, acting);
      const begin = (part: Part) => part(stage, requests, acting) ?? [];
      const [replacing, adding] = [instead.flatMap(begin), besides.flatMap(begin)];
      const faults = createFaults(stage, stage.random('faults'));
      const canFail = Object.keys(profile.faults).length > 0;
      for (let step = 0; step < profile.steps; step += 1) {
        if (!replacing.some((replace) => replace(step))) {
          if (step === 0) play('send');
          else if (canFail && random.chance(profile.faultRate)) faults.play(random.weighted(profile.faults));
          else play(random.weighted(profile.acts));
        }
        for (const add of adding) add(step);
        await world.runUntil(world.elapsed() + 1 + random.below(profile.gapMs));
      }
      await playFinale(stage, followers);
    } catch (error) {
      failure = error;
    }
  });
  await raw.close();
  return { seed, digest: world.digest(), trace: world.trace, history, failure };
}

/** In schedules with dialects, turns are followed from now on. */
function followDialects(stage: Stage) {
  const { history, profile } = stage;
  if (!profile.dialects) return undefined;
  const parts = { ...stage, dialects: profile.dialects, random: stage.random('followers of dialects') };
  const followers = createFollowers(parts);
  history.onWritten = followers.noticed;
  return followers;
}

/** Plays the schedule of a seed, and checks every invariant. */
export async function runSeed(seed: number, options: SeedOptions = {}): Promise<SeedResult> {
  const { history, failure, digest, trace } = await playSeed(seed, options);
  const violations: Violation[] = [];
  const checked: Record<string, number> = {};
  if (failure !== undefined) {
    const message = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
    violations.push({ invariant: 'the schedule finishes', message });
  }
  for (const { name, check } of options.invariants ?? invariants) {
    const found = await check(history);
    checked[name] = found.checked;
    for (const message of found.faults) violations.push({ invariant: name, message });
  }
  return { seed, digest, trace, violations, checked };
}
