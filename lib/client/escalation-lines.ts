import type { EscalationWords } from './words/escalation-words.ts';

/** The parts of a question that its escalation is described with. `Time` is ISO 8601, or epoch milliseconds. */
type EscalatedQuestion<Time> = {
  readonly state: string;
  readonly deadline?: Time;
  readonly escalation?: {
    readonly at?: Time;
    readonly label?: string;
    readonly end?: 'deny' | 'withdraw' | 'ask-again';
  };
};

/**
 * Who else may answer since when, and what happens if nobody does, in sentences; none for a question without escalation, and before
 * there is something to say.
 *
 * @param shown.moment a time as text
 * @param shown.label the label of a step, made harmless
 * @source ADR 0048
 */
export function escalationLines<Time>(
  { state, deadline, escalation = {} }: EscalatedQuestion<Time>,
  words: EscalationWords,
  shown: { moment(at: Time): string; label(text: string): string },
): string[] {
  const { at, label, end } = escalation;
  const to = label === undefined ? undefined : shown.label(label);
  return [
    ...(at === undefined ? [] : [words.escalated(to, shown.moment(at))]),
    ...(state === 'open' && end && deadline !== undefined ? [words.ends(end, shown.moment(deadline))] : []),
  ];
}
