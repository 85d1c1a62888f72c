'use client';

import { createContext, useContext } from 'react';
import type { FieldPath } from '../../../../protocol/field-path.ts';
import { type ApprovalCardWords, approvalCardWords } from '../../../../react/words/card-words.ts';
import { type FormWords, formWords } from '../../client/form-words.ts';
import type { FieldProblem } from '../../client/read-draft.ts';

/** The texts of a form and of the card around it. */
export type FieldWords = ApprovalCardWords & FormWords;

/** What every field of a form needs: the words, the problems that are shown, and a prefix of its ids. */
export type FormState = {
  readonly words: FieldWords;
  readonly problems: ReadonlyMap<FieldPath, FieldProblem>;
  readonly id?: string;
  /** The field that a person wants to see: a list shows its page. */
  readonly sought?: { readonly path: FieldPath } | undefined;
  readonly seek?: (sought: { readonly path: FieldPath }) => void;
};

/** Holds what the fields share. */
export const FormContext = createContext<FormState>({
  words: { ...approvalCardWords, ...formWords },
  problems: new Map(),
});

/** What the form around a field shares with it. */
export function useForm(): FormState {
  return useContext(FormContext);
}

/** The id of a field's control, or of the group of its controls. */
export function fieldId(formId: string, path: FieldPath): string {
  return `${formId}-field${path}`;
}
