import type { FlowStore } from '../../lib/vocabulary/index.ts';
import { type Checked, type Invariant, invariants } from './invariants/index.ts';
import { createActs } from './schedule/play-acts.ts';
import { createFaults } from './schedule/play-faults.ts';
import { playFinale } from './schedule/finale.ts';
import { createStage } from './schedule/stage.ts';

/** One promise that one schedule broke. */
export type Violation = { readonly invariant: string; readonly message: string };

/** What one schedule came to. */
export type SeedResult = {
  readonly seed: number;
  /** Of the whole trace: equal for two runs of a seed. */
  readonly digest: string;
  readonly trace: readonly string[];
  readonly violations: readonly Violation[];
  /** How often each invariant looked at something, by its name. */
  readonly checked: Readonly<Record<string, number>>;
};

/** How a seed is played. */
export type SeedOptions = {
  /** Only these. Default: all of them. */
  readonly invariants?: readonly Invariant[];
  /** Changes the store as each instance sees it: a way to plant a bug. Default: unchanged. */
  readonly wrapStore?: (store: FlowStore) => FlowStore;
};

/** Plays the schedule of a seed from its beginning to its rest, and holds what was seen against every invariant. */
export async function runSeed(seed: number, options: SeedOptions = {}): Promise<SeedResult> {
  const stage = createStage(seed, options.wrapStore);
  const { world, history, profile, raw } = stage;
  const violations: Violation[] = [];
  await world.use(async () => {
    try {
      stage.open();
      const random = stage.random('steps');
      const acts = createActs(stage, stage.random('acts'));
      const faults = createFaults(stage, stage.random('faults'));
      const canFail = Object.keys(profile.faults).length > 0;
      for (let step = 0; step < profile.steps; step += 1) {
        if (step === 0) acts.play('send');
        else if (canFail && random.chance(profile.faultRate)) faults.play(random.weighted(profile.faults));
        else acts.play(random.weighted(profile.acts));
        await world.runUntil(world.elapsed() + 1 + random.below(profile.gapMs));
      }
      await playFinale(stage);
    } catch (error) {
      violations.push({ invariant: 'the schedule comes to its end', message: String((error as Error).stack ?? error) });
    }
  });
  await raw.close();
  const checked: Record<string, number> = {};
  for (const { name, check } of options.invariants ?? invariants) {
    const found: Checked = await check(history);
    checked[name] = found.checked;
    for (const message of found.faults) violations.push({ invariant: name, message });
  }
  return { seed, digest: world.digest(), trace: world.trace, violations, checked };
}
