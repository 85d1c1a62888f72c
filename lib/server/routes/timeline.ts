import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import type { Route } from '../../flow/plugin/http.ts';
import { parseChatId } from '../../protocol/index.ts';
import type { TimelineJson, TimelineSpanJson, TimelineTurnJson } from '../../protocol/wire/chat/timeline.ts';
import { timelineOf } from '../../views/timeline/timeline.ts';
import type { TimelineSpan, TimelineTurn } from '../../views/timeline/timeline-span.ts';
import { isoTime } from '../errors.ts';
import { createRoute, type ServerSettings } from '../route.ts';

/** `GET /api/chat/{chatId}/timeline`, without secrets. Times are ISO 8601 in UTC, durations milliseconds. @source S11 */
export function readTimeline(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, segment }) => {
    const chatId = parseChatId(segment(1));
    const { turns, spans, ...timeline } = timelineOf(
      chatId,
      await flow.chats.timeline({ principal, chatId }),
    );
    const body: TimelineJson = { ...timeline, turns: turns.map(turnJson), spans: spans.map(spanJson) };
    return Response.json(body);
  });
}

function turnJson(turn: TimelineTurn): TimelineTurnJson {
  return { ...turn, startedAt: isoTime(turn.startedAt) };
}

function spanJson({
  startedAt,
  endedAt,
  answer,
  approvedEarly,
  resolved,
  ...span
}: TimelineSpan): TimelineSpanJson {
  return {
    ...span,
    startedAt: isoTime(startedAt),
    endedAt: endedAt === undefined ? undefined : isoTime(endedAt),
    answer: answer && { ...answer, at: isoTime(answer.at) },
    approvedEarly: approvedEarly && { ...approvedEarly, at: isoTime(approvedEarly.at) },
    resolved: resolved && { ...resolved, at: isoTime(resolved.at) },
  };
}
