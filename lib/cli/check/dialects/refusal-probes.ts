import type { CheckedRule } from '../rules/finding.ts';
import type { DialectProbe, DialectSight } from './checked-dialect.ts';
import type { Reply } from './session.ts';

/** A body that is no request of any dialect gets 4xx and an error as JSON. */
export function malformedProbe(rule: CheckedRule, path: string): DialectProbe {
  return {
    rule,
    title: 'a malformed request is refused with 4xx and a JSON error',
    run: async (session) => refused(await session.ask(path, { nothing: true })),
  };
}

/** A refusal has a status of 4xx, and `error` with a message. */
export function refused({ status, body }: Reply, wanted?: number): DialectSight {
  const { error } = body;
  const hasError = typeof error === 'object' && error !== null && 'message' in error;
  const isRefusal = wanted === undefined ? status >= 400 && status < 500 : status === wanted;
  if (isRefusal && hasError) return { violations: [] };
  return { violations: [`the answer was ${status}${hasError ? '' : ' without a JSON error'}`] };
}
