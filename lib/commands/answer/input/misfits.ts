import { isRecord } from '../../../protocol/index.ts';

/** The edited arguments that do not fit, for the form in which they were edited. */
type Misfit = { readonly path: string; readonly message?: string };

const mostMisfits = 20;
const longestMessage = 200;

/**
 * Reads the issues of a validation error, as Zod and every Standard Schema report them.
 *
 * @param options.hasSecrets leaves the messages out: a schema's own message may quote the value, and this person may not
 * see it
 * @returns at most 20; none for a schema that reports no paths
 */
export function misfitsOf(error: unknown, { hasSecrets }: { hasSecrets: boolean }): Misfit[] {
  return issuesOf(error)
    .slice(0, mostMisfits)
    .flatMap((issue) => {
      if (!isRecord(issue) || typeof issue.message !== 'string') return [];
      const keys = Array.isArray(issue.path) ? issue.path.map(keyOf) : [];
      const message = issue.message.slice(0, longestMessage);
      return [{ path: keys.map(pointerKey).join(''), ...(!hasSecrets && message !== '' && { message }) }];
    });
}

/** The SDK wraps what the validator threw, or the issues that it returned. */
function issuesOf(error: unknown): readonly unknown[] {
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

/** @source RFC 6901 3 */
function pointerKey(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
