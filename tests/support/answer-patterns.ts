import type { ScriptedStep } from 'countersign/testing';

/** The gated calls of one turn by model step: for each, whether it is approved. */
export type Pattern = readonly (readonly boolean[])[];

/** Every pattern of answers to one, two and three calls: chained (a step each), parallel (one step), and mixed. */
export const patterns: readonly Pattern[] = [1, 2, 3].flatMap((length) =>
  answersOf(length).flatMap(shapesOf),
);

/** Such as `yes, then no+yes`. */
export function nameOf(pattern: Pattern): string {
  return pattern.map((step) => step.map((yes) => (yes ? 'yes' : 'no')).join('+')).join(', then ');
}

/** Payments told apart by their amount: the step's number times ten, and the place in the step. */
export function paymentScript(pattern: Pattern): ScriptedStep[] {
  const steps = pattern.map(
    (answers, step): ScriptedStep => [
      { text: [`Step ${step}: `, 'let me see.'] },
      ...answers.map((_, index) => ({ call: 'pay', input: { to: 'alice', amount: step * 10 + index } })),
    ],
  );
  return [...steps, [{ reasoning: 'So far so good.' }, { text: ['All ', 'done.'] }]];
}

/** The amounts that are paid when this pattern is answered, in order. */
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
