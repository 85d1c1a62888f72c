import { isMoment, type Precision } from '../../../client/text/is-moment.ts';
import { type FieldPath, pathWithin } from '../../../protocol/field-path.ts';
import { parseJson } from '../../../protocol/json.ts';
import type { Field } from './field.ts';
import type { Draft } from './field-draft.ts';
import { fits } from './pattern.ts';

/** Why a field cannot be sent. The form finds all of these but `refused`; the server checks everything. */
export type FieldProblem =
  | {
      readonly code:
        | 'missing'
        | 'not-a-number'
        | 'not-whole'
        | 'not-json'
        | 'not-a-choice'
        | 'not-an-email'
        | 'not-a-url';
    }
  | {
      readonly code: 'not-a-moment';
      readonly precision: Precision;
    }
  | {
      /** The server refused the value. */
      readonly code: 'refused';
      /** The server's message, if it sent one. */
      readonly message?: string;
    }
  | {
      readonly code: 'wrong-pattern';
      /** As JSON Schema has it. */
      readonly pattern: string;
    }
  | {
      readonly code:
        | 'too-small'
        | 'too-large'
        | 'not-above'
        | 'not-below'
        | 'not-a-multiple'
        | 'too-short'
        | 'too-long'
        | 'too-few'
        | 'too-many';
      /**
       * The bound, in the field's own unit, characters or items; or the number that the value must be a
       * multiple of.
       */
      readonly limit: number;
    };

/** The value of a draft. `value` is valid only without problems; `undefined` omits the field. */
export type Reading = {
  readonly value: unknown;
  readonly problems: ReadonlyMap<FieldPath, FieldProblem>;
};

/** Reads and checks a whole draft. Linear in its size. */
export function readDraft(field: Field, draft: Draft): Reading {
  const problems = new Map<FieldPath, FieldProblem>();
  return { value: read(field, draft, { path: '', isRequired: true, problems }), problems };
}

type Place = {
  readonly path: FieldPath;
  readonly isRequired: boolean;
  readonly problems: Map<FieldPath, FieldProblem>;
};

function read(field: Field, draft: Draft, place: Place): unknown {
  const refuse = (problem: FieldProblem) => void place.problems.set(place.path, problem);
  switch (draft.type) {
    case 'kept':
      return draft.value;
    case 'absent':
      if (place.isRequired) refuse({ code: 'missing' });
      return undefined;
    case 'null':
      if (!field.isNullable && field.type !== 'json') refuse({ code: 'missing' });
      return null;
    case 'value':
      return draft.value;
    case 'text':
      return readText(field, draft.text, place, refuse);
    case 'list': {
      if (field.type !== 'list') return refuse({ code: 'not-json' });
      const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = field;
      if (draft.items.length < minItems) refuse({ code: 'too-few', limit: minItems });
      if (draft.items.length > maxItems) refuse({ code: 'too-many', limit: maxItems });
      return draft.items.map((item, index) =>
        read(field.item, item.draft, { ...place, path: pathWithin(place.path, index), isRequired: true }),
      );
    }
    case 'branch': {
      const branch = field.type === 'union' ? field.branches[draft.index] : undefined;
      if (!branch) return refuse({ code: 'not-json' });
      return read(branch, draft.drafts[draft.index] ?? { type: 'absent' }, { ...place, isRequired: true });
    }
    case 'object': {
      if (field.type !== 'object') return refuse({ code: 'not-json' });
      const entries = field.properties.map(({ name, isRequired, field: inner }) => {
        const path = pathWithin(place.path, name);
        return [
          name,
          read(inner, draft.fields[name] ?? { type: 'absent' }, { ...place, path, isRequired }),
        ] as const;
      });
      return { ...draft.rest, ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
    }
  }
}

function readText(
  field: Field,
  text: string,
  place: Place,
  refuse: (problem: FieldProblem) => void,
): unknown {
  if (field.type === 'text') {
    const problem = textProblem(field, text);
    if (problem) refuse(problem);
    return text;
  }
  if (field.type === 'moment') {
    const problem = momentProblem(field, text, place.isRequired);
    if (problem) refuse(problem);
    // An incomplete date is detected when its control loses focus. Listing a change at that moment would move
    // the button being pressed.
    return text === '' ? undefined : text;
  }
  if (text.trim() === '') {
    if (place.isRequired) refuse({ code: 'missing' });
    return undefined;
  }
  return field.type === 'number' ? readNumber(field, text, refuse) : readJson(text, refuse);
}

function textProblem(field: Extract<Field, { type: 'text' }>, text: string): FieldProblem | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = field;
  const fitsPattern = pattern === undefined || fits(text, pattern);
  if (text === '' && (minLength > 0 || format)) return { code: 'missing' };
  if (text.length < minLength) return { code: 'too-short', limit: minLength };
  if (text.length > maxLength) return { code: 'too-long', limit: maxLength };
  if (format === 'email' && !(fitsPattern && /^[^\s@]+@[^\s@]+$/.test(text))) return { code: 'not-an-email' };
  if (format === 'uri' && !(fitsPattern && isUrl(text))) return { code: 'not-a-url' };
  return pattern === undefined || fitsPattern ? undefined : { code: 'wrong-pattern', pattern };
}

/** Clearing an optional moment omits it. An incomplete one is empty, but not omitted. */
function momentProblem(
  { precision, pattern }: Extract<Field, { type: 'moment' }>,
  text: string,
  isRequired: boolean,
): FieldProblem | undefined {
  if (text === '' && isRequired) return { code: 'missing' };
  if (!isMoment(precision, text)) return { code: 'not-a-moment', precision };
  return pattern === undefined || fits(text, pattern) ? undefined : { code: 'wrong-pattern', pattern };
}

function readNumber(
  field: Extract<Field, { type: 'number' }>,
  text: string,
  refuse: (problem: FieldProblem) => void,
): unknown {
  // `Number` also accepts hexadecimal and other notations that people do not expect in a form.
  const isPlain = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text);
  const value = Number(text);
  const { minimum, maximum, above, below, multipleOf } = field;
  if (!isPlain || !Number.isFinite(value)) {
    refuse({ code: 'not-a-number' });
    return text;
  }
  if (field.isWhole && !Number.isInteger(value)) refuse({ code: 'not-whole' });
  else if (minimum !== undefined && value < minimum) refuse({ code: 'too-small', limit: minimum });
  else if (maximum !== undefined && value > maximum) refuse({ code: 'too-large', limit: maximum });
  else if (above !== undefined && value <= above) refuse({ code: 'not-above', limit: above });
  else if (below !== undefined && value >= below) refuse({ code: 'not-below', limit: below });
  else if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
    refuse({ code: 'not-a-multiple', limit: multipleOf });
  }
  return value;
}

function readJson(text: string, refuse: (problem: FieldProblem) => void): unknown {
  const value = parseJson(text);
  return value === undefined ? refuse({ code: 'not-json' }) : value;
}

/** Whether a number is a multiple of another, allowing for binary rounding: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  return of === 0 || Math.abs(times - Math.round(times)) <= Math.abs(times) * 4 * Number.EPSILON;
}

function isUrl(text: string): boolean {
  try {
    return new URL(text) !== undefined;
  } catch {
    return false;
  }
}
