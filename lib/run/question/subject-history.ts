import type { CallMark } from '../../log/store/index.ts';
import type { Call, Turn } from '../../log/turn/turn.ts';
import {
  canonicalJson,
  type FlowEvent,
  parseApprovalId,
  type SubjectHistory,
  strikeOut,
} from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { recordedIds } from '../../settings/former-ids.ts';
import { subjectOf } from './risk-and-subject.ts';

/** More calls than this count as this many: the question says "100 or more". */
const mostCounted = 100;

/** What became of a call that a mark stands for. */
type Marked = 'subject' | 'denied';

/**
 * The marks by which later questions count these events' calls: one for each call that completed or was denied by a person, of
 * a tool with `subject`. A mark names its asker in its digest, so nobody's history has the calls of others. The mark of a
 * denial contains the id of its question, which has who denied it.
 *
 * @source ADR 0040
 */
export function subjectMarksOf(
  settings: FlowSettings,
  events: readonly FlowEvent[],
  { by, calls }: Turn,
): readonly CallMark[] {
  return events.flatMap((event) => {
    const isDenial = event.type === 'approval-answered' && !event.approved;
    if (!by || !(isDenial || event.type === 'tool-completed')) return [];
    const call = calls.get(event.toolCallId);
    const subject = call && subjectOf(settings, call.requested.toolName, ranWith(call));
    if (!call || subject === undefined) return [];
    const { toolCallId, toolName } = call.requested;
    const marked: Marked = isDenial ? 'denied' : 'subject';
    const markId = `${isDenial ? event.approvalId : toolCallId}#${marked}` as CallMark['toolCallId'];
    return [
      {
        toolCallId: markId,
        digest: digestOf(marked, by.id, toolName, subject),
        askerId: by.id,
        at: event.at,
      },
    ];
  });
}

/** How many calls with the same subject the asker has completed, and who denied the last one denied. @source ADR 0040 */
export async function historyOf(
  settings: FlowSettings,
  { requested: { toolName, input, secrets, runsAs } }: Pick<Call, 'requested'>,
  asker: { readonly id: string },
  chatId: Parameters<FlowSettings['store']['calls']['recent']>[0]['chatId'],
): Promise<SubjectHistory | undefined> {
  const subject = subjectOf(settings, toolName, runsAs ?? input);
  if (subject === undefined) return undefined;
  const marks = async (marked: Marked, limit: number) => {
    const found = await Promise.all(
      recordedIds(settings, asker).map((askerId) => {
        const digest = digestOf(marked, askerId, toolName, subject);
        return settings.store.calls.recent({ digest, chatId, askerId, since: 0, limit });
      }),
    );
    return found.flat();
  };
  const [completed, denials] = await Promise.all([marks('subject', mostCounted), marks('denied', 1)]);
  const times = completed.map(({ at }) => at);
  const denied = await denialOf(settings, denials);
  return {
    subject: strikeOut(subject, input, secrets?.input),
    count: Math.min(times.length, mostCounted),
    lastAt: times.length > 0 ? Math.max(...times) : undefined,
    denied,
  };
}

async function denialOf(
  { store }: FlowSettings,
  marks: readonly CallMark[],
): Promise<SubjectHistory['denied']> {
  const [latest] = marks.toSorted((one, other) => other.at - one.at);
  if (!latest) return undefined;
  const question = await store.questions.read(parseApprovalId(latest.toolCallId.replace(/#denied$/, '')));
  const { by } = question?.answer ?? {};
  return by && { at: latest.at, by: { id: by.id, name: by.name } };
}

function ranWith({ requested, answered, started }: Call) {
  const of = started ?? (answered?.input === undefined ? requested : answered);
  return of.runsAs ?? of.input ?? requested.input;
}

function digestOf(marked: Marked, askerId: string, toolName: string, subject: string): string {
  return runtime.digest(canonicalJson([marked, askerId, toolName, subject])).slice(0, 22);
}
