import type { ReactNode } from 'react';
import type { Change } from '../../../client/card/changes.ts';
import type { Question } from '../../../client/question.ts';

/** A form as it is filled in. Each change makes another one. */
export type FilledForm = {
  /** What would be sent. Valid only without problems. */
  readonly value: unknown;
  /** How many fields have a problem. */
  readonly problems: number;
  /** Whether a person has changed it since it opened. */
  readonly isChanged: boolean;
  /** Renders the form in the card. It passes the next form to `editing.change` of `useApprovalCard`. */
  readonly render: () => ReactNode;
};

/**
 * Opens the form of a question: of its arguments, or of the value that it needs.
 *
 * @param earlier what was filled in before; `undefined`: nothing
 * @throws Error whose message says why there is no form
 */
export type OpenForm = (question: Question, earlier: unknown) => Promise<FilledForm>;

/** The stages of editing. */
export type EditingStage =
  | { readonly type: 'closed' }
  | { readonly type: 'loading' }
  | { readonly type: 'failed'; readonly reason: string }
  | {
      readonly type: 'open';
      readonly form: FilledForm;
      /** How often Approve was pressed with problems. Problems are shown after the first time. */
      readonly attempts: number;
      /** False if the form opened with the card, which has the focus. */
      readonly takesFocus: boolean;
    };

/** The editing of a question's arguments. */
export type Editing = {
  readonly stage: EditingStage;
  /** The form must be filled in to approve: it opens with the card, and stays open. */
  readonly isNeeded: boolean;
  /** The edits of a refused or lost answer are not in the form yet, so nothing can be approved. */
  readonly isRestoring: boolean;
  /** The value of the form while it is open, otherwise the proposal. */
  readonly input: unknown;
  /** How many fields have a problem. */
  readonly problems: number;
  /**
   * The differences from the proposal; absent if nothing was proposed, because the person has to fill in the
   * form.
   */
  readonly changes: readonly Change[];
  /** Loads the form and opens it. */
  readonly open: () => void;
  /** Closes the form and drops the changes. */
  readonly close: () => void;
  readonly change: (form: FilledForm) => void;
  /** Shows the problems, after an attempt to approve. */
  readonly showProblems: () => void;
};
