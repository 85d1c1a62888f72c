import type { AtDeadline } from '../../../protocol/index.ts';

/** All texts about the escalation of a question. Pass your own for another language or tone. */
export type EscalationWords = {
  /**
   * Other people may answer, too.
   *
   * @param label who, in the words of the flow's settings
   * @param at the time, as text
   */
  escalated(label: string | undefined, at: string): string;
  /**
   * What happens if nobody answers.
   *
   * @param at the time, as text
   */
  ends(end: AtDeadline, at: string): string;
};

const ends: { readonly [Name in AtDeadline]: string } = {
  deny: 'denied',
  withdraw: 'withdrawn',
  'ask-again': 'requested again',
};

/** Plain English. */
export const defaultEscalationWords: EscalationWords = {
  escalated: (label, at) => `Escalated${label === undefined ? '' : ` to ${label}`} at ${at}.`,
  ends: (end, at) => `Will be ${ends[end]} at ${at} if nobody answers.`,
};
