import { isMoment } from '../../../client/text/is-moment.ts';
import { isRecord } from '../../../protocol/json.ts';
import { constantOf, type Field, type Property } from './field.ts';

/**
 * The first branch of a union that matches the shape of a value. A branch that defines all of the value's
 * keys takes precedence.
 *
 * @returns its index; -1 if there is none
 */
export function branchOf(branches: readonly Field[], value: unknown): number {
  const exact = branches.findIndex((branch) => accepts(branch, value) && knowsKeysOf(branch, value));
  return exact >= 0 ? exact : branches.findIndex((branch) => accepts(branch, value));
}

/** The placeholder of a redacted value. @source ADR 0011 */
const hidden = '[redacted]';

/** Whether a value is redacted. */
export function isHidden(value: unknown): boolean {
  return value === hidden;
}

/** Whether a value has the type that a field takes. Bounds are not checked: a value out of bounds is edited there, too. */
function accepts(field: Field, value: unknown): boolean {
  if (value === null) return field.isNullable === true || field.type === 'json';
  if (isHidden(value) && constantOf(field) === undefined) return true;
  switch (field.type) {
    case 'text':
      return typeof value === 'string';
    case 'moment':
      return typeof value === 'string' && isMoment(field.precision, value);
    case 'number':
      return typeof value === 'number' && (!field.isWhole || Number.isInteger(value));
    case 'yes-no':
      return typeof value === 'boolean';
    case 'choice':
      return field.options.some((option) => option === value);
    case 'list':
      return Array.isArray(value) && value.every((item) => accepts(field.item, item));
    case 'object':
      return isRecord(value) && field.properties.every((property) => acceptsProperty(property, value));
    case 'union':
      return field.branches.some((branch) => accepts(branch, value));
    case 'json':
      return true;
  }
}

function acceptsProperty({ name, isRequired, field }: Property, value: Readonly<Record<string, unknown>>) {
  return Object.hasOwn(value, name) ? accepts(field, value[name]) : !isRequired;
}

function knowsKeysOf(field: Field, value: unknown): boolean {
  if (field.type !== 'object' || !isRecord(value)) return true;
  return Object.keys(value).every((key) => field.properties.some(({ name }) => name === key));
}
