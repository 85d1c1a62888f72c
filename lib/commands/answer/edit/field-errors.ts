import { schemaIssues } from '../../../run/call/schema-issues.ts';

type FieldError = { readonly path: string; readonly message?: string; readonly pattern?: string };

const mostFieldErrors = 20;

/**
 * Reads the issues of a validation error, as Zod and every Standard Schema report them.
 *
 * @param options.hasSecrets leaves the messages out: a schema's own message may quote the value, and this person may not
 * see it
 * @returns at most 20; none for a schema that reports no paths
 */
export function fieldErrorsOf(error: unknown, { hasSecrets }: { hasSecrets: boolean }): FieldError[] {
  return schemaIssues(error)
    .slice(0, mostFieldErrors)
    .map(({ message, keys, pattern }) => ({
      path: keys.map(pointerKey).join(''),
      message: !hasSecrets && message !== '' ? message : undefined,
      pattern,
    }));
}

/** @source RFC 6901 3 */
function pointerKey(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
