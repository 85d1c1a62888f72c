import type { ApprovalFlow, QuestionView } from '../flow/types.ts';
import { CountersignError } from '../vocabulary/index.ts';
import { toErrorJson } from './errors.ts';
import { defaultKeepAliveMs, eventStreamResponse } from './event-stream.ts';
import { questionJson } from './question-json.ts';
import { createRoute, type Route, type ServerSettings } from './route.ts';
import { systemClock } from './system-clock.ts';

/** A place in the feed, and the question as it is now. */
type Change = { readonly change: number; readonly question: QuestionView };

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
  return createRoute(settings, async ({ principal, request, watchSession }) => {
    const after = parseCursor(request.headers.get('last-event-id'));
    const feed = await flow.approvalFeed({ principal, ...(after !== undefined && { after }) });
    const frames = feedFrames(feed, (error) => toErrorJson(error, logger));
    return eventStreamResponse(frames, { clock, keepAliveMs, watchSession });
  });
}

/** A feed that breaks just ends, after it was logged: the client reconnects and goes on where it was. */
function feedFrames(
  feed: { after: number; changes: ReadableStream<Change> },
  onError: (error: unknown) => void,
) {
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

function frameOf({ change, question }: Change): string {
  const event = question.state === 'open' ? 'opened' : 'settled';
  return `id: ${change}\nevent: ${event}\ndata: ${JSON.stringify(questionJson(question))}\n\n`;
}

function parseCursor(value: string | null): number | undefined {
  if (value === null || value === '') return undefined;
  const after = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(after)) return after;
  throw new CountersignError('invalid-request', 'Last-Event-ID is not a place in this feed.');
}
