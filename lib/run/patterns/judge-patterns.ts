import { isRecord } from '../../protocol/index.ts';
import { all, type Fit, one, opposite, some } from './fit.ts';
import { createLinearPatterns, type LinearPatterns } from './linear-pattern.ts';
import { fitsPlainly, listOf, type Schema } from './plain-keywords.ts';

/** A value that does not fit a pattern, or whose pattern cannot be evaluated. */
export type PatternFault = {
  readonly path: readonly (string | number)[];
  readonly fit: 'unfit' | 'unknown';
  readonly pattern?: string;
};

/** Deeper values and references are not followed. */
const deepest = 100;
const mostFound = 20;
/** What a schema takes for one value, in steps of the engine. */
const visit = 5;

type Place = {
  readonly root: unknown;
  readonly patterns: Omit<LinearPatterns, 'knows'>;
  readonly path: readonly (string | number)[];
  readonly depth: number;
  /** Within an alternative, all keywords decide whether it is the one of the value. Outside, only patterns count. */
  readonly isWhole: boolean;
  /** Receives what does not fit. Absent within an alternative: another one may fit. */
  readonly found?: PatternFault[];
};

/**
 * Which parts of a value do not fit the patterns of a JSON Schema, wherever these are: in alternatives, references, conditions, names of
 * properties. Other keywords count only where they choose an alternative, so a value that is wrong in another way passes.
 *
 * @returns in the order of the schema; empty if all patterns fit
 * @source ADR 0053
 */
export function patternFaults(schema: unknown, value: unknown): readonly PatternFault[] {
  const found: PatternFault[] = [];
  judge(schema, value, {
    root: schema,
    patterns: createLinearPatterns(),
    path: [],
    depth: 0,
    isWhole: false,
    found,
  });
  return found;
}

function judge(schema: unknown, value: unknown, place: Place): Fit {
  const { isWhole, depth, patterns } = place;
  if (schema === false) return isWhole ? 'unfit' : 'fits';
  if (!isRecord(schema)) return 'fits';
  if (depth > deepest || !patterns.spend(visit)) return report(place, 'unknown');
  if (isWhole && !fitsPlainly(schema, value)) return 'unfit';
  const here = { ...place, depth: depth + 1 };
  return all([
    ofReference(schema, value, here),
    ofText(schema, value, here),
    ofObject(schema, value, here),
    ofList(schema, value, here),
    all(listOf(schema.allOf).map((each) => judge(each, value, here))),
    ofAlternatives(schema, value, here),
    ofCondition(schema, value, here),
  ]);
}

/** References to other documents are not followed. @source RFC 6901 4 */
function ofReference({ $ref }: Schema, value: unknown, place: Place): Fit {
  if (typeof $ref !== 'string' || !/^#($|\/)/.test($ref)) return 'fits';
  const keys = $ref.split('/').slice(1);
  const target = keys.reduce<unknown>((inner, escaped) => {
    const key = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(inner)) return inner[Number(key)];
    return isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  }, place.root);
  return judge(target, value, place);
}

function ofText({ pattern }: Schema, value: unknown, place: Place): Fit {
  if (typeof pattern !== 'string' || typeof value !== 'string') return 'fits';
  return report(place, place.patterns.fit(pattern, value), pattern);
}

function ofObject(schema: Schema, value: unknown, place: Place): Fit {
  if (!isRecord(value)) return 'fits';
  const { properties, patternProperties, additionalProperties, propertyNames, dependentSchemas } = schema;
  const own = isRecord(properties) ? properties : {};
  const byPattern = isRecord(patternProperties) ? Object.entries(patternProperties) : [];
  const fits = Object.entries(value).flatMap(([name, inner]) => {
    const at = { ...place, path: [...place.path, name] };
    const matches = byPattern.map(([pattern, each]) => ({
      each,
      match: place.patterns.fit(pattern, name),
      pattern,
    }));
    const isNamed = Object.hasOwn(own, name);
    const isOther = !isNamed && matches.every(({ match }) => match === 'unfit');
    return [
      judge(propertyNames, name, at),
      isNamed ? judge(own[name], inner, at) : 'fits',
      ...matches.map(({ each, match, pattern }): Fit => {
        if (match === 'unfit') return 'fits';
        // Whether the schema is about this property is not known, unless the property fits it anyway.
        if (match === 'fits') return judge(each, inner, at);
        const { found: _found, ...silent } = at;
        return judge(each, inner, { ...silent, isWhole: true }) === 'fits'
          ? 'fits'
          : report(at, 'unknown', pattern);
      }),
      isOther ? judge(additionalProperties, inner, at) : 'fits',
    ];
  });
  const depending = isRecord(dependentSchemas) ? Object.entries(dependentSchemas) : [];
  return all([
    ...fits,
    ...depending.map(([name, each]) => (Object.hasOwn(value, name) ? judge(each, value, place) : 'fits')),
  ]);
}

function ofList({ items, prefixItems, contains }: Schema, value: unknown, place: Place): Fit {
  if (!Array.isArray(value)) return 'fits';
  const first = listOf(prefixItems ?? items);
  const rest = Array.isArray(items) ? undefined : items;
  const at = (index: number) => ({ ...place, path: [...place.path, index] });
  const each = value.map((item, index) => judge(index < first.length ? first[index] : rest, item, at(index)));
  const holds =
    contains === undefined
      ? 'fits'
      : alternatives(place, (here) => some(value.map((item) => judge(contains, item, here))));
  return all([...each, holds]);
}

function ofAlternatives({ anyOf, oneOf, not }: Schema, value: unknown, place: Place): Fit {
  const each = (schemas: readonly unknown[], here: Place) =>
    schemas.map((schema) => judge(schema, value, here));
  return all([
    Array.isArray(anyOf) ? alternatives(place, (here) => some(each(anyOf, here))) : 'fits',
    Array.isArray(oneOf) ? alternatives(place, (here) => one(each(oneOf, here))) : 'fits',
    not === undefined ? 'fits' : alternatives(place, (here) => opposite(judge(not, value, here))),
  ]);
}

function ofCondition(schema: Schema, value: unknown, place: Place): Fit {
  if (schema.if === undefined) return 'fits';
  const { found: _found, ...silent } = place;
  const holds = judge(schema.if, value, { ...silent, isWhole: true });
  if (holds !== 'unknown') return judge(holds === 'fits' ? schema.then : schema.else, value, place);
  const either = [schema.then, schema.else].map((each) => judge(each, value, { ...silent, isWhole: true }));
  return all(either) === 'fits' ? 'fits' : report(place, 'unknown');
}

/** Judges alternatives. What no pattern can change is not reported: other checks decide about it. */
function alternatives(place: Place, judged: (here: Place) => Fit): Fit {
  const { found: _found, ...silent } = place;
  const here = { ...silent, isWhole: true };
  const fit = judged(here);
  if (fit === 'fits' || place.isWhole) return fit;
  const withoutPatterns = judged({ ...here, patterns: { ...place.patterns, fit: () => 'unknown' } });
  return withoutPatterns === 'unfit' ? 'fits' : report(place, fit);
}

function report({ found, path }: Place, fit: Fit, pattern?: string): Fit {
  if (fit !== 'fits' && found && found.length < mostFound) found.push({ path, fit, pattern });
  return fit;
}
