import { z } from 'zod';
import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import type { Route } from '../../flow/plugin/http.ts';
import { parseListedState } from '../../flow/question-filter.ts';
import { formatStreamId } from '../../protocol/ids/stream-id.ts';
import { parseApprovalId } from '../../protocol/index.ts';
import type { approvalsSchema } from '../../protocol/wire/approvals-page.ts';
import { encode } from '../../protocol/wire/codec.ts';
import { questionSchema, repeatSchema } from '../../protocol/wire/question.ts';
import { contextSchema } from '../../protocol/wire/question-context.ts';
import { resolutionSchema } from '../../protocol/wire/resolution.ts';
import type { Immutable } from '../../protocol/wire/wire-object.ts';
import { createRateLimit } from '../../rights/rate-limit.ts';
import { questionJson } from '../../views/questions/question-json.ts';
import { parseAnswer, parseEditedInput } from '../requests/answers.ts';
import { pageQuery } from '../requests/page-query.ts';
import { questionQuery } from '../requests/question-query.ts';
import { createRoute, type ServerSettings } from '../route.ts';
import { questionHistory, questionStepSchema } from './question-history.ts';

export const approvalSchema = z.object({
  approval: questionSchema,
  history: z.array(questionStepSchema).optional(),
  stream_id: z.string().optional().describe('The stream of the run that continues.'),
  context: contextSchema.optional().describe('Why an open question is asked.'),
  inputSchema: z
    .unknown()
    .optional()
    .describe('The JSON Schema of the arguments, for people who may edit them.'),
  outcome: repeatSchema.shape.outcome
    .optional()
    .describe('What came of the call of an approved question. Absent if it did not run.'),
  mayRecord: z
    .literal(true)
    .optional()
    .describe('The outcome was recorded as unknown, and this person may record what it is.'),
  resolution: resolutionSchema
    .optional()
    .describe('What became known after the outcome was recorded as unknown.'),
});

type ApprovalsJson = Immutable<z.infer<typeof approvalsSchema>>;
type ApprovalJson = Immutable<z.infer<typeof approvalSchema>>;

/** `GET /api/approvals`: open questions oldest first, settled ones most recent first. @source H9 */
export function listApprovals(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, query }) => {
    const state = parseListedState(query.get('state') ?? undefined);
    const page = await flow.approvals.list({
      principal,
      state,
      ...questionQuery(query),
      ...pageQuery(query),
    });
    const { items, next: nextCursor, searched } = page;
    return Response.json({
      approvals: items.map(questionJson),
      nextCursor,
      searched,
    } satisfies ApprovalsJson);
  });
}

/** `GET /api/approvals/{id}`, with its history, and the schema of its arguments for people who may edit. @source H9 */
export function readApproval(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, segment }) => {
    const question = await flow.approvals.read({ principal, approvalId: parseApprovalId(segment(0)) });
    const { inputSchema, context, outcome, mayRecord, resolution } = question;
    return Response.json({
      approval: questionJson(question),
      history: questionHistory(question),
      context,
      inputSchema,
      outcome,
      mayRecord,
      resolution,
    } satisfies ApprovalJson);
  });
}

/** `POST /api/approvals/{id}`: answers from any device. A second answer gets 409 with the first. @source H10 */
export function answerApproval(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, json, segment }) => {
    const approvalId = parseApprovalId(segment(0));
    const answer = parseAnswer(await json());
    const question = await flow.approvals.answer({ principal, approvalId, via: 'http', ...answer });
    const { chatId, runId } = question;
    const stream = runId === undefined ? {} : { stream_id: formatStreamId(chatId, runId) };
    return Response.json({ approval: questionJson(question), ...stream } satisfies ApprovalJson);
  });
}

/** `POST /api/approvals/{id}/preview`. @source H10 */
export const previewedSchema = questionSchema.pick({ description: true, preview: true });

/** Applies even if the host sets no limit, because each preview may query a database. */
const previewsPerMinute = 120;

/** `POST /api/approvals/{id}/preview`: the effect, also for edited arguments. Records nothing. @source H10, ADR 0040 */
export function previewApproval(flow: ApprovalFlow, settings: ServerSettings): Route {
  const { clock } = settings;
  const limit = createRateLimit({ perMinute: previewsPerMinute, clock });
  return createRoute(settings, async ({ principal, json, segment }) => {
    const approvalId = parseApprovalId(segment(1));
    const input = parseEditedInput(await json());
    limit.take(principal);
    const { description, preview } = await flow.approvals.preview({ principal, approvalId, ...input });
    return Response.json(encode(previewedSchema, { description, preview }));
  });
}
