import type { Precision } from '../../../client/text/is-moment.ts';

/** One of a fixed set of values. */
export type Choice = string | number | boolean;

/** What kind of value a field takes, with the bounds that can be checked while it is edited. */
export type FieldKind =
  | {
      readonly type: 'text';
      readonly minLength?: number;
      readonly maxLength?: number;
      /** A regular expression, in JSON Schema's syntax. The server evaluates it. */
      readonly pattern?: string;
      readonly format?: 'email' | 'uri';
    }
  | {
      readonly type: 'number';
      readonly isWhole: boolean;
      readonly minimum?: number;
      readonly maximum?: number;
      /** Exclusive bounds. */
      readonly above?: number;
      readonly below?: number;
      readonly multipleOf?: number;
    }
  /** A date or a time, as ISO 8601 has it; a `date-time` has a zone. */
  | { readonly type: 'moment'; readonly precision: Precision; readonly pattern?: string }
  | { readonly type: 'yes-no' }
  | {
      readonly type: 'choice';
      readonly options: readonly Choice[];
      /** The names of the options for people, in the same order. */
      readonly titles?: readonly string[];
    }
  | { readonly type: 'object'; readonly properties: readonly Property[] }
  | {
      readonly type: 'list';
      readonly item: Field;
      readonly minItems?: number;
      readonly maxItems?: number;
    }
  /** A value of one of several kinds. */
  | { readonly type: 'union'; readonly branches: readonly Field[] }
  /** Anything else: edited as JSON text, checked by the server. */
  | { readonly type: 'json' };

/** A field of a form, converted from a JSON Schema. */
export type Field = FieldKind & {
  readonly title?: string;
  readonly hint?: string;
  readonly isNullable?: boolean;
  /** What an omitted value counts as. */
  readonly default?: unknown;
  /** The server cannot check a pattern of this value either. */
  readonly isUnchecked?: true;
};

/** A named field of an object. */
export type Property = {
  readonly name: string;
  readonly isRequired: boolean;
  readonly field: Field;
  /** A constant that distinguishes a branch of a union. Choosing the branch sets it. */
  readonly isDiscriminator?: boolean;
};

/** The value of a field that takes only one. */
export function constantOf(field: Field): Choice | undefined {
  return field.type === 'choice' && field.options.length === 1 && !field.isNullable
    ? field.options[0]
    : undefined;
}
