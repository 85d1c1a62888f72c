import { z } from 'zod';
import { answererOf } from '../../../cli/approvals/answerer.ts';
import type { Details } from '../../../cli/approvals/question.ts';
import { isRecord } from '../../../protocol/index.ts';

/** What an agent learns about its request. @source ADR 0044.8 */
export const outcomeSchema = z.object({
  status: z
    .enum(['approved', 'denied', 'expired', 'withdrawn', 'open', 'failed'])
    .describe('Act only if it is `approved`. `open`: call again with `approval_id` to wait on.'),
  approval_id: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional().describe('Act with these values, and no others.'),
  edited: z.boolean().optional().describe('True if the person changed the arguments.'),
  reason: z.string().optional().describe('What the person wrote.'),
  decided_by: z.string().optional(),
  decided_at: z.string().optional(),
});

/** @see outcomeSchema */
export type Outcome = z.infer<typeof outcomeSchema>;

/**
 * What became of a request; `undefined` while it is approved and the server has not confirmed that the approval is in its
 * record. Only a call that ran is an approval.
 *
 * @source ADR 0044.8
 */
export function outcomeOf({ approval, outcome }: Details): Outcome | undefined {
  const { id, state, answer, input } = approval;
  const facts = {
    approval_id: id,
    decided_by: answer && answererOf(answer),
    decided_at: answer?.at,
    reason: answer?.reason,
  };
  switch (state) {
    case 'open':
      return { status: 'open', ...facts };
    case 'denied':
      return { status: 'denied', ...facts };
    case 'expired':
      return { status: 'expired', ...facts };
    case 'approved':
      if (outcome === 'approved' || outcome === 'running') return undefined;
      if (outcome !== 'completed') return { status: 'failed', ...facts };
      return {
        status: 'approved',
        ...facts,
        arguments: argumentsOf(answer?.input ?? input),
        edited: answer?.input !== undefined,
      };
    default:
      return { status: 'withdrawn', ...facts };
  }
}

function argumentsOf(input: unknown): Record<string, unknown> {
  return isRecord(input) && isRecord(input.arguments) ? { ...input.arguments } : {};
}
