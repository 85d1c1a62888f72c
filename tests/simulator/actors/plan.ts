import type { Random } from '../machine/random.ts';
import type { Profile } from '../schedule/profile.ts';

/** A turn as prescribed by its user message: the calls of each step. A list in the place of a call is a subagent's plan. */
export type PlanText = readonly (readonly (string | PlanText)[])[];

/** The text of a message that prescribes a turn. The model reads it. */
export function planText(chatId: string, plan: PlanText): string {
  return `${chatId} ${JSON.stringify(plan)}`;
}

/** How many levels of subagents there are. */
const deepest = 2;

/** A turn of up to two steps, with one to three calls each. */
export function randomPlan(
  random: Random,
  profile: Pick<Profile, 'tools' | 'subagents'>,
  depth = 0,
): PlanText {
  const { tools, subagents } = profile;
  const own = depth === 0 ? tools : tools.filter((tool) => tool !== 'page');
  const steps = Number(random.weighted({ 0: 1, 1: 6, 2: 3 }));
  return Array.from({ length: steps }, () =>
    Array.from({ length: Number(random.weighted({ 1: 5, 2: 3, 3: 1 })) }, () =>
      subagents && depth < deepest && random.chance(0.4)
        ? randomPlan(random, profile, depth + 1)
        : `${random.pick(own.length > 0 ? own : (['pay'] as const))}:${random.below(12)}`,
    ),
  );
}
