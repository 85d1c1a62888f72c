import { CountersignError } from './errors/errors.ts';
import { isRecord } from './json.ts';

/** The location of a value in the settings, such as `toolDetails.pay.risk`. */
type Path = string;

/** Checks one setting. Not called for absent (`undefined`) settings. @throws CountersignError `invalid-settings` */
export type SettingCheck = (value: unknown, path: Path) => void;

/** Checks by the name of the setting. */
export type SettingChecks = Readonly<Record<string, SettingCheck>>;

/**
 * Refuses settings that are misspelled, missing or of the wrong type, because a setting that is silently
 * ignored gives no protection. The error never contains the value, which may be a secret.
 *
 * @param factory the name of the function with these settings, for the message
 * @throws CountersignError `invalid-settings`, with `path` and, if a valid name is similar, `nearest`
 * @source ADR 0022
 */
export function checkSettings(
  factory: string,
  settings: unknown,
  checks: SettingChecks,
  required: readonly string[] = [],
): void {
  try {
    object(checks, required)(settings, '');
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    const { path, what, nearest } = error;
    const place = path === '' ? 'Its settings' : `\`${path}\``;
    const hint = nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`;
    const fields = { path, nearest };
    throw new CountersignError('invalid-settings', `${factory}: ${place} ${what}.${hint}`, fields);
  }
}

/** A failed check, before it is known which factory the settings belong to. */
class Unfit extends Error {
  readonly path: Path;
  readonly what: string;
  readonly nearest: string | undefined;

  constructor(path: Path, what: string, nearest?: string) {
    super(what);
    this.path = path;
    this.what = what;
    this.nearest = nearest;
  }
}

/**
 * Refuses a setting, in a check of `checkSettings` or in a plugin's `checkDetails`.
 *
 * @param what continues a sentence that starts with the path. It never contains the value
 * @param nearest the valid name that is most similar
 */
export function unfit(path: Path, what: string, nearest?: string): never {
  throw new Unfit(path, what, nearest);
}

export function object(checks: SettingChecks, required: readonly string[] = []): SettingCheck {
  return (value, path) => {
    if (!isRecord(value)) unfit(path, 'must be an object');
    for (const [name, item] of Object.entries(value)) {
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
      if (!check) unfit(below(path, name), 'is not a setting', nearestOf(name, Object.keys(checks)));
      if (item !== undefined) check(item, below(path, name));
    }
    for (const name of required) if (value[name] === undefined) unfit(below(path, name), 'is required');
  };
}

/** An object with these methods. It may have others. */
export function port(...methods: readonly string[]): SettingCheck {
  return (value, path) => {
    const holder: unknown = value;
    if ((typeof holder !== 'object' && typeof holder !== 'function') || holder === null) {
      unfit(path, `must be an object with ${listed(methods)}`);
    }
    const missing = methods.find((name) => typeof Reflect.get(holder, name) !== 'function');
    if (missing !== undefined) unfit(below(path, missing), 'must be a method');
  };
}

/** An object whose values are all of one type. With `names`, only these keys are allowed. */
export function mapOf(check: SettingCheck, names?: readonly string[], what = 'names nothing'): SettingCheck {
  return (value, path) => {
    if (!isRecord(value)) unfit(path, 'must be an object');
    for (const [name, item] of Object.entries(value)) {
      if (names && !names.includes(name)) unfit(below(path, name), what, nearestOf(name, names));
      if (item !== undefined) check(item, below(path, name));
    }
  };
}

export function listOf(check: SettingCheck): SettingCheck {
  return (value, path) => {
    if (!Array.isArray(value)) unfit(path, 'must be a list');
    value.forEach((item: unknown, index) => {
      check(item, `${path}[${index}]`);
    });
  };
}

/** Applies the check for the value's type (as given by `typeof`, or `list`). Fails with `what` if there is none. */
export function byKind(checks: Readonly<Record<string, SettingCheck>>, what: string): SettingCheck {
  return (value, path) => {
    const kind = Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;
    const check = Object.hasOwn(checks, kind) ? checks[kind] : undefined;
    if (!check) unfit(path, what);
    check(value, path);
  };
}

export function oneOf(...texts: readonly string[]): SettingCheck {
  return (value, path) => {
    if (typeof value === 'string' && texts.includes(value)) return;
    const nearest = typeof value === 'string' ? nearestOf(value, texts) : undefined;
    unfit(path, `must be one of ${listed(texts)}`, nearest);
  };
}

/** A number in a range, both ends included. */
export function number(least: number, most: number): SettingCheck {
  return (value, path) => {
    const isNumber = typeof value === 'number' && value >= least && value <= most;
    if (!isNumber) unfit(path, `must be a number ${rangeOf(least, most)}`);
  };
}

/** An integer in a range, both ends included. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): SettingCheck {
  return (value, path) => {
    const isWhole = Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
    if (!isWhole) unfit(path, `must be a whole number ${rangeOf(least, most)}`);
  };
}

/** The longest delay of a JavaScript timer. A longer one fires immediately. */
const longestTimer = 2 ** 31 - 1;

/** Milliseconds, used for a timer. */
export function timer(least = 1): SettingCheck {
  return number(least, longestTimer);
}

/** Milliseconds, compared with the clock. */
export function duration(least = 1): SettingCheck {
  return number(least, Number.MAX_SAFE_INTEGER);
}

/** A string of at least `least` characters. */
export function text(least = 1): SettingCheck {
  return (value, path) => {
    if (typeof value === 'string' && value.length >= least) return;
    unfit(
      path,
      least === 1 ? 'must be a string that is not empty' : `must be a string of at least ${least} characters`,
    );
  };
}

/** A key that must not be guessable. */
export const secret: SettingCheck = (value, path) => {
  if (typeof value === 'string' && value.length >= 16) return;
  unfit(path, 'must be a random string of at least 16 characters');
};

export const func: SettingCheck = (value, path) => {
  if (typeof value !== 'function') unfit(path, 'must be a function');
};

/** True or false. */
export const bool: SettingCheck = (value, path) => {
  if (typeof value !== 'boolean') unfit(path, 'must be true or false');
};

/** Any value: the SDK, a driver or a browser checks it. */
export const anything: SettingCheck = () => {};

export const logger: SettingCheck = port('warn', 'error');

export const clock: SettingCheck = port('now', 'after');

function below(path: Path, name: string): Path {
  return path === '' ? name : `${path}.${name}`;
}

function rangeOf(least: number, most: number): string {
  const isOpen = most === Number.MAX_SAFE_INTEGER || most === Number.MAX_VALUE;
  return isOpen ? `of at least ${least}` : `from ${least} to ${most}`;
}

function listed(texts: readonly string[]): string {
  return texts.map((item) => `\`${item}\``).join(', ');
}

/** The most similar valid name; `undefined` when none is similar. */
export function nearestOf(name: string, names: readonly string[]): string | undefined {
  const plain = (item: string) => item.toLowerCase().replace(/[-_.\s]/g, '');
  const ranked = names
    .map((candidate) => ({ candidate, distance: distanceBetween(plain(name), plain(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= Math.max(2, plain(name).length / 3) ? best.candidate : undefined;
}

/** The number of letters to insert, delete or replace. */
function distanceBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
