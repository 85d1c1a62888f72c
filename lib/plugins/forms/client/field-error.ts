import type { FieldError } from '../../../client/http/field-errors.ts';
import type { FieldProblem } from './read-draft.ts';

/** What is wrong at the field of a fieldError. The form has better words for a pattern than the schema. */
export function problemOf({ message, pattern }: FieldError): FieldProblem {
  if (pattern !== undefined) return { code: 'wrong-pattern', pattern };
  return { code: 'refused', message };
}
