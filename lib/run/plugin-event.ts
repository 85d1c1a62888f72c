import type { RecordWrite } from '../log/store/index.ts';
import { questionOf } from '../log/turn/question.ts';
import type { Call } from '../log/turn/turn.ts';
import type { PluginEventBody } from '../protocol/events/plugin-events.ts';
import { CountersignError, type Question } from '../protocol/index.ts';
import { appendChatEvent } from './chat-event.ts';
import type { Engine } from './engine.ts';
import { openTurnOf } from './question/open-turn.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/** What a plugin records about a question, and the records that are written with it, or not at all. */
export type PluginEvent = Omit<PluginEventBody, 'type' | 'plugin' | 'approvalId' | 'toolCallId' | 'early'> & {
  readonly records?: readonly RecordWrite[];
};

/**
 * Decides what to record about a call's open question, which it gets as the log has it. Called again if another writer was first.
 *
 * @returns `undefined` for nothing
 */
export type DecideEvent = (call: Call, question: Question) => PluginEvent | undefined;

/**
 * Records an event of a plugin about a question, if it is open and no run is active.
 *
 * @returns false if nothing was recorded
 * @throws CountersignError `internal` if the event is refused again and again, or has an early approval
 * @source ADR 0056
 */
export function recordPluginEvent(
  engine: Engine,
  plugin: string,
  question: Question,
  decide: DecideEvent,
): Promise<boolean> {
  return retryOnConflict(engine, question.chatId, async () => {
    const open = await openTurnOf(engine, question);
    if (!open || open.head.status === 'active') return false;
    const current = questionOf(open.call, open.head);
    const event = current && decide(open.call, current);
    if (!event) return false;
    if ('early' in event) throw unproven(plugin, question);
    const { records, ...rest } = event;
    const { id: approvalId, toolCallId } = question;
    const body = { ...rest, type: 'plugin-event' as const, plugin, approvalId, toolCallId };
    return (await appendChatEvent(engine, open.head, open.call, body, records)) || undefined;
  });
}

/** What a person approves is recorded with the rule that let this person answer, which a plugin cannot claim here. */
function unproven(plugin: string, { id: approvalId }: Question): CountersignError {
  const message = `The plugin \`${plugin}\` tried to record an early approval as an event of question ${approvalId}. Nothing was recorded.`;
  return new CountersignError('internal', message, { plugin, approvalId });
}
