import type { ApproverRule } from '../settings/flow-settings.ts';

/**
 * A rule for `approvers`: the four-eyes principle. The person who asked for the turn may not answer its
 * questions, and nobody may approve arguments that they wrote themselves.
 *
 * Everybody else may answer. Combine it with another rule to restrict that: `(who, question) => who.role ===
 * 'manager' && notTheAsker(who, question)`.
 *
 * @source ADR 0015
 */
export const notTheAsker: ApproverRule = (principal, { askedBy, editedBy }) =>
  principal.id !== askedBy.id && principal.id !== editedBy?.id;
