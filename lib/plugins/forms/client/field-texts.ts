import { visibleText } from '../../../client/text/visible-text.ts';
import type { Choice, Field } from './field.ts';

/** More options than this are shown as a dropdown. */
export const mostRadios = 5;

const yesAndNo: readonly Choice[] = [true, false];

/** The values that a person can choose, in their order. */
export function valuesOf(field: Extract<Field, { type: 'choice' | 'yes-no' }>): readonly Choice[] {
  return field.type === 'choice' ? field.options : yesAndNo;
}

/** The name of an option for people: its title, or the value itself. */
export function optionName(field: Field, option: Choice, words: { yes: string; no: string }): string {
  if (typeof option === 'boolean') return option ? words.yes : words.no;
  const title = field.type === 'choice' ? field.titles?.[field.options.indexOf(option)] : undefined;
  return visibleText(title ?? String(option));
}

/** The line that names the default of a field, if it has a short one. */
export function defaultNotes(value: unknown, words: (value: string) => string): readonly string[] {
  const isShown = (typeof value === 'string' && value !== '') || typeof value === 'number';
  return isShown ? [words(visibleText(String(value)))] : [];
}
