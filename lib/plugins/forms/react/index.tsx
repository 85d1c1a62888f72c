import type { CardPlugin } from '../../../react/plugins/card-plugin.ts';
import type { FormWords } from '../client/form-words.ts';
import { loadInputSchema as fromApprovals, type LoadInputSchema } from './load-input-schema.ts';
import { choicesOf } from './options/choices.ts';
import { OptionButtons, OptionList } from './options/option-parts.tsx';

export { type FormWords, formWords as defaultFormWords } from '../client/form-words.ts';
export type { LoadInputSchema } from './load-input-schema.ts';

/** Few questions are edited: a page downloads the form for the first one that is. */
const loadForm = async () => (await import('./form/form-code.tsx')).formOf;

/**
 * A form with a field for each argument, also for what a question needs to be filled in, and a button for each option.
 *
 * @param settings.words replace some of the English texts
 * @param settings.loadInputSchema gets the schema of a form. Default: `GET /api/approvals/{id}`
 * @source ADR 0025, ADR 0050
 */
export function formsCard({
  words,
  loadInputSchema = fromApprovals,
}: {
  readonly words?: Partial<FormWords>;
  readonly loadInputSchema?: LoadInputSchema;
} = {}): CardPlugin {
  return {
    name: 'forms',
    async openForm(question, earlier) {
      const [formOf, schema] = await Promise.all([loadForm(), loadInputSchema(question)]);
      return formOf({ question, schema, earlier, words });
    },
    choices: choicesOf,
    parts: {
      answer: ({ options }) => options && <OptionList />,
      buttons: ({ options }) => options && <OptionButtons />,
    },
  };
}
