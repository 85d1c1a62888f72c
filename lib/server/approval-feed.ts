import type { ApprovalFlow } from '../flow/approval-flow.ts';
import type { ApprovalFeed, FedView } from '../views/questions/feed.ts';
import { toErrorJson } from './errors.ts';
import { defaultKeepAliveMs, eventStreamResponse } from './event-stream.ts';
import { questionJson } from './question-json.ts';
import { createRoute, type Route, type ServerSettings, type Visit } from './route.ts';
import { systemClock } from './system-clock.ts';

/**
 * `GET /api/approvals/events`: opened and settled questions, live. Each event's id is its place in the feed;
 * `Last-Event-ID` goes on after it, so a connection that broke has missed nothing.
 *
 * @source contract H11
 */
export function approvalFeed(
  flow: ApprovalFlow,
  settings: ServerSettings & { readonly keepAliveMs?: number },
): Route {
  const { logger, clock = systemClock, keepAliveMs = defaultKeepAliveMs } = settings;
  const handle = async ({ principal, request, keepOpen }: Visit) => {
    const after = request.headers.get('last-event-id');
    const feed = await flow.approvalFeed({ principal, ...(after && { after }) });
    const frames = feedFrames(feed, (error) => toErrorJson(error, logger));
    return eventStreamResponse(frames, { clock, keepAliveMs, ...keepOpen() });
  };
  return createRoute(settings, handle, 'feeds');
}

/** A feed that breaks just ends, after it was logged: the client reconnects and goes on where it was. */
function feedFrames(feed: ApprovalFeed, onError: (error: unknown) => void) {
  const reader = feed.changes.getReader();
  let left = false;
  return new ReadableStream<string>({
    // Sent at once: a client whose connection breaks before the first event goes on from here.
    start: (controller) => controller.enqueue(`id: ${feed.after}\n\n`),
    async pull(controller) {
      try {
        const next = await reader.read();
        if (left) return;
        if (next.done) controller.close();
        else controller.enqueue(frameOf(next.value));
      } catch (error) {
        onError(error);
        controller.close();
      }
    },
    cancel(reason) {
      left = true;
      return reader.cancel(reason);
    },
  });
}

function frameOf({ place, question }: FedView): string {
  const event = question.state === 'open' ? 'opened' : 'settled';
  const id = place === undefined ? '' : `id: ${place}\n`;
  return `${id}event: ${event}\ndata: ${JSON.stringify(questionJson(question))}\n\n`;
}
