import type { AdvanceRequest } from '../../commands/advance/approve-upcoming.ts';
import type { UpcomingCall } from '../../commands/advance/upcoming.ts';
import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import type { Route } from '../../flow/plugin/http.ts';
import { parseApprovalId, parseToolCallId } from '../../protocol/index.ts';
import { encode } from '../../protocol/wire/codec.ts';
import { advanceSchema, upcomingSchema } from '../../protocol/wire/upcoming.ts';
import { createRateLimit, type RateLimit } from '../../rights/rate-limit.ts';
import { parseRequest } from '../requests/parse-request.ts';
import { createRoute, type ServerSettings } from '../route.ts';

/** Applies even if the host sets no limit, because each request may query a database for each call. */
const requestsPerMinute = 120;

/**
 * `GET` and `POST /api/approvals/{id}/upcoming`: the upcoming calls of an open question, and their
 * pre-approvals.
 *
 * @source H10, ADR 0041
 */
export function upcomingRoutes(
  flow: ApprovalFlow,
  settings: ServerSettings,
): Readonly<Record<'GET' | 'POST', Route>> {
  const { clock } = settings;
  const limit = createRateLimit({ perMinute: requestsPerMinute, clock });
  return { GET: listUpcoming(flow, settings, limit), POST: approveUpcoming(flow, settings, limit) };
}

function listUpcoming(flow: ApprovalFlow, settings: ServerSettings, limit: RateLimit): Route {
  return createRoute(settings, async ({ principal, segment }) => {
    const approvalId = parseApprovalId(segment(1));
    limit.take(principal);
    return response(await flow.preApprovals.upcoming({ principal, approvalId }));
  });
}

function approveUpcoming(flow: ApprovalFlow, settings: ServerSettings, limit: RateLimit): Route {
  return createRoute(settings, async ({ principal, json, segment }) => {
    const approvalId = parseApprovalId(segment(1));
    const { calls } = parseRequest(advanceSchema, await json());
    limit.take(principal);
    const given: AdvanceRequest['calls'] = calls.map((call) => ({
      ...call,
      toolCallId: parseToolCallId(call.toolCallId),
    }));
    return response(await flow.preApprovals.give({ principal, approvalId, via: 'http', calls: given }));
  });
}

function response(upcoming: readonly UpcomingCall[]): Response {
  return Response.json(encode(upcomingSchema, { upcoming }));
}
