import type { OpenApiPart } from '../../flow/plugin/open-api.ts';
import {
  answerRefusals,
  body,
  fieldsOf,
  inPath,
  json,
  operation,
  ref,
} from '../../server/documents/operations.ts';
import { preApprovalsSchema, upcomingCallSchema, upcomingSchema } from './client/upcoming-json.ts';

/** What the OpenAPI document says about pre-approvals. */
export const preApprovalsOpenApi: OpenApiPart = {
  schemas: { Upcoming: upcomingSchema, PreApprovals: preApprovalsSchema },
  paths: {
    '/api/approvals/{approvalId}/upcoming': {
      parameters: [inPath('approvalId')],
      get: operation(
        'listUpcoming',
        'The calls of the same step that are asked about after an open question',
        {
          200: json('The next 100 at most, in order.', ref('Upcoming')),
        },
      ),
      post: operation(
        'givePreApprovals',
        'Pre-approve such calls, or take that back; all or none',
        { 200: json('The calls as they are then.', ref('Upcoming')) },
        { requestBody: body('PreApprovals'), refusals: ['question-changed', ...answerRefusals] },
      ),
    },
  },
  descriptions: new Map(
    fieldsOf(upcomingCallSchema, {
      digest: 'Of what is shown here. Send it with an approval.',
      onlyWhenDue: 'Why the call cannot be pre-approved. Absent if it can.',
      approved: 'Its question is not asked, unless something changes.',
    }),
  ),
};
