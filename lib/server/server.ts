import type { ApprovalFlow } from '../flow/approval-flow.ts';
import { withConcurrencyLimit } from './limits/concurrency-limit.ts';
import type { ServerSettings } from './route.ts';
import { requestApproval } from './routes/agent-requests.ts';
import { approvalFeed } from './routes/approval-feed.ts';
import { answerApproval, listApprovals, previewApproval, readApproval } from './routes/approvals.ts';
import { readAudit } from './routes/audit.ts';
import { eraseChat, listChats, readChat, renameChat, stopRun } from './routes/chats.ts';
import { delegationRoutes, searchPeople } from './routes/delegations.ts';
import { listDeliveries, redeliver } from './routes/deliveries.ts';
import { liveness, readiness } from './routes/health.ts';
import { exportInsights, readInsights } from './routes/insights.ts';
import { readOperations } from './routes/operations.ts';
import { resolveOutcome } from './routes/outcomes.ts';
import { readRehearsal } from './routes/rehearsal.ts';
import { forgetRemembered, listRemembered } from './routes/remembered.ts';
import { readTimeline } from './routes/timeline.ts';
import { readToolResult } from './routes/tool-results.ts';
import { upcomingRoutes } from './routes/upcoming.ts';
import { checkServerSettings } from './server-settings.ts';

export { createRateLimit, type RateLimit } from '../rights/rate-limit.ts';
export { errorResponse } from './errors.ts';
export { type GuardSettings, guardRequest } from './guard.ts';
export { type ApiKey, type ApiKeys, userIdOf } from './identity/api-keys.ts';
export type { Authorize } from './identity/authorize.ts';
export { createBearerIdentity, formerKeyIds } from './identity/bearer-keys.ts';
export type { CookieIdentity, CookieIdentitySettings } from './identity/cookie-identity.ts';
export { createCookieIdentity } from './identity/cookie-identity.ts';
export { deriveKey } from './identity/derive-key.ts';
export {
  type ConcurrencyLimit,
  type ConcurrencySettings,
  type Counted,
  createConcurrencyLimit,
} from './limits/concurrency-limit.ts';
export { type ConnectionLimit, createConnectionLimit } from './limits/connection-limit.ts';
export type { CallOptionsOf } from './requests/call-options.ts';
export { readJson } from './requests/read-json.ts';
export type { Route, ServerSettings } from './route.ts';
export { createSessionHandlers, type SessionHandlerSettings } from './routes/sessions.ts';

/** The settings of `createApprovalHandlers`. */
export type ApprovalHandlerSettings = ServerSettings & {
  /** Idle time after which the feed sends a comment, in milliseconds. Default 15,000. */
  readonly keepAliveMs?: number;
};

/**
 * The chats and approvals API as Web handlers, one group per path, ready as Next route exports:
 * `export const { GET, POST } = handlers.approval`. Ids are read from the path, so any router works.
 *
 * | group | path |
 * |---|---|
 * | `chats` | `/api/chat` |
 * | `chat` | `/api/chat/{chatId}` |
 * | `run` | `/api/chat/{chatId}/run` |
 * | `audit` | `/api/chat/{chatId}/audit` |
 * | `timeline` | `/api/chat/{chatId}/timeline` |
 * | `toolResult` | `/api/chat/{chatId}/tool-results/{toolCallId}` |
 * | `outcome` | `/api/chat/{chatId}/outcomes/{toolCallId}` |
 * | `approvals` | `/api/approvals` |
 * | `approval` | `/api/approvals/{id}` |
 * | `approvalPreview` | `/api/approvals/{id}/preview` |
 * | `approvalUpcoming` | `/api/approvals/{id}/upcoming` |
 * | `events` | `/api/approvals/events` |
 * | `remembered` | `/api/remembered` |
 * | `rememberedOne` | `/api/remembered/{id}` |
 * | `delegations` | `/api/delegations` |
 * | `delegation` | `/api/delegations/{id}` |
 * | `people` | `/api/people` |
 * | `operations` | `/api/operations` |
 * | `insights` | `/api/operations/insights` |
 * | `insightsCsv` | `/api/operations/insights.csv` |
 * | `rehearsal` | `/api/operations/rehearsal` |
 * | `deliveries` | `/api/operations/deliveries` |
 * | `delivery` | `/api/operations/deliveries/{subscriber}/{eventId}` |
 * | `live` | `/api/health/live` |
 * | `ready` | `/api/health/ready` |
 *
 * `live` and `ready` respond to anyone, under any host name.
 *
 * @throws CountersignError `invalid-settings` for settings that are misspelled or of the wrong type, and
 *   without `authorize`
 * @source H4, H5, H9-H11, H-Health
 */
export function createApprovalHandlers(flow: ApprovalFlow, given: ApprovalHandlerSettings) {
  checkServerSettings('createApprovalHandlers', given);
  const settings = withConcurrencyLimit(given);
  return {
    chats: { GET: listChats(flow, settings) },
    chat: {
      GET: readChat(flow, settings),
      PATCH: renameChat(flow, settings),
      DELETE: eraseChat(flow, settings),
    },
    run: { DELETE: stopRun(flow, settings) },
    audit: { GET: readAudit(flow, settings) },
    timeline: { GET: readTimeline(flow, settings) },
    toolResult: { GET: readToolResult(flow, settings) },
    outcome: { POST: resolveOutcome(flow, settings) },
    approvals: { GET: listApprovals(flow, settings), POST: requestApproval(flow, settings) },
    approval: { GET: readApproval(flow, settings), POST: answerApproval(flow, settings) },
    approvalPreview: { POST: previewApproval(flow, settings) },
    approvalUpcoming: upcomingRoutes(flow, settings),
    events: { GET: approvalFeed(flow, settings) },
    remembered: { GET: listRemembered(flow, settings) },
    rememberedOne: { DELETE: forgetRemembered(flow, settings) },
    ...delegationRoutes(flow, settings),
    people: { GET: searchPeople(flow, settings) },
    operations: { GET: readOperations(flow, settings) },
    insights: { GET: readInsights(flow, settings) },
    insightsCsv: { GET: exportInsights(flow, settings) },
    rehearsal: { GET: readRehearsal(flow, settings) },
    deliveries: { GET: listDeliveries(flow, settings) },
    delivery: { POST: redeliver(flow, settings) },
    live: { GET: liveness(settings) },
    ready: { GET: readiness(flow, settings) },
  };
}
