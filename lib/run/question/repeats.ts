import type { CallMark } from '../../log/store/index.ts';
import { isOwnOutcome } from '../../log/turn/response-content.ts';
import type { Call, Turn } from '../../log/turn/turn.ts';
import { canonicalJson, type FlowEvent, type JsonValue, type Repeat } from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { mayAsk } from '../../settings/tools/tool-details.ts';
import { callOf, outcomeOf } from '../outcomes/outcome-of.ts';
import type { Run } from '../run.ts';

/** For how long a later call counts as a repetition. */
const rememberedMs = 24 * 60 * 60 * 1000;

/** How many earlier calls are checked. Calls that had no effect are skipped. */
const looksAt = 5;

function effectOf(toolName: string, input: JsonValue): string {
  return canonicalJson([toolName, input]);
}

/** The digest under which such calls are found: 128 bits, because it is stored twice per call, and matches are compared. */
function digestOf(effect: string): string {
  return runtime.digest(effect).slice(0, 22);
}

/** The marks by which later questions find calls that were cleared or began. Tools that never ask leave none. */
export function marksOf(
  settings: FlowSettings,
  events: readonly FlowEvent[],
  { by, calls }: Turn,
): readonly CallMark[] {
  return events.flatMap((event) => {
    const call = 'toolCallId' in event ? calls.get(event.toolCallId) : undefined;
    return (call && by && markOf(settings, event, call, by.id)) ?? [];
  });
}

function markOf(settings: FlowSettings, event: FlowEvent, call: Call, askerId: string): CallMark | undefined {
  const { toolCallId, toolName, gate } = call.requested;
  if (!isFirstSign(event, call) || (gate.type !== 'ask' && !mayAsk(settings, toolName))) return undefined;
  const digest = digestOf(effectOf(toolName, inputOf(call)));
  return { toolCallId, digest, askerId, at: event.at };
}

function isFirstSign({ type }: FlowEvent, call: Call): boolean {
  const isCleared = call.answered?.approved === true || call.granted !== undefined;
  switch (type) {
    case 'approval-granted':
      return true;
    case 'approval-answered':
      return isCleared;
    case 'tool-started':
      return !isCleared;
    case 'tool-completed':
    case 'tool-failed':
      // A call without a question that a client or a provider ran has no start of its own.
      return !isCleared && !call.started && (call.requested.executor === 'provider' || isOwnOutcome(call));
    default:
      return false;
  }
}

function inputOf({ requested, answered, started }: Call): JsonValue {
  return started?.input ?? answered?.input ?? requested.input;
}

/** The newest equal call within a day, in this chat or by the same asker. @source H13, ADR 0021 */
export async function findRepeat(
  {
    settings,
    clock,
    chatId,
    principal,
    journal,
    recentOutcomes,
  }: Pick<Run, 'settings' | 'clock' | 'chatId' | 'principal' | 'journal' | 'recentOutcomes'>,
  { requested: { toolCallId, toolName, input } }: Call,
): Promise<Repeat | undefined> {
  const { store } = settings;
  const effect = effectOf(toolName, input);
  const since = clock.now() - rememberedMs;
  const query = { digest: digestOf(effect), chatId, askerId: principal.id, since, limit: looksAt };
  for (const mark of await store.calls.recent(query)) {
    if (mark.chatId === chatId && mark.toolCallId === toolCallId) continue;
    // In this chat, events that the run has not written yet count as well.
    const recent = mark.chatId === chatId ? undefined : recentOutcomes.of(mark.chatId, mark.toolCallId);
    if (recent) {
      const { outcome, ownerId } = recent;
      return { at: mark.at, outcome, chatId: mark.chatId, ownerId, toolCallId: mark.toolCallId };
    }
    const own = mark.chatId === chatId ? journal.turn.calls.get(mark.toolCallId) : undefined;
    const call = own ?? (await callOf(store, mark));
    if (!call || effectOf(call.requested.toolName, inputOf(call)) !== effect) continue;
    const outcome = outcomeOf(call);
    if (!outcome) continue;
    const ownerId =
      mark.chatId === chatId ? journal.head.ownerId : (await store.chats.head(mark.chatId))?.ownerId;
    if (ownerId !== undefined) {
      return { at: mark.at, outcome, chatId: mark.chatId, ownerId, toolCallId: mark.toolCallId };
    }
  }
  return undefined;
}
