/** One of a fixed set of values. */
export type Choice = string | number | boolean;

/** What kind of value a field takes, with the bounds that can be checked while it is edited. */
export type FieldKind =
  | {
      readonly type: 'text';
      readonly minLength?: number;
      readonly maxLength?: number;
      /** A regular expression, in JSON Schema's syntax. */
      readonly pattern?: string;
    }
  | {
      readonly type: 'number';
      readonly isWhole: boolean;
      readonly minimum?: number;
      readonly maximum?: number;
      /** Exclusive bounds. */
      readonly above?: number;
      readonly below?: number;
    }
  | { readonly type: 'yes-no' }
  | { readonly type: 'choice'; readonly options: readonly Choice[] }
  | { readonly type: 'object'; readonly properties: readonly Property[] }
  | {
      readonly type: 'list';
      readonly item: Field;
      readonly minItems?: number;
      readonly maxItems?: number;
    }
  /** Anything else: edited as JSON text, checked by the server. */
  | { readonly type: 'json' };

/** A field of a form, converted from a JSON Schema. */
export type Field = FieldKind & {
  readonly title?: string;
  readonly hint?: string;
  readonly isNullable?: boolean;
};

/** A named field of an object. */
export type Property = { readonly name: string; readonly isRequired: boolean; readonly field: Field };
