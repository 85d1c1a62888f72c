import type { Question, Repeat } from '../protocol/index.ts';
import type { StepUp } from '../settings/flow-settings.ts';

/** What a principal may do with a question; whoever may not answer may do nothing. @source contract H13 */
export type QuestionRights = {
  readonly mayAnswer: boolean;
  /** May approve other arguments: the tool is ours, not a provider's. */
  readonly mayEdit: boolean;
  /** May have the approval remembered. @source ADR 0015 */
  readonly mayRemember: boolean;
  /** Present where the tool has `stepUp`. `needed`: this principal must sign in again before answering. */
  readonly stepUp?: StepUp & { readonly needed: boolean };
  /** The same call ran, or was approved, within the day before; where, only for whoever may see that chat. @source ADR 0021 */
  readonly repeatOf?: Repeat;
};

/** What holds of a question for everybody, as long as it is open. */
export type QuestionMarks = {
  readonly outdated?: true;
  /** Present while the tool is paused: nobody may approve then, whatever the rights. Denying is possible. */
  readonly paused?: { readonly reason: string };
};

/**
 * A question, and what this principal may do with it.
 *
 * `outdated`: the tool is not any more what the question was asked about. It can be denied; approved, it is asked again.
 */
export type QuestionView = Omit<Question, 'repeatOf'> & QuestionRights & QuestionMarks;

/** A question alone; `inputSchema` is the JSON Schema that edited arguments must fit, present with `mayEdit`. */
export type QuestionDetails = QuestionView & { readonly inputSchema?: unknown };
