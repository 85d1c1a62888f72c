import { CountersignError, type EventOf, type JsonValue, type UserPart } from '../protocol/index.ts';

type Imported = EventOf<'message-imported'>;

/** A person's message, as received again. */
export type RepeatedMessage = Pick<EventOf<'message-received'>, 'messageId' | 'parts' | 'metadata' | 'by'>;

/**
 * Checks that a cut loses no effect of an imported call, which has no events.
 *
 * @throws CountersignError `invalid-request`
 * @source ADR 0036
 */
export function refuseToForget(
  dropped: readonly Imported[],
  isIdempotent: (toolName: string) => boolean,
): void {
  for (const { messageId, ran } of dropped) {
    const toolName = ran.find((name) => !isIdempotent(name));
    if (toolName === undefined) continue;
    const text =
      `Message ${messageId} was imported with a call of ${toolName}, which may have had an effect. ` +
      'It cannot be replaced. Send a new message.';
    throw new CountersignError('invalid-request', text, { messageId });
  }
}

/** The imported message that begins a turn; `undefined` if it was not imported. */
export function importedQuestion(
  turn: { readonly imported?: Imported } | undefined,
): RepeatedMessage | undefined {
  if (turn?.imported?.message.role !== 'user') return undefined;
  const { messageId, message, by } = turn.imported;
  const metadata = message.metadata as JsonValue | undefined;
  const parts = message.parts.flatMap(({ type, ...part }): UserPart[] => {
    const isKept = type === 'text' || type === 'file' || type.startsWith('data-');
    return isKept ? [{ type, ...part } as UserPart] : [];
  });
  return { messageId, parts, by, metadata };
}
