import type { Typed } from '../../../channels/page-form.ts';
import { isMoment } from '../../../client/text/is-moment.ts';
import type { FieldPath } from '../../../protocol/field-path.ts';
import { CountersignError } from '../../../protocol/index.ts';
import { constantOf } from '../client/field.ts';
import { type Draft, emptied } from '../client/field-draft.ts';
import { valuesOf } from '../client/field-texts.ts';
import { controlText, momentText, utcControlText, utcMomentText } from '../client/moment.ts';
import { type FieldProblem, readDraft } from '../client/read-draft.ts';
import { keysOf } from '../client/schema-reference.ts';
import type { FlatField, ValueField, ValueForm } from './value-form.ts';

/** What was typed, as a value. `value` is valid only without problems. */
export type TypedValue = {
  readonly value: unknown;
  readonly problems: ReadonlyMap<FieldPath, FieldProblem>;
};

/** The value of the control that stands for `null`. Those of a choice are indexes. */
export const nullOption = 'null';

/**
 * Reads the texts of the controls as the value that the schema describes.
 *
 * @throws CountersignError `invalid-request` for a control that the page does not have
 */
export function readTyped({ field, fields }: ValueForm, typed: Typed): TypedValue {
  const known = new Set(fields.map(({ path }) => path));
  if ([...typed.keys()].some((path) => !known.has(path))) {
    throw new CountersignError('invalid-request', 'The form has a field that the page does not have.');
  }
  const drafts = fields.map((one) => ({ ...one, draft: draftFrom(one, typed.get(one.path) ?? '') }));
  const named = drafts.map(({ path, draft }) => [keysOf(path)[0] ?? '', draft ?? absent] as const);
  const whole: Draft =
    field.type === 'object'
      ? { type: 'object', fields: Object.fromEntries(named), rest: {} }
      : (drafts[0]?.draft ?? absent);
  const { value, problems } = readDraft(field, whole);
  const unknown = drafts.flatMap(({ path, draft }) => (draft ? [] : [[path, notAChoice] as const]));
  return { value, problems: new Map([...problems, ...unknown]) };
}

/** What the controls show before anything is typed. */
export function beginningOf({ fields }: ValueForm): Typed {
  return new Map(fields.map((one) => [one.path, textOf(one)]));
}

const absent: Draft = { type: 'absent' };
const notAChoice: FieldProblem = { code: 'not-a-choice' };

function textOf({ field, initial }: ValueField): string {
  if (initial.type === 'null') return field.type === 'choice' || field.type === 'yes-no' ? nullOption : '';
  if (initial.type === 'text') return field.type === 'moment' ? controlOf(field, initial.text) : initial.text;
  const isChosen = initial.type === 'value' && (field.type === 'choice' || field.type === 'yes-no');
  return isChosen ? String(valuesOf(field).indexOf(initial.value)) : '';
}

function controlOf({ precision }: Extract<FlatField, { type: 'moment' }>, text: string): string {
  return precision === 'date-time' ? utcControlText(text) : controlText(precision, text);
}

/** `undefined` for a text that stands for no option. */
function draftFrom({ field, isRequired, initial }: ValueField, text: string): Draft | undefined {
  const empty = () => emptied({ field, initial: absent, place: { isRequired } });
  switch (field.type) {
    case 'choice':
    case 'yes-no': {
      if (isRequired && constantOf(field) !== undefined) return initial;
      if (text === '') return absent;
      if (text === nullOption && field.isNullable) return { type: 'null' };
      const value = /^\d{1,6}$/.test(text) ? valuesOf(field)[Number(text)] : undefined;
      return value === undefined ? undefined : { type: 'value', value };
    }
    case 'text':
      return text === '' ? empty() : { type: 'text', text };
    case 'number':
      return text.trim() === '' ? empty() : { type: 'text', text: text.trim() };
    case 'moment':
      return text === '' ? empty() : { type: 'text', text: momentOf(field, text, initial) };
  }
}

/** The text that a control stands for. What is not of the control is left as it was typed, and refused when it is read. */
function momentOf(field: Extract<FlatField, { type: 'moment' }>, text: string, initial: Draft): string {
  const before = initial.type === 'text' ? initial.text : '';
  if (field.precision !== 'date-time') return momentText(field, text, before);
  const isOfControl = !isMoment('date-time', text) && isMoment('date-time', `${text}Z`);
  return isOfControl ? utcMomentText(field, text, before) : text;
}
