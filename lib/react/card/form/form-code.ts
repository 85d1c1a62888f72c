import { draftOf, newDraft } from '../../../client/form/field-draft.ts';
import { parseField } from '../../../client/form/parse-field.ts';
import { readDraft } from '../../../client/form/read-draft.ts';
import type { FormCode } from '../answer/editing.ts';
import { EditForm } from './edit-form.tsx';

/** @see FormCode */
export const formCode: FormCode = { EditForm, parseField, draftOf, newDraft, readDraft };
