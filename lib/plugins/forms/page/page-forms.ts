import { html } from '../../../channels/html.ts';
import type { PageForm, PageForms, Problems } from '../../../channels/page-form.ts';
import { parseFieldErrors } from '../../../client/http/field-errors.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import type { FieldPath } from '../../../protocol/field-path.ts';
import { fieldAt } from '../client/field-at.ts';
import { newDraft } from '../client/field-draft.ts';
import { problemOf } from '../client/field-error.ts';
import type { FieldProblem } from '../client/read-draft.ts';
import { defaultPageFormWords, type PageFormWords } from './page-form-words.ts';
import { beginningOf, readTyped } from './read-typed.ts';
import { fieldHtml, labelOf } from './value-fields.ts';
import { type ValueForm, valueFormOf } from './value-form.ts';

/**
 * Forms on pages without scripts, for the setting `forms` of answer links. They have a control for each plain field of a question's
 * schema.
 *
 * @param settings.words replace some of the English texts
 * @example links({ secret, baseUrl, authorize, forms: pageForms() })
 * @source ADR 0053
 */
export function pageForms({ words: own }: { readonly words?: Partial<PageFormWords> } = {}): PageForms {
  const words = { ...defaultPageFormWords, ...own };
  return (question) => {
    const form = valueFormOf(question);
    return form && pageFormOf(form, words);
  };
}

function pageFormOf(form: ValueForm, words: PageFormWords): PageForm {
  const { field, fields, sentAs } = form;
  const idOf = (index: number) => `field-${index}`;
  const sentences = (problems: Iterable<readonly [FieldPath, FieldProblem]>): Problems =>
    new Map([...problems].map(([path, problem]) => [path, words.problem(problem)]));
  return {
    sentAs,
    begun: beginningOf(form),
    fields(typed, problems) {
      const shown = fields.map((one, index) => {
        const { path } = one;
        const state = { id: idOf(index), typed: typed.get(path) ?? '', problem: problems.get(path) };
        return fieldHtml({ ...one, ...state }, words);
      });
      return html`${shown}`;
    },
    problemItems: (problems) =>
      [...problems].map(([path, problem]) => {
        const index = fields.findIndex((one) => one.path === path);
        const text = visibleText(problem);
        const found = fields[index];
        if (!found) return html`<li><bdi>${text}</bdi></li>`;
        return html`<li><a href="#${idOf(index)}"><bdi>${labelOf(found, words)}: ${text}</bdi></a></li>`;
      }),
    read(typed) {
      const { value, problems } = readTyped(form, typed);
      return { value, problems: sentences(problems) };
    },
    refused(fieldErrors) {
      const draft = newDraft(field);
      return sentences(
        parseFieldErrors(fieldErrors).map(
          (fieldError) => [fieldAt(field, draft, fieldError.path).path, problemOf(fieldError)] as const,
        ),
      );
    },
  };
}
