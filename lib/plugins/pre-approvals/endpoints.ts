import type { Endpoint, MakeRoute } from '../../flow/plugin/http.ts';
import { type Clock, parseApprovalId, parseToolCallId } from '../../protocol/index.ts';
import { encode } from '../../protocol/wire/codec.ts';
import { createRateLimit } from '../../rights/rate-limit.ts';
import { parseRequest } from '../../server/requests/parse-request.ts';
import { preApprovalsSchema, upcomingSchema } from './client/upcoming-json.ts';
import type { PreApprovals } from './methods.ts';
import type { UpcomingCall } from './upcoming.ts';

/** Applies even if the host sets no limit, because each request may query a database for each call. */
const requestsPerMinute = 120;

/**
 * `GET` and `POST /api/approvals/{id}/upcoming`: the upcoming calls of an open question, and their pre-approvals.
 *
 * @source H10, ADR 0041
 */
export function createEndpoints(
  { upcoming, give }: PreApprovals,
  clock: Clock,
): (route: MakeRoute) => readonly Endpoint[] {
  const limit = createRateLimit({ perMinute: requestsPerMinute, clock });
  return (route) => {
    const GET = route(async ({ principal, segment }) => {
      const approvalId = parseApprovalId(segment(1));
      limit.take(principal);
      return response(await upcoming({ principal, approvalId }));
    });
    const POST = route(async ({ principal, json, segment }) => {
      const approvalId = parseApprovalId(segment(1));
      const { calls } = parseRequest(preApprovalsSchema, await json());
      limit.take(principal);
      const given = calls.map((call) => ({ ...call, toolCallId: parseToolCallId(call.toolCallId) }));
      return response(await give({ principal, approvalId, via: 'http', calls: given }));
    });
    return [{ path: '/approvals/{approvalId}/upcoming', methods: { GET, POST } }];
  };
}

function response(upcoming: readonly UpcomingCall[]): Response {
  return Response.json(encode(upcomingSchema, { upcoming }));
}
