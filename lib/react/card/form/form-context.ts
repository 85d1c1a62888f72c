'use client';

import { createContext, useContext } from 'react';
import type { FieldPath, FieldProblem } from '../../../client/form/read-draft.ts';
import { type CardWords, defaultCardWords } from '../../words/card-words.ts';

/** What every field of a form needs: the words, and the problems that are shown. */
export type FormState = {
  readonly words: CardWords;
  readonly problems: ReadonlyMap<FieldPath, FieldProblem>;
};

/** Holds what the fields share. */
export const FormContext = createContext<FormState>({ words: defaultCardWords, problems: new Map() });

/** What the form around a field shares with it. */
export function useForm(): FormState {
  return useContext(FormContext);
}
