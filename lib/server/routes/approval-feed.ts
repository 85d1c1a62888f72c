import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import type { AuthorizedRequest, Route } from '../../flow/plugin/http.ts';
import { systemClock } from '../../protocol/clock/system-clock.ts';
import { feedReaderHeader } from '../../protocol/wire/feed-reader.ts';
import type { ApprovalFeed, FedView } from '../../views/questions/feed.ts';
import { questionJson } from '../../views/questions/question-json.ts';
import { pullThrough } from '../../views/reader/pull-through.ts';
import { toErrorJson } from '../errors.ts';
import { defaultKeepAliveMs, eventStreamResponse } from '../event-stream/event-stream.ts';
import { createRoute, type ServerSettings } from '../route.ts';

/** `GET /api/approvals/events`: opened and settled questions, live. Resumes by `Last-Event-ID`. @source H11 */
export function approvalFeed(
  flow: ApprovalFlow,
  settings: ServerSettings & { readonly keepAliveMs?: number },
): Route {
  const { logger, clock = systemClock, keepAliveMs = defaultKeepAliveMs } = settings;
  const handle = async ({ principal, request, keepOpen }: AuthorizedRequest) => {
    const after = request.headers.get('last-event-id');
    const feed = await flow.approvals.feed({ principal, after: after || undefined });
    const frames = feedFrames(feed, (error) => toErrorJson(error, logger));
    return eventStreamResponse(frames, {
      clock,
      keepAliveMs,
      headers: { [feedReaderHeader]: feed.reader },
      ...keepOpen(),
    });
  };
  return createRoute(settings, handle, 'feeds');
}

/** The first frame is immediate, so a client can resume. A feed that fails is logged and ends. */
function feedFrames({ after, changes }: ApprovalFeed, logError: (error: unknown) => void) {
  return pullThrough<FedView, string>(changes, {
    start: () => [`id: ${after}\n\n`],
    push: (change) => [frameOf(change)],
    fail(error) {
      logError(error);
      return [];
    },
  });
}

function frameOf({ place, question }: FedView): string {
  const event = question.state === 'open' ? 'opened' : 'settled';
  const id = place === undefined ? '' : `id: ${place}\n`;
  return `${id}event: ${event}\ndata: ${JSON.stringify(questionJson(question))}\n\n`;
}
