import type { FormWords } from 'countersign/plugins/forms/react';
import { counted } from './german-words.ts';

/** German texts of forms, one with a plural. */
export const germanForms: Pick<FormWords, 'problem'> = {
  problem: (found) =>
    found.code === 'too-few'
      ? `Mindestens ${counted(found.limit, 'Eintrag', 'Einträge')}.`
      : 'Bitte diesen Wert prüfen.',
};
