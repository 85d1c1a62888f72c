import type { Random } from '../machine/random.ts';
import type { ToolName } from './tools.ts';

/** A turn as prescribed by its user message: the calls of each step. */
type Plan = readonly (readonly { readonly tool: ToolName; readonly n: number }[])[];

/** The text of a message that prescribes a turn. The model reads it. */
export function planText(chatId: string, plan: Plan): string {
  return `${chatId} ${JSON.stringify(plan.map((step) => step.map(({ tool, n }) => `${tool}:${n}`)))}`;
}

/** A turn of up to two steps, with one to three calls each. */
export function randomPlan(random: Random, tools: readonly ToolName[]): Plan {
  const steps = Number(random.weighted({ 0: 1, 1: 6, 2: 3 }));
  return Array.from({ length: steps }, () =>
    Array.from({ length: Number(random.weighted({ 1: 5, 2: 3, 3: 1 })) }, () => ({
      tool: random.pick(tools),
      n: random.below(12),
    })),
  );
}
