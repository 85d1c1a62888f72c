import type { ReactNode } from 'react';
import type { Change } from '../../../client/form/changes.ts';
import type { Field } from '../../../client/form/field.ts';
import type { Draft } from '../../../client/form/field-draft.ts';
import type { FieldProblem, Reading } from '../../../client/form/read-draft.ts';
import type { FieldPath } from '../../../protocol/field-path.ts';

/** The code for editing. A page downloads it when a person begins to edit. */
export type FormCode = {
  readonly EditForm: () => ReactNode;
  readonly parseField: (schema: unknown) => Field;
  readonly draftOf: (field: Field, value: unknown) => Draft;
  readonly newDraft: (field: Field) => Draft;
  readonly readDraft: (field: Field, draft: Draft) => Reading;
};

/** The stages of editing. The form's code is there while it is open. */
export type EditingStage =
  | { readonly type: 'closed' }
  | { readonly type: 'loading' }
  | { readonly type: 'failed'; readonly reason: string }
  | {
      readonly type: 'open';
      readonly form: FormCode;
      readonly field: Field;
      /** The proposed arguments, to reset to. */
      readonly initial: Draft;
      readonly draft: Draft;
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
  /** The parsed draft, while the form is open. */
  readonly input: unknown;
  readonly problems: ReadonlyMap<FieldPath, FieldProblem>;
  /**
   * The differences from the proposal; absent if nothing was proposed, because the person has to fill in the
   * form.
   */
  readonly changes: readonly Change[];
  /** Loads the form and opens it. */
  readonly open: () => void;
  /** Closes the form and drops the changes. */
  readonly close: () => void;
  readonly change: (draft: Draft) => void;
  /** Shows the problems, after an attempt to approve. */
  readonly showProblems: () => void;
};
