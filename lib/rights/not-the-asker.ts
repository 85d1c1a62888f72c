import type { ApproverRule } from '../settings/flow-settings.ts';

/**
 * A rule for `approvers`: four eyes. Whoever asked for the turn may not answer its questions, and nobody may approve
 * arguments of their own writing: those would be seen by two eyes only.
 *
 * Everybody else may, so say with it who: `(who, question) => who.role === 'manager' && notTheAsker(who, question)`.
 *
 * @source ADR 0015
 */
export const notTheAsker: ApproverRule = (principal, { askedBy, editedBy }) =>
  principal.id !== askedBy.id && principal.id !== editedBy?.id;
