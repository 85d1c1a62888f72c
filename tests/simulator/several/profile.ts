import type { PersonName } from '../actors/people.ts';
import { type ToolName, toolNames } from '../actors/tools.ts';
import type { Random } from '../machine/random.ts';

/** A step of the escalation, and whom it adds. */
export type StepProfile = {
  readonly afterMs: number;
  readonly adds: PersonName;
  readonly remindEveryMs?: number;
};

/** Questions that are not for one person only: several votes, escalation and delegation. */
export type SeveralProfile = {
  /** Tools whose calls two people must approve. */
  readonly voted: readonly ToolName[];
  /** How many denials settle a question about them. */
  readonly denials: 1 | 2;
  /** Whether the asker has a vote. */
  readonly isAskerIncluded: boolean;
  readonly escalation?: {
    readonly steps: readonly StepProfile[];
    readonly end?: { readonly afterMs: number; readonly then: 'deny' | 'withdraw' | 'ask-again' };
  };
  /** People delegate their right to answer. */
  readonly delegates: boolean;
  /** The share of steps at which one of these people also does something. */
  readonly acts: number;
};

/** The share of schedules with these settings. The other schedules are the same as without this feature. */
const share = 0.25;

/** `page` runs in the client, `quick` is never asked about, and `boss` has approvers of its own. */
const votable = toolNames.filter((name) => name !== 'page' && name !== 'quick' && name !== 'boss');

/** The part of a seed's profile that is about several people. It has its own random numbers. */
export function severalProfileOf(
  random: Random,
  { deadlineMs }: { readonly deadlineMs?: number },
): SeveralProfile | undefined {
  if (!random.chance(share)) return undefined;
  const firstMs = 300 + random.below(1_500);
  const secondMs = firstMs + 300 + random.below(1_500);
  const then = random.pick(['deny', 'withdraw', 'ask-again', undefined] as const);
  const remindEveryMs = then && random.chance(0.4) ? 300 + random.below(900) : undefined;
  const step = (adds: PersonName, afterMs: number): StepProfile => ({
    adds,
    afterMs,
    ...(remindEveryMs && { remindEveryMs }),
  });
  const escalation = {
    steps: [step('cleo', firstMs), ...(random.chance(0.6) ? [step('dora', secondMs)] : [])],
    ...(then && { end: { afterMs: secondMs + 500 + random.below(2_500), then } }),
  };
  // A deadline would end a question before its escalation does, which is refused.
  const escalates = random.chance(0.6) && deadlineMs === undefined;
  return {
    voted: random.chance(0.7) ? votable.filter(() => random.chance(0.6)) : [],
    denials: random.pick([1, 1, 2]),
    isAskerIncluded: random.chance(0.5),
    ...(escalates && { escalation }),
    delegates: random.chance(0.6),
    acts: random.pick([0.4, 0.8]),
  };
}
