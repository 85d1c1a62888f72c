import type { ZodError } from 'zod';

/** A schema's first complaint, with its place, as services word it. */
export function firstIssue({ issues: [issue] }: ZodError): string {
  return `${issue?.path.join('.')}: ${issue?.message}`;
}
