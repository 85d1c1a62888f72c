import { parseJson } from '../../protocol/json.ts';
import type { Field } from './field.ts';
import type { Draft } from './field-draft.ts';

/** Why a field cannot be sent. The form finds only these problems; the server checks everything. */
export type FieldProblem =
  | {
      readonly code: 'missing' | 'not-a-number' | 'not-whole' | 'not-json' | 'not-a-choice';
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
        | 'too-short'
        | 'too-long'
        | 'too-few'
        | 'too-many';
      /** The bound, in the field's own unit, characters or items. */
      readonly limit: number;
    };

/** Where a field is: `''` the whole, `/amount`, `/items/0/name`, as JSON Pointer writes it. */
export type FieldPath = string;

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

/** The path of a part of a value. */
export function pathWithin(path: FieldPath, key: string | number): FieldPath {
  return `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
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
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = field;
    if (text === '' && minLength > 0) refuse({ code: 'missing' });
    else if (text.length < minLength) refuse({ code: 'too-short', limit: minLength });
    else if (text.length > maxLength) refuse({ code: 'too-long', limit: maxLength });
    else if (pattern !== undefined && !fits(text, pattern)) refuse({ code: 'wrong-pattern', pattern });
    return text;
  }
  if (text.trim() === '') {
    if (place.isRequired) refuse({ code: 'missing' });
    return undefined;
  }
  return field.type === 'number' ? readNumber(field, text, refuse) : readJson(text, refuse);
}

function readNumber(
  field: Extract<Field, { type: 'number' }>,
  text: string,
  refuse: (problem: FieldProblem) => void,
): unknown {
  // `Number` also accepts hexadecimal and other notations that people do not expect in a form.
  const isPlain = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text);
  const value = Number(text);
  const { minimum, maximum, above, below } = field;
  if (!isPlain || !Number.isFinite(value)) {
    refuse({ code: 'not-a-number' });
    return text;
  }
  if (field.isWhole && !Number.isInteger(value)) refuse({ code: 'not-whole' });
  else if (minimum !== undefined && value < minimum) refuse({ code: 'too-small', limit: minimum });
  else if (maximum !== undefined && value > maximum) refuse({ code: 'too-large', limit: maximum });
  else if (above !== undefined && value <= above) refuse({ code: 'not-above', limit: above });
  else if (below !== undefined && value >= below) refuse({ code: 'not-below', limit: below });
  return value;
}

function readJson(text: string, refuse: (problem: FieldProblem) => void): unknown {
  const value = parseJson(text);
  return value === undefined ? refuse({ code: 'not-json' }) : value;
}

/** The server checks a pattern that this browser cannot compile. */
function fits(text: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}
