import { type Html, html } from '../../../channels/html.ts';
import { controlPrefix } from '../../../channels/page-form.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import { constantOf } from '../client/field.ts';
import { defaultNotes, mostRadios, optionName, valuesOf } from '../client/field-texts.ts';
import { controlAttributes } from './control-attributes.ts';
import type { PageFormWords } from './page-form-words.ts';
import { nullOption } from './read-typed.ts';
import type { FlatField, ValueField } from './value-form.ts';

/** A field of the page, what its control shows, and what is wrong with it. */
export type ShownField = ValueField & {
  readonly id: string;
  readonly typed: string;
  readonly problem: string | undefined;
};

type ChoiceField = Extract<FlatField, { type: 'choice' | 'yes-no' }>;

/** In characters. Longer or multi-line texts get a larger control. */
const longText = 60;
const longLimit = 200;

/** A field with its label, its hints and what is wrong with it. Everything that the schema says is text. */
export function fieldHtml(shown: ShownField, words: PageFormWords): Html {
  const { field, isRequired } = shown;
  if (field.type !== 'choice' && field.type !== 'yes-no') return typedField(shown, field, words);
  const only = isRequired ? constantOf(field) : undefined;
  if (only === undefined) return chosenField(shown, field, words);
  const text = isolated(optionName(field, only, words));
  return html`<div class="field" id="${shown.id}"><p class="label">${nameOf(shown, words)}</p><p>${text}</p>${notesOf(shown, words).notes}</div>`;
}

/** The label of a field as plain text. */
export function labelOf({ label }: Pick<ValueField, 'label'>, words: PageFormWords): string {
  return label ?? words.fillIn;
}

function typedField(shown: ShownField, field: Exclude<FlatField, ChoiceField>, words: PageFormWords): Html {
  const { id, path, typed, problem, isRequired } = shown;
  const { notes, described } = notesOf(shown, words);
  const isNeeded = isRequired && !field.isNullable;
  const common = html`id="${id}" name="${controlPrefix}${path}"${described}${problem !== undefined && html` aria-invalid="true"`}${isNeeded && html` required`} autocomplete="off"`;
  const isLong =
    field.type === 'text' &&
    !field.format &&
    (typed.length > longText || typed.includes('\n') || (field.maxLength ?? 0) > longLimit);
  const attributes = controlAttributes(field, typed, words);
  const control = isLong
    ? html`<textarea ${common} dir="auto"${attributes.lengths}>\n${typed}</textarea>`
    : html`<input ${common}${attributes.all} value="${typed}">`;
  return html`<div class="field"><label for="${id}">${nameOf(shown, words)}</label>${notes}${control}</div>`;
}

function chosenField(shown: ShownField, field: ChoiceField, words: PageFormWords): Html {
  const { id, path, typed, problem, isRequired } = shown;
  const { notes, described } = notesOf(shown, words);
  const named = valuesOf(field).map((value, index) => {
    const name = optionName(field, value, words);
    return { key: String(index), label: value === field.default ? words.defaultOption(name) : name };
  });
  const options = [
    ...(isRequired ? [] : [{ key: '', label: words.notGiven }]),
    ...(field.isNullable ? [{ key: nullOption, label: words.nullValue }] : []),
    ...named,
  ];
  const name = `${controlPrefix}${path}`;
  const invalid = problem !== undefined && html` aria-invalid="true"`;
  const needed = isRequired && html` required`;
  if (options.length > mostRadios) {
    const all = isRequired ? [{ key: '', label: words.notGiven }, ...options] : options;
    const items = all.map(
      ({ key, label }) => html`<option value="${key}"${key === typed && html` selected`}>${label}</option>`,
    );
    return html`<div class="field"><label for="${id}">${nameOf(shown, words)}</label>${notes}<select id="${id}" name="${name}"${described}${invalid}${needed}>${items}</select></div>`;
  }
  const radios = options.map(
    ({ key, label }, index) =>
      html`<label class="option"><input type="radio" name="${name}" value="${key}"${index === 0 && html` id="${id}"`}${key === typed && html` checked`}${needed}><span>${isolated(label)}</span></label>`,
  );
  return html`<fieldset class="field" role="radiogroup"${described}${invalid}><legend>${nameOf(shown, words)}</legend>${notes}${radios}</fieldset>`;
}

/** The text direction is isolated. */
function isolated(text: string): Html {
  return html`<bdi>${visibleText(text)}</bdi>`;
}

function nameOf(shown: ShownField, words: PageFormWords): Html {
  const optional = !shown.isRequired && html` <span class="quiet">${words.optional}</span>`;
  return html`<bdi>${labelOf(shown, words)}</bdi>${optional}`;
}

/** What is wrong, the hints, and the attribute that connects both to the control. */
function notesOf({ id, field, typed, problem }: ShownField, words: PageFormWords) {
  const isTyped = field.type === 'text' || field.type === 'number' || field.type === 'moment';
  const visible = visibleText(typed);
  const hints = [
    ...(field.hint === undefined ? [] : [visibleText(field.hint)]),
    ...(field.type === 'moment' && field.precision === 'date-time' ? [words.inUtc] : []),
    // Characters that the control cannot show.
    ...(field.type === 'text' && visible !== typed ? [visible] : []),
    ...(isTyped ? defaultNotes(field.default, words.defaultValue) : []),
    ...(field.isUnchecked ? [words.unchecked] : []),
  ];
  const ids = [...(problem ? [`${id}-problem`] : []), ...(hints.length > 0 ? [`${id}-hint`] : [])];
  const about = hints.map((hint) => html`<p class="quiet"><bdi>${hint}</bdi></p>`);
  const hint = hints.length > 0 && html`<div id="${id}-hint">${about}</div>`;
  const wrong = problem && html`<p class="problem" id="${id}-problem"><bdi>${visibleText(problem)}</bdi></p>`;
  return {
    notes: html`${hint}${wrong}`,
    described: ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`,
  };
}
