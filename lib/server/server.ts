import type { ApprovalFlow } from '../flow/approval-flow.ts';
import { approvalFeed } from './approval-feed.ts';
import { answerApproval, listApprovals, readApproval } from './approval-routes.ts';
import { eraseChat, listChats, readAudit, readChat, renameChat, stopRun } from './chat-routes.ts';
import { withConcurrencyLimit } from './concurrency-limit.ts';
import { resolveOutcome } from './outcome-routes.ts';
import { forgetRemembered, listRemembered } from './remembered-routes.ts';
import type { ServerSettings } from './route.ts';
import { checkServerSettings } from './server-settings.ts';
import { readTimeline } from './timeline.ts';
import { readToolResult } from './tool-results.ts';

export { type ApiKey, type ApiKeys, userIdOf } from './api-keys.ts';
export { createBearerIdentity, formerKeyIds } from './bearer-keys.ts';
export {
  type ConcurrencyLimit,
  type ConcurrencySettings,
  type Counted,
  createConcurrencyLimit,
} from './concurrency-limit.ts';
export { deriveKey } from './derive-key.ts';
export { errorResponse } from './errors.ts';
export { type GuardSettings, guardRequest } from './guard.ts';
export type { Authorize, CookieIdentity, CookieIdentitySettings } from './identity.ts';
export { createCookieIdentity } from './identity.ts';
export { createRateLimit, type RateLimit } from './rate-limit.ts';
export { readJson } from './read-json.ts';
export type { Route, ServerSettings } from './route.ts';
export { createSessionHandlers, type SessionHandlerSettings } from './session-routes.ts';

/** What `createApprovalHandlers` takes. */
export type ApprovalHandlerSettings = ServerSettings & {
  /** Silence after which the feed sends a comment. Default 15,000 ms. */
  readonly keepAliveMs?: number;
};

/**
 * The chats and approvals API as Web handlers, one group a path, ready as Next route exports
 * (`export const { GET, POST } = handlers.approval`). Ids are read from the path, so any router will do.
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
 * | `events` | `/api/approvals/events` |
 * | `remembered` | `/api/remembered` |
 * | `rememberedOne` | `/api/remembered/{id}` |
 *
 * @throws CountersignError `invalid-settings` for settings that are misspelt or of the wrong kind, and without `authorize`
 * @source contract H4, H5, H9-H11
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
    approvals: { GET: listApprovals(flow, settings) },
    approval: { GET: readApproval(flow, settings), POST: answerApproval(flow, settings) },
    events: { GET: approvalFeed(flow, settings) },
    remembered: { GET: listRemembered(flow, settings) },
    rememberedOne: { DELETE: forgetRemembered(flow, settings) },
  };
}
