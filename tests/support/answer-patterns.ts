import type { ScriptedStep } from 'countersign/testing';

/** The gated calls of one turn by model step, and whether each is approved. */
export type Pattern = readonly (readonly boolean[])[];

/** Every pattern of answers to one, two and three calls: chained (one step each), parallel (one step), and mixed. */
export const patterns: readonly Pattern[] = [1, 2, 3].flatMap((length) =>
  answersOf(length).flatMap(shapesOf),
);

/** For example `yes, then no+yes`. */
export function nameOf(pattern: Pattern): string {
  return pattern.map((step) => step.map((yes) => (yes ? 'yes' : 'no')).join('+')).join(', then ');
}

/** Payments identified by their amount: the number of the step times ten, plus the position in the step. */
export function paymentScript(pattern: Pattern): ScriptedStep[] {
  const steps = pattern.map(
    (answers, step): ScriptedStep => [
      { text: [`Step ${step}: `, 'let me see.'] },
      ...answers.map((_, index) => ({ call: 'pay', input: { to: 'alice', amount: step * 10 + index } })),
    ],
  );
  return [...steps, [{ reasoning: 'So far so good.' }, { text: ['All ', 'done.'] }]];
}

/** The amounts paid for this pattern, in order. */
export function amountsOf(pattern: Pattern): number[] {
  return pattern.flatMap((answers, step) =>
    answers.flatMap((yes, index) => (yes ? [step * 10 + index] : [])),
  );
}

function answersOf(length: number): boolean[][] {
  if (length === 0) return [[]];
  return answersOf(length - 1).flatMap((rest) => [
    [...rest, true],
    [...rest, false],
  ]);
}

function shapesOf(answers: boolean[]): Pattern[] {
  const chained = answers.map((answer) => [answer]);
  if (answers.length === 1) return [chained];
  if (answers.length === 2) return [chained, [answers]];
  const mixed = [1, 2].map((cut) => [answers.slice(0, cut), answers.slice(cut)]);
  return [chained, [answers], ...mixed];
}
