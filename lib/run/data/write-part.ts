import type { Readers } from '../../log/follow/readers.ts';
import type { Journal } from '../../log/journal.ts';
import type { Call } from '../../log/turn/turn.ts';
import {
  type ChatId,
  type Clock,
  CountersignError,
  type DataEventBody,
  type RunId,
  strikeOut,
  type ToolCallId,
} from '../../protocol/index.ts';
import type { WrittenPart } from './parse-data-part.ts';

/** Writes one part into the message of a run's turn. @throws CountersignError, Conflict */
export type WritePart = (written: WrittenPart, toolCallId?: ToolCallId) => Promise<void>;

/**
 * Parts are events of the run, so the store refuses them like all others once the run belongs to another
 * instance. Transient ones reach the readers of this instance, after the events that were written before
 * them, as long as the lease is certainly valid.
 *
 * @source ADR 0031
 */
export function createPartWriter(parts: {
  readonly chatId: ChatId;
  readonly runId: RunId;
  readonly journal: Pick<Journal, 'turn' | 'nextSeq' | 'lease' | 'writeBeside'>;
  readonly readers: Pick<Readers, 'send'>;
  readonly clock: Clock;
}): WritePart {
  const { chatId, runId, journal, readers, clock } = parts;
  return async ({ part, isTransient }, toolCallId) => {
    const { turn, lease, nextSeq } = journal;
    const isOver = turn.runId !== runId || turn.phase !== 'active';
    if (isOver || (toolCallId && turn.calls.get(toolCallId)?.end)) throw ended(chatId, toolCallId);
    if (part.id !== undefined && namesSecret(part.id, toolCallId && turn.calls.get(toolCallId))) {
      throw new CountersignError(
        'invalid-request',
        `The \`id\` of \`${part.type}\` contains a secret argument of its call, and ids are shown. Use another id.`,
        { chatId },
      );
    }
    const body: DataEventBody = { type: 'data-written', part, toolCallId };
    if (!isTransient) return journal.writeBeside(runId, body);
    if (!lease.isSure()) throw ended(chatId, toolCallId);
    readers.send(chatId, { ...body, transient: true, seq: nextSeq - 1, at: clock.now(), runId });
  };
}

/** People see ids, and redacted ids could not distinguish parts. */
function namesSecret(id: string, call: Call | undefined): boolean {
  const { input, secrets } = call?.requested ?? {};
  const values = [input, call?.started?.input].flatMap((each) => each ?? []);
  return values.some((each) => strikeOut(id, each, secrets?.input) !== id);
}

/** The refusal of a part that arrives too late. */
export function ended(chatId: ChatId, toolCallId?: ToolCallId): CountersignError {
  const what = toolCallId ? `Call ${toolCallId}` : 'The turn';
  return new CountersignError(
    'invalid-request',
    `${what} of chat ${chatId} no longer runs here, so its data part was not written.`,
    { chatId, toolCallId },
  );
}
