import { z } from 'zod';
import { personSchema } from '../../../protocol/wire/person.ts';
import { questionSchema } from '../../../protocol/wire/question.ts';
import { timeSchema } from '../../../protocol/wire/time.ts';
import type { Immutable } from '../../../protocol/wire/wire-object.ts';

/** The maximum number of calls that are listed, and that one request may approve. */
export const mostUpcoming = 100;

/** A call of the same step whose question is not due yet. @source ADR 0041 */
export const upcomingCallSchema = questionSchema
  .pick({
    toolCallId: true,
    toolName: true,
    title: true,
    input: true,
    runsAs: true,
    description: true,
    risk: true,
    riskReason: true,
    history: true,
  })
  .extend({
    /** A digest of what is shown here. A pre-approval contains it. */
    digest: z.string(),
    /** Why the call cannot be pre-approved. Absent if it can. */
    onlyWhenDue: z
      .enum(['step-up', 'effect', 'paused', 'provider', 'imported', 'approvals', 'choice'])
      .optional(),
    /** The call is pre-approved: its question will not be asked unless something changes. */
    approved: z.object({ by: personSchema, at: timeSchema }).optional(),
  });

/** `GET` and `POST /api/approvals/{id}/upcoming`. @source H10 */
export const upcomingSchema = z.object({ upcoming: z.array(upcomingCallSchema) });

const callsError = `\`calls\` must be a list of 1 to ${mostUpcoming} objects, each with \`toolCallId\`, \`approved\`, and, if that is true, \`digest\`.`;

/** The body of `POST /api/approvals/{id}/upcoming`. @source H10 */
export const preApprovalsSchema = z.object(
  {
    calls: z
      .array(
        z.discriminatedUnion(
          'approved',
          [
            z.object({
              toolCallId: z.string({ error: callsError }),
              approved: z.literal(true),
              digest: z
                .string({ error: callsError })
                .max(200, { error: callsError })
                .describe('The digest from the list. A different digest gives 409.'),
            }),
            z.object({
              toolCallId: z.string({ error: callsError }),
              approved: z.literal(false).describe('Revokes the approval.'),
            }),
          ],
          { error: callsError },
        ),
        { error: callsError },
      )
      .min(1, { error: callsError })
      .max(mostUpcoming, { error: callsError }),
  },
  { error: callsError },
);

/** @see upcomingCallSchema */
export type UpcomingCallJson = Immutable<z.infer<typeof upcomingCallSchema>>;

/** @see preApprovalsSchema */
export type PreApprovalsJson = Immutable<z.infer<typeof preApprovalsSchema>>;
