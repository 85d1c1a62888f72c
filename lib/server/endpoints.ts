import type { ApprovalFlow } from '../flow/approval-flow.ts';
import type { Endpoint } from '../flow/plugin/http.ts';
import type { DialectSettings, SharedSettings } from './dialect.ts';
import { createRoute } from './route.ts';
import { approvalFeed } from './routes/approval-feed.ts';
import { answerApproval, listApprovals, previewApproval, readApproval } from './routes/approvals.ts';
import { readAudit } from './routes/audit.ts';
import { eraseChat, listChats, readChat, renameChat, stopRun } from './routes/chats.ts';
import { liveness, readiness } from './routes/health.ts';
import { resolveOutcome } from './routes/outcomes.ts';
import { readTimeline } from './routes/timeline.ts';
import { readToolResult } from './routes/tool-results.ts';

export type EndpointSettings = SharedSettings &
  DialectSettings & {
    /** Idle time after which the feed sends a comment, in milliseconds. Default 15,000. */
    readonly keepAliveMs?: number;
  };

/**
 * The endpoints of the kernel, of the flow's plugins and of the dialects. `/health` answers anyone.
 *
 * @source H4, H5, H9-H11
 */
export function endpointsOf(flow: ApprovalFlow, settings: EndpointSettings): readonly Endpoint[] {
  return [
    { path: '/chat', methods: { GET: listChats(flow, settings) } },
    {
      path: '/chat/{chatId}',
      methods: {
        GET: readChat(flow, settings),
        PATCH: renameChat(flow, settings),
        DELETE: eraseChat(flow, settings),
      },
    },
    { path: '/chat/{chatId}/run', methods: { DELETE: stopRun(flow, settings) } },
    { path: '/chat/{chatId}/audit', methods: { GET: readAudit(flow, settings) } },
    { path: '/chat/{chatId}/timeline', methods: { GET: readTimeline(flow, settings) } },
    { path: '/chat/{chatId}/tool-results/{toolCallId}', methods: { GET: readToolResult(flow, settings) } },
    { path: '/chat/{chatId}/outcomes/{toolCallId}', methods: { POST: resolveOutcome(flow, settings) } },
    { path: '/approvals', methods: { GET: listApprovals(flow, settings) } },
    { path: '/approvals/events', methods: { GET: approvalFeed(flow, settings) } },
    {
      path: '/approvals/{approvalId}',
      methods: { GET: readApproval(flow, settings), POST: answerApproval(flow, settings) },
    },
    { path: '/approvals/{approvalId}/preview', methods: { POST: previewApproval(flow, settings) } },
    { path: '/health/live', methods: { GET: liveness(settings) } },
    { path: '/health/ready', methods: { GET: readiness(flow, settings) } },
    ...flow.plugins.flatMap(
      ({ endpoints }) => endpoints?.((handle, counted) => createRoute(settings, handle, counted)) ?? [],
    ),
    ...(settings.dialects ?? []).flatMap(({ endpoints }) => endpoints?.(flow, settings) ?? []),
  ];
}
