import type { CallMark } from '../../log/store-port.ts';
import type { Call, Turn } from '../../log/turn/turn.ts';
import { canonicalJson, type FlowEvent, type SubjectHistory, strikeOut } from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { idNow, idsOf } from '../../settings/former-ids.ts';
import { subjectOf } from './risk-and-subject.ts';

/** More calls than this count as this many: the question says "100 or more". */
const mostCounted = 100;

/**
 * The marks by which later questions count these events' calls: one for each call that completed, of a tool with `subject`.
 * A mark names its asker in its digest, so nobody's history counts the calls of others.
 *
 * @source ADR 0040
 */
export function subjectMarksOf(
  settings: FlowSettings,
  events: readonly FlowEvent[],
  { by, calls }: Turn,
): readonly CallMark[] {
  return events.flatMap((event) => {
    if (event.type !== 'tool-completed' || !by) return [];
    const call = calls.get(event.toolCallId);
    const subject = call && subjectOf(settings, call.requested.toolName, ranWith(call));
    if (!call || subject === undefined) return [];
    const askerId = idNow(settings, by.id);
    const { toolCallId, toolName } = call.requested;
    const digest = digestOf(askerId, toolName, subject);
    return [{ toolCallId: `${toolCallId}#subject` as CallMark['toolCallId'], digest, askerId, at: event.at }];
  });
}

/**
 * How often the asker has completed calls of this tool with the same subject. Calls of erased chats do not count.
 *
 * @returns nothing for a call without a subject
 * @source ADR 0040
 */
export async function historyOf(
  settings: FlowSettings,
  { requested: { toolName, input, secrets, runsAs } }: Pick<Call, 'requested'>,
  asker: { readonly id: string },
  chatId: Parameters<FlowSettings['store']['recentCalls']>[0]['chatId'],
): Promise<SubjectHistory | undefined> {
  const subject = subjectOf(settings, toolName, runsAs ?? input);
  if (subject === undefined) return undefined;
  const found = await Promise.all(
    idsOf(settings, idNow(settings, asker.id)).map((askerId) => {
      const digest = digestOf(askerId, toolName, subject);
      return settings.store.recentCalls({ digest, chatId, askerId, since: 0, limit: mostCounted });
    }),
  );
  const times = found.flat().map(({ at }) => at);
  return {
    subject: strikeOut(subject, input, secrets?.input),
    count: Math.min(times.length, mostCounted),
    ...(times.length > 0 && { lastAt: Math.max(...times) }),
  };
}

function ranWith({ requested, answered, started }: Call) {
  const of = started ?? (answered?.input === undefined ? requested : answered);
  return of.runsAs ?? of.input ?? requested.input;
}

function digestOf(askerId: string, toolName: string, subject: string): string {
  return runtime.digest(canonicalJson(['subject', askerId, toolName, subject])).slice(0, 22);
}
