import type { EscalationState } from '../../protocol/index.ts';
import type { EscalationJson } from '../../protocol/wire/question.ts';

/** How far the escalation of a question has come, in its wire form. */
export function escalationJson({ at, nextAt, ...rest }: EscalationState): EscalationJson {
  return {
    ...rest,
    ...(at !== undefined && { at: new Date(at).toISOString() }),
    ...(nextAt !== undefined && { nextAt: new Date(nextAt).toISOString() }),
  };
}
