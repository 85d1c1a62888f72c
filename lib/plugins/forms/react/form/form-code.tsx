import type { Question } from '../../../../client/question.ts';
import type { FilledForm } from '../../../../react/card/answer/editing.ts';
import { type Draft, draftOf, newDraft } from '../../client/field-draft.ts';
import { type FormWords, formWords } from '../../client/form-words.ts';
import { parseField } from '../../client/parse-field.ts';
import { readDraft } from '../../client/read-draft.ts';
import { EditForm, type EditFormProps } from './edit-form.tsx';

/**
 * The form for a schema.
 *
 * @param given.earlier what was filled in before; `undefined`: nothing
 */
export function formOf({
  question: { needsValue, input },
  schema,
  earlier,
  words,
}: {
  readonly question: Question;
  readonly schema: unknown;
  readonly earlier: unknown;
  readonly words: Partial<FormWords> | undefined;
}): FilledForm {
  const field = parseField(schema);
  const initial = needsValue ? newDraft(field) : draftOf(field, input);
  const draft = earlier === undefined ? initial : draftOf(field, earlier);
  return filledIn({ field, initial, words: { ...formWords, ...words } }, draft);
}

function filledIn(form: Pick<EditFormProps, 'field' | 'initial' | 'words'>, draft: Draft): FilledForm {
  const { value, problems } = readDraft(form.field, draft);
  const next = (changed: Draft) => filledIn(form, changed);
  return {
    value,
    problems: problems.size,
    isChanged: draft !== form.initial,
    render: () => <EditForm {...form} {...{ draft, value, problems, next }} />,
  };
}
