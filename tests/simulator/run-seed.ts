import type { FlowStore } from '../../lib/log/store/index.ts';
import { createDialectCommands } from './dialects/commands.ts';
import { createFollowers } from './dialects/followers.ts';
import type { History } from './history.ts';
import { type Invariant, invariants } from './invariants/index.ts';
import { playFinale } from './schedule/finale.ts';
import { createActs } from './schedule/play-acts.ts';
import { createFaults } from './schedule/play-faults.ts';
import { createStage, type Stage } from './schedule/stage.ts';
import { createSeveralActs } from './several/acts.ts';
import { createSubscriptionTroubles } from './subscriptions/troubles.ts';

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
      const acts = createActs(stage, stage.random('acts'));
      const importing = stage.random('importing');
      const dialects = profile.dialects && createDialectCommands(stage, stage.random('dialect commands'));
      const troubles =
        profile.subscriptions && createSubscriptionTroubles(stage, stage.random('troubles of subscriptions'));
      const troubling = stage.random('troubling subscriptions');
      const several =
        profile.several && createSeveralActs(stage, profile.several, stage.random('acts of several people'));
      const meeting = stage.random('several people');
      const mixing = stage.random('mixing dialects');
      const faults = createFaults(stage, stage.random('faults'));
      const canFail = Object.keys(profile.faults).length > 0;
      for (let step = 0; step < profile.steps; step += 1) {
        if (profile.imports && importing.chance(step === 0 ? 0.9 : 0.1)) acts.importChat();
        else if (step === 0) acts.play('send');
        else if (canFail && random.chance(profile.faultRate)) faults.play(random.weighted(profile.faults));
        else acts.play(random.weighted(profile.acts));
        if (mixing.chance(profile.dialects?.commands ?? 0)) dialects?.play();
        if (meeting.chance(profile.several?.acts ?? 0)) several?.play();
        if (troubling.chance(profile.subscriptions?.troubles ?? 0)) troubles?.play();
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
