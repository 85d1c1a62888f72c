import { isRecord } from '../../protocol/index.ts';

const mostShown = 3;
const longestMessage = 200;

/** A value of another type, or none, is a mistake of the model: what Zod says of it helps no reader. */
const wrongType = /^Invalid input: expected .*, received /;

/**
 * What a schema says of a value that does not fit, and the keys that lead to the place. `pattern`: the one that a text does not fit,
 * unless the author has a message for it.
 */
export type SchemaIssue = {
  readonly message: string;
  readonly keys: readonly string[];
  readonly pattern?: string;
};

/** The issues of a validation error, which the SDK wraps. Messages have at most 200 characters. None without places. */
export function schemaIssues(error: unknown): readonly SchemaIssue[] {
  return rawIssues(error).flatMap((issue) => {
    if (!isRecord(issue) || typeof issue.message !== 'string') return [];
    const keys = Array.isArray(issue.path) ? issue.path.map(keyOf) : [];
    return [{ message: issue.message.slice(0, longestMessage), keys, ...patternOf(issue) }];
  });
}

/** @see withPatterns for `code`. Zod writes a pattern between slashes. */
function patternOf({ code, pattern, message }: Readonly<Record<string, unknown>>): { pattern?: string } {
  if (typeof pattern !== 'string') return {};
  if (code === 'pattern') return { pattern };
  const isZods = message === `Invalid string: must match pattern ${pattern}`;
  return isZods ? { pattern: pattern.slice(1, pattern.lastIndexOf('/')) } : {};
}

/** What the schema says of the values, for people: at most three problems. @source A8 */
export function issuesText(error: unknown): string {
  const shown = schemaIssues(error).filter(
    ({ message }) => message.trim() !== '' && !wrongType.test(message),
  );
  return shown.slice(0, mostShown).map(withPlace).join('; ');
}

/** An author's own message names the field. That of a library says what is wrong, but not where. */
function withPlace({ message, keys }: SchemaIssue): string {
  const last = keys.at(-1);
  const isNamed = last === undefined || message.toLowerCase().includes(last.toLowerCase());
  return isNamed ? message : `${message} (at ${keys.join('.')})`;
}

function rawIssues(error: unknown): readonly unknown[] {
  for (let cause = error, depth = 0; depth < 4; depth += 1) {
    if (Array.isArray(cause)) return cause;
    if (typeof cause !== 'object' || cause === null) return [];
    if ('issues' in cause && Array.isArray(cause.issues)) return cause.issues;
    cause = 'cause' in cause ? cause.cause : undefined;
  }
  return [];
}

/** A step of a path: the key itself, or an object that has it, as Standard Schema allows. */
function keyOf(step: unknown): string {
  return String(isRecord(step) && 'key' in step ? step.key : step);
}
